/*
 * Counters: see refusals.h.
 */
#include "refusals.h"

#include <stdatomic.h>

#include "log.h"

static const struct {
    const char *name;
    const char *consequence;
} rows[] = {
#define REFUSAL_ROW(NAME, name, what) {name, what},
    REFUSALS(REFUSAL_ROW)
#undef REFUSAL_ROW
};

static atomic_ullong met[REFUSAL_COUNT];
static uint64_t logged[REFUSAL_COUNT];

void refusals_count(enum refusal refusal)
{
    atomic_fetch_add(&met[refusal], 1);
}

uint64_t refusals_met(enum refusal refusal)
{
    return atomic_load(&met[refusal]);
}

const char *refusal_name(enum refusal refusal)
{
    return rows[refusal].name;
}

const char *refusal_consequence(enum refusal refusal)
{
    return rows[refusal].consequence;
}

void refusals_log(void (*on_met)(void *context, enum refusal refusal, uint64_t times),
                  void *context)
{
    for (enum refusal refusal = 0; refusal < REFUSAL_COUNT; refusal++) {
        uint64_t now = refusals_met(refusal);
        if (now == logged[refusal]) {
            continue;
        }
        struct log_line line;
        log_begin(&line, LOG_LEVEL_WARNING, "limit");
        log_string(&line, "limit", refusal_name(refusal));
        log_int(&line, "more", (int64_t)(now - logged[refusal]));
        log_int(&line, "total", (int64_t)now);
        log_string(&line, "so", refusal_consequence(refusal));
        log_end(&line);
        on_met(context, refusal, now - logged[refusal]);
        logged[refusal] = now;
    }
}
