-- What the ledger says about one task: psql -v task=TASK -f report.sql (or `tender psql`).
\pset border 2
\pset footer off
\pset null ''
\echo
\echo 'Rounds: what was announced'
select round, units, trim_scale(ceiling) as ceiling, invited, outcome
from tender.round where task_id = :'task' order by round;
\echo 'Bids: each has one reason'
select round, contractor, principal, trim_scale(cost) as cost, eta, status, reason, rank
from tender.bid where task_id = :'task'
order by round, rank nulls last, contractor;
\echo 'Commitments: what was promised, delivered and paid'
select round, owner, units, units_done, trim_scale(price) as price, trim_scale(paid) as paid,
       status, reason, to_char(due_at - awarded_at, 'HH24:MI:SS') as due_after
from tender.commitment where task_id = :'task' order by round;
\echo 'What work cost beside what was bid for it: all reports of these contractors'
select contractor, tier, reports, trim_scale(ratio) as bid_over_measured,
       trim_scale(exact_share) as exact_share, trim_scale(measured) as measured, tokens_out
from tender.bid_fidelity
where contractor in (select owner from tender.commitment where task_id = :'task')
order by contractor, tier;
\echo 'Postings: every movement has two legs'
select split_part(posting_id, '/', 2) as movement, principal, bucket,
       to_char(amount, 'S999990.00') as amount
from tender.posting where task_id = :'task' order by at, posting_id, amount;
\echo 'What each party was paid, and the sum'
with paid as (
    select principal, sum(amount) as paid
    from tender.posting where task_id = :'task' and bucket = 'earned' group by principal
)
select principal, trim_scale(paid) as paid from paid
union all
select 'sum', trim_scale(coalesce(sum(paid), 0)) from paid
order by 2;
\echo 'The books of the task: reserved is paid and released, and postings sum to zero'
select trim_scale(t.ceiling) as reserved, trim_scale(coalesce(c.paid, 0)) as paid,
       trim_scale(t.ceiling - coalesce(c.paid, 0)) as released,
       t.units_done || ' of ' || t.units as units, t.status, trim_scale(p.sum) as sum_of_postings
from tender.task t
cross join lateral (select sum(paid) as paid from tender.commitment where task_id = t.task_id) c
cross join lateral (select sum(amount) as sum from tender.posting where task_id = t.task_id) p
where t.task_id = :'task';
