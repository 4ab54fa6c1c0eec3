-- The rate card. Tasks of the skill and tier whose units cost no more than the threshold at this rate are
-- assigned at once; a share of them is auctioned all the same, to see what the rate costs or saves.
create or replace function tender.set_rate(
    p_skill text, p_rate numeric, p_threshold numeric, p_tier text default null,
    p_share numeric default 0.02)
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if not tender_ledger.is_operator() then
        raise exception using errcode = 'TN011', message = 'only operators set rates';
    end if;
    perform tender_ledger.check_skill('skill', coalesce(p_skill, ''));
    perform tender_ledger.check_skill('tier', p_tier);
    if p_share is null or p_share not between 0 and 1 or p_share <> round(p_share, 6) then
        raise exception using
            errcode = 'TN010',
            message = format('share is %s: it must be a share from 0 to 1 with at most six decimals',
                coalesce(p_share::text, 'null'));
    end if;
    return tender_ledger.ask_all('rate',
        jsonb_strip_nulls(jsonb_build_object(
            'skill', p_skill,
            'price_micro', tender_ledger.to_micro('rate', p_rate, 0),
            'ceiling_micro', tender_ledger.to_micro('threshold', p_threshold, 0),
            'tier', p_tier,
            'share_ppm', (p_share * 1000000)::bigint)));
end
$$;
comment on function tender.set_rate(text, numeric, numeric, text, numeric) is
    'Posts the price of a unit of a skill and tier, up to a threshold for the whole task, and the share that is auctioned all the same; rate 0 takes it back. Returns the number of the request.';
grant execute on function tender.set_rate(text, numeric, numeric, text, numeric) to tender_owner;
