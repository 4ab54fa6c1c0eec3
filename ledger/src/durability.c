/*
 * Looks at the settings of PostgreSQL that a commit depends on. A broker tells a peer what has
 * committed, so a commit that a crash can undo makes it say what is not so.
 */
#include "private.h"

#include <stdio.h>
#include <string.h>

/* A setting that must not be off, and what to set. */
static const struct {
    const char *name;
    const char *remedy;
} settings[] = {
    {"fsync", "on"},
    {"full_page_writes", "on"},
    {"synchronous_commit", "on, or remote_apply, remote_write or local"},
};

#define SETTINGS_COUNT (sizeof settings / sizeof settings[0])

int durability_read(const PGresult *result, int32_t *timeline_out, char *sentence_out, size_t size)
{
    *timeline_out = (int32_t)column_read_integer(PQgetvalue(result, 0, SETTINGS_COUNT), 4);
    size_t used = 0;
    sentence_out[0] = '\0';
    for (size_t i = 0; i < SETTINGS_COUNT; i++) {
        if (strcmp(PQgetvalue(result, 0, (int)i), "off") != 0) {
            continue;
        }
        int more = snprintf(sentence_out + used, size - used, "%s%s is off: set it to %s",
                            used == 0 ? "" : "; ", settings[i].name, settings[i].remedy);
        used += more > 0 && (size_t)more < size - used ? (size_t)more : 0;
    }
    if (used == 0) {
        return 0;
    }
    (void)snprintf(sentence_out + used, size - used,
                   "; PostgreSQL may lose what it has committed when it crashes");
    return TENDER_EUNSAFE;
}

int durability_ask(PGconn *connection, int32_t *timeline_out, char *sentence_out, size_t size)
{
    PGresult *result = PQexecParams(connection, statements[STATEMENT_DURABILITY].text, 0, NULL,
                                    NULL, NULL, NULL, 1);
    int status = TENDER_EDATABASE;
    if (PQresultStatus(result) == PGRES_TUPLES_OK) {
        status = durability_read(result, timeline_out, sentence_out, size);
    } else {
        (void)schema_fail(sentence_out, size, 0, "settings: %s", PQerrorMessage(connection));
    }
    PQclear(result);
    return status;
}

int ledger_durability(const char *database, char *sentence_out, size_t size)
{
    PGconn *connection = NULL;
    int32_t timeline = 0;
    int status = schema_open(database, &connection, sentence_out, size);
    if (status == 0) {
        status = durability_ask(connection, &timeline, sentence_out, size);
    }
    PQfinish(connection);
    return status;
}
