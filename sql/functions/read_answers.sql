-- What the screens for collusion look at: every answer to the rounds that were awarded, of the newest 200 tasks
-- of each skill. Principals are roots, since siblings are one bidder. A round that is awarded has closed, so
-- nothing here is sealed. Split rounds are left out: their prices have another rule. It is a function, because
-- what stands on it is many small queries over a few thousand rows, which PostgreSQL would compile for minutes
-- (jit) if it saw through.
create or replace function tender_ledger.read_answers()
returns table (skill text, task_id uuid, round integer, awarded_at timestamptz, contractor text, principal text,
    cost_micro bigint, ceiling_micro bigint, is_winner boolean, is_setter boolean, units bigint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
set jit = off
as $$
    select t.skill, t.task_id, w.round, w.awarded_at, a.contractor, a.principal,
        case when k.place > 0 then a.cost_micro end as cost_micro, w.ceiling_micro,
        a.contractor = w.contractor as is_winner,
        a.contractor is not distinct from w.price_set_by as is_setter, w.units
    from (
        select i.shard, i.task_id, i.skill
        from (
            select s.shard, s.task_id, s.skill,
                row_number() over (partition by s.skill order by s.task_id desc) as newest
            from tender_ledger.task s
        ) i
        where i.newest <= 200
    ) t
    cross join lateral (
        select distinct on (e.body ->> 'round') (e.body ->> 'round')::integer as round, e.at as awarded_at,
            e.body ->> 'contractor' as contractor, e.body ->> 'price_set_by' as price_set_by,
            e.body -> 'ranks' as ranks,
            (o.body ->> 'ceiling_micro')::bigint as ceiling_micro, (o.body ->> 'units')::bigint as units
        from (
            select f.at, f.number, f.body::jsonb as body
            from tender_ledger.entry f
            where f.shard = t.shard and f.task_id = t.task_id and f.kind = 4
        ) e
        cross join lateral (
            select f.body::jsonb as body
            from tender_ledger.entry f
            where f.shard = t.shard and f.task_id = t.task_id and f.kind = 2
                and f.body::jsonb ->> 'round' = e.body ->> 'round'
            limit 1
        ) o
        where not e.body ? 'part'
        order by e.body ->> 'round', e.number
    ) w
    cross join lateral (
        (
            select distinct on (i.answer ->> 'contractor') (i.answer ->> 'contractor') collate "C" as contractor,
                coalesce(i.answer ->> 'root', i.answer ->> 'principal') collate "C" as principal,
                coalesce(i.answer ->> 'cost_micro', '0')::bigint as cost_micro,
                coalesce(i.answer ->> 'state', 'standing') as state
            from tender_ledger.entry f
            cross join lateral jsonb_array_elements(f.body::jsonb -> 'answers') with ordinality i (answer, place)
            where f.shard = t.shard and f.task_id = t.task_id and f.kind = 3
                and (f.body::jsonb ->> 'round')::integer = w.round
                and coalesce(i.answer ->> 'state', 'standing') <> 'ineligible'
            order by i.answer ->> 'contractor', f.number desc, i.place desc
        )
        union all
        -- Who won an earlier round of the task and did not take it stands back in this one.
        select c.owner, tender_ledger.root_of(c.shard, c.principal), 0, 'declined'
        from tender_ledger.commitment c
        where c.shard = t.shard and c.task_id = t.task_id and c.state = 6 and c.round < w.round
    ) a
    left join lateral (
        select (r.rank ->> 'rank')::integer as place
        from jsonb_array_elements(w.ranks) r (rank)
        where r.rank ->> 'contractor' = a.contractor and a.state = 'standing'
        limit 1
    ) k on true
    where w.ceiling_micro > 0 and (k.place > 0 or a.state in ('refused', 'withdrawn', 'declined'))
$$;
comment on function tender_ledger.read_answers() is
    'Answers to rounds that were awarded, of the newest 200 tasks of each skill; with costs, so for auditors.';
grant execute on function tender_ledger.read_answers() to tender_auditor;
