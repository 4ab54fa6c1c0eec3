-- Which shard things belong to. The broker and its peers compute the same (ledger/entry/shard.h).
create or replace function tender_ledger.shard_count()
returns smallint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select l.shards from tender_ledger.ledger l
$$;
comment on function tender_ledger.shard_count() is 'How many shards the ledger has.';
grant execute on function tender_ledger.shard_count() to tender_broker;

create or replace function tender_ledger.shard_of_principal(p_principal text)
returns smallint
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select (mod(
        ('x' || encode(substr(h.hash, 1, 4), 'hex'))::bit(32)::bigint::numeric * 4294967296
            + ('x' || encode(substr(h.hash, 5, 4), 'hex'))::bit(32)::bigint,
        tender_ledger.shard_count()))::smallint
    from (select sha256(convert_to('tender/shard/v1' || p_principal, 'UTF8')) as hash) h
$$;
comment on function tender_ledger.shard_of_principal(text) is 'The shard of an account.';

create or replace function tender_ledger.shard_of_task(p_task uuid)
returns smallint
language sql stable
set search_path = pg_catalog, pg_temp
as $$
    select (get_byte(uuid_send(p_task), 15) % tender_ledger.shard_count())::smallint
$$;
comment on function tender_ledger.shard_of_task(uuid) is 'The shard of a task.';

-- Only while nothing is written: what there is lies in the shards that there were.
create or replace function tender_ledger.set_shards(p_shards integer)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_shards = tender_ledger.shard_count() then
        return;
    end if;
    if exists (select from tender_ledger.reign) or exists (select from tender_ledger.inbox) then
        raise exception using
            errcode = 'TN005',
            message = format('the ledger has %s shards: their number is fixed once a broker has reigned',
                tender_ledger.shard_count());
    end if;
    perform tender_ledger.check_range('shards', p_shards, 1, 64);
    update tender_ledger.ledger set shards = p_shards;
end
$$;
comment on function tender_ledger.set_shards(integer) is
    'Says how many shards a new ledger has; TN005 once a broker has reigned.';
