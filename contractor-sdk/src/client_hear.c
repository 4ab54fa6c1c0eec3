/*
 * Turns what the broker says to a client into events, and knows from it which requests are answered
 * and which tasks still run. See client.h.
 */
#include <stdlib.h>
#include <string.h>

#include "client.h"

static tender_client *of(struct view *view)
{
    return (tender_client *)view;
}

void client_forget(tender_client *self, tender_id about, tender_performative performative)
{
    struct table_node *node = table_find(&self->requests, about, (uint64_t)performative);
    if (node != NULL) {
        table_remove(&self->requests, node);
        free(node);
    }
}

static const tender_performative task_requests[] = {TENDER_CANCEL,  TENDER_CLOSE,  TENDER_RELEASE,
                                                    TENDER_ACCEPT,  TENDER_REJECT, TENDER_ADOPT,
                                                    TENDER_BELIEVE, TENDER_QUERY};

/* The first request about a task that waits for its answer; answers come in order. */
static const tender_performative *first_request(const tender_client *self, tender_id task)
{
    for (size_t i = 0; i < sizeof task_requests / sizeof task_requests[0]; i++) {
        if (table_find(&self->requests, task, (uint64_t)task_requests[i]) != NULL) {
            return &task_requests[i];
        }
    }
    return NULL;
}

/* One of the requests about a task is answered. */
static void forget_one(tender_client *self, tender_id task)
{
    const tender_performative *performative = first_request(self, task);
    if (performative != NULL) {
        client_forget(self, task, *performative);
    }
}

static void follow(tender_client *self, tender_id task, bool has_ended)
{
    struct table_node *node = table_find(&self->followed, task, 0);
    if (has_ended && node != NULL) {
        table_remove(&self->followed, node);
        free(node);
    } else if (!has_ended && node == NULL) {
        node = calloc(1, sizeof *node);
        if (node != NULL) { /* else it is not asked for by itself in another session */
            node->task = task;
            table_add(&self->followed, node);
        }
    }
}

static void put(struct view *view, struct item *item, tender_client_event_kind kind)
{
    item->client_event.kind = kind;
    inbox_put(&view->inbox, item);
}

static tender_reason reason_of(const struct message *message)
{
    return (message->faulty & MESSAGE_BIT(MESSAGE_REASON)) != 0 ? TENDER_REASON_OTHER
                                                                : (tender_reason)message->reason;
}

static bool has_ended(const struct message *message)
{
    return tender_task_state_is_terminal((tender_task_state)message->task_state);
}

static int hear_agreement(tender_client *self, const struct message *message)
{
    struct item *item = item_open(message->key.size + message->goal.size + 2);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    if (message_has(message, MESSAGE_KEY)) {
        client_forget(self, table_name(message->key), TENDER_ANNOUNCE);
        follow(self, message->conversation, has_ended(message));
    } else if (message_has(message, MESSAGE_GOAL)) {
        client_forget(self, table_name(message->goal), TENDER_BELIEVE);
    } else {
        forget_one(self, message->conversation);
    }
    item->client_event.agreed =
        (tender_agreement){.key = item_text(item, message->key),
                           .task = message->conversation,
                           .task_state = (tender_task_state)message->task_state,
                           .at_us = message->at_us,
                           .goal = item_text(item, message->goal)};
    put(&self->view, item, TENDER_CLIENT_AGREED);
    return 0;
}

/* A task that was agreed is not known any more. */
static int hear_lost(tender_client *self, tender_id task)
{
    struct item *item = item_open(0);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->client_event.lost = task;
    follow(self, task, true);
    put(&self->view, item, TENDER_CLIENT_LOST);
    return 0;
}

static int hear_refusal(tender_client *self, const struct message *message)
{
    bool is_unknown = message->reason == TENDER_REASON_UNKNOWN_TASK;
    if (is_unknown && table_find(&self->followed, message->conversation, 0) != NULL) {
        int status = hear_lost(self, message->conversation);
        bool is_answer = first_request(self, message->conversation) != NULL;
        if (status != 0 || !is_answer) {
            return status;
        }
    }
    struct item *item = item_open(message->key.size + message->field.size + message->text.size +
                                  message->goal.size + 4);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    if (message_has(message, MESSAGE_KEY)) {
        client_forget(self, table_name(message->key), TENDER_ANNOUNCE);
    } else if (message_has(message, MESSAGE_GOAL)) {
        client_forget(self, table_name(message->goal), TENDER_BELIEVE);
    } else {
        forget_one(self, message->conversation);
    }
    item->client_event.refused = (tender_refusal){.key = item_text(item, message->key),
                                                  .task = message->conversation,
                                                  .reason = reason_of(message),
                                                  .field = item_text(item, message->field),
                                                  .text = item_text(item, message->text),
                                                  .goal = item_text(item, message->goal)};
    put(&self->view, item, TENDER_CLIENT_REFUSED);
    return 0;
}

