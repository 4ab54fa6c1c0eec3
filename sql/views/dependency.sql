create or replace view tender.dependency with (security_barrier) as
select a.task_id, a.after_id,
    case
        when d.state is null then 'pending'
        when d.state = 6 or s.name = 'cancelled' and r.name = 'achieved' then 'done'
        else 'failed'
    end as status, case when w.is_told then coalesce(s.name, o.name) end as after_status,
    case when w.is_told then r.name end as after_reason
from tender_ledger.task_after a
left join tender_ledger.task_end d on d.shard = a.shard and d.task_id = a.after_id
left join tender_ledger.open_part p on p.shard = a.shard and p.task_id = a.after_id and p.part = 0
left join tender_ledger.task x on x.shard = a.shard and x.task_id = a.after_id
left join tender_ledger.word s on s.vocabulary = 'task_state' and s.code = d.state
left join tender_ledger.word o on o.vocabulary = 'task_state'
    and o.code = case p.promise_state when 1 then 3 when 2 then 4 else coalesce(p.state,
        case when x.task_id is not null then 2 end) end
left join tender_ledger.word r on r.vocabulary = 'reason' and r.code = d.reason
left join tender_ledger.task y on y.shard = a.shard and y.task_id = a.task_id
cross join lateral (
    select (select tender_ledger.reads_all(current_user)) or x.principal = current_user as is_told
) w
where (select tender_ledger.reads_all(current_user)) or y.principal = current_user;
comment on view tender.dependency is 'Which task waits, or waited, for which.';
comment on column tender.dependency.task_id is 'The task that is blocked until the other is done.';
comment on column tender.dependency.after_id is 'The task that must be done first.';
comment on column tender.dependency.status is
    'pending while the other goes on; done where it was done or achieved; failed where it ended otherwise.';
comment on column tender.dependency.after_status is
    'Where the other stands; to a principal, where it pays for that one too.';
comment on column tender.dependency.after_reason is 'Why the other ended, shown as after_status is.';
grant select on tender.dependency to tender_auditor, tender_reader, tender_principal;
