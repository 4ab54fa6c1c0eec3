-- What the ledger says about one task: psql -v task=TASK -f report.sql (or `tender psql`).
\pset border 2
\pset footer off
\pset null ''
\echo
\echo 'Rounds: what was announced'
select round, units, ceiling, invited, outcome
from tender.round where task_id = :'task' order by round;
\echo 'Bids: each has one reason'
select round, contractor, principal, cost, eta, status, reason, rank
from tender.bid where task_id = :'task'
order by round, rank nulls last, contractor;
\echo 'Commitments: what was promised, delivered and paid'
select round, owner, units, units_done, price, paid, status, reason
from tender.commitment where task_id = :'task' order by round;
\echo 'Postings: every movement has two legs'
select posting_id, principal, bucket, amount
from tender.posting where task_id = :'task' order by posting_id, amount;
\echo 'What each party was paid, and the sum'
with paid as (
    select principal, sum(amount) as paid
    from tender.posting where task_id = :'task' and bucket = 'earned' group by principal
)
select principal, paid from paid
union all
select 'sum', coalesce(sum(paid), 0) from paid
order by 2;
\echo 'The books of the task'
select t.ceiling as reserved, coalesce(sum(c.paid), 0) as paid,
       t.ceiling - coalesce(sum(c.paid), 0) as released, t.units_done || ' of ' || t.units as units,
       t.status,
       (select sum(amount) from tender.posting p where p.task_id = t.task_id) as sum_of_postings
from tender.task t left join tender.commitment c using (task_id)
where t.task_id = :'task'
group by t.task_id, t.ceiling, t.units_done, t.units, t.status;
