-- A standby that was promoted may lack the last commits, and nothing in it says so. So each reign is
-- remembered with the batch that it began behind and with a mark of its own: a number alone could be
-- given again by a ledger that has lost it. What peers were told is held is compared with that, and a
-- difference is kept until an operator has seen it.
create table tender_ledger.reign_begin (
    began_at timestamptz not null,
    reign bigint not null,
    batch bigint not null,
    mark integer not null,
    shard smallint not null,
    broker text not null,
    constraint reign_begins_once primary key (shard, reign)
);
comment on table tender_ledger.reign_begin is 'How each reign began: what a receipt is compared with.';
comment on column tender_ledger.reign_begin.began_at is 'When it began.';
comment on column tender_ledger.reign_begin.reign is 'Number of the reign.';
comment on column tender_ledger.reign_begin.batch is 'Number of the last batch held when it began.';
comment on column tender_ledger.reign_begin.mark is
    'At random: tells it from another reign of that number, where a database that failed over forgot one.';
comment on column tender_ledger.reign_begin.shard is 'The shard.';
comment on column tender_ledger.reign_begin.broker is 'Name of the broker, for people.';

create function tender_ledger.note_reign()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.reign_begin (began_at, reign, batch, mark, shard, broker)
    values (clock_timestamp(), new.reign, new.batch,
        ('x' || left(md5(gen_random_uuid()::text), 8))::bit(32)::integer, new.shard, new.broker);
    return null;
end
$$;
comment on function tender_ledger.note_reign() is 'Remembers how a reign began.';
create trigger reign_is_noted
    after insert or update of reign on tender_ledger.reign
    for each row execute function tender_ledger.note_reign();
comment on trigger reign_is_noted on tender_ledger.reign is 'Every reign is remembered, whoever begins it.';
insert into tender_ledger.reign_begin (began_at, reign, batch, mark, shard, broker)
select clock_timestamp(), r.reign, r.batch, 0, r.shard, r.broker from tender_ledger.reign r;

create table tender_ledger.loss (
    seen_at timestamptz not null,
    closed_at timestamptz,
    reign bigint not null,
    told_batch bigint not null,
    held_batch bigint not null,
    mark integer not null,
    shard smallint not null,
    peer text not null,
    closed_by text,
    constraint loss_is_one_per_reign primary key (shard, reign, mark),
    constraint loss_is_behind check (held_batch < told_batch),
    constraint loss_is_closed_by_somebody check ((closed_at is null) = (closed_by is null))
);
comment on table tender_ledger.loss is 'Commits that peers were told of and that the ledger lacks.';
comment on column tender_ledger.loss.seen_at is 'When it was first seen.';
comment on column tender_ledger.loss.closed_at is 'When an operator closed it.';
comment on column tender_ledger.loss.reign is 'Reign whose batches are missing.';
comment on column tender_ledger.loss.told_batch is 'The highest batch that somebody was told is held.';
comment on column tender_ledger.loss.held_batch is 'The last batch of that reign that is held.';
comment on column tender_ledger.loss.mark is 'Mark of the reign.';
comment on column tender_ledger.loss.shard is 'The shard.';
comment on column tender_ledger.loss.peer is 'Who was told of the highest.';
comment on column tender_ledger.loss.closed_by is 'Operator that closed it.';
