/*
 * Answers to calls for proposals: bids with their terms, refusals, withdrawals. What a bid may say
 * is checked here as far as the call is remembered; the broker judges it anyway.
 */
#include <stddef.h>
#include <string.h>

#include "contractor.h"
#include "fleet.h"

static struct message answer(tender_performative performative, const tender_cfp *cfp)
{
    struct message message = {.performative = performative, .conversation = cfp->task};
    message_set(&message, ROUND, round, cfp->round);
    return message;
}

/* split_units  of a split round, where that is known; else 0 */
static int check_bid(struct error *error, const tender_cfp *cfp, const tender_bid *bid,
                     int64_t split_units, int64_t capacity)
{
    int64_t most =
        split_units > 0 ? cfp->ceiling_micro / split_units : cfp->ceiling_micro; /* down */
    if (bid->cost_micro < 0 || bid->cost_micro > most) {
        return error_range(error, "cost_micro", bid->cost_micro, 0, most);
    }
    if (capacity < (split_units > 0 ? 1 : 0)) {
        return error_range(error, "capacity", capacity, split_units > 0 ? 1 : 0, INT64_MAX);
    }
    if (bid->eta_us < 1 || bid->eta_us > cfp->due_us) {
        return error_range(error, "eta_us", bid->eta_us, 1, cfp->due_us);
    }
    if (bid->valid_until_us < 0) {
        return error_range(error, "valid_until_us", bid->valid_until_us, 0, INT64_MAX);
    }
    return session_check_text(error, "text", bid->text, TENDER_TEXT_MAX);
}

/* Remembers that there is a bid, and how long it binds. Without memory of its call, or where
 * another bid may count in its round, it has no nonce and is not looked after. */
static int say_bid(tender_contractor *self, const tender_bid *bid, struct message *message)
{
    struct terms *terms = terms_find(&self->terms, message->conversation, message->round);
    if (terms != NULL && !terms_is_unsure(&self->terms, message->conversation, message->round)) {
        int64_t capacity = message_has(message, MESSAGE_CAPACITY) ? message->capacity : 0;
        receipt_begin(&terms->receipt, bid->cost_micro, bid->eta_us, capacity);
        message_set(message, NONCE, nonce, terms->receipt.nonce);
    }
    int status = session_say(self->view.session, &self->view, message);
    if (status == 0 && terms != NULL) {
        terms->has_bid = true;
        terms->valid_until_us = bid->valid_until_us;
    }
    return status;
}

/* Units of the round where it is split, as its call said; 0 also where there is no memory of it. */
static int64_t split_units(tender_contractor *self, const tender_cfp *cfp)
{
    session_lock(self->view.session);
    const struct terms *terms = terms_find(&self->terms, cfp->task, cfp->round);
    int64_t units = terms == NULL ? 0 : terms->split_units;
    session_unlock(self->view.session);
    return units;
}

static int propose(tender_contractor *self, const tender_cfp *cfp, const tender_bid *bid,
                   int64_t capacity, int64_t estimate_micro)
{
    struct error *error = &self->view.error;
    int status = check_bid(error, cfp, bid, split_units(self, cfp), capacity);
    if (status == 0 && (estimate_micro < 0 || estimate_micro > TENDER_MONEY_MAX)) {
        status = error_range(error, "estimate_micro", estimate_micro, 0, TENDER_MONEY_MAX);
    }
    if (status != 0) {
        return status;
    }
    struct message message = answer(TENDER_PROPOSE, cfp);
    message_set(&message, DIGEST, digest, cfp->digest);
    message_set(&message, COST, cost_micro, bid->cost_micro);
    message_set(&message, ETA, eta_us, bid->eta_us);
    if (bid->valid_until_us > 0) {
        message_set(&message, VALID_UNTIL, valid_until_us, bid->valid_until_us);
    }
    if (bid->text != NULL) {
        message_set(&message, TEXT, text, ((tender_bytes){bid->text, strlen(bid->text)}));
    }
    if (capacity > 0) {
        message_set(&message, CAPACITY, capacity, capacity);
    }
    if (estimate_micro > 0) {
        message_set(&message, ESTIMATE, estimate_micro, estimate_micro);
    }
    session_lock(self->view.session);
    status = say_bid(self, bid, &message);
    session_unlock(self->view.session);
    return status == 0 ? 0 : error_set(error, status, "propose: %s", tender_strerror(status));
}

int tender_propose(tender_contractor *self, const tender_cfp *cfp, const tender_bid *bid)
{
    self = fleet_member(self, cfp->task);
    return propose(self, cfp, bid, 0, 0);
}

/* What a program that was compiled with a shorter structure does not say is 0. */
int tender_propose_terms(tender_contractor *self, const tender_cfp *cfp, const tender_bid *bid,
                         const tender_bid_terms *terms)
{
    self = fleet_member(self, cfp->task);
    tender_bid_terms given = {0, 0, 0};
    if (terms == NULL || terms->size < offsetof(tender_bid_terms, capacity) + sizeof(int64_t)) {
        return error_set(&self->view.error, TENDER_EINVAL, "terms have no size");
    }
    memcpy(&given, terms, terms->size < sizeof given ? terms->size : sizeof given);
    return propose(self, cfp, bid, given.capacity, given.estimate_micro);
}

int contractor_check_reason(struct error *error, tender_reason reason)
{
    return tender_reason_name(reason) == NULL
               ? error_set(error, TENDER_EINVAL, "reason %d is none of TENDER_REASON_…", reason)
               : 0;
}

int tender_refuse(tender_contractor *self, const tender_cfp *cfp, tender_reason reason)
{
    self = fleet_member(self, cfp->task);
    int status = contractor_check_reason(&self->view.error, reason);
    if (status != 0) {
        return status;
    }
    struct message message = answer(TENDER_REFUSE, cfp);
    message_set(&message, REASON, reason, reason);
    return contractor_say(self, &message);
}

int tender_withdraw(tender_contractor *self, const tender_cfp *cfp)
{
    self = fleet_member(self, cfp->task);
    struct message message = answer(TENDER_WITHDRAW, cfp);
    return contractor_say(self, &message);
}
