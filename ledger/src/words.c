/*
 * Writes the vocabularies of this program into tender_ledger.word, so that SQL names the codes by
 * the same tables as C.
 */
#include "private.h"

#include <string.h>

enum { WORD_VOCABULARY, WORD_CODE, WORD_NAME, WORD_MEANING, WORD_IS_TERMINAL, WORD_COLUMNS };

static void add_text(struct column *column, const char *text)
{
    column_bytes(column, (tender_bytes){text, strlen(text)});
}

static void add_word(struct column *columns, const char *vocabulary, int code, const char *name,
                     const char *meaning, bool is_terminal)
{
    add_text(&columns[WORD_VOCABULARY], vocabulary);
    column_integer(&columns[WORD_CODE], code);
    add_text(&columns[WORD_NAME], name);
    add_text(&columns[WORD_MEANING], meaning);
    column_integer(&columns[WORD_IS_TERMINAL], is_terminal);
}

static void add_words(struct column *columns)
{
#define X(code, NAME, name, terminal)                                                              \
    add_word(columns, "task_state", code, name, "state of a task", terminal);
    TENDER_TASK_STATES(X)
#undef X
#define X(code, NAME, name, terminal)                                                              \
    add_word(columns, "commitment_state", code, name, "state of a commitment", terminal);
    TENDER_COMMITMENT_STATES(X)
#undef X
#define X(code, NAME, name, terminal)                                                              \
    add_word(columns, "bid_state", code, name, "state of a bid", terminal);
    TENDER_BID_STATES(X)
#undef X
#define X(code, NAME, name, meaning) add_word(columns, "reason", code, name, meaning, false);
    TENDER_REASONS(X)
#undef X
#define X(code, NAME, name, meaning) add_word(columns, "partial", code, name, meaning, false);
    TENDER_PARTIALS(X)
#undef X
#define X(code, NAME, name, meaning) add_word(columns, "fallback", code, name, meaning, false);
    TENDER_FALLBACKS(X)
#undef X
#define X(code, NAME, name, meaning) add_word(columns, "entry_kind", code, #name, meaning, false);
    ENTRY_KINDS(X)
#undef X
}

int words_write(PGconn *connection, char *error, size_t error_size)
{
    static const enum column_type types[WORD_COLUMNS] = {COLUMN_TEXT, COLUMN_INT2, COLUMN_TEXT,
                                                         COLUMN_TEXT, COLUMN_INT2};
    static const char text[] =
        "insert into tender_ledger.word as w (vocabulary, code, name, meaning, is_terminal) "
        "select a, b, c, d, e <> 0 "
        "from unnest($1::text[], $2::int2[], $3::text[], $4::text[], $5::int2[]) u (a, b, c, d, e) "
        "on conflict on constraint word_has_one_code do update set name = excluded.name, "
        "meaning = excluded.meaning, is_terminal = excluded.is_terminal "
        "where (w.name, w.meaning, w.is_terminal) "
        "is distinct from (excluded.name, excluded.meaning, excluded.is_terminal)";
    struct column columns[WORD_COLUMNS] = {0};
    const char *values[WORD_COLUMNS];
    int lengths[WORD_COLUMNS];
    int formats[WORD_COLUMNS];
    for (size_t i = 0; i < WORD_COLUMNS; i++) {
        column_begin_array(&columns[i], types[i]);
    }
    add_words(columns);
    int status = columns_end(columns, WORD_COLUMNS);
    columns_pass(columns, WORD_COLUMNS, values, lengths, formats);
    if (status == 0) {
        PGresult *result =
            PQexecParams(connection, text, WORD_COLUMNS, NULL, values, lengths, formats, 0);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) {
            status = schema_fail(error, error_size, TENDER_EDATABASE, "vocabularies: %s",
                                 PQerrorMessage(connection));
        }
        PQclear(result);
    }
    columns_release(columns, WORD_COLUMNS);
    return status;
}
