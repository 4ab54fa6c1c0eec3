-- Bids that are not meant to win: just under the ceiling, nearly always.
create or replace view tender.screen_cover with (security_barrier) as
select c.skill, c.contractor, c.principal, c.bids::integer, c.wins::integer, c.losing::integer, c.near::integer,
    case when c.near > 0.6 * c.losing then
        round((2 * (c.near * ln(c.near / (0.6 * c.losing))
            + coalesce((c.losing - c.near) * ln(nullif(c.losing - c.near, 0) / (0.4 * c.losing)), 0)))::numeric, 4)
        else 0
    end as g
from (
    select b.skill, b.contractor, b.principal, count(*) as bids, count(*) filter (where b.won) as wins,
        (count(*) filter (where not b.won))::float8 as losing,
        (count(*) filter (where not b.won and b.share >= 0.9 and not b.has_list))::float8 as near
    from tender.bid_window b
    where b.cost is not null
    group by b.skill, b.contractor, b.principal
) c;
comment on view tender.screen_cover is
    'Cover bids per contractor, over the window: losing bids within the last tenth under the ceiling, and the G-test '
    'of their share against 0.6, G = 2 (k ln(k / 0.6 n) + (n - k) ln((n - k) / 0.4 n)) where k / n > 0.6, else 0. '
    'Costs that are cut off at the ceiling gather in its last tenth too, though hardly to more than 0.6. Source: '
    'OECD, Guidelines for fighting bid rigging (2009); the share is of tests/screens.';
comment on column tender.screen_cover.skill is 'The skill.';
comment on column tender.screen_cover.contractor is 'Who bids.';
comment on column tender.screen_cover.principal is 'Its root principal.';
comment on column tender.screen_cover.bids is 'Its bids in the window.';
comment on column tender.screen_cover.wins is 'Those that won; 0: it never wins.';
comment on column tender.screen_cover.losing is 'Those that lost.';
comment on column tender.screen_cover.near is
    'Losing bids of nine tenths of the ceiling and more; none of who posts a price.';
comment on column tender.screen_cover.g is 'How much more often so than in six of ten.';
grant select on tender.screen_cover to tender_auditor;
