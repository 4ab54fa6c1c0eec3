-- Whoever works in SQL asks here, in a transaction of its own; the broker hears it like any message.
create table tender_ledger.inbox (
    request bigint generated always as identity,
    asked_at timestamptz not null default clock_timestamp(),
    answered_at timestamptz,
    shard smallint not null default 0,
    is_operator boolean not null,
    kind text collate "C" not null,
    peer text collate "C" not null,
    principal text collate "C" not null,
    key text collate "C",
    body jsonb not null,
    answer jsonb,
    constraint inbox_has_one_row primary key (request),
    constraint inbox_peer_has_a_name check (octet_length(peer) between 1 and 64),
    constraint inbox_principal_has_a_name check (octet_length(principal) between 1 and 64),
    constraint inbox_kind_exists check (kind in ('announce', 'cancel', 'close', 'release', 'fund')),
    constraint inbox_answer_has_a_time check ((answer is null) = (answered_at is null)),
    constraint inbox_body_is_an_object check (jsonb_typeof(body) = 'object')
);
-- By a hash, since a body with content is larger than an index takes; it guards whoever asks only
-- against itself, so a weak one will do.
create unique index inbox_request_is_made_once on tender_ledger.inbox (principal, key, md5(body::text));
comment on index tender_ledger.inbox_request_is_made_once is 'A request with a key is made once.';
create index inbox_not_answered on tender_ledger.inbox (shard, request) where answered_at is null;
comment on index tender_ledger.inbox_not_answered is 'What the broker polls.';
comment on table tender_ledger.inbox is 'Requests from SQL, and the broker''s answers.';
comment on column tender_ledger.inbox.request is 'Number of the request.';
comment on column tender_ledger.inbox.asked_at is 'When the row was written, by the database''s clock.';
comment on column tender_ledger.inbox.answered_at is 'When it was answered, by the database''s clock.';
comment on column tender_ledger.inbox.shard is 'Shard whose broker answers.';
comment on column tender_ledger.inbox.is_operator is 'May act on any client''s task.';
comment on column tender_ledger.inbox.kind is 'What is asked: a performative, or fund.';
comment on column tender_ledger.inbox.peer is 'Agent it speaks for.';
comment on column tender_ledger.inbox.principal is 'Principal it speaks for.';
comment on column tender_ledger.inbox.key is 'Key of an announcement: asking twice is asking once.';
comment on column tender_ledger.inbox.body is 'Fields of the message by name; task is the conversation.';
comment on column tender_ledger.inbox.answer is 'What the broker said, by the same names.';
