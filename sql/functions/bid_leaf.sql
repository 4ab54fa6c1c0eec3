-- A bid as a leaf of its round's book: nobody guesses it who does not know the nonce (ledger/CHAIN.md).
-- What a bid does not have is null.
create or replace function tender_ledger.bid_leaf(
    p_task uuid, p_round integer, p_contractor text, p_principal text, p_cost_micro bigint, p_eta_us bigint,
    p_capacity bigint, p_nonce uuid)
returns bytea
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
    select tender_ledger.tree_leaf(convert_to('tender/bid/v1', 'UTF8') || '\x00'::bytea
        || sha256(convert_to('tender/who/v1', 'UTF8') || '\x00'::bytea
            || sha256(convert_to('who', 'UTF8') || n.nonce) || r.round
            || set_byte('\x00'::bytea, 0, octet_length(p_contractor)) || convert_to(p_contractor, 'UTF8')
            || set_byte('\x00'::bytea, 0, octet_length(p_principal)) || convert_to(p_principal, 'UTF8'))
        || sha256(convert_to('tender/what/v1', 'UTF8') || '\x00'::bytea
            || sha256(convert_to('what', 'UTF8') || n.nonce) || r.round || int8send(coalesce(p_cost_micro, 0))
            || int8send(coalesce(p_eta_us, 0)) || int8send(coalesce(p_capacity, 0))))
    from (select coalesce(uuid_send(p_nonce), decode(repeat('00', 16), 'hex')) as nonce) n
    cross join (select uuid_send(p_task) || int4send(p_round) as round) r
$$;
comment on function tender_ledger.bid_leaf(uuid, integer, text, text, bigint, bigint, bigint, uuid) is
    'The hash of a bid as a leaf of the book of its round.';
