/*
 * The contractor's functions but for the run loop: opening, offering, the next event, and saying
 * things. See tender/contractor.h.
 */
#include "contractor.h"

#include <stdlib.h>
#include <string.h>

int contractor_acknowledge(tender_contractor *self, tender_commitment commitment)
{
    struct message message = {.performative = TENDER_ACKNOWLEDGE, .conversation = commitment.task};
    message_set(&message, PART, part, commitment.part);
    message_set(&message, GENERATION, generation, commitment.generation);
    return session_say(self->view.session, &self->view, &message);
}

static int renew(struct view *view)
{
    (void)view; /* hello, the offer and what was not heard are all there is */
    return 0;
}

static void release(tender_contractor *self)
{
    inbox_release(&self->view.inbox);
    terms_release_all(&self->terms);
    struct table_node *node = self->holdings.oldest;
    while (node != NULL) {
        struct table_node *next = node->newer;
        free(node);
        node = next;
    }
    table_release(&self->holdings);
    free(self);
}

static int init(tender_contractor *self)
{
    self->view.hear = contractor_hear;
    self->view.contact = contractor_hear_contact;
    self->view.renew = renew;
    self->view.inbox.descriptor = -1;
    int status = terms_init(&self->terms);
    if (status == 0) {
        status = table_init(&self->holdings);
    }
    return status == 0 ? inbox_init(&self->view.inbox) : status;
}

int tender_contractor_open(const tender_options *options, tender_contractor **contractor_out)
{
    struct error *error = error_of_open();
    if (contractor_out == NULL) {
        return error_set(error, TENDER_EINVAL, "contractor_out is NULL");
    }
    *contractor_out = NULL;
    tender_contractor *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    int status = init(self);
    if (status == 0) {
        status = session_open(options, true, &self->view, error, &self->view.session);
    } else {
        (void)error_set(error, status, "%s", tender_strerror(status));
    }
    if (status != 0) {
        release(self);
        return status;
    }
    *contractor_out = self;
    return 0;
}

void tender_contractor_close(tender_contractor *self)
{
    if (self != NULL) {
        session_close(self->view.session);
        release(self);
    }
}

static int add_skill(struct session *session, const char *skill, size_t size)
{
    char(*skills)[TENDER_SKILL_MAX + 1] =
        realloc(session->skills, (session->skill_count + 1) * sizeof *skills);
    if (skills == NULL) {
        return TENDER_ENOMEM;
    }
    session->skills = skills;
    memcpy(skills[session->skill_count], skill, size + 1);
    session->skill_count++;
    int status = session_say_offer(session);
    if (status != 0) {
        session->skill_count--;
    }
    return status;
}

int tender_contractor_offer(tender_contractor *self, const char *skill)
{
    struct session *session = self->view.session;
    struct error *error = &self->view.error;
    size_t size = skill == NULL ? 0 : strlen(skill);
    if (!tender_skill_is_valid(skill, size)) {
        return error_set(error, TENDER_EINVAL,
                         "skill is not [a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])?");
    }
    session_lock(session);
    int status = session->status;
    bool is_offered = false;
    for (uint32_t i = 0; i < session->skill_count; i++) {
        is_offered = is_offered || strcmp(session->skills[i], skill) == 0;
    }
    if (status == 0 && !is_offered) {
        status = session->skill_count == TENDER_SKILLS_MAX ? TENDER_ELIMIT
                                                           : add_skill(session, skill, size);
        session_pump(session);
    }
    session_unlock(session);
    return status == 0 ? 0
                       : error_set(error, status, "skill %s: %s (at most %d)", skill,
                                   tender_strerror(status), TENDER_SKILLS_MAX);
}

/* Asking for the next event takes the award that was handed out. */
static int leave(struct view *view)
{
    tender_contractor *self = (tender_contractor *)view;
    if (self->owes_acknowledge) {
        int status = contractor_acknowledge(self, self->taken);
        if (status != 0) {
            return error_set(&view->error, status, "acknowledge: %s", tender_strerror(status));
        }
        self->owes_acknowledge = false;
    }
    item_close(view->inbox.current);
    view->inbox.current = NULL;
    return 0;
}

