-- What the shortcut of the rate card cost or saved, as far as samples tell: a sampled task was auctioned
-- although it could have been assigned, so the price of that auction less the posted one is what the
-- rate saved for it. Rates never follow this view by themselves: people set them, and a principal that
-- wins samples could otherwise pay itself more; hence the figures with one principal left out.
create or replace view tender.shortcut_cost as
with sample as (
    select p.skill, p.at, c.principal, (c.price_micro - p.price_micro)::numeric / p.units as saved_micro
    from tender_ledger.posted p
    cross join lateral (
        select f.principal, f.price_micro
        from (
            select k.principal, k.price_micro, k.generation
            from tender_ledger.commitment k
            where k.shard = p.shard and k.task_id = p.task_id and k.round = p.round
            union all
            select o.principal, o.price_micro, o.generation
            from tender_ledger.promise o
            where o.shard = p.shard and o.task_id = p.task_id and o.round = p.round
        ) f
        order by f.generation
        limit 1
    ) c
    where p.is_sample
), day as (
    select p.skill, (p.at at time zone 'UTC')::date as day, count(*) as assigned,
        sum(p.units)::bigint as units, sum(p.price_micro) as posted_micro
    from tender_ledger.posted p
    where not p.is_sample
    group by p.skill, (p.at at time zone 'UTC')::date
), mean as (
    select s.skill, (s.at at time zone 'UTC')::date as day, count(*) as samples,
        avg(s.saved_micro) as saved_micro, stddev_samp(s.saved_micro) as deviation_micro
    from sample s
    group by s.skill, (s.at at time zone 'UTC')::date
), without as (
    select m.skill, m.day, min(w.saved_micro) as lowest_micro, max(w.saved_micro) as highest_micro
    from mean m
    cross join lateral (
        select avg(s.saved_micro) as saved_micro
        from (
            select distinct l.principal
            from sample l
            where l.skill = m.skill and (l.at at time zone 'UTC')::date = m.day
        ) l
        join sample s on s.skill = m.skill and (s.at at time zone 'UTC')::date = m.day
            and s.principal <> l.principal
        group by l.principal
    ) w
    group by m.skill, m.day
)
select coalesce(d.skill, m.skill) as skill, coalesce(d.day, m.day) as day,
    coalesce(d.assigned, 0) as assigned, coalesce(d.units, 0) as units,
    (coalesce(d.posted_micro, 0) / 1000000.0)::numeric(20, 6) as posted,
    coalesce(m.samples, 0) as samples,
    (m.saved_micro / 1000000.0)::numeric(20, 6) as sample_saved_per_unit,
    (m.saved_micro * d.units / 1000000.0)::numeric(20, 6) as saved,
    (m.deviation_micro / sqrt(m.samples::numeric) * d.units / 1000000.0)::numeric(20, 6) as saved_error,
    (w.lowest_micro * d.units / 1000000.0)::numeric(20, 6) as lowest,
    (w.highest_micro * d.units / 1000000.0)::numeric(20, 6) as highest
from day d
full join mean m on m.skill = d.skill and m.day = d.day
left join without w on w.skill = m.skill and w.day = m.day;
comment on view tender.shortcut_cost is
    'What assigning cheap tasks at posted rates saved against the sampled auctions, by skill and day (UTC). Below zero it cost. Rates never follow it by themselves.';
comment on column tender.shortcut_cost.skill is 'The skill.';
comment on column tender.shortcut_cost.day is 'The day, in UTC.';
comment on column tender.shortcut_cost.assigned is 'Tasks assigned at a posted rate.';
comment on column tender.shortcut_cost.units is 'Their units.';
comment on column tender.shortcut_cost.posted is 'Their posted prices together, in credits.';
comment on column tender.shortcut_cost.samples is 'Sampled tasks that somebody won.';
comment on column tender.shortcut_cost.sample_saved_per_unit is
    'Mean over the samples of (price of the auction - posted price) / units, in credits.';
comment on column tender.shortcut_cost.saved is 'That mean times the assigned units, in credits.';
comment on column tender.shortcut_cost.saved_error is
    'Standard error of saved; null below two samples.';
comment on column tender.shortcut_cost.lowest is
    'The least that saved is when the samples that one principal won are left out; null: one won all.';
comment on column tender.shortcut_cost.highest is 'The most that it is then.';
grant select on tender.shortcut_cost to tender_auditor, tender_reader;
