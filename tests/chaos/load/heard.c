/*
 * Looks into a session of the SDK: which of its bids and reports the broker has heard, that is, has
 * recorded. The interface tells it of no message by itself, and a journal should say it of each.
 */
#include "load.h"

#include "../../../contractor-sdk/src/contractor.h"

static bool is_fact(tender_performative performative)
{
    switch ((int)performative) {
    case TENDER_PROPOSE:
    case TENDER_REFUSE:
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
        return true;
    default:
        return false;
    }
}

uint32_t heard_not(tender_contractor *contractor)
{
    struct session *session = contractor->view.session;
    uint32_t count = 0;
    session_lock(session);
    for (size_t i = 0; i < session->outbox.count; i++) {
        tender_performative performative;
        (void)outbox_peek(&session->outbox, i, &performative);
        count += is_fact(performative);
    }
    session_unlock(session);
    return count;
}
