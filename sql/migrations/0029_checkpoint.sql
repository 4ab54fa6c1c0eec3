-- What a broker signs: the root over the first leaves of a shard's tree. Who has kept one can show later
-- that the ledger was changed, by nothing but the broker's own signature.
create table tender_ledger.checkpoint (
    at timestamptz not null,
    size bigint not null,
    shard smallint not null,
    root bytea not null,
    key bytea not null,
    signature bytea not null,
    constraint checkpoint_is_one_per_size primary key (shard, size),
    constraint checkpoint_covers_something check (size >= 1),
    constraint checkpoint_root_is_sha256 check (octet_length(root) = 32),
    constraint checkpoint_is_signed check (octet_length(key) = 32 and octet_length(signature) = 64)
);
comment on table tender_ledger.checkpoint is 'The roots that brokers have signed.';
comment on column tender_ledger.checkpoint.at is 'Stamp of the broker that signed it.';
comment on column tender_ledger.checkpoint.size is 'How many leaves it covers.';
comment on column tender_ledger.checkpoint.shard is 'The shard.';
comment on column tender_ledger.checkpoint.root is 'Root of the tree over them.';
comment on column tender_ledger.checkpoint.key is 'Ed25519 public key of the broker.';
comment on column tender_ledger.checkpoint.signature is 'Its signature (ledger/CHAIN.md).';
create trigger checkpoint_is_append_only
    before update or delete or truncate on tender_ledger.checkpoint
    for each statement execute function tender_ledger.refuse_change();
comment on trigger checkpoint_is_append_only on tender_ledger.checkpoint is
    'What was signed stays signed.';
