create or replace view tender.contractor_record with (security_barrier) as
select coalesce(k.contractor, c.owner) as contractor, coalesce(k.principal, c.principal) as principal,
    k.skills, k.slots, coalesce(c.active, 0) as active, coalesce(c.awards, 0) as awards,
    coalesce(c.fulfilled, 0) as fulfilled, coalesce(c.failed, 0) as failed,
    coalesce(c.lapsed, 0) as lapsed, coalesce(c.declined, 0) as declined,
    coalesce(c.cancelled, 0) as cancelled, coalesce(c.on_time, 0) as on_time,
    coalesce(c.units_done, 0) as units_done,
    (coalesce(c.earned_micro, 0) / 1000000.0)::numeric(20, 6) as earned, k.enrolled_at, k.departed_at,
    r.name as departed_reason, coalesce(c.rejected, 0) as rejected
from tender_ledger.enrolment k
full join (
    select a.owner, max(a.principal) as principal, count(*) filter (where a.state < 3) as active,
        count(*) as awards, count(*) filter (where a.state = 3) as fulfilled,
        count(*) filter (where a.state = 4) as failed, count(*) filter (where a.state = 5) as lapsed,
        count(*) filter (where a.state = 6) as declined,
        count(*) filter (where a.state = 7) as cancelled,
        count(*) filter (where a.state = 3 and a.ended_at <= a.due_at) as on_time,
        count(*) filter (where a.state = 4 and a.reason = 74) as rejected,
        sum(a.units_done) as units_done, sum(a.paid_micro)::bigint as earned_micro
    from (
        select c.owner, c.principal, c.state, c.reason, c.ended_at, c.due_at, c.units_done, c.paid_micro
        from tender_ledger.commitment c
        union all
        select p.owner, p.principal, p.state, null, null, p.due_at, p.units_done, 0
        from tender_ledger.promise p
    ) a
    group by a.owner
) c on c.owner = k.contractor
left join tender_ledger.word r on r.vocabulary = 'reason' and r.code = k.departed_reason
    and k.departed_at is not null
where (select tender_ledger.reads_all(current_user)) or coalesce(k.principal, c.principal) = current_user;
comment on view tender.contractor_record is 'What each contractor offers, and how it kept its promises.';
comment on column tender.contractor_record.contractor is 'Name of the agent.';
comment on column tender.contractor_record.principal is 'Whose agent it is.';
comment on column tender.contractor_record.skills is 'Skills it last offered.';
comment on column tender.contractor_record.slots is 'Commitments it may hold at once.';
comment on column tender.contractor_record.active is 'Commitments it holds.';
comment on column tender.contractor_record.awards is 'Commitments it ever had.';
comment on column tender.contractor_record.fulfilled is 'Those it kept.';
comment on column tender.contractor_record.failed is 'Those it gave up.';
comment on column tender.contractor_record.lapsed is 'Those whose due time passed.';
comment on column tender.contractor_record.declined is 'Those it did not take.';
comment on column tender.contractor_record.cancelled is 'Those the client withdrew.';
comment on column tender.contractor_record.on_time is 'Those it kept by their due time.';
comment on column tender.contractor_record.units_done is 'Units accepted.';
comment on column tender.contractor_record.earned is 'Credits earned.';
comment on column tender.contractor_record.enrolled_at is 'When it last offered.';
comment on column tender.contractor_record.departed_at is 'When it was last found gone, if since.';
comment on column tender.contractor_record.departed_reason is 'Why it is gone.';
comment on column tender.contractor_record.rejected is
    'Those whose delivery the client did not take, or not all of it; counted as failed too.';
grant select on tender.contractor_record to tender_auditor, tender_reader, tender_principal;