/* Whether an award came too late for the bid that it accepts, by the broker's clock. */
static bool is_expired(const tender_contractor *self, const struct holding *holding)
{
    int64_t now_us = session_broker_us(self->view.session);
    return holding->valid_until_us > 0 && now_us > holding->valid_until_us &&
           now_us > holding->ack_by_us;
}

static struct message report(tender_performative performative, tender_commitment commitment,
                             int64_t units_done)
{
    struct message message = {.performative = performative, .conversation = commitment.task};
    message_set(&message, PART, part, commitment.part);
    message_set(&message, GENERATION, generation, commitment.generation);
    message_set(&message, UNITS_DONE, units_done, units_done);
    return message;
}

static bool take(struct view *view, struct item *item)
{
    tender_contractor *self = (tender_contractor *)view;
    if (item->event.kind != TENDER_EVENT_ACCEPT_PROPOSAL) {
        return true;
    }
    tender_commitment commitment = item->event.accept_proposal.commitment;
    struct holding *holding = (struct holding *)table_find(
        &self->holdings, commitment.task, table_number(commitment.part, commitment.generation));
    if (holding == NULL) { /* it has ended meanwhile; the event that says so follows */
        return true;
    }
    if (is_expired(self, holding)) {
        static const char text[] = "the bid's validity had passed when the award came";
        struct message message = report(TENDER_FAILURE, commitment, 0);
        message_set(&message, REASON, reason, TENDER_REASON_OTHER);
        message_set(&message, TEXT, text, ((tender_bytes){text, sizeof text - 1}));
        if (session_say(view->session, view, &message) == 0) {
            table_remove(&self->holdings, &holding->node);
            free(holding);
            item_close(item);
            view->inbox.current = NULL;
            return false;
        }
    }
    holding->is_taken = true;
    self->owes_acknowledge = true;
    self->taken = commitment;
    return true;
}

int tender_contractor_next(tender_contractor *self, int timeout_ms, const tender_event **event_out)
{
    int status = view_next(&self->view, timeout_ms, leave, take);
    *event_out = status == 1 ? &self->view.inbox.current->event : NULL;
    return status;
}

int tender_contractor_fd(const tender_contractor *self)
{
    return self->view.inbox.descriptor;
}

void tender_contractor_stop(tender_contractor *self)
{
    inbox_stop(&self->view.inbox);
}

const char *tender_contractor_last_error(const tender_contractor *self)
{
    return self == NULL ? error_of_open()->text : self->view.error.text;
}

/* Says a message and puts a failure into words. */
static int say(tender_contractor *self, const struct message *message)
{
    session_lock(self->view.session);
    int status = session_say(self->view.session, &self->view, message);
    session_unlock(self->view.session);
    return status == 0 ? 0
                       : error_set(&self->view.error, status, "%s: %s",
                                   tender_performative_name(message->performative),
                                   tender_strerror(status));
}

static struct message answer(tender_performative performative, const tender_cfp *cfp)
{
    struct message message = {.performative = performative, .conversation = cfp->task};
    message_set(&message, ROUND, round, cfp->round);
    return message;
}

static int check_bid(struct error *error, const tender_cfp *cfp, const tender_bid *bid)
{
    if (bid->cost_micro < 0 || bid->cost_micro > cfp->ceiling_micro) {
        return error_range(error, "cost_micro", bid->cost_micro, 0, cfp->ceiling_micro);
    }
    if (bid->eta_us < 1 || bid->eta_us > cfp->due_us) {
        return error_range(error, "eta_us", bid->eta_us, 1, cfp->due_us);
    }
    if (bid->valid_until_us < 0) {
        return error_range(error, "valid_until_us", bid->valid_until_us, 0, INT64_MAX);
    }
    return session_check_text(error, "text", bid->text, TENDER_TEXT_MAX);
}

