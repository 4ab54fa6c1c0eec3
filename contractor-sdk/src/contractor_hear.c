/*
 * Turns what the broker says to a contractor into events, once each. See contractor.h.
 */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "contractor.h"

static tender_contractor *of(struct view *view)
{
    return (tender_contractor *)view;
}

static tender_commitment commitment_of(const struct message *message)
{
    return (tender_commitment){message->conversation, (uint32_t)message->part,
                               (uint32_t)message->generation};
}

struct holding *contractor_holding(const tender_contractor *self, tender_commitment commitment)
{
    return (struct holding *)table_find(&self->holdings, commitment.task,
                                        table_number(commitment.part, commitment.generation));
}

static void forget_holding(tender_contractor *self, tender_commitment commitment)
{
    struct holding *holding = contractor_holding(self, commitment);
    if (holding != NULL) {
        table_remove(&self->holdings, &holding->node);
        holding_close(&holding->node);
        (void)pthread_cond_broadcast(&self->view.session->changed);
    }
}

/* A reason that this library does not know reads as `other`. */
static tender_reason reason_of(const struct message *message)
{
    return (message->faulty & MESSAGE_BIT(MESSAGE_REASON)) != 0 ? TENDER_REASON_OTHER
                                                                : (tender_reason)message->reason;
}

static void put(struct view *view, struct item *item, tender_event_kind kind)
{
    item->event.kind = kind;
    inbox_put(&view->inbox, item);
}

/* A bid that was ranked between two rounds is over, though nobody rejected it. */
static void forget_round(tender_contractor *self, tender_id task, int64_t round)
{
    struct terms *terms = terms_find(&self->terms, task, round);
    if (terms != NULL) {
        terms_leave(&self->terms, terms);
    }
}

static int hear_cfp(tender_contractor *self, const struct message *message)
{
    struct terms *terms = terms_find(&self->terms, message->conversation, message->round);
    if (terms != NULL && memcmp(&terms->digest, &message->digest, sizeof terms->digest) == 0) {
        return 0; /* told again */
    }
    struct item *item = item_open(item_names_size(&message->skills) + message->evidence.size + 1);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    terms = terms_remember(&self->terms, message, session_broker_us(self->view.session));
    if (terms == NULL) {
        item_close(item);
        return TENDER_ENOMEM;
    }
    bool has_rank = message_has(message, MESSAGE_RANK);
    if (has_rank) {
        forget_round(self, message->conversation, message->round - 1);
    }
    item->terms = terms;
    item->event.cfp = (tender_cfp){.task = message->conversation,
                                   .round = message->round,
                                   .digest = message->digest,
                                   .skill = terms->skill,
                                   .units = message->units,
                                   .ceiling_micro = message->ceiling_micro,
                                   .closes_at_us = message->closes_at_us,
                                   .due_us = message->due_us,
                                   .ack_us = message->ack_us,
                                   .kill_fee_ppm = message->kill_fee_ppm,
                                   .partial = (tender_partial)message->partial,
                                   .heartbeat_us = message->heartbeat_us,
                                   .content = terms->content,
                                   .improve = message->improve,
                                   .rank = has_rank ? message->rank : -1,
                                   .lead_only = message->lead_only != 0,
                                   .split_max = message->split_max,
                                   .cover_all = message->cover_all != 0,
                                   .needs = item_names(item, &message->skills),
                                   .accept_us = message->accept_us};
    item->event.cfp.evidence = item_text(item, message->evidence);
    put(&self->view, item, TENDER_EVENT_CFP);
    return 0;
}

/* What the broker did with a bid is not what it must do. */
static int dispute(tender_contractor *self, const struct message *message, const char *claim)
{
    struct item *item = claim == NULL ? NULL : item_open(0);
    if (item == NULL) {
        return claim == NULL ? 0 : TENDER_ENOMEM;
    }
    item->event.dispute = (tender_dispute){message->conversation, message->round, claim};
    put(&self->view, item, TENDER_EVENT_DISPUTE);
    return 0;
}

static struct receipt_round round_of(const tender_contractor *self, const struct terms *terms)
{
    return (struct receipt_round){.task = terms->node.task,
                                  .round = (int64_t)terms->node.number,
                                  .ceiling_micro = terms->ceiling_micro,
                                  .is_split = terms->split_units > 0,
                                  .contractor = self->view.session->name,
                                  .principal = self->view.session->principal};
}

static int hear_receipt(tender_contractor *self, const struct message *message)
{
    struct terms *terms = terms_find(&self->terms, message->conversation, message->round);
    if (terms == NULL) {
        return 0;
    }
    struct receipt_round round = round_of(self, terms);
    return dispute(self, message, receipt_take(&terms->receipt, &round, message));
}

