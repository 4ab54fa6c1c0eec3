/*
 * A contractor's side of a session. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_CONTRACTOR_H
#define TENDER_CONTRACTOR_SDK_SRC_CONTRACTOR_H

#include "session.h"
#include "terms.h"

/* An award that was heard and whose end was not, found by task, part and generation. */
struct holding {
    struct table_node node; /* first */
    tender_commitment commitment;
    bool is_taken; /* handed to the program */
    int64_t valid_until_us;
    int64_t ack_by_us;
};

/* owes_acknowledge: `taken` was handed out and nothing was said about it yet. */
struct tender_contractor {
    struct view view; /* first */
    struct terms_table terms;
    struct table holdings;
    bool owes_acknowledge;
    tender_commitment taken;
};

/* The view's functions; contractor_hear.c. */
int contractor_hear(struct view *view, const struct message *message);
void contractor_hear_contact(struct view *view, tender_contact_kind kind, const char *text);

/* Says that the program has the commitment. Locked. */
TENDER_MUST_CHECK int contractor_acknowledge(tender_contractor *contractor,
                                             tender_commitment commitment);

#endif
