-- Questions that people ask a ledger, as queries over the views of schema tender. Run them all with
-- `tender psql -f examples/reports.sql`, or take one and change it.
\set QUIET on
\pset border 2
\pset footer off
\pset null ''

\echo 'What is overdue now, and whose is it'
select * from tender.overdue order by due_at;

\echo 'Tasks by how they ended'
select status, reason, count(*), sum(units_done) as units_done
from tender.task group by status, reason order by count(*) desc;

\echo 'Who earns, by principal'
select principal, earned from tender.account where earned > 0 order by earned desc;

\echo 'How contractors keep their promises'
select owner, count(*) as commitments,
       count(*) filter (where status = 'fulfilled') as fulfilled,
       count(*) filter (where status in ('failed', 'lapsed', 'declined')) as broken,
       sum(paid) as paid
from tender.commitment group by owner order by commitments desc;

\echo 'Why bids did not win'
select reason, count(*) from tender.bid where status in ('lost', 'ineligible')
group by reason order by count(*) desc;

\echo 'What competition saved: price paid against the ceiling, by skill'
select t.skill, count(*) as awards, sum(r.ceiling) as ceilings, sum(a.price) as prices,
       round(100 * (1 - sum(a.price) / nullif(sum(r.ceiling), 0)), 1) as percent_saved
from tender.award a
join tender.round r using (task_id, round)
join tender.task t using (task_id)
group by t.skill order by t.skill;

\echo 'Rounds that nobody won'
select task_id, round, invited, outcome from tender.round
where closed_at is not null
  and not exists (select from tender.award a where a.task_id = round.task_id
                  and a.round = round.round)
order by closed_at desc limit 20;

\echo 'Do the books balance: each line must be zero'
select 'all postings' as what, coalesce(sum(amount), 0) as off_by from tender.posting
union all
select 'task ' || task_id, sum(amount) from tender.posting
where task_id is not null group by task_id having sum(amount) <> 0;