/* The round of a bid has closed: whether that is as it must be. */
static int check_answer(tender_contractor *self, const struct message *message,
                        const struct terms *terms)
{
    if (terms == NULL) {
        return 0;
    }
    struct receipt_round round = round_of(self, terms);
    return dispute(self, message, receipt_check(&terms->receipt, &round, message));
}

/* Fills the award's skill and content: as told, else as the call had them. */
static void borrow_terms(struct item *item, const struct message *message, struct terms *terms)
{
    tender_award *award = &item->event.accept_proposal;
    bool is_told = message_has(message, MESSAGE_CONTENT) || message_has(message, MESSAGE_SKILL);
    if (terms == NULL || is_told) {
        award->skill = item_text(item, message->skill);
        award->content = item_bytes(item, message->content);
        return;
    }
    terms->references++;
    item->terms = terms;
    award->skill = terms->skill;
    award->content = terms->content;
}

static int hear_award(tender_contractor *self, const struct message *message)
{
    tender_commitment commitment = commitment_of(message);
    struct holding *holding = contractor_holding(self, commitment);
    if (holding != NULL) { /* told again: the broker has not heard that it was taken */
        return holding->is_taken ? contractor_acknowledge(self, commitment) : 0;
    }
    struct item *item = item_open(message->skill.size + message->content.size +
                                  message->evidence.size + 3 + item_names_size(&message->skills));
    holding = calloc(1, sizeof *holding);
    if (item == NULL || holding == NULL) {
        item_close(item);
        free(holding);
        return TENDER_ENOMEM;
    }
    struct terms *terms = terms_find(&self->terms, message->conversation, message->round);
    if (check_answer(self, message, terms) != 0) {
        item_close(item);
        free(holding);
        return TENDER_ENOMEM;
    }
    *holding = (struct holding){.commitment = commitment,
                                .valid_until_us = terms == NULL ? 0 : terms->valid_until_us,
                                .ack_by_us = message->ack_by_us};
    holding->node.task = commitment.task;
    holding->node.number = table_number(commitment.part, commitment.generation);
    table_add(&self->holdings, &holding->node);
    item->event.accept_proposal = (tender_award){.commitment = commitment,
                                                 .round = message->round,
                                                 .units = message->units,
                                                 .price_micro = message->price_micro,
                                                 .due_at_us = message->due_at_us,
                                                 .ack_by_us = message->ack_by_us,
                                                 .accept_us = message->accept_us};
    item->since_us = clock_us();
    item->epoch = self->view.session->epoch;
    borrow_terms(item, message, terms);
    item->event.accept_proposal.evidence = item_text(item, message->evidence);
    item->event.accept_proposal.needs = item_names(item, &message->skills);
    if (terms != NULL) {
        terms_forget(&self->terms, terms);
    }
    put(&self->view, item, TENDER_EVENT_ACCEPT_PROPOSAL);
    return 0;
}

static int hear_rejection(tender_contractor *self, const struct message *message)
{
    struct terms *terms = terms_find(&self->terms, message->conversation, message->round);
    struct item *item = check_answer(self, message, terms) == 0 ? item_open(0) : NULL;
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    if (terms != NULL && message_has(message, MESSAGE_PROOF)) {
        terms_forget(&self->terms, terms);
    } else if (terms != NULL) {
        terms_leave(&self->terms, terms);
    }
    item->event.reject_proposal = (tender_rejection){
        .task = message->conversation,
        .round = message->round,
        .reason = reason_of(message),
        .rank = message->rank,
        .price_micro = message_has(message, MESSAGE_PRICE) ? message->price_micro : -1};
    put(&self->view, item, TENDER_EVENT_REJECT_PROPOSAL);
    return 0;
}

static int hear_cancel(tender_contractor *self, const struct message *message)
{
    struct item *item = item_open(0);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->event.cancel = (tender_cancellation){.commitment = commitment_of(message),
                                               .reason = reason_of(message),
                                               .units_done = message->units_done,
                                               .paid_micro = message->paid_micro};
    forget_holding(self, item->event.cancel.commitment);
    put(&self->view, item, TENDER_EVENT_CANCEL);
    return 0;
}

/* The run loop's own question is answered: it goes on, and the program hears of no event. */
static bool is_answer(tender_contractor *self, const struct message *message)
{
    struct holding *holding = contractor_holding(self, commitment_of(message));
    bool is_awaited = holding != NULL && (holding->is_asked || holding->is_doubted);
    if (!is_awaited || message->state != TENDER_COMMITMENT_ACTIVE) {
        return false;
    }
    holding->is_standing = holding->is_asked;
    holding->is_doubted = false;
    (void)pthread_cond_broadcast(&self->view.session->changed);
    return true;
}

