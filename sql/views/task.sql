-- A task that was just announced has no open part (fresh_part): it is open, in its first round.
create or replace view tender.task with (security_barrier) as
select t.task_id, t.client, t.principal, t.skill, t.units,
    coalesce(e.units_done, p.units_done, 0) as units_done,
    (t.ceiling_micro / 1000000.0)::numeric(20, 6) as ceiling,
    s.name as status, r.name as reason, coalesce(e.round, p.round, 1) as round, t.key, t.announced_at,
    e.ended_at, (coalesce(e.paid_micro, p.paid_micro, 0) / 1000000.0)::numeric(20, 6) as paid,
    (e.released_micro / 1000000.0)::numeric(20, 6) as released, t.again,
    array[t.skill] || n.needs as skills, g.goal
from tender_ledger.task t
left join tender_ledger.task_end e on e.shard = t.shard and e.task_id = t.task_id
left join tender_ledger.open_part p on p.shard = t.shard and p.task_id = t.task_id and p.part = 0
left join tender_ledger.task_need n on n.shard = t.shard and n.task_id = t.task_id
left join tender_ledger.task_goal g on g.shard = t.shard and g.task_id = t.task_id
left join tender_ledger.word s on s.vocabulary = 'task_state'
    and s.code = coalesce(e.state, case p.promise_state when 1 then 3 when 2 then 4 end, (
        select 3 from tender_ledger.split_part q
        where q.shard = t.shard and q.task_id = t.task_id
        limit 1), p.state, 2)
left join tender_ledger.word r on r.vocabulary = 'reason' and r.code = coalesce(e.reason, p.reason, 0)
where (select tender_ledger.reads_all(current_user)) or t.principal = current_user;
comment on view tender.task is 'Every task and where it stands.';
comment on column tender.task.task_id is 'Identifier, ordered by time of announcement.';
comment on column tender.task.client is 'Agent that announced it.';
comment on column tender.task.principal is 'Whose account pays.';
comment on column tender.task.skill is 'Skill it needs.';
comment on column tender.task.units is 'Units to be done.';
comment on column tender.task.units_done is 'Units accepted so far.';
comment on column tender.task.ceiling is 'The most the task may ever cost, in credits: the first ceiling.';
comment on column tender.task.status is
    'blocked, open, awarded, delivered, held, done, unallocated or cancelled.';
comment on column tender.task.reason is 'Why it is in this state.';
comment on column tender.task.round is 'Number of the last round.';
comment on column tender.task.key is 'The client''s key.';
comment on column tender.task.announced_at is 'When it was announced.';
comment on column tender.task.ended_at is 'When it ended; null while it goes on.';
comment on column tender.task.paid is 'Credits paid so far, over all commitments.';
comment on column tender.task.released is 'Credits given back to the account at the end.';
comment on column tender.task.again is 'The ended task that it replaces under its key.';
comment on column tender.task.skills is 'Its skill, then the skills and resources that it needs besides.';
comment on column tender.task.goal is 'The goal that it serves, among those of its principal, or null.';
grant select on tender.task to tender_auditor, tender_reader, tender_principal;
