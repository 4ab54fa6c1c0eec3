/*
 * The contractor's functions but for the run loop: opening, offering, the next event, and saying
 * things. See tender/contractor.h.
 */
#include "contractor.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fleet.h"

#define STALE_US         1000000 /* an award that waited longer is asked about before it is begun */
#define STANDING_US      10000000 /* how long, where the time to take it has passed already */
#define STANDING_LOOK_US 100000   /* meanwhile, how often a stop is looked for */

static struct message about(tender_performative performative, tender_commitment commitment)
{
    struct message message = {.performative = performative, .conversation = commitment.task};
    message_set(&message, PART, part, commitment.part);
    message_set(&message, GENERATION, generation, commitment.generation);
    return message;
}

static struct message report(tender_performative performative, tender_commitment commitment,
                             int64_t units_done)
{
    struct message message = about(performative, commitment);
    message_set(&message, UNITS_DONE, units_done, units_done);
    return message;
}

int contractor_acknowledge(tender_contractor *self, tender_commitment commitment)
{
    struct message message = about(TENDER_ACKNOWLEDGE, commitment);
    return session_say(self->view.session, &self->view, &message);
}

static int renew(struct view *view)
{
    (void)view; /* hello, the offer and what was not heard are all there is */
    return 0;
}

/* Whatever was awarded may be gone: the answers tell. */
static int doubt(struct view *view)
{
    tender_contractor *self = (tender_contractor *)view;
    int status = 0;
    for (struct table_node *node = self->holdings.oldest; node != NULL && status == 0;
         node = node->newer) {
        struct holding *holding = (struct holding *)node;
        struct message message = about(TENDER_QUERY, holding->commitment);
        status = outbox_add(&view->session->outbox, &message);
        holding->is_doubted = status == 0;
    }
    return status;
}

void holding_close(struct table_node *node)
{
    struct holding *holding = (struct holding *)node;
    free(holding->report);
    free(holding);
}

static void release(tender_contractor *self)
{
    inbox_release(&self->view.inbox);
    terms_release_all(&self->terms);
    table_release(&self->holdings, holding_close);
    free(self);
}

static int init(tender_contractor *self)
{
    self->view.hear = contractor_hear;
    self->view.contact = contractor_hear_contact;
    self->view.renew = renew;
    self->view.doubt = doubt;
    self->view.bounced = contractor_bounced;
    self->view.inbox.descriptor = -1;
    int status = terms_init(&self->terms);
    if (status == 0) {
        status = table_init(&self->holdings);
    }
    return status == 0 ? inbox_init(&self->view.inbox) : status;
}

/* With a session, or with a fleet of those that have one. */
static int open_contractor(const tender_options *options, bool is_member, struct error *error,
                           tender_contractor **contractor_out)
{
    tender_contractor *self = calloc(1, sizeof *self);
    *contractor_out = NULL;
    if (self == NULL) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    self->view.is_member = is_member;
    int status = init(self);
    if (status != 0) {
        (void)error_set(error, status, "%s", tender_strerror(status));
    } else if (!is_member && fleet_is_wanted(options)) {
        status = fleet_open(options, self, error);
    } else {
        status = session_open(options, true, &self->view, error, &self->view.session);
    }
    if (status != 0) {
        fleet_close(self->fleet);
        release(self);
        return status;
    }
    *contractor_out = self;
    return 0;
}

int contractor_open_member(const tender_options *options, struct error *error,
                           tender_contractor **contractor_out)
{
    return open_contractor(options, true, error, contractor_out);
}

int tender_contractor_open(const tender_options *options, tender_contractor **contractor_out)
{
    struct error *error = error_of_open();
    if (contractor_out == NULL) {
        return error_set(error, TENDER_EINVAL, "contractor_out is NULL");
    }
    return open_contractor(options, false, error, contractor_out);
}

