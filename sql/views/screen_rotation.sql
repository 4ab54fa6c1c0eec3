-- Turns at winning: more runs than chance makes of as many wins each.
create or replace view tender.screen_rotation with (security_barrier) as
select r.skill, r.rounds::integer, r.runs::integer, r.winners::integer,
    round((1 + (r.rounds ^ 2 - r.squares) / r.rounds)::numeric, 4) as expected_runs,
    -- Nobody but one winner, or nobody who won twice: there is nothing that could have been otherwise.
    round(((r.runs - 1 - (r.rounds ^ 2 - r.squares) / r.rounds) / nullif(sqrt(greatest(
        (r.squares * (r.squares + r.rounds * (r.rounds + 1)) - 2 * r.rounds * r.cubes - r.rounds ^ 3)
            / nullif(r.rounds ^ 2 * (r.rounds - 1), 0), 0)), 0))::numeric, 4) as z
from (
    select p.skill, sum(p.wins)::float8 as rounds, sum(p.runs)::float8 as runs, count(*) as winners,
        sum(p.wins ^ 2)::float8 as squares, sum(p.wins ^ 3)::float8 as cubes
    from (
        select w.skill, w.principal, count(*)::float8 as wins,
            count(*) filter (where w.principal is distinct from w.before) as runs
        from (
            select b.skill, b.principal,
                lag(b.principal) over (partition by b.skill order by b.place desc) as before
            from tender.bid_window b
            where b.won
        ) w
        group by w.skill, w.principal
    ) p
    group by p.skill
) r;
comment on view tender.screen_rotation is
    'Winner rotation per skill, over the window: the runs test for several kinds. With n rounds of which n_i were '
    'won by principal i, S2 and S3 the sums of n_i^2 and n_i^3, runs have the mean 1 + (n^2 - S2) / n and the '
    'variance (S2 (S2 + n (n + 1)) - 2 n S3 - n^3) / (n^2 (n - 1)). Source: Wald and Wolfowitz (1940), Mood (1940). '
    'Capacity makes turns as well: who is busy does not win twice.';
comment on column tender.screen_rotation.skill is 'The skill.';
comment on column tender.screen_rotation.rounds is 'Rounds in the window.';
comment on column tender.screen_rotation.runs is 'Times that another principal won than before, and 1.';
comment on column tender.screen_rotation.winners is 'Principals that won.';
comment on column tender.screen_rotation.expected_runs is 'The mean of runs by chance.';
comment on column tender.screen_rotation.z is 'Runs above their mean, in standard deviations; null: none.';
grant select on tender.screen_rotation to tender_auditor;
