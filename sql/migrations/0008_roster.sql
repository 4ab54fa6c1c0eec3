-- Who offered to work, and when nobody listened: what a broker recalls besides tasks.
create table tender_ledger.contractor (
    enrolled_at timestamptz not null,
    departed_at timestamptz,
    number integer not null,
    slots integer not null,
    shard smallint not null,
    departed_reason smallint not null default 0,
    contractor text collate "C" not null,
    principal text collate "C" not null,
    skills text[] collate "C" not null,
    constraint contractor_has_one_row primary key (shard, contractor),
    constraint contractor_slots_are_not_negative check (slots >= 0),
    constraint contractor_times_are_finite check (isfinite(enrolled_at) and isfinite(departed_at)),
    constraint contractor_departs_after_it_enrols check (departed_at >= enrolled_at)
) with (fillfactor = 70);
comment on table tender_ledger.contractor is 'Contractors as they last enrolled.';
comment on column tender_ledger.contractor.enrolled_at is 'When it last offered.';
comment on column tender_ledger.contractor.departed_at is 'When it was last found gone, if since.';
comment on column tender_ledger.contractor.number is 'Number of its last enrolment in the house chain.';
comment on column tender_ledger.contractor.slots is 'Commitments it may hold at once.';
comment on column tender_ledger.contractor.shard is 'The shard.';
comment on column tender_ledger.contractor.departed_reason is 'Why it is gone: word reason.';
comment on column tender_ledger.contractor.contractor is 'Name of the agent.';
comment on column tender_ledger.contractor.principal is 'Whose agent it is.';
comment on column tender_ledger.contractor.skills is 'Skills it offers.';

create table tender_ledger.recess (
    from_at timestamptz not null,
    until_at timestamptz not null,
    number integer not null,
    shard smallint not null,
    constraint recess_has_one_row primary key (shard, number),
    constraint recess_ends_after_it_begins check (
        isfinite(from_at) and isfinite(until_at) and until_at >= from_at)
);
comment on table tender_ledger.recess is 'Times in which no broker listened.';
comment on column tender_ledger.recess.from_at is 'Last stamp before it.';
comment on column tender_ledger.recess.until_at is
    'Its end, grace included: deadlines in between were moved here.';
comment on column tender_ledger.recess.number is 'Number of its entry in the house chain.';
comment on column tender_ledger.recess.shard is 'The shard.';
