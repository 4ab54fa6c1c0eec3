-- States, reasons and kinds are stored as the codes of the program's vocabulary: two bytes each, never
-- given another meaning once released, and read without a lookup in the catalogue, which an enum costs
-- for every value. This table names them; `tender ledger migrate` fills it from the program.
create table tender_ledger.word (
    vocabulary text not null,
    code smallint not null,
    name text not null,
    meaning text not null,
    is_terminal boolean not null default false,
    constraint word_has_one_code primary key (vocabulary, code),
    constraint word_has_one_name unique (vocabulary, name)
);
comment on table tender_ledger.word is
    'The vocabularies of the program: what the codes in the tables mean.';
comment on column tender_ledger.word.vocabulary is
    'task_state, commitment_state, bid_state, reason, partial, fallback or entry_kind.';
comment on column tender_ledger.word.code is 'As stored.';
comment on column tender_ledger.word.name is 'As views show it.';
comment on column tender_ledger.word.meaning is 'A sentence for people.';
comment on column tender_ledger.word.is_terminal is 'For states: nothing follows it.';
