-- Ratios say how far bids can be believed without saying what they were. A barrier, because conditions of
-- whoever asks must not be tried on amounts that are not shown.
create or replace view tender.bid_fidelity with (security_barrier) as
select m.contractor, m.tier, m.reports, m.ratio, m.estimate_ratio, m.bias, m.exact_share,
    (case when m.is_shown then m.bid_micro / 1000000.0 end)::numeric(20, 6) as bid,
    (case when m.is_shown then m.measured_micro / 1000000.0 end)::numeric(20, 6) as measured,
    case when m.is_shown then m.tokens_in end as tokens_in,
    case when m.is_shown then m.tokens_out end as tokens_out, m.principal
from (
    select m.contractor, m.principal, m.tier, count(*) as reports,
        round(sum(m.bid_micro) / sum(m.measured_micro), 6) as ratio,
        round(sum(m.estimate_micro)
            / sum(m.measured_micro) filter (where m.estimate_micro is not null), 6) as estimate_ratio,
        round(avg((m.bid_micro - m.measured_micro)::numeric / m.measured_micro), 6) as bias,
        round(avg((abs(m.bid_micro - m.measured_micro)::numeric * 100 <= m.measured_micro)::integer), 6)
            as exact_share,
        sum(m.bid_micro) as bid_micro, sum(m.measured_micro) as measured_micro,
        sum(m.tokens_in)::bigint as tokens_in, sum(m.tokens_out)::bigint as tokens_out,
        pg_has_role(current_user, 'tender_auditor', 'member') or m.principal = current_user as is_shown
    from tender_ledger.measured m
    where (select tender_ledger.reads_all(current_user)) or m.principal = current_user
    group by m.contractor, m.principal, m.tier
) m;
comment on view tender.bid_fidelity is
    'How near the bids of each contractor came to what its work cost, where it reported that.';
comment on column tender.bid_fidelity.contractor is 'Name of the agent.';
comment on column tender.bid_fidelity.tier is 'Tier it worked at, as it reported; may be empty.';
comment on column tender.bid_fidelity.reports is 'Kept commitments with a measured cost.';
comment on column tender.bid_fidelity.ratio is 'All it bid over all it measured: 1 is cost, 1.2 a fifth above.';
comment on column tender.bid_fidelity.estimate_ratio is
    'The same of its own estimates, over the commitments that had one; null: none had.';
comment on column tender.bid_fidelity.bias is
    'Mean of (bid - measured) / measured, in which small tasks weigh as much as large ones.';
comment on column tender.bid_fidelity.exact_share is
    'Share of bids within one hundredth of the measured cost.';
comment on column tender.bid_fidelity.bid is
    'All it bid, in credits; amounts and tokens are shown to auditors and to its own principal.';
comment on column tender.bid_fidelity.measured is 'All it measured, in credits.';
comment on column tender.bid_fidelity.tokens_in is 'Tokens read, where it reported them.';
comment on column tender.bid_fidelity.tokens_out is 'Tokens written, where it reported them.';
comment on column tender.bid_fidelity.principal is 'Principal of the contractor.';
grant select on tender.bid_fidelity to tender_auditor, tender_reader, tender_principal;
