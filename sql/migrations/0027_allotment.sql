-- A budget within a budget: credits leave one account and come into another, whose shard may be another
-- broker's. What is between the two is a row here, so that credits are never in both and never lost.
create table tender_ledger.allotment (
    request bigint not null,
    request_in bigint,
    step bigint not null,
    amount_micro bigint not null,
    from_principal text collate "C" not null,
    to_principal text collate "C" not null,
    state text collate "C" not null default 'asked',
    constraint allotment_has_one_row primary key (request),
    constraint allotment_step_is_of_one unique (step),
    constraint allotment_moves_something check (amount_micro > 0),
    constraint allotment_has_two_ends check (from_principal <> to_principal),
    constraint allotment_state_exists check (state in ('asked', 'refused', 'taken', 'given', 'returning',
        'returned'))
);
comment on table tender_ledger.allotment is 'Credits on their way from one account to another.';
comment on column tender_ledger.allotment.request is 'Request that takes them out.';
comment on column tender_ledger.allotment.request_in is 'Request that puts them in; null: not yet.';
comment on column tender_ledger.allotment.step is 'Request whose answer is waited for, or was the last.';
comment on column tender_ledger.allotment.amount_micro is 'How many, in micro-credits.';
comment on column tender_ledger.allotment.from_principal is 'Out of whose account.';
comment on column tender_ledger.allotment.to_principal is 'Into whose.';
comment on column tender_ledger.allotment.state is
    'asked; refused (it had less); taken out; given; or returning and returned where there was no room.';