void tender_contractor_close(tender_contractor *self)
{
    if (self != NULL) {
        session_close(self->view.session);
        fleet_close(self->fleet);
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
    if (self->fleet != NULL) {
        return fleet_offer(self->fleet, skill);
    }
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

static bool take(struct view *view, struct item *item)
{
    tender_contractor *self = (tender_contractor *)view;
    if (item->event.kind != TENDER_EVENT_ACCEPT_PROPOSAL) {
        return true;
    }
    tender_commitment commitment = item->event.accept_proposal.commitment;
    struct holding *holding = contractor_holding(self, commitment);
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
            holding_close(&holding->node);
            item_close(item);
            view->inbox.current = NULL;
            return false;
        }
    }
    holding->is_taken = true;
    self->owes_acknowledge = true;
    self->is_stale = item->epoch != view->session->epoch || clock_us() - item->since_us > STALE_US;
    self->taken = commitment;
    return true;
}

int contractor_leave(tender_contractor *self)
{
    session_lock(self->view.session);
    int status = leave(&self->view);
    self->view.is_handling = false;
    session_pump(self->view.session);
    session_unlock(self->view.session);
    return status;
}

int tender_contractor_next(tender_contractor *self, int timeout_ms, const tender_event **event_out)
{
    if (self->fleet != NULL) {
        return fleet_next(self, timeout_ms, event_out);
    }
    int status = view_next(&self->view, timeout_ms, leave, take);
    *event_out = status == 1 ? &self->view.inbox.current->event : NULL;
    return status;
}

int tender_contractor_fd(const tender_contractor *self)
{
    return self->fleet != NULL ? fleet_fd(self->fleet) : self->view.inbox.descriptor;
}

void tender_contractor_stop(tender_contractor *self)
{
    inbox_stop(&self->view.inbox);
}

const char *tender_contractor_last_error(const tender_contractor *self)
{
    return self == NULL          ? error_of_open()->text
           : self->fleet != NULL ? fleet_error(self->fleet)
                                 : self->view.error.text;
}

int contractor_say(tender_contractor *self, const struct message *message)
{
    session_lock(self->view.session);
    int status = session_say(self->view.session, &self->view, message);
    session_unlock(self->view.session);
    return status == 0 ? 0
                       : error_set(&self->view.error, status, "%s: %s",
                                   tender_performative_name(message->performative),
                                   tender_strerror(status));
}

static bool is_same(tender_commitment left, tender_commitment right)
{
    return tender_id_equal(left.task, right.task) && left.part == right.part &&
           left.generation == right.generation;
}

/* Keeps what is said of a commitment, for whoever its broker is in the end. */
static void keep_report(tender_contractor *self, tender_commitment commitment,
                        const struct message *message)
{
    size_t bound = outbox_bound(message);
    uint8_t *report = malloc(bound);
    int size = report == NULL ? TENDER_ENOMEM : wire_pack_message(message, report, bound);
    session_lock(self->view.session);
    struct holding *holding = contractor_holding(self, commitment);
    if (holding != NULL && size > 0) {
        free(holding->report);
        holding->report = report;
        holding->report_size = (size_t)size;
        holding->performative = message->performative;
        holding->was_bounced = false;
        report = NULL;
    }
    session_unlock(self->view.session);
    free(report);
}

int contractor_say_of(tender_contractor *self, tender_commitment commitment,
                      const struct message *message)
{
    if (self->view.is_member) {
        keep_report(self, commitment, message);
    }
    int status = contractor_say(self, message);
    if (status == 0 && self->owes_acknowledge && is_same(self->taken, commitment)) {
        self->owes_acknowledge = false;
    }
    return status;
}

int tender_acknowledge(tender_contractor *self, tender_commitment commitment)
{
    self = fleet_member(self, commitment.task);
    struct message message = about(TENDER_ACKNOWLEDGE, commitment);
    return contractor_say_of(self, commitment, &message);
}

int tender_standing(tender_contractor *self, tender_commitment commitment)
{
    self = fleet_member(self, commitment.task);
    struct message message = about(TENDER_QUERY, commitment);
    return contractor_say(self, &message);
}

/* Until when an answer is waited for, by the monotonic clock. Locked. */
static int64_t standing_until(const tender_contractor *self, const struct holding *holding)
{
    int64_t left_us = holding->ack_by_us - session_broker_us(self->view.session);
    bool is_known = left_us > 0 && left_us < STANDING_US;
    return clock_us() + (is_known ? left_us : STANDING_US);
}

