/*
 * A contractor of several brokers: one handle, and behind it a contractor with a session for each
 * address. Merges what they hear, says each thing to the broker that it is about, divides the slots
 * (slots.h), and sees that what a broker did not hear before it went away is heard by whoever takes
 * over. Internal to the SDK.
 *
 * A report or bid that is left over is said to every broker, now and whenever one begins a session:
 * who does not hold the task answers `elsewhere`, and to who does a repeat is no news.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_FLEET_H
#define TENDER_CONTRACTOR_SDK_SRC_FLEET_H

#include "contractor.h"

struct fleet;

/* Whether the options name more than one broker. */
bool fleet_is_wanted(const tender_options *options);
/* Opens a contractor for each address, and waits for the first welcome as tender_contractor_open
 * does. `self` has no session of its own. Errors as there; self->fleet is set also on failure. */
TENDER_MUST_CHECK int fleet_open(const tender_options *options, tender_contractor *self,
                                 struct error *error);
void fleet_close(struct fleet *fleet);

/* The contractor whose broker a task is with, as far as is known; without a fleet `self`. */
tender_contractor *fleet_member(tender_contractor *self, tender_id task);
/* The particulars of the last failure. */
const char *fleet_error(const struct fleet *fleet);

int fleet_offer(struct fleet *fleet, const char *skill);
int fleet_next(tender_contractor *self, int timeout_ms, const tender_event **event_out);
/* Readable while there are events. */
int fleet_fd(const struct fleet *fleet);
/* A client beside the contractor, as NAME/client. */
TENDER_MUST_CHECK int fleet_client(struct fleet *fleet, tender_client **client_out);

#endif
