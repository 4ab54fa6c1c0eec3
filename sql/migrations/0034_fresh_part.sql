-- Most tasks are awarded within a second. One that was just announced has no row of open_part any more until
-- it is awarded, something else happens to it, or it has waited for two seconds: until then the row of the
-- task tells all there is. So what has neither a row nor an end is open, in its first round, with nothing
-- done or paid; and because identifiers tell the time, those few are found without looking at the past.
-- By the stamp of its shard's last batch such a task is three seconds old at most, one of them for lack of order; five
-- are looked at. Each is looked up by its keys (offset 0: whatever sizes the tables have). Who takes a reign
-- writes the rows that the broker before it left out (take_reign).
create view tender_ledger.fresh_part as
select t.task_id, t.shard, t.ceiling_micro, t.units, t.principal as payer
from tender_ledger.reign r
join tender_ledger.task t on t.shard = r.shard
    and t.task_id >= tender_ledger.first_id(r.stamp_at - interval '5 seconds')
where not exists (
        select from tender_ledger.open_part p where p.shard = t.shard and p.task_id = t.task_id and p.part = 0
        offset 0)
    and not exists (
        select from tender_ledger.task_end e where e.shard = t.shard and e.task_id = t.task_id
        offset 0);
comment on view tender_ledger.fresh_part is
    'Tasks that go on and have no open part yet: they are open, in their first round.';
comment on column tender_ledger.fresh_part.task_id is 'The task.';
comment on column tender_ledger.fresh_part.shard is 'Shard of the paying account.';
comment on column tender_ledger.fresh_part.ceiling_micro is 'Its ceiling.';
comment on column tender_ledger.fresh_part.units is 'Its units.';
comment on column tender_ledger.fresh_part.payer is 'Principal whose account pays.';

-- An award makes most rows now, and no row longer: a page need not stay empty.
alter table tender_ledger.open_part set (fillfactor = 70);