bool contractor_is_standing(tender_contractor *self, tender_commitment commitment)
{
    self = fleet_member(self, commitment.task);
    struct session *session = self->view.session;
    if (!self->is_stale || !is_same(self->taken, commitment)) {
        return true;
    }
    session_lock(session);
    struct holding *holding = contractor_holding(self, commitment);
    int64_t until_us = holding == NULL ? 0 : standing_until(self, holding);
    if (holding != NULL) {
        struct message message = about(TENDER_QUERY, commitment);
        holding->is_asked = session_say(session, &self->view, &message) == 0;
        holding->is_standing = false;
    }
    bool is_stopped = false;
    while (holding != NULL && holding->is_asked && !holding->is_standing && session->status == 0 &&
           !is_stopped && clock_us() < until_us) {
        int64_t look_us = clock_us() + STANDING_LOOK_US;
        (void)session_wait(session, look_us < until_us ? look_us : until_us);
        is_stopped = atomic_load(&self->view.inbox.is_stopped);
        holding = contractor_holding(self, commitment);
    }
    bool is_standing = holding != NULL && !is_stopped;
    if (holding != NULL) {
        holding->is_asked = false;
    }
    self->owes_acknowledge = self->owes_acknowledge && is_standing;
    self->is_stale = false;
    session_unlock(session);
    return is_standing;
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
    return contractor_say_of(self, commitment, message);
}

int tender_inform_progress(tender_contractor *self, tender_commitment commitment,
                           int64_t units_done, tender_bytes result)
{
    self = fleet_member(self, commitment.task);
    struct message message = report(TENDER_INFORM_PROGRESS, commitment, units_done);
    return say_report(self, commitment, &message, result);
}

int tender_inform_done(tender_contractor *self, tender_commitment commitment, int64_t units_done,
                       tender_bytes result)
{
    self = fleet_member(self, commitment.task);
    struct message message = report(TENDER_INFORM_DONE, commitment, units_done);
    return say_report(self, commitment, &message, result);
}

static int check_delivery(struct error *error, const tender_delivery *delivery)
{
    if (delivery == NULL || delivery->size < sizeof *delivery) {
        return error_set(error, TENDER_EINVAL, "delivery does not start from TENDER_DELIVERY_INIT");
    }
    if (delivery->tier != NULL && !tender_skill_is_valid(delivery->tier, strlen(delivery->tier))) {
        return error_set(error, TENDER_EINVAL, "tier is not of the form of a skill");
    }
    int status = session_check_text(error, "evidence", delivery->evidence, TENDER_TEXT_MAX);
    if (status == 0) {
        status = session_check_int(error, MESSAGE_SIZE, delivery->result_size);
    }
    return status == 0 ? session_check_int(error, MESSAGE_COST, delivery->measured_micro) : status;
}

int tender_deliver(tender_contractor *self, tender_commitment commitment, int64_t units_done,
                   tender_bytes result, const tender_delivery *delivery)
{
    self = fleet_member(self, commitment.task);
    int status = check_delivery(&self->view.error, delivery);
    if (status != 0) {
        return status;
    }
    struct message message = report(TENDER_INFORM_DONE, commitment, units_done);
    if (delivery->evidence != NULL && delivery->evidence[0] != '\0') {
        tender_bytes lines = {delivery->evidence, strlen(delivery->evidence)};
        message_set(&message, EVIDENCE, evidence, lines);
    }
    if (delivery->digest != NULL) {
        message_set(&message, DIGEST, digest, *delivery->digest);
        message_set(&message, SIZE, size, delivery->result_size);
    }
    if (delivery->measured_micro > 0) {
        message_set(&message, COST, cost_micro, delivery->measured_micro);
    }
    if (delivery->tier != NULL) {
        message_set(&message, TIER, tier, ((tender_bytes){delivery->tier, strlen(delivery->tier)}));
    }
    return say_report(self, commitment, &message, result);
}

int tender_failure(tender_contractor *self, tender_commitment commitment, int64_t units_done,
                   tender_reason reason, const char *text, tender_bytes result)
{
    self = fleet_member(self, commitment.task);
    struct error *error = &self->view.error;
    int status = contractor_check_reason(error, reason);
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