/* Remembers that there is a bid, and how long it binds. */
static void note_bid(tender_contractor *self, const tender_cfp *cfp, const tender_bid *bid)
{
    struct terms *terms = terms_find(&self->terms, cfp->task, cfp->round);
    if (terms != NULL) {
        terms->has_bid = true;
        terms->valid_until_us = bid->valid_until_us;
    }
}

int tender_propose(tender_contractor *self, const tender_cfp *cfp, const tender_bid *bid)
{
    struct error *error = &self->view.error;
    int status = check_bid(error, cfp, bid);
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
    session_lock(self->view.session);
    status = session_say(self->view.session, &self->view, &message);
    if (status == 0) {
        note_bid(self, cfp, bid);
    }
    session_unlock(self->view.session);
    return status == 0 ? 0 : error_set(error, status, "propose: %s", tender_strerror(status));
}

static int check_reason(struct error *error, tender_reason reason)
{
    return tender_reason_name(reason) == NULL
               ? error_set(error, TENDER_EINVAL, "reason %d is none of TENDER_REASON_…", reason)
               : 0;
}

int tender_refuse(tender_contractor *self, const tender_cfp *cfp, tender_reason reason)
{
    int status = check_reason(&self->view.error, reason);
    if (status != 0) {
        return status;
    }
    struct message message = answer(TENDER_REFUSE, cfp);
    message_set(&message, REASON, reason, reason);
    return say(self, &message);
}

int tender_withdraw(tender_contractor *self, const tender_cfp *cfp)
{
    struct message message = answer(TENDER_WITHDRAW, cfp);
    return say(self, &message);
}

static bool is_same(tender_commitment left, tender_commitment right)
{
    return tender_id_equal(left.task, right.task) && left.part == right.part &&
           left.generation == right.generation;
}

/* A report about the award that was handed out is its acknowledgement. */
static int say_of(tender_contractor *self, tender_commitment commitment,
                  const struct message *message)
{
    int status = say(self, message);
    if (status == 0 && self->owes_acknowledge && is_same(self->taken, commitment)) {
        self->owes_acknowledge = false;
    }
    return status;
}

int tender_acknowledge(tender_contractor *self, tender_commitment commitment)
{
    struct message message = report(TENDER_ACKNOWLEDGE, commitment, 0);
    message.present &= ~MESSAGE_BIT(MESSAGE_UNITS_DONE);
    return say_of(self, commitment, &message);
}

static int say_report(tender_contractor *self, tender_commitment commitment,
                      struct message *message, tender_bytes result)
{
    struct error *error = &self->view.error;
    int status = session_check_int(error, MESSAGE_UNITS_DONE, message->units_done);
    if (status == 0 && commitment.generation == 0) {
        status = error_set(error, TENDER_EINVAL, "generation is 0: no award has it");
    }
    if (status == 0) {
        status = session_check_content(error, "result", result);
    }
    if (status != 0) {
        return status;
    }
    if (result.size > 0) {
        message_set(message, CONTENT, content, result);
    }
    return say_of(self, commitment, message);
}

int tender_inform_progress(tender_contractor *self, tender_commitment commitment,
                           int64_t units_done, tender_bytes result)
{
    struct message message = report(TENDER_INFORM_PROGRESS, commitment, units_done);
    return say_report(self, commitment, &message, result);
}

int tender_inform_done(tender_contractor *self, tender_commitment commitment, int64_t units_done,
                       tender_bytes result)
{
    struct message message = report(TENDER_INFORM_DONE, commitment, units_done);
    return say_report(self, commitment, &message, result);
}

int tender_failure(tender_contractor *self, tender_commitment commitment, int64_t units_done,
                   tender_reason reason, const char *text, tender_bytes result)
{
    struct error *error = &self->view.error;
    int status = check_reason(error, reason);
    if (status == 0) {
        status = session_check_text(error, "text", text, TENDER_TEXT_MAX);
    }
    if (status != 0) {
        return status;
    }
    struct message message = report(TENDER_FAILURE, commitment, units_done);
    message_set(&message, REASON, reason, reason);
    if (text != NULL) {
        message_set(&message, TEXT, text, ((tender_bytes){text, strlen(text)}));
    }
    return say_report(self, commitment, &message, result);
}
