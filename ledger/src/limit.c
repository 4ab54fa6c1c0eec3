/*
 * Limits that the broker has met, on their way to the ledger: for people, so what is on its way
 * when the connection is lost is not told again.
 */
#include <string.h>

#include "private.h"

void ledger_note_limit(struct ledger *ledger, const char *name, uint64_t times,
                       const char *consequence)
{
    for (size_t i = 0; i < ledger->limit_count; i++) {
        if (ledger->limits[i].name == name) {
            ledger->limits[i].times += times;
            return;
        }
    }
    if (ledger->limit_count < LIMITS_MAX) {
        ledger->limits[ledger->limit_count++] =
            (struct noted_limit){.name = name, .times = times, .consequence = consequence};
    }
}

static tender_bytes text_of(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

int limit_note(struct ledger *ledger)
{
    struct column columns[4] = {{0}, {0}, {0}, {0}};
    column_set_text(&columns[0], ledger->broker);
    column_begin_array(&columns[1], COLUMN_TEXT);
    column_begin_array(&columns[2], COLUMN_INT8);
    column_begin_array(&columns[3], COLUMN_TEXT);
    for (size_t i = 0; i < ledger->limit_count; i++) {
        column_bytes(&columns[1], text_of(ledger->limits[i].name));
        column_integer(&columns[2], (int64_t)ledger->limits[i].times);
        column_bytes(&columns[3], text_of(ledger->limits[i].consequence));
    }
    ledger->limit_count = 0;
    return pipeline_queue(ledger, STATEMENT_NOTE_LIMITS, columns, 4);
}
