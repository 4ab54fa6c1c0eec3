-- Rounds with one bidder though others were asked and answered; the window counts all awarded rounds here.
create or replace view tender.screen_sole with (security_barrier) as
select s.skill, count(*)::integer as rounds, (count(*) filter (where s.bidders = 1))::integer as sole,
    round(avg((s.bidders = 1)::integer), 4) as rate,
    -- The G-test against six of ten, as in screen_cover.
    case when count(*) filter (where s.bidders = 1) > 0.6 * count(*) then
        round(2 * (count(*) filter (where s.bidders = 1) * ln(count(*) filter (where s.bidders = 1) / (0.6 * count(*)))
            + coalesce(count(*) filter (where s.bidders > 1)
                * ln(nullif(count(*) filter (where s.bidders > 1), 0) / (0.4 * count(*))), 0)), 4)
        else 0
    end as g, array_agg(s.task_id order by s.place) as tasks
from (
    select r.skill, r.task_id, r.bidders,
        row_number() over (partition by r.skill order by r.awarded_at desc, r.task_id desc, r.round desc) as place
    from (
        select a.skill, a.task_id, a.round, a.awarded_at,
            count(distinct a.principal) filter (where a.cost_micro is not null) as bidders
        from tender_ledger.answer a
        group by a.skill, a.task_id, a.round, a.awarded_at
        having count(distinct a.principal) >= 2
    ) r
    where r.bidders > 0
) s
where s.place <= 30
group by s.skill;
comment on view tender.screen_sole is
    'Sole-bidder rate per skill: of the last 30 awarded rounds that two principals answered, the share in which one '
    'of them bid, and the G-test of that against 0.6 as in screen_cover; it is paid the ceiling then. Source: OECD, Guidelines for fighting bid rigging (2009).';
comment on column tender.screen_sole.skill is 'The skill.';
comment on column tender.screen_sole.rounds is 'Awarded rounds with answers of two principals.';
comment on column tender.screen_sole.sole is 'Those in which one principal bid.';
comment on column tender.screen_sole.rate is 'Their share.';
comment on column tender.screen_sole.g is 'How much more often so than in six of ten.';
comment on column tender.screen_sole.tasks is 'Tasks of the rounds, the newest first.';
grant select on tender.screen_sole to tender_auditor;
