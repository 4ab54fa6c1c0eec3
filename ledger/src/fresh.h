/*
 * Tasks that were announced lately, and need no row of `open_part` yet: most are awarded within a
 * second, and get their row with the award. What that row says of the task is kept here.
 *
 * A task stays here for FRESH_US at most, by the time that its identifier tells: the batch behind
 * that writes its row. So whoever reigns next finds those without a row by their identifiers, and
 * writes what is missing before it recalls (`tender_ledger.fresh_part`). Which tasks come here is
 * seal_fresh.c's.
 */
#ifndef TENDER_LEDGER_SRC_FRESH_H
#define TENDER_LEDGER_SRC_FRESH_H

#include "tender/vocabulary.h"

#define FRESH_US INT64_C(2000000) /* fresh_part looks back five seconds */

/* An open task in its first round, of which nothing else is to be said. */
struct fresh_task {
    tender_id task; /* all zero: a free slot */
    int64_t units;
    int64_t ceiling_micro;
    size_t payer_size;
    char payer[TENDER_NAME_MAX];
};

/*
 * slots      [capacity], a power of two; open-addressed by the identifier
 * order      [order_capacity], a ring from `first` on: the tasks as they came, also some that left
 * newest_us  of the identifiers that came
 */
struct fresh {
    struct fresh_task *slots;
    size_t capacity;
    size_t count;
    tender_id *order;
    size_t order_capacity;
    size_t first;
    size_t order_count;
    int64_t newest_us;
};

void fresh_release(struct fresh *fresh); /* empties it */

/*
 * Adds a task, whose payer's name has at most TENDER_NAME_MAX bytes and is copied. 1; 0 where its
 * identifier is older than FRESH_US at `stamp_us` (µs since the Unix epoch), or a second older
 * than another's that came: it needs its row at once. Or TENDER_ENOMEM.
 */
TENDER_MUST_CHECK int fresh_add(struct fresh *fresh, int64_t stamp_us, tender_id task,
                                int64_t units, int64_t ceiling_micro, tender_bytes payer);
/* NULL where it is not here. Valid until the next call but this. */
const struct fresh_task *fresh_find(const struct fresh *fresh, tender_id task);
void fresh_take(struct fresh *fresh, tender_id task); /* one that is here */
/* The oldest, where it has been here for its time at `stamp_us`; NULL: there is none. As above. */
const struct fresh_task *fresh_due(struct fresh *fresh, int64_t stamp_us);

#endif