static int hear_state(tender_client *self, const struct message *message)
{
    struct item *item = item_open(message->contractor.size + 1);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    client_forget(self, message->conversation, TENDER_QUERY);
    follow(self, message->conversation, has_ended(message));
    item->client_event.state = (tender_task_status){
        .task = message->conversation,
        .task_state = (tender_task_state)message->task_state,
        .reason = reason_of(message),
        .round = message->round,
        .part = (uint32_t)message->part,
        .generation = (uint32_t)message->generation,
        .state = (tender_commitment_state)message->state,
        .contractor = item_text(item, message->contractor),
        .price_micro = message->price_micro,
        .units_done = message->units_done,
        .paid_micro = message->paid_micro,
        .released_micro = message_has(message, MESSAGE_RELEASED) ? message->released_micro : -1};
    put(&self->view, item, TENDER_CLIENT_STATE);
    return 0;
}

static int hear_belief(tender_client *self, const struct message *message)
{
    tender_belief belief;
    struct item *item = item_belief(message, &belief);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->client_event.belief = belief;
    put(&self->view, item, TENDER_CLIENT_BELIEF);
    return 0;
}

static int hear_late(tender_client *self, const struct message *message)
{
    struct item *item = item_open(message->contractor.size + 1);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->client_event.late =
        (tender_late_result){.commitment = {message->conversation, (uint32_t)message->part,
                                            (uint32_t)message->generation},
                             .contractor = item_text(item, message->contractor),
                             .state = (tender_commitment_state)message->state,
                             .reason = reason_of(message),
                             .units_done = message->units_done,
                             .result_size = message->size};
    put(&self->view, item, TENDER_CLIENT_LATE);
    return 0;
}

static int hear_report(tender_client *self, const struct message *message)
{
    struct item *item = item_open(message->contractor.size + message->text.size +
                                  message->content.size + message->evidence.size + 4);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    item->client_event.report = (tender_report){
        .kind = message->performative,
        .commitment = {message->conversation, (uint32_t)message->part,
                       (uint32_t)message->generation},
        .contractor = item_text(item, message->contractor),
        .units_done = message->units_done,
        .reason = reason_of(message),
        .text = item_text(item, message->text),
        .content = item_bytes(item, message->content),
        .evidence = item_text(item, message->evidence),
        .digest = message->digest,
        .result_size = message_has(message, MESSAGE_SIZE) ? message->size : -1,
        .accept_us = message_has(message, MESSAGE_ACCEPT) ? message->accept_us : -1};
    put(&self->view, item, TENDER_CLIENT_REPORT);
    return 0;
}

static int hear_complaint(tender_client *self, const struct message *message)
{
    struct item *item = item_open(message->field.size + message->text.size + 2);
    if (item == NULL) {
        return TENDER_ENOMEM;
    }
    if (message_has(message, MESSAGE_KEY)) {
        client_forget(self, table_name(message->key), TENDER_ANNOUNCE);
    } else if (!tender_id_is_nil(message->conversation)) {
        forget_one(self, message->conversation);
    }
    item->client_event.not_understood =
        (tender_complaint){.task = message->conversation,
                           .part = (uint32_t)message->part,
                           .generation = (uint32_t)message->generation,
                           .reason = reason_of(message),
                           .field = item_text(item, message->field),
                           .text = item_text(item, message->text)};
    put(&self->view, item, TENDER_CLIENT_NOT_UNDERSTOOD);
    return 0;
}

int client_hear(struct view *view, const struct message *message)
{
    switch ((int)message->performative) {
    case TENDER_AGREE:
        return hear_agreement(of(view), message);
    case TENDER_REFUSE:
        return hear_refusal(of(view), message);
    case TENDER_INFORM:
        if (message_has(message, MESSAGE_GOAL)) {
            return hear_belief(of(view), message);
        }
        return message_has(message, MESSAGE_TASK_STATE) ? hear_state(of(view), message)
                                                        : hear_late(of(view), message);
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
        return hear_report(of(view), message);
    case TENDER_NOT_UNDERSTOOD:
        return hear_complaint(of(view), message);
    default:
        return 0;
    }
}

void client_hear_contact(struct view *view, tender_contact_kind kind, const char *text)
{
    struct item *item = item_open(0);
    if (item != NULL) {
        item->client_event.contact = (tender_contact){kind, text}; /* texts are static */
        put(view, item, TENDER_CLIENT_CONTACT);
    }
}
