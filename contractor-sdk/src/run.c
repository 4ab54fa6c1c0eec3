/*
 * The run loop of a contractor: one handler for each kind of event, with a sound default for each
 * that is left out. Made of the public functions, but for one question: whether an award that
 * waited still stands.
 */
#include "contractor.h"

static int on_cfp(tender_contractor *self, const tender_cfp *cfp, const tender_handlers *handlers,
                  void *context)
{
    return handlers->on_cfp == NULL ? tender_refuse(self, cfp, TENDER_REASON_NOT_INTERESTED)
                                    : handlers->on_cfp(self, cfp, context);
}

static int on_award(tender_contractor *self, const tender_award *award,
                    const tender_handlers *handlers, void *context)
{
    static const char text[] = "this contractor handles no awards";
    if (handlers->on_accept_proposal == NULL) {
        return tender_failure(self, award->commitment, 0, TENDER_REASON_UNABLE, text,
                              (tender_bytes){NULL, 0});
    }
    if (!contractor_is_standing(self, award->commitment)) {
        return 0; /* the event that says how it ended follows */
    }
    int status = tender_acknowledge(self, award->commitment);
    return status != 0 ? status : handlers->on_accept_proposal(self, award, context);
}

static int dispatch(tender_contractor *self, const tender_event *event,
                    const tender_handlers *handlers, void *context)
{
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        return on_cfp(self, &event->cfp, handlers, context);
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        return on_award(self, &event->accept_proposal, handlers, context);
    case TENDER_EVENT_REJECT_PROPOSAL:
        return handlers->on_reject_proposal == NULL
                   ? 0
                   : handlers->on_reject_proposal(self, &event->reject_proposal, context);
    case TENDER_EVENT_CANCEL:
        return handlers->on_cancel == NULL ? 0 : handlers->on_cancel(self, &event->cancel, context);
    case TENDER_EVENT_INFORM:
        return handlers->on_inform == NULL ? 0 : handlers->on_inform(self, &event->inform, context);
    case TENDER_EVENT_NOT_UNDERSTOOD:
        return handlers->on_not_understood == NULL
                   ? 0
                   : handlers->on_not_understood(self, &event->not_understood, context);
    case TENDER_EVENT_CONTACT:
        return handlers->on_contact == NULL ? 0
                                            : handlers->on_contact(self, &event->contact, context);
    case TENDER_EVENT_BELIEF:
        return handlers->on_belief == NULL ? 0 : handlers->on_belief(self, &event->belief, context);
    case TENDER_EVENT_LOST:
        return handlers->on_lost == NULL ? 0 : handlers->on_lost(self, event->lost, context);
    case TENDER_EVENT_DISPUTE:
        return handlers->on_dispute == NULL ? 0
                                            : handlers->on_dispute(self, &event->dispute, context);
    default:
        return 0;
    }
}

int tender_contractor_run(tender_contractor *self, const tender_handlers *handlers, void *context)
{
    for (;;) {
        const tender_event *event = NULL;
        int status = tender_contractor_next(self, -1, &event);
        if (status == TENDER_ECLOSED) {
            return 0;
        }
        if (status > 0) {
            status = dispatch(self, event, handlers, context);
        }
        if (status != 0) {
            return status;
        }
    }
}
