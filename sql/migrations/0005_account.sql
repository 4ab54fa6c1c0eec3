-- Money is moved, never made: a balance changes only together with another one.
--
-- An account adds up by a check over its own row. What a task reserves, pays and releases stands in
-- the rows of the task and of its commitments, and the view tender.posting reads both legs of each
-- movement from there; movements that no such row tells are rows of `transfer`. Either way one row is
-- a whole movement, so half of one cannot be written.
create table tender_ledger.account (
    issued_micro bigint not null default 0,
    available_micro bigint not null default 0,
    reserved_micro bigint not null default 0,
    spent_micro bigint not null default 0,
    earned_micro bigint not null default 0,
    shard smallint not null,
    principal text collate "C" not null,
    constraint account_is_one_per_principal primary key (shard, principal),
    constraint account_is_not_overspent check (available_micro >= 0),
    constraint account_reserve_is_not_negative check (reserved_micro >= 0),
    constraint account_spending_is_not_negative check (spent_micro >= 0),
    constraint account_earning_is_not_negative check (earned_micro >= 0),
    constraint account_adds_up check (available_micro + reserved_micro + spent_micro = issued_micro)
) with (fillfactor = 50);
comment on table tender_ledger.account is 'Balances of principals, in micro-credits.';
comment on column tender_ledger.account.issued_micro is 'Put in, less what was taken out.';
comment on column tender_ledger.account.available_micro is 'Free to be reserved.';
comment on column tender_ledger.account.reserved_micro is 'Reserved for tasks that have not ended.';
comment on column tender_ledger.account.spent_micro is 'Paid to others from reservations.';
comment on column tender_ledger.account.earned_micro is 'Paid by others for kept commitments.';
comment on column tender_ledger.account.shard is 'Shard of the account.';
comment on column tender_ledger.account.principal is 'Whose account it is.';

create table tender_ledger.transfer (
    at timestamptz not null,
    amount_micro bigint not null,
    number integer not null,
    generation integer,
    shard smallint not null,
    task_id uuid not null,
    from_principal text collate "C" not null,
    from_bucket text not null,
    to_principal text collate "C" not null,
    to_bucket text not null,
    constraint transfer_is_made_by_one_entry primary key (shard, task_id, number),
    constraint transfer_moves_something check (amount_micro > 0),
    constraint transfer_time_is_finite check (isfinite(at)),
    constraint transfer_has_two_ends check ((from_principal, from_bucket) <> (to_principal, to_bucket)),
    constraint transfer_buckets_exist check (
        from_bucket in ('issued', 'available', 'reserved', 'earned')
        and to_bucket in ('issued', 'available', 'reserved', 'earned'))
);
comment on table tender_ledger.transfer is
    'Movements of money that no row of a task or commitment tells: both ends in one row.';
comment on column tender_ledger.transfer.at is 'Stamp of its entry.';
comment on column tender_ledger.transfer.amount_micro is 'Micro-credits moved.';
comment on column tender_ledger.transfer.number is 'Number of the entry that moved them.';
comment on column tender_ledger.transfer.generation is 'Commitment it belongs to, where it does.';
comment on column tender_ledger.transfer.shard is 'Shard of the payer.';
comment on column tender_ledger.transfer.task_id is 'Task of the entry; all zero for the house.';
comment on column tender_ledger.transfer.from_principal is 'Who has less.';
comment on column tender_ledger.transfer.from_bucket is 'issued, available, reserved or earned.';
comment on column tender_ledger.transfer.to_principal is 'Who has more.';
comment on column tender_ledger.transfer.to_bucket is 'issued, available, reserved or earned.';
create trigger transfer_is_append_only
    before update or delete or truncate on tender_ledger.transfer
    for each statement execute function tender_ledger.refuse_change();
comment on trigger transfer_is_append_only on tender_ledger.transfer is
    'A movement is reversed by another movement.';