static int hear_settlement(tender_contractor *self, const struct message *message)
{
    if (is_answer(self, message)) {
        return 0;
    }
    struct item *item = item_open(0);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    tender_commitment_state state = (tender_commitment_state)message->state;
    item->event.inform = (tender_settlement){.commitment = commitment_of(message),
                                             .state = state,
                                             .reason = reason_of(message),
                                             .units_done = message->units_done,
                                             .paid_micro = message->paid_micro};
    if (tender_commitment_state_is_terminal(state)) {
        forget_holding(self, item->event.inform.commitment);
    }
    put(&self->view, item, TENDER_EVENT_INFORM);
    return 0;
}

static int hear_belief(tender_contractor *self, const struct message *message)
{
    tender_belief belief;
    struct item *item = item_belief(message, &belief);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->event.belief = belief;
    put(&self->view, item, TENDER_EVENT_BELIEF);
    return 0;
}

/* The ledger has lost the award itself. */
static int hear_lost(tender_contractor *self, tender_commitment commitment)
{
    struct item *item = item_open(0);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->event.lost = commitment;
    forget_holding(self, commitment);
    put(&self->view, item, TENDER_EVENT_LOST);
    return 0;
}

/* not-understood, and the refusal of an offer. */
static int hear_complaint(tender_contractor *self, const struct message *message)
{
    tender_commitment commitment = commitment_of(message);
    const struct holding *holding = contractor_holding(self, commitment);
    if (holding != NULL && holding->is_doubted) {
        return hear_lost(self, commitment);
    }
    struct item *item = item_open(message->field.size + message->text.size + 2);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    tender_reason reason = reason_of(message);
    item->event.not_understood = (tender_complaint){.task = message->conversation,
                                                    .part = (uint32_t)message->part,
                                                    .generation = (uint32_t)message->generation,
                                                    .reason = reason,
                                                    .field = item_text(item, message->field),
                                                    .text = item_text(item, message->text)};
    bool is_asked = holding != NULL && holding->is_asked;
    if (is_asked || reason == TENDER_REASON_STALE_GENERATION ||
        reason == TENDER_REASON_ALREADY_ENDED) {
        forget_holding(self, commitment);
    }
    put(&self->view, item, TENDER_EVENT_NOT_UNDERSTOOD);
    return 0;
}

/*
 * Once for each report: the others answer in the same way until one takes the shard over. A bid
 * stands nowhere: a call for the same round by whoever has the task now is a new one.
 */
int contractor_bounced(struct view *view, const struct message *message)
{
    if (message_has(message, MESSAGE_ROUND)) {
        forget_round(of(view), message->conversation, message->round);
        return 0;
    }
    struct holding *holding = contractor_holding(of(view), commitment_of(message));
    if (holding != NULL && !holding->was_bounced) {
        holding->is_bounced = true;
        holding->was_bounced = true;
    }
    return 0;
}

void contractor_forget(tender_contractor *self, tender_commitment commitment)
{
    session_lock(self->view.session);
    forget_holding(self, commitment);
    session_unlock(self->view.session);
}

/* The broker has agreed to an offer; from the last one on it goes by no other. */
static int hear_agreement(tender_contractor *self)
{
    struct session *session = self->view.session;
    session->offers_agreed++;
    if (session->offers_agreed == session->offers_said) {
        session->slots_bound = session->slots;
    }
    return 0;
}

int contractor_hear(struct view *view, const struct message *message)
{
    switch ((int)message->performative) {
    case TENDER_CFP:
        return hear_cfp(of(view), message);
    case TENDER_ACCEPT_PROPOSAL:
        return hear_award(of(view), message);
    case TENDER_REJECT_PROPOSAL:
        return hear_rejection(of(view), message);
    case TENDER_CANCEL:
        return hear_cancel(of(view), message);
    case TENDER_INFORM:
        if (message_has(message, MESSAGE_NUMBER)) {
            return hear_receipt(of(view), message);
        }
        return message_has(message, MESSAGE_GOAL) ? hear_belief(of(view), message)
                                                  : hear_settlement(of(view), message);
    case TENDER_AGREE:
        return hear_agreement(of(view));
    case TENDER_NOT_UNDERSTOOD:
    case TENDER_REFUSE:
        return hear_complaint(of(view), message);
    default:
        return 0;
    }
}

void contractor_hear_contact(struct view *view, tender_contact_kind kind, const char *text)
{
    if (kind == TENDER_CONTACT_LOSS) {
        terms_doubt(&of(view)->terms);
    }
    struct item *item = item_open(0);
    if (item != NULL) {
        item->event.contact = (tender_contact){kind, text}; /* texts are static */
        put(view, item, TENDER_EVENT_CONTACT);
    }
}
