/*
 * When a contractor's failures on one skill are its own: the rule of quarantine, as functions over
 * one sheet. Reads like the rules; knows no tasks, peers or clocks.
 *
 * A strike is a task that exactly one principal failed and another one completed; so a task that
 * everyone fails strikes nobody, and neither does one that nobody else was asked to complete. Each
 * client has one strike on a sheet, its newest: thirty tasks of one client count as one, and a
 * rival's failures weigh nothing unless clients of several principals paid somebody else for the
 * same work. A strike is forgotten after QUARANTINE_WINDOW_US.
 *
 * Quarantine is due when, since some strike, QUARANTINE_CLIENTS clients or more have one and no
 * more commitments were kept on the skill than clients have strikes.
 */
#ifndef TENDER_BROKER_CORE_QUARANTINE_H
#define TENDER_BROKER_CORE_QUARANTINE_H

#include "tender/vocabulary.h"

#define QUARANTINE_CLIENTS   3
#define QUARANTINE_STRIKES   8 /* kept on one sheet; the oldest makes room */
#define QUARANTINE_WINDOW_US INT64_C(86400000000)
#define QUARANTINE_US        INT64_C(86400000000) /* how long the hold lasts */

/* client: draw_of_name of its root principal; kept: commitments kept since. */
struct strike {
    uint64_t client;
    int64_t at_us;
    uint32_t kept;
};

/* Of one contractor and skill; oldest first. All zero is an empty sheet. */
struct strike_sheet {
    uint32_t count;
    struct strike strikes[QUARANTINE_STRIKES];
};

/* `kept` is 0 but in recall. Stamps do not go back. */
void quarantine_strike(struct strike_sheet *sheet, uint64_t client, int64_t at_us, uint32_t kept);
/* A commitment on the skill was kept. */
void quarantine_keep(struct strike_sheet *sheet);
/* How many clients make the quarantine due at `now_us`; 0: it is not. */
uint32_t quarantine_is_due(const struct strike_sheet *sheet, int64_t now_us);
/* Whether no strike on the sheet counts any more. */
bool quarantine_is_over(const struct strike_sheet *sheet, int64_t now_us);

#endif
