-- How far the price lies above the winner. A ring of this rule has its winner bid low and the others near the
-- ceiling, so RDALT and b2 over ceiling rise. The spread (CV, SPD) rises as well, where in a first-price
-- tender it falls: it points the wrong way, and is no screen here.
create or replace view tender.screen_price with (security_barrier) as
select r.skill, count(*)::integer as rounds, count(r.rdalt)::integer as rounds_of_three,
    round((percentile_cont(0.5) within group (order by r.rdalt))::numeric, 4) as rdalt,
    round((percentile_cont(0.5) within group (order by r.second))::numeric, 4) as second_over_ceiling
from (
    -- Losing bids that are equal lie a thousandth of the ceiling apart, so that the ratio is finite.
    select b.skill, min(b.share)::float8 as second,
        case when count(*) >= 2 then
            ((min(b.share) - b.first) / greatest((max(b.share) - min(b.share)) / (count(*) - 1), 0.001))::float8
        end as rdalt
    from (
        select w.*, max(w.share) filter (where w.won) over (partition by w.skill, w.place) as first
        from tender.bid_window w
    ) b
    where b.share is not null and b.principal <> b.winner_principal
    group by b.skill, b.place, b.first
) r
group by r.skill;
comment on view tender.screen_price is
    'Per skill, over the window: medians of RDALT = (b2 - b1) / mean gap between losing bids, and of b2 / ceiling; '
    'b1 is the winner''s bid, b2 the lowest of another principal. Source: Huber and Imhof, Machine learning with '
    'screens for detecting bid-rigging cartels (2019), turned for second prices.';
comment on column tender.screen_price.skill is 'The skill.';
comment on column tender.screen_price.rounds is 'Rounds in the window.';
comment on column tender.screen_price.rounds_of_three is 'Those with two losing bids of other principals or more.';
comment on column tender.screen_price.rdalt is
    'Median distance from the winner to the second, over the mean gap of the losing bids.';
comment on column tender.screen_price.second_over_ceiling is 'Median of the second bid over the ceiling.';
grant select on tender.screen_price to tender_auditor;
