-- How principals kept their promises lately, and which failures may still count towards a quarantine.
-- Both read the end of the table of ended commitments, some 100,000 of them, so that a broker starts as
-- fast after ten million tasks as after ten. Neither is proven by entries: a draw and a hold are.
create or replace function tender_ledger.last_commitments(p_shard smallint, p_since timestamptz)
returns setof tender_ledger.ending
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
    v_part text;
    v_pages bigint;
    v_left bigint := 2000;
begin
    for v_part in
        select 'tender_ledger.ending_' || p.suffix
        from tender_ledger.partition p
        where p.state in ('live', 'exported')
        order by p.from_id desc
    loop
        v_pages := pg_relation_size(v_part) / current_setting('block_size')::integer;
        return query execute format('select c.* from %s c where c.ctid >= %L and c.shard = $1 '
            'and c.generation > 0 and c.ended_at > $2', v_part,
            format('(%s,0)', greatest(0, v_pages - v_left)))
        using p_shard, p_since;
        v_left := v_left - v_pages;
        exit when v_left <= 0;
    end loop;
end
$$;
comment on function tender_ledger.last_commitments(smallint, timestamptz) is
    'Commitments that ended since, as far as they are among the newest rows.';

create or replace function tender_ledger.recall_records(p_shard smallint)
returns table (principal text, ended integer, fulfilled integer)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select c.principal, count(*)::integer, count(*) filter (where c.state = 3)::integer
    from tender_ledger.last_commitments(p_shard, clock_timestamp() - interval '30 days') c
    where c.state <> 7
    group by c.principal
    order by c.principal
$$;
comment on function tender_ledger.recall_records(smallint) is
    'Commitments of each principal that ended in the last 30 days, withdrawn ones aside, and those it kept.';
grant execute on function tender_ledger.recall_records(smallint) to tender_broker;

-- A task strikes the one root principal that failed it, where another completed it (quarantine.h). What lies
-- before a hold of the same contractor and skill has been judged.
create or replace function tender_ledger.recall_strikes(p_shard smallint)
returns table (contractor text, skill text, client text, at timestamptz, kept integer)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    with recent as materialized (
        select c.task_id, c.owner, c.principal, c.state, c.ended_at, c.part, c.generation
        from tender_ledger.last_commitments(p_shard, clock_timestamp() - interval '24 hours') c
    ),
    excluded as (
        select c.task_id, min(c.owner) as owner, min(c.root) as root
        from (
            select r.*, tender_ledger.root_of(p_shard, r.principal) as root
            from recent r
        ) c
        where c.state in (4, 5, 6) and exists (
            select
            from tender_ledger.entry e
            where e.shard = p_shard and e.task_id = c.task_id and e.kind = 8
                and (e.body::jsonb ->> 'excluded') = '1'
                and (e.body::jsonb ->> 'generation')::integer = c.generation
                and coalesce((e.body::jsonb ->> 'part')::integer, 0) = c.part)
        group by c.task_id
        having count(distinct c.root) = 1
    ),
    strike as (
        select x.owner as contractor, t.skill, t.principal as client, max(d.ended_at) as at
        from excluded x
        join tender_ledger.task t on t.shard = p_shard and t.task_id = x.task_id
        join tender_ledger.task_end d on d.shard = p_shard and d.task_id = x.task_id and d.state = 6
        left join tender_ledger.fact f
            on f.shard = p_shard and f.kind = 27 and f.subject = x.owner || '  ' || t.skill
        where d.ended_at > clock_timestamp() - interval '24 hours'
            and d.ended_at > coalesce(f.at, '-infinity')
            and exists (
                select
                from tender_ledger.commitment k
                where k.shard = p_shard and k.task_id = x.task_id and k.state = 3
                    and tender_ledger.root_of(p_shard, k.principal) <> x.root)
        group by x.owner, t.skill, t.principal
    )
    select s.contractor, s.skill, s.client, s.at, (
        select count(*)
        from recent r
        join tender_ledger.task t on t.shard = p_shard and t.task_id = r.task_id
        where r.owner = s.contractor and r.state = 3 and r.ended_at > s.at and t.skill = s.skill
    )::integer
    from strike s
    order by s.at, s.contractor, s.skill, s.client
$$;
comment on function tender_ledger.recall_strikes(smallint) is
    'Failures of the last day that count towards the quarantine of a contractor on a skill, and the commitments that it kept since each.';
grant execute on function tender_ledger.recall_strikes(smallint) to tender_broker;
