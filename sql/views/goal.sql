create or replace view tender.goal with (security_barrier) as
select g.principal, g.goal, g.task_id, t.skill, s.name as status, r.name as reason,
    (
        select array_agg(a.after_id order by a.after_id)
        from tender_ledger.task_after a
        where a.shard = g.shard and a.task_id = g.task_id
    ) as after,
    coalesce(h.owner, (
        select c.owner
        from tender_ledger.commitment c
        where c.shard = g.shard and c.task_id = g.task_id
        order by c.ended_at desc, c.part desc, c.generation desc
        limit 1
    )) as owner, t.units, coalesce(e.units_done, p.units_done) as units_done,
    (coalesce(e.paid_micro, p.paid_micro) / 1000000.0)::numeric(20, 6) as paid,
    b.belief, b.suspended_until, h.due_at, t.announced_at, e.ended_at
from tender_ledger.task_goal g
join tender_ledger.task t on t.shard = g.shard and t.task_id = g.task_id
left join tender_ledger.task_end e on e.shard = g.shard and e.task_id = g.task_id
left join tender_ledger.open_part p on p.shard = g.shard and p.task_id = g.task_id and p.part = 0
left join lateral (
    select string_agg(q.owner, ' ' order by q.part) as owner, min(q.due_at) as due_at
    from tender_ledger.promise q
    where q.shard = g.shard and q.task_id = g.task_id
) h on true
left join tender_ledger.word s on s.vocabulary = 'task_state'
    and s.code = coalesce(e.state,
        case when p.promise_state = 2 then 4 when h.owner is not null then 3 end,
        p.state)
left join tender_ledger.word r on r.vocabulary = 'reason' and r.code = coalesce(e.reason, p.reason)
left join tender.belief b on e.task_id is null and b.task_id is null and b.goal = g.goal
    and b.principal = g.principal and b.at >= t.announced_at
where (select tender_ledger.reads_all(current_user)) or g.principal = current_user;
comment on view tender.goal is 'The tasks of every goal: one row a task, with what it waits for.';
comment on column tender.goal.principal is 'Whose goal it is: who pays.';
comment on column tender.goal.goal is 'Name of the goal, among those of its principal.';
comment on column tender.goal.task_id is 'The task.';
comment on column tender.goal.skill is 'Skill it needs.';
comment on column tender.goal.status is
    'blocked, open, awarded, delivered, held, done, unallocated or cancelled.';
comment on column tender.goal.reason is 'Why it is in this state.';
comment on column tender.goal.after is 'Tasks that must be done first; null where there are none.';
comment on column tender.goal.owner is
    'Contractor that holds it, or held it last; several, parted by blanks, where it is split.';
comment on column tender.goal.units is 'Units to be done.';
comment on column tender.goal.units_done is 'Units accepted so far.';
comment on column tender.goal.paid is 'Credits paid so far, over all commitments.';
comment on column tender.goal.belief is
    'What was last believed about the goal since this task was announced, while the task goes on.';
comment on column tender.goal.suspended_until is
    'Awards of the goal wait until then for the client''s word.';
comment on column tender.goal.due_at is
    'When the owner must have kept its promise, the first of several; null without one.';
comment on column tender.goal.announced_at is 'When the task was announced.';
comment on column tender.goal.ended_at is 'When the task ended; null while it goes on.';
grant select on tender.goal to tender_auditor, tender_reader, tender_principal;
