/*
 * What the files of the projection share: projection.c has what happens to every task, each other
 * project_….c one more subject. All return 0 or TENDER_ENOMEM.
 */
#ifndef TENDER_LEDGER_SRC_PROJECT_H
#define TENDER_LEDGER_SRC_PROJECT_H

#include "batch.h"

/* projection.c */
/* The task goes on in `state`; `round` 0 leaves its number. */
TENDER_MUST_CHECK int project_go_on(struct batch *batch, tender_id task, tender_task_state state,
                                    tender_reason reason, int64_t round);
/* The task goes on, or ends, in `state`. */
TENDER_MUST_CHECK int project_end_task(struct batch *batch, const struct entry *entry,
                                       tender_task_state state, tender_reason reason);
/* The row of a commitment that begins with an entry's `fact`: AWARDED or ASSIGNED. */
#define AWARD_ROW(entry, fact)                                                                     \
    ((struct award_row){.task = (entry)->task,                                                     \
                        .part = (fact)->part,                                                      \
                        .generation = (fact)->generation,                                          \
                        .round = (fact)->round,                                                    \
                        .owner = (fact)->contractor,                                               \
                        .principal = (fact)->principal,                                            \
                        .units = (fact)->units,                                                    \
                        .price_micro = (fact)->price_micro,                                        \
                        .awarded_at_us = (entry)->at_us,                                           \
                        .due_at_us = (fact)->due_at_us})
/* A commitment, as its award says; texts are kept. */
TENDER_MUST_CHECK int project_award(struct batch *batch, const struct award_row *award);
/* What a report says of a commitment, also where its entry says more. */
TENDER_MUST_CHECK int project_acknowledged(struct batch *batch, const struct entry *entry);
TENDER_MUST_CHECK int project_progressed(struct batch *batch, const struct entry *entry);
/* The commitment where it was awarded in this batch and is active, else NULL. */
struct award_row *project_find_award(struct batch *batch, const struct part_row *part,
                                     int64_t generation);
/* The reservation of the task pays or releases; the principal earns. */
TENDER_MUST_CHECK int project_spend(struct batch *batch, tender_id task, int64_t paid_micro,
                                    int64_t released_micro);
TENDER_MUST_CHECK int project_earn(struct batch *batch, tender_bytes principal, int64_t paid_micro);
/* What is paid for a commitment whose row says for ever what it was paid at its end. */
TENDER_MUST_CHECK int project_pay_later(struct batch *batch, const struct entry *entry,
                                        int64_t generation, tender_bytes principal,
                                        int64_t paid_micro);

/* project_house.c: entries of the house */
TENDER_MUST_CHECK int project_house(struct batch *batch, const struct entry *entry);

/* project_static.c: posted rates. `project_sampled`: a round that was opened all the same */
TENDER_MUST_CHECK int project_assigned(struct batch *batch, const struct entry *entry);
TENDER_MUST_CHECK int project_sampled(struct batch *batch, const struct entry *entry);

/* project_need.c: names besides the skill, and counted resources */
TENDER_MUST_CHECK int project_needs(struct batch *batch, const struct entry *entry);
TENDER_MUST_CHECK int project_counted(struct batch *batch, const struct entry *entry);
TENDER_MUST_CHECK int project_take(struct batch *batch, const struct entry *entry, int64_t part,
                                   int64_t generation, tender_bytes contractor);
TENDER_MUST_CHECK int project_free(struct batch *batch, const struct entry *entry);

/* project_goal.c: goals, and tasks that wait for tasks */
TENDER_MUST_CHECK int project_after(struct batch *batch, const struct entry *entry);
TENDER_MUST_CHECK int project_unblocked(struct batch *batch, const struct entry *entry);

/* project_accept.c: deliveries, their end with the commitment, and late results that are taken */
TENDER_MUST_CHECK int project_delivered(struct batch *batch, const struct entry *entry);
void project_decided(struct batch *batch, const struct entry *entry);
TENDER_MUST_CHECK int project_adopted(struct batch *batch, const struct entry *entry);

/* project_measured.c: what the work cost, as its contractor says */
TENDER_MUST_CHECK int project_measured(struct batch *batch, const struct entry *entry);

#endif
