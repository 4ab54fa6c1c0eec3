-- A task may need several names at once, all or nothing: skills and resources are both what contractors
-- offer. A resource is a name that is counted, and a commitment holds one of each that its task needs
-- from award to end. The row below keeps how many are held beside how many there are, so that promising
-- one more than there are has no row to be written in.
create table tender_ledger.task_need (
    shard smallint not null,
    task_id uuid not null,
    needs text[] collate "C" not null,
    constraint task_need_has_one_row primary key (shard, task_id),
    constraint task_need_names_something check (cardinality(needs) >= 1 and cardinality(needs) <= 8)
);
comment on table tender_ledger.task_need is 'One row per task that needs more than one skill.';
comment on column tender_ledger.task_need.shard is 'Shard of the paying account.';
comment on column tender_ledger.task_need.task_id is 'The task.';
comment on column tender_ledger.task_need.needs is 'Skills and resources besides the skill of the task.';
create trigger task_need_is_append_only
    before update or delete or truncate on tender_ledger.task_need
    for each statement execute function tender_ledger.refuse_change();
comment on trigger task_need_is_append_only on tender_ledger.task_need is
    'Terms are not changed after the fact.';

create table tender_ledger.resource (
    count integer not null,
    held integer not null default 0,
    shard smallint not null,
    resource text collate "C" not null,
    contractor text collate "C" not null default '',
    constraint resource_has_one_row primary key (shard, resource, contractor),
    constraint resource_is_never_promised_twice check (held >= 0 and held <= count),
    constraint resource_counts_something check (count >= 1)
) with (fillfactor = 50);
comment on table tender_ledger.resource is 'One row per name that is counted.';
comment on column tender_ledger.resource.count is 'How many there are.';
comment on column tender_ledger.resource.held is 'How many of them active commitments hold.';
comment on column tender_ledger.resource.shard is 'The shard.';
comment on column tender_ledger.resource.resource is 'The name.';
comment on column tender_ledger.resource.contractor is
    'Whose it is: one contractor''s; empty where all share it.';

create table tender_ledger.resource_hold (
    held_at timestamptz not null,
    generation integer not null,
    part integer not null,
    shard smallint not null,
    task_id uuid not null,
    resource text collate "C" not null,
    contractor text collate "C" not null,
    constraint resource_hold_is_one_per_commitment primary key (shard, task_id, part, generation,
        resource, contractor),
    constraint resource_hold_is_of_a_resource foreign key (shard, resource, contractor)
        references tender_ledger.resource
);
create index resource_hold_by_resource on tender_ledger.resource_hold (shard, resource, contractor);
comment on index tender_ledger.resource_hold_by_resource is 'Finds who holds a resource.';
comment on table tender_ledger.resource_hold is
    'One row per active commitment and counted name that it holds.';
comment on column tender_ledger.resource_hold.held_at is 'When it was awarded.';
comment on column tender_ledger.resource_hold.generation is 'Number of the award within its part.';
comment on column tender_ledger.resource_hold.part is 'Part of the task; 0 while work is not split.';
comment on column tender_ledger.resource_hold.shard is 'The shard.';
comment on column tender_ledger.resource_hold.task_id is 'The task.';
comment on column tender_ledger.resource_hold.resource is 'The name.';
comment on column tender_ledger.resource_hold.contractor is
    'As in resource: the owner, or empty where all share it.';
