create or replace view tender.archive as
select p.suffix as archive, p.since_at, p.until_at, p.state, p.tasks, p.entries, p.retired_at,
    p.retired_by, p.directory, encode(p.root, 'hex') as root,
    encode(p.manifest_digest, 'hex') as manifest_sha256
from tender_ledger.partition p
where p.state <> 'live';
comment on view tender.archive is
    'Whole times whose tasks have left the ledger for files, with what proves those.';
comment on column tender.archive.archive is 'Its name; its files are in tender-NAME.';
comment on column tender.archive.since_at is 'Of tasks that were announced from then on.';
comment on column tender.archive.until_at is 'And before then.';
comment on column tender.archive.state is
    'exported: its rows are here too; detached: they are about to go; archived: they are gone.';
comment on column tender.archive.tasks is 'How many tasks it has.';
comment on column tender.archive.entries is 'How many entries they have.';
comment on column tender.archive.retired_at is 'When it stood and was read back.';
comment on column tender.archive.retired_by is 'Who did it.';
comment on column tender.archive.directory is 'Where it was written.';
comment on column tender.archive.root is 'Merkle root over the chains of its tasks, in hex.';
comment on column tender.archive.manifest_sha256 is 'SHA-256 of its manifest, in hex.';
grant select on tender.archive to tender_auditor, tender_reader;

create or replace view tender.archived_task with (security_barrier) as
select a.task_id, a.client, a.principal, s.name as status, r.name as reason, a.units, a.units_done,
    (a.paid_micro / 1000000.0)::numeric(20, 6) as paid, a.ended_at, p.suffix as archive, p.directory, a.key, a.again
from tender_ledger.archived_task a
join tender_ledger.partition p on a.task_id >= p.from_id and a.task_id < p.to_id
    and p.state in ('detached', 'archived')
join tender_ledger.word s on s.vocabulary = 'task_state' and s.code = a.state
join tender_ledger.word r on r.vocabulary = 'reason' and r.code = a.reason
where (select tender_ledger.reads_all(current_user)) or a.principal = current_user;
comment on view tender.archived_task is
    'Tasks whose record is in an archive: how each ended, and where to look.';
comment on column tender.archived_task.task_id is 'The task.';
comment on column tender.archived_task.client is 'Agent that announced it.';
comment on column tender.archived_task.principal is 'Whose account paid.';
comment on column tender.archived_task.status is 'done, unallocated or cancelled.';
comment on column tender.archived_task.reason is 'Why it ended.';
comment on column tender.archived_task.units is 'Its units.';
comment on column tender.archived_task.units_done is 'Units accepted over all its commitments.';
comment on column tender.archived_task.paid is 'Paid over all its commitments, in credits.';
comment on column tender.archived_task.ended_at is 'When it ended.';
comment on column tender.archived_task.archive is 'Name of the archive, as in tender.archive.';
comment on column tender.archived_task.directory is 'Where the archive was written.';
comment on column tender.archived_task.key is 'The client''s key.';
comment on column tender.archived_task.again is 'The ended task that it replaced under its key.';
grant select on tender.archived_task to tender_auditor, tender_reader, tender_principal;
