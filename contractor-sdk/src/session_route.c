/*
 * Decides which view a message from the broker is for, and hears what concerns the session itself:
 * welcome, its refusal, and the broker's going down. See session.h.
 */
#include <string.h>

#include "clock.h"
#include "session.h"

void session_contact(struct session *session, tender_contact_kind kind, const char *text)
{
    struct view *views[] = {session->contractor, session->client};
    for (size_t i = 0; i < 2; i++) {
        if (views[i] != NULL) {
            views[i]->contact(views[i], kind, text);
        }
    }
}

int64_t session_broker_us(const struct session *session)
{
    return session->clock_offset_us == 0 ? 0 : session->clock_offset_us + clock_us();
}

/* The shard of a receipt, and what it orders by: reign, and batch behind the mark. */
static int compare_receipts(const uint8_t *left, const uint8_t *right)
{
    int order = memcmp(left + 2, right + 2, 4);
    return order != 0 ? order : memcmp(left + 10, right + 10, 8);
}

uint8_t *session_receipt(struct session *session, const uint8_t *receipt)
{
    for (uint32_t i = 0; i < session->receipt_count; i++) {
        if (memcmp(session->receipts[i], receipt, 2) == 0) {
            return session->receipts[i];
        }
    }
    return NULL;
}

void session_keep_receipts(struct session *session, tender_bytes receipts)
{
    const uint8_t *receipt = receipts.data;
    for (size_t left = receipts.size; left >= WIRE_RECEIPT_SIZE; left -= WIRE_RECEIPT_SIZE) {
        uint8_t *kept = session_receipt(session, receipt);
        if (kept == NULL && session->receipt_count < WIRE_RECEIPTS_MAX) {
            memcpy(session->receipts[session->receipt_count++], receipt, WIRE_RECEIPT_SIZE);
        } else if (kept != NULL && compare_receipts(kept, receipt) < 0) {
            memcpy(kept, receipt, WIRE_RECEIPT_SIZE);
        }
        receipt += WIRE_RECEIPT_SIZE;
    }
}

/*
 * The broker's ledger holds less than was told of the shards that are named: what was told of them
 * is of no use any more. What is lost of what the program knows, the answers to its views tell.
 */
static int hear_loss(struct session *session, tender_bytes held)
{
    const uint8_t *receipt = held.data;
    for (size_t left = held.size; left >= WIRE_RECEIPT_SIZE; left -= WIRE_RECEIPT_SIZE) {
        uint8_t *kept = session_receipt(session, receipt);
        if (kept != NULL) {
            memcpy(kept, session->receipts[--session->receipt_count], WIRE_RECEIPT_SIZE);
        }
        receipt += WIRE_RECEIPT_SIZE;
    }
    session_contact(session, TENDER_CONTACT_LOSS, "the broker's ledger has lost what it had");
    struct view *views[] = {session->contractor, session->client};
    int status = 0;
    for (size_t i = 0; i < 2 && status == 0; i++) {
        bool asks = views[i] != NULL && views[i]->doubt != NULL;
        status = asks ? views[i]->doubt(views[i]) : 0;
    }
    return status;
}

static int hear_welcome(struct session *session, const struct message *message)
{
    session->is_welcomed = true;
    session->dials = 0;
    session->is_short_of_room = false;
    session->welcomes++;
    session->clock_offset_us = message->at_us - clock_us();
    if (message->heartbeat_us > 0) {
        session->heartbeat_us = message->heartbeat_us;
    }
    (void)pthread_cond_broadcast(&session->changed);
    if (!session->is_connected) { /* else a new session on the same connection: no news */
        session->is_connected = true;
        session_contact(session, TENDER_CONTACT_CONNECTED, "welcome");
    }
    return message_has(message, MESSAGE_RECEIPTS) ? hear_loss(session, message->receipts) : 0;
}

void session_refuse(struct session *session, const struct message *message)
{
    bool is_taken_over = session->is_welcomed && message->reason == TENDER_REASON_NAME_TAKEN;
    const char *reason = is_taken_over ? "another session has taken its name over"
                                       : tender_reason_text((tender_reason)message->reason);
    session_fail(session, TENDER_EREFUSED, "the broker refuses the session: %s%s%.*s",
                 reason == NULL ? "?" : reason, message->text.size == 0 ? "" : ": ",
                 (int)message->text.size,
                 message->text.size == 0 ? "" : (const char *)message->text.data);
}

