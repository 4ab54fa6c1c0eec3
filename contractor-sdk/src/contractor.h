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
    bool is_taken;    /* handed to the program */
    bool is_asked;    /* whether it stands; nobody but the run loop waits for the answer */
    bool is_standing; /* the answer */
    bool is_doubted;  /* asked whether a ledger that has lost commits knows it */
    int64_t valid_until_us;
    int64_t ack_by_us;
    /* Of a fleet's: what was said of it last, and whether its broker does not answer for it. */
    tender_performative performative;
    uint8_t *report;
    size_t report_size;
    bool is_bounced;
    bool was_bounced;
};

struct fleet;

/* owes_acknowledge: `taken` was handed out and nothing was said about it yet. */
struct tender_contractor {
    struct view view; /* first */
    struct terms_table terms;
    struct table holdings;
    bool owes_acknowledge;
    bool is_stale; /* `taken` waited before it was handed out */
    tender_commitment taken;
    struct fleet *fleet; /* of several brokers: then this one has no session, and says nothing */
};

/* For a fleet: a contractor that stays with its one address; the next two are what its `next` does
 * first, and what the end of a commitment does. */
TENDER_MUST_CHECK int contractor_open_member(const tender_options *options, struct error *error,
                                             tender_contractor **contractor_out);
TENDER_MUST_CHECK int contractor_leave(tender_contractor *contractor);
void contractor_forget(tender_contractor *contractor, tender_commitment commitment);
void holding_close(struct table_node *holding);

/* The view's functions; contractor_hear.c. */
int contractor_hear(struct view *view, const struct message *message);
int contractor_bounced(struct view *view, const struct message *message);
void contractor_hear_contact(struct view *view, tender_contact_kind kind, const char *text);

/*
 * Whether the award that was handed out last still stands, as far as the broker says: one that has
 * just come does, one that waited is asked about, until it must be taken. An award that has ended
 * is not acknowledged any more.
 */
bool contractor_is_standing(tender_contractor *contractor, tender_commitment commitment);

/* Says something about a commitment: about the award that was handed out it acknowledges it. */
TENDER_MUST_CHECK int contractor_say_of(tender_contractor *self, tender_commitment commitment,
                                        const struct message *message);

/* The award while its end was not heard, else NULL. Locked. */
struct holding *contractor_holding(const tender_contractor *contractor,
                                   tender_commitment commitment);
/* Says that the program has the commitment. Locked. */
TENDER_MUST_CHECK int contractor_acknowledge(tender_contractor *contractor,
                                             tender_commitment commitment);

/* Says a message and puts a failure into words. */
TENDER_MUST_CHECK int contractor_say(tender_contractor *contractor, const struct message *message);
/* bid.c */
TENDER_MUST_CHECK int contractor_check_reason(struct error *error, tender_reason reason);

#endif
