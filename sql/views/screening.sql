-- What to look at first. Thresholds are those of tests/screens (ops/screens.md): with all of them in use together,
-- at most one honest market in a hundred is flagged at a look. Fewer than ten rounds are not judged.
create or replace view tender.screening with (security_barrier) as
select s.skill, s.screen, s.contractor, s.partner, s.statistic::numeric(12, 4), l.threshold::numeric(12, 4),
    round(s.statistic / l.threshold, 4) as excess, s.rounds, s.statistic >= l.threshold as flagged, s.why,
    case when s.screen = 'sole-bidder' then array(
            select distinct t.task_id
            from tender.screen_sole o
            cross join lateral unnest(o.tasks) t (task_id)
            where o.skill = s.skill
            order by t.task_id)
        else array(
            select distinct b.task_id
            from tender.bid_window b
            where b.skill = s.skill and (s.contractor is null or b.contractor in (s.contractor, s.partner))
            order by b.task_id)
    end as tasks
from (
    select p.skill, 'distance' as screen, null as contractor, null as partner, p.rdalt as statistic,
        p.rounds_of_three as rounds, format('half of the time the second bid lies %s times as far above the winner '
            'as the losing bids lie apart, or more', round(p.rdalt, 1)) as why
    from tender.screen_price p
    union all
    select p.skill, 'ceiling', null, null, p.second_over_ceiling, p.rounds,
        format('half of the time the second bid is %s %% of the ceiling or more',
            round(100 * p.second_over_ceiling, 1))
    from tender.screen_price p
    union all
    select a.skill, a.what, a.contractor, a.partner, a.g, a.rounds,
        format(case a.what
            when 'sets-price' then '%1$s sets the price in %3$s of the %4$s rounds that %2$s wins, '
                'and in %5$s of %6$s others'
            else '%1$s stands back in %3$s of the %4$s rounds that %2$s wins, and in %5$s of %6$s others'
        end, a.contractor, a.partner, a.together, a.wins, a.does - a.together, a.rounds - a.wins)
    from tender.screen_association a
    where a.lift > 1
    union all
    select r.skill, 'rotation', null, null, r.z, r.rounds,
        format('%s principals take turns at winning: %s runs in %s rounds, %s expected', r.winners, r.runs, r.rounds,
            round(r.expected_runs, 1))
    from tender.screen_rotation r
    union all
    select c.skill, 'cover', c.contractor, null, c.g, c.losing,
        format('%s of %s losing bids of %s are within a tenth under the ceiling; it won %s', c.near, c.losing,
            c.contractor, c.wins)
    from tender.screen_cover c
    union all
    select k.skill, v.screen, k.contractor, k.partner, v.statistic, v.rounds, v.why
    from tender.screen_pair k
    cross join lateral (
        values (case when k.z < 0 then 'opposed' else 'alike' end, abs(k.z), k.rounds_of_three,
                format(case when k.z < 0 then 'when %s bids low, %s bids high: r = %s, expected %s'
                    else 'the bids of %s and %s move together: r = %s, expected %s' end,
                    k.contractor, k.partner, round(k.r, 2), round(k.expected, 2))),
            ('shadow', k.spread_g, k.rounds,
                format('the bids of %s and %s keep the same distance to %s %%, in %s rounds',
                k.contractor, k.partner, round(100 * k.spread, 1), k.rounds)),
            ('one-covers', k.one_near_g, k.rounds, format('in %s of the %s rounds in which %s and %s bid, one of them, '
                'and not both, bid within a tenth under the ceiling', k.one_near, k.rounds, k.contractor, k.partner))
    ) v (screen, statistic, rounds, why)
    union all
    select o.skill, 'sole-bidder', null, null, o.g, o.rounds,
        format('%s of %s rounds had one bidder, though others answered', o.sole, o.rounds)
    from tender.screen_sole o
) s
join (
    values ('distance', 6.0), ('ceiling', 0.93), ('sets-price', 42.0), ('stands-back', 16.0), ('rotation', 4.2),
        ('cover', 6.0), ('one-covers', 8.0), ('alike', 8.0), ('opposed', 5.0), ('shadow', 8.0), ('sole-bidder', 14.0)
) l (screen, threshold) on l.screen = s.screen
where s.rounds >= 10 and s.statistic is not null;
comment on view tender.screening is
    'What the screens see, each with its threshold: flagged rows are for people to look at, by excess. A flag proves '
    'nothing, and nothing acts on it by itself (ops/screens.md). Spread alone (CV, SPD) is no alarm: in a second-price '
    'market a ring widens it.';
comment on column tender.screening.skill is 'The skill.';
comment on column tender.screening.screen is
    'distance, ceiling, sets-price, stands-back, rotation, cover, one-covers, alike, opposed, shadow or sole-bidder.';
comment on column tender.screening.contractor is 'Whom it is about; null: all of the skill.';
comment on column tender.screening.partner is 'The other of a pair.';
comment on column tender.screening.statistic is 'What was measured; its formula is in the comment of its own view.';
comment on column tender.screening.threshold is 'From where on it is flagged.';
comment on column tender.screening.excess is 'The statistic over its threshold: the rank.';
comment on column tender.screening.rounds is 'Rounds behind it.';
comment on column tender.screening.flagged is 'Whether the threshold is reached.';
comment on column tender.screening.why is 'What was seen, in words.';
comment on column tender.screening.tasks is 'Tasks of the window in which they answered.';
grant select on tender.screening to tender_auditor;