/* Whether the message is about what a contractor does; the others are a client's. */
static bool is_for_contractor(const struct message *message)
{
    switch ((int)message->performative) {
    case TENDER_CFP:
    case TENDER_ACCEPT_PROPOSAL:
    case TENDER_REJECT_PROPOSAL:
    case TENDER_CANCEL:
        return true;
    case TENDER_INFORM: /* to its owner, of a commitment: no state of the task, and not who it is */
        return !message_has(message, MESSAGE_TASK_STATE) &&
               !message_has(message, MESSAGE_CONTRACTOR);
    case TENDER_AGREE:
    case TENDER_REFUSE:
        return !message_has(message, MESSAGE_KEY) && !message_has(message, MESSAGE_GOAL) &&
               tender_id_is_nil(message->conversation);
    case TENDER_NOT_UNDERSTOOD:
        return message_has(message, MESSAGE_GENERATION) || message_has(message, MESSAGE_ROUND);
    default:
        return false;
    }
}

/* A message that lacks what it must have, or has it in no form, is of no use; the broker is told
 * which field. Only a reason that is not known is: it reads as `other`. */
static enum message_field unusable(const struct message *message)
{
    enum message_field missing = message_missing(message, MESSAGE_FROM_BROKER);
    message_mask faulty = message->faulty & ~MESSAGE_BIT(MESSAGE_REASON);
    if (missing == 0 && faulty != 0) {
        missing = message_first(faulty);
    }
    return missing;
}

static int complain(struct session *session, const struct message *message,
                    enum message_field field)
{
    const char *name = message_field_name(field);
    struct message answer = {.performative = TENDER_NOT_UNDERSTOOD,
                             .conversation = message->conversation};
    message_set(&answer, REASON, reason, TENDER_REASON_MALFORMED);
    message_set(&answer, FIELD, field, ((tender_bytes){name, strlen(name)}));
    return session_say(session, session->contractor, &answer);
}

/*
 * What is believed of a goal concerns whoever works for it and whoever pays for it. Where memory is
 * out between the two, it is told again and the first one has it already.
 */
static int route_belief(struct session *session, const struct message *message)
{
    uint64_t number = session->heard + 1;
    int status = 0;
    if (session->client != NULL && session->half_heard != number) {
        status = session->client->hear(session->client, message);
    }
    if (status == 0 && session->contractor != NULL) {
        status = session->contractor->hear(session->contractor, message);
        session->half_heard = status == 0 ? 0 : number;
    }
    return status;
}

int session_route(struct session *session, const struct message *message)
{
    enum message_field field = unusable(message);
    if (field != 0) {
        return complain(session, message, field);
    }
    if (message->performative == TENDER_WELCOME) {
        return hear_welcome(session, message);
    }
    if (message_has(message, MESSAGE_REASON) && message->reason == TENDER_REASON_ELSEWHERE) {
        if (session->is_pinned && message->performative != TENDER_BYE) {
            return session->contractor->bounced(session->contractor, message);
        }
        session_note_elsewhere(session, message->address);
        return 0; /* what was refused is said again there, as far as it is kept */
    }
    if (message->performative == TENDER_REFUSE && !session->is_welcomed) {
        if (message->reason == TENDER_REASON_LIMIT_REACHED) {
            session_note_shortage(session, message->text);
        } else {
            session_refuse(session, message);
        }
        return 0;
    }
    if (message->performative == TENDER_BYE) {
        session_contact(session, TENDER_CONTACT_GOING_DOWN, "the broker is going down");
        return 0;
    }
    if (message->performative == TENDER_INFORM && message_has(message, MESSAGE_GOAL)) {
        return route_belief(session, message);
    }
    struct view *view = is_for_contractor(message) ? session->contractor : session->client;
    bool is_answer =
        message->performative == TENDER_NOT_UNDERSTOOD || message->performative == TENDER_REFUSE;
    if (view == NULL && is_answer) {
        view = session->contractor == NULL ? session->client : session->contractor;
    }
    return view == NULL ? 0 : view->hear(view, message);
}
