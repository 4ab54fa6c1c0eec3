-- Only here do the screens touch the ledger, so that tests/screens can put simulated markets in its place.
create or replace view tender_ledger.answer as
select skill collate "C" as skill, task_id, round, awarded_at, contractor collate "C" as contractor,
    principal collate "C" as principal, cost_micro, ceiling_micro, is_winner, is_setter, units
from tender_ledger.read_answers();
comment on view tender_ledger.answer is
    'Answers to rounds that were awarded, of the newest 200 tasks of each skill: what the screens look at.';
comment on column tender_ledger.answer.skill is 'Skill of the task.';
comment on column tender_ledger.answer.task_id is 'The task.';
comment on column tender_ledger.answer.round is 'The round.';
comment on column tender_ledger.answer.awarded_at is 'When the round was awarded.';
comment on column tender_ledger.answer.contractor is 'Who answered.';
comment on column tender_ledger.answer.principal is 'Its root principal: siblings are one bidder.';
comment on column tender_ledger.answer.cost_micro is
    'What it bid; null where it stood back: it refused, withdrew, or had won an earlier round and declined.';
comment on column tender_ledger.answer.ceiling_micro is 'The most that could be bid.';
comment on column tender_ledger.answer.is_winner is 'Whether it won.';
comment on column tender_ledger.answer.is_setter is 'Whether its bid was the price.';
comment on column tender_ledger.answer.units is 'Units that the round asked for.';
