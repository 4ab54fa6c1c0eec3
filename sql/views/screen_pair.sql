-- Whether two bidders' bids move together, or against each other, more than their trade does. All three ask the
-- same pairs: contractors of two principals that both bid, their bids as logarithms of the share of the ceiling.
create or replace view tender.screen_pair with (security_barrier) as
with log_bid as (
    select l.*, sum(l.cost) filter (where not l.is_list) over w as total,
        count(*) filter (where not l.is_list) over w as bids
    from (
        select b.skill, b.place, b.contractor, b.principal, b.share >= 0.9 as is_near, ln(b.share::float8) as cost,
            ln((b.cost / b.units)::float8) as rate, b.has_list as is_list
        from tender.bid_window b
        where b.share > 0 and b.units > 0
    ) l
    window w as (partition by l.skill, l.place)
)
select p.skill, p.contractor, p.partner, p.rounds::integer, p.rounds_of_three::integer, round(p.r::numeric, 4) as r,
    round(p.expected::numeric, 4) as expected,
    -- Bids in step to the last digit have r = 1 and no finite z: it is cut at 0.9999; so is v at 0.000001.
    round(((atanh(greatest(least(p.r, 0.9999), -0.9999)) - atanh(p.expected))
        * sqrt(greatest(p.rounds_of_three - 3, 0)))::numeric, 4) as z,
    round(sqrt(p.v)::numeric, 4) as spread,
    case when p.v < p.free then
        round(((p.rounds - 1) * (p.v / p.free - 1 - ln(greatest(p.v, 0.000001) / p.free)))::numeric, 4)
        else 0
    end as spread_g,
    p.one_near::integer,
    case when p.one_near > 0.6 * p.rounds then
        round((2 * (p.one_near * ln(p.one_near / (0.6 * p.rounds))
            + coalesce((p.rounds - p.one_near)
                * ln(nullif(p.rounds - p.one_near, 0) / (0.4 * p.rounds)), 0)))::numeric, 4)
        else 0
    end as one_near_g
from (
    select x.skill, x.contractor, y.contractor as partner, count(*)::float8 as rounds,
        (count(*) filter (where x.bids >= 3 and not x.is_list and not y.is_list))::float8 as rounds_of_three,
        (1 / nullif(avg(x.bids) filter (where x.bids >= 3) - 1, 0))::float8 as expected,
        corr(x.cost - (x.total - x.cost - y.cost) / (x.bids - 2),
            y.cost - (x.total - x.cost - y.cost) / nullif(x.bids - 2, 0))
            filter (where x.bids >= 3 and not x.is_list and not y.is_list) as r,
        var_samp(x.cost - y.cost) as v,
        least(var_samp(x.rate), var_samp(y.rate), 0.01) as free,
        (count(*) filter (where (x.is_near and not x.is_list) <> (y.is_near and not y.is_list))
            )::float8 as one_near
    from log_bid x
    join log_bid y on y.skill = x.skill and y.place = x.place and y.contractor > x.contractor
        and y.principal <> x.principal
    group by x.skill, x.contractor, y.contractor
    having count(*) >= 2
) p;
comment on view tender.screen_pair is
    'Pairs of contractors of different principals over the window, by three measures. Correlation of cost-adjusted '
    'bids: a bid is adjusted to what the task costs anybody by taking from its logarithm the mean of those of all '
    'bidders but the two, and those that post a price, and z = (atanh(r) - atanh(r0)) sqrt(n - 3) over the n rounds in which both bid and '
    'another did. What is taken off is noise that both then share: r0 = 1 / (m - 1), with m bidders on average, were '
    'all costs independent. Spread: v is the variance of the logarithm of one bid over the other, in all k rounds in '
    'which both bid, and G = (k - 1) (v / f - 1 - ln(v / f)) where v < f; f is 0.01, a tenth of the bid, or the least '
    'variance of what either asks for a unit: of two that post prices nothing can be told. Covers: rounds in which one of the two, never both, bid within a tenth '
    'under the ceiling, and their G-test against 0.6 as in screen_cover, posted prices left out. Sources: Fisher (1921); Bajari and Ye, '
    'Deciding between competition and collusion (2003); Wilks (1938).';
comment on column tender.screen_pair.skill is 'The skill.';
comment on column tender.screen_pair.contractor is 'One of the two.';
comment on column tender.screen_pair.partner is 'The other.';
comment on column tender.screen_pair.rounds is 'Rounds in which both bid.';
comment on column tender.screen_pair.rounds_of_three is 'Those in which a third did.';
comment on column tender.screen_pair.r is 'Correlation of their cost-adjusted bids.';
comment on column tender.screen_pair.expected is 'r0, that of two that are independent.';
comment on column tender.screen_pair.z is
    'r above r0 in standard deviations; high: one bid is made from the other; low: they take turns at bidding low.';
comment on column tender.screen_pair.spread is
    'Standard deviation of the logarithm of one bid over the other: about by what share they differ.';
comment on column tender.screen_pair.spread_g is
    'How much closer they keep than a tenth, and than what either asks for a unit moves.';
comment on column tender.screen_pair.one_near is 'Rounds in which one of them bid nine tenths of the ceiling or more.';
comment on column tender.screen_pair.one_near_g is 'How much more often so than in six of ten.';
grant select on tender.screen_pair to tender_auditor;
