-- Beliefs about tasks are entries of the tasks, those about goals are entries of the house. Of the
-- latter the newest about each goal is shown, for as long as a task of it goes on.
create or replace view tender.belief with (security_barrier) as
select e.task_id, null::text as goal, e.body ->> 'by' as "by", e.body ->> 'principal' as principal,
    coalesce(e.body ->> 'belief', 'none') as belief, e.body ->> 'text' as text, e.at,
    null::timestamptz as suspended_until
from (
    select f.shard, f.task_id, f.at, f.body::jsonb as body
    from tender_ledger.entry f
    where f.kind = 17
) e
left join tender_ledger.task y on y.shard = e.shard and y.task_id = e.task_id
where (select tender_ledger.reads_all(current_user)) or e.body ->> 'principal' = current_user
    or y.principal = current_user
union all
select null, e.body ->> 'goal', e.body ->> 'by', e.body ->> 'principal',
    coalesce(e.body ->> 'belief', 'none'), e.body ->> 'text', e.at,
    timestamptz 'epoch' + (e.body ->> 'until_us')::bigint * interval '1 microsecond'
from tender_ledger.fact e
where e.kind = 28 and ((select tender_ledger.reads_all(current_user)) or e.body ->> 'principal' = current_user);
comment on view tender.belief is 'What members said about tasks and goals: one row a belief.';
comment on column tender.belief.task_id is 'The task; null where it is about a goal.';
comment on column tender.belief.goal is 'The goal; null where it is about a task.';
comment on column tender.belief."by" is 'Agent that said it.';
comment on column tender.belief.principal is 'Principal of that agent; of a goal, whose goal it is.';
comment on column tender.belief.belief is
    'achieved, impossible or irrelevant; none where the client lifted a suspension.';
comment on column tender.belief.text is 'Why, in its words.';
comment on column tender.belief.at is 'When it was said.';
comment on column tender.belief.suspended_until is
    'Of a goal: awards wait until then for the client''s word; null where the client spoke.';
grant select on tender.belief to tender_auditor, tender_reader, tender_principal;
