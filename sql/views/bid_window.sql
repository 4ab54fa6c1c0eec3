-- The rolling window of the screens: of each skill the last 30 awarded rounds in which two principals bid. Its
-- length is written here and nowhere else; thresholds (view screening) hold for it.
create or replace view tender.bid_window with (security_barrier) as
select a.skill, a.place::integer, a.task_id, a.round, a.awarded_at, a.contractor, a.principal,
    (a.cost_micro / 1000000.0)::numeric(20, 6) as cost,
    (a.cost_micro::numeric / a.ceiling_micro)::numeric(20, 9) as share, a.is_winner as won,
    a.is_setter as set_price, a.winner, a.winner_principal, a.units,
    coalesce(var_pop(ln(nullif(a.cost_micro, 0)::float8 / greatest(a.units, 1))) over bidder < 0.000001, false)
        as has_list
from (
    select r.*, dense_rank() over (
            partition by r.skill order by r.awarded_at desc, r.task_id desc, r.round desc) as place
    from (
        select n.*, max(n.contractor) filter (where n.is_winner) over w as winner,
            max(n.principal) filter (where n.is_winner) over w as winner_principal,
            min(n.principal) filter (where n.cost_micro is not null) over w
                <> max(n.principal) filter (where n.cost_micro is not null) over w as is_contest
        from tender_ledger.answer n
        window w as (partition by n.skill, n.task_id, n.round)
    ) r
    where r.is_contest
) a
where a.place <= 30
window bidder as (partition by a.skill, a.contractor);
comment on view tender.bid_window is
    'What the screens look at: per skill the answers to the last 30 awarded rounds in which two principals bid, '
    'among its newest 200 tasks. For auditors: it has costs.';
comment on column tender.bid_window.skill is 'The skill.';
comment on column tender.bid_window.place is 'Which round of the window, from 1, the newest.';
comment on column tender.bid_window.task_id is 'The task.';
comment on column tender.bid_window.round is 'Round of the task.';
comment on column tender.bid_window.awarded_at is 'When it was awarded.';
comment on column tender.bid_window.contractor is 'Who answered.';
comment on column tender.bid_window.principal is 'Its root principal: siblings are one bidder.';
comment on column tender.bid_window.cost is
    'What it bid, in credits; null: it stood back, that is refused, withdrew, or had won an earlier round of the '
    'task and declined.';
comment on column tender.bid_window.share is 'Its bid over the ceiling.';
comment on column tender.bid_window.won is 'Whether it won.';
comment on column tender.bid_window.set_price is 'Whether its bid was the price.';
comment on column tender.bid_window.winner is 'Who won the round.';
comment on column tender.bid_window.winner_principal is 'Its root principal.';
comment on column tender.bid_window.units is 'Units that the round asked for.';
comment on column tender.bid_window.has_list is
    'Whether the contractor asks the same for a unit in all of the window, to a thousandth: it posts a price, and '
    'what it bids says nothing of what others do.';
grant select on tender.bid_window to tender_auditor;
