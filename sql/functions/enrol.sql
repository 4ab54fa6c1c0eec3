-- One row per contractor and batch: as it last enrolled, or departed. Skills are joined by commas,
-- which no skill has, since an array of arrays must be a rectangle.
create or replace function tender_ledger.enrol(
    p_shard smallint, p_contractor text[], p_principal text[], p_slots integer[], p_skills text[],
    p_number integer[], p_enrolled_at timestamptz[], p_departed_at timestamptz[],
    p_departed_reason smallint[])
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    insert into tender_ledger.contractor (enrolled_at, departed_at, number, slots, shard,
        departed_reason, contractor, principal, skills)
    select g.enrolled_at, g.departed_at, g.number, g.slots, p_shard, g.departed_reason, g.contractor,
        g.principal, string_to_array(g.skills, ',')
    from (
        select unnest(p_enrolled_at) as enrolled_at, unnest(p_departed_at) as departed_at,
            unnest(p_number) as number, unnest(p_slots) as slots,
            unnest(p_departed_reason) as departed_reason, unnest(p_contractor) as contractor,
            unnest(p_principal) as principal, unnest(p_skills) as skills
    ) g
    where g.enrolled_at is not null
    on conflict on constraint contractor_has_one_row do update
    set enrolled_at = excluded.enrolled_at, departed_at = excluded.departed_at,
        number = excluded.number, slots = excluded.slots, principal = excluded.principal,
        skills = excluded.skills, departed_reason = excluded.departed_reason;

    update tender_ledger.contractor c
    set departed_at = g.departed_at, departed_reason = g.departed_reason
    from (
        select unnest(p_enrolled_at) as enrolled_at, unnest(p_departed_at) as departed_at,
            unnest(p_departed_reason) as departed_reason, unnest(p_contractor) as contractor
    ) g
    cross join lateral (
        select f.ctid as place
        from tender_ledger.contractor f
        where f.shard = p_shard and f.contractor = g.contractor
        offset 0
    ) f
    where g.enrolled_at is null and c.ctid = f.place;
end
$$;
comment on function tender_ledger.enrol(smallint, text[], text[], integer[], text[], integer[],
    timestamptz[], timestamptz[], smallint[]) is
    'Keeps contractors as they last enrolled or departed; without an enrolment it only departs.';
grant execute on function tender_ledger.enrol(smallint, text[], text[], integer[], text[], integer[],
    timestamptz[], timestamptz[], smallint[]) to tender_broker;
