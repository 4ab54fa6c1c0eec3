-- What one contractor does while another wins: it sets the price, or stands back. Counted over the rounds that
-- it answered and did not win, since who wins can do neither: without that condition every pair is associated.
create or replace view tender.screen_association with (security_barrier) as
select c.skill, c.what, c.contractor, c.partner, c.rounds::integer, c.together::integer, c.does::integer,
    c.wins::integer, round((c.together * c.rounds / nullif(c.does * c.wins, 0))::numeric, 4) as lift,
    -- G = 2 sum O ln(O / E) of the table of two by two, from the logarithms of cells, sums and total.
    round((2 * (coalesce(c.together * ln(nullif(c.together, 0)), 0)
        + coalesce((c.does - c.together) * ln(nullif(c.does - c.together, 0)), 0)
        + coalesce((c.wins - c.together) * ln(nullif(c.wins - c.together, 0)), 0)
        + coalesce((c.rounds - c.does - c.wins + c.together)
            * ln(nullif(c.rounds - c.does - c.wins + c.together, 0)), 0)
        - coalesce(c.does * ln(nullif(c.does, 0)), 0)
        - coalesce((c.rounds - c.does) * ln(nullif(c.rounds - c.does, 0)), 0)
        - coalesce(c.wins * ln(nullif(c.wins, 0)), 0)
        - coalesce((c.rounds - c.wins) * ln(nullif(c.rounds - c.wins, 0)), 0)
        + c.rounds * ln(c.rounds)))::numeric, 4) as g
from (
    select b.skill, v.what, b.contractor, b.winner as partner, count(*)::float8 as wins,
        (count(*) filter (where v.does))::float8 as together,
        (sum(count(*)) over pair)::float8 as rounds,
        (sum(count(*) filter (where v.does)) over pair)::float8 as does
    from tender.bid_window b
    cross join lateral (values ('sets-price', b.set_price), ('stands-back', b.cost is null)) v (what, does)
    where b.principal <> b.winner_principal and (v.what = 'stands-back' or b.cost is not null)
    group by b.skill, v.what, b.contractor, b.winner
    window pair as (partition by b.skill, v.what, b.contractor)
) c;
comment on view tender.screen_association is
    'Who sets whose price, and who stands back for whom, over the window. Of the rounds that a contractor answered '
    'and did not win: lift = P(it does so | the partner wins) / P(it does so), and the G-test of the table of two '
    'by two, G = 2 sum O ln(O / E). Source: Sokal and Rohlf, Biometry; lift as in Brin et al. (1997).';
comment on column tender.screen_association.skill is 'The skill.';
comment on column tender.screen_association.what is
    'sets-price: its bid was the price; stands-back: it refused, withdrew, or declined what it had won before.';
comment on column tender.screen_association.contractor is 'Who does so.';
comment on column tender.screen_association.partner is 'Who wins, of another principal.';
comment on column tender.screen_association.rounds is 'Rounds that the contractor could do so in.';
comment on column tender.screen_association.together is 'Those in which it did so, and the partner won.';
comment on column tender.screen_association.does is 'Those in which it did so.';
comment on column tender.screen_association.wins is 'Those that the partner won.';
comment on column tender.screen_association.lift is
    'How much more often it does so when the partner wins; 1: as often.';
comment on column tender.screen_association.g is 'The G-test of that; in both directions, so read it with the lift.';
grant select on tender.screen_association to tender_auditor;
