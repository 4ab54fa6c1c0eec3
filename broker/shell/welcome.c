/*
 * How a session begins: hello, and who is let in. See hearing.h.
 */
#include "hearing_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "log.h"
#include "loss.h"
#include "refusals.h"

static void turn_away(struct hearing *hearing, struct session *session, tender_reason reason,
                      const char *why)
{
    struct message message = {.performative = TENDER_REFUSE};
    message_set(&message, REASON, reason, reason);
    if (why != NULL) {
        tender_bytes text = {.data = why, .size = strlen(why)};
        message_set(&message, TEXT, text, text);
    }
    postbox_end(hearing->postbox, session, &message);
}

/* Whether the name is that of another principal's session. */
static bool is_taken(struct hearing *hearing, const struct message *message)
{
    const struct session *older = postbox_find(hearing->postbox, message->name);
    return older != NULL &&
           (older->principal_size != message->principal.size ||
            memcmp(older->principal, message->principal.data, message->principal.size) != 0);
}

/*
 * Whether the hello was said before the session that has the name began, and has only come late:
 * bytes of an old connection. It takes the name from nobody who would hear of it; who has no
 * connection at the moment begins anew when it is back, and later than this.
 */
static bool is_late(struct hearing *hearing, const struct message *message)
{
    const struct session *newer = postbox_find(hearing->postbox, message->name);
    return newer != NULL && message_has(message, MESSAGE_AT) && message->at_us < newer->began_us &&
           session_is_attended(newer);
}

/* Whether the hello is the one for which the connection was proved. */
static bool is_proved(const struct session *session, const struct message *hello)
{
    return session->name_size == hello->name.size &&
           session->principal_size == hello->principal.size &&
           memcmp(session->name, hello->name.data, hello->name.size) == 0 &&
           memcmp(session->principal, hello->principal.data, hello->principal.size) == 0;
}

/* Whether whoever has the session's key may speak under these names. */
static tender_reason may(const struct hearing *hearing, const struct session *session,
                         tender_bytes principal, tender_bytes name)
{
    return session->is_proved ? book_may(hearing->book, principal, name, session->key)
                              : TENDER_REASON_NONE; /* where a postbox has no key: a simulation's */
}

void welcome_again(struct hearing *hearing)
{
    uint64_t changes = book_key_changes(hearing->book);
    struct session *session = NULL;
    for (uint32_t i = 0; changes != hearing->key_changes &&
                         (session = postbox_next_named(hearing->postbox, &i)) != NULL;) {
        tender_reason reason =
            may(hearing, session, (tender_bytes){session->principal, session->principal_size},
                (tender_bytes){session->name, session->name_size});
        if (reason != TENDER_REASON_NONE) {
            log_event(LOG_LEVEL_WARNING, "key-revoked", "why", tender_reason_name(reason));
            hearing_left(hearing, session);
            turn_away(hearing, session, reason, NULL);
        }
    }
    hearing->key_changes = changes;
}

/* Whether its root principal may have one more session; one that takes its own name over adds none.
 */
static bool has_place(struct hearing *hearing, const struct message *message)
{
    return postbox_find(hearing->postbox, message->name) != NULL ||
           postbox_has_place(hearing->postbox, book_root_name(hearing->book, message->principal));
}

/*
 * What only the shell knows of a welcome. `held` are receipts of what the ledger holds where the
 * peer was told more.
 */
static void complete(struct hearing *hearing, const struct session *session, tender_bytes held,
                     struct message *welcome)
{
    const char *broker = hearing->config->broker;
    tender_bytes name = {.data = broker, .size = strlen(broker)};
    message_set(welcome, BROKER, broker, name);
    message_set(welcome, AT, at_us, hearing->at_us);
    message_set(welcome, HEARTBEAT, heartbeat_us, session->heartbeat_us);
    if (held.size > 0) {
        message_set(welcome, RECEIPTS, receipts, held);
    }
}

/* Finds the book's own answer to a hello among its tells, or NULL. */
static struct tell *find_tell(struct hearing *hearing, tender_performative performative)
{
    for (size_t i = 0; i < hearing->effects.tell_count; i++) {
        if (hearing->effects.tells[i].message.performative == performative) {
            return &hearing->effects.tells[i];
        }
    }
    return NULL;
}

static int64_t grant_heartbeat(const struct hearing *hearing, int64_t asked_us)
{
    if (asked_us == 0) {
        asked_us = hearing->config->heartbeat_us;
    }
    return asked_us < HEARTBEAT_MIN_US   ? HEARTBEAT_MIN_US
           : asked_us > HEARTBEAT_MAX_US ? HEARTBEAT_MAX_US
                                         : asked_us;
}

static void let_in(struct hearing *hearing, struct session *session, struct message *hello)
{
    struct event event = {.kind = EVENT_MESSAGE,
                          .at_us = hearing->at_us,
                          .peer = hello->name,
                          .principal = hello->principal,
                          .message = hello};
    struct message own = {.performative = TENDER_WELCOME};
    session->heartbeat_us = grant_heartbeat(hearing, hello->heartbeat_us);
    message_set(hello, HEARTBEAT, heartbeat_us, session->heartbeat_us);
    book_hear(hearing->book, &event, &hearing->effects);
    hearing->heard++;
    const struct tell *refusal = find_tell(hearing, TENDER_REFUSE);
    if (refusal != NULL) {
        struct message message = refusal->message;
        hearing->effects.tell_count = 0;
        hearing_take(hearing);
        postbox_end(hearing->postbox, session, &message);
        return;
    }
    tender_bytes root = book_root_name(hearing->book, hello->principal);
    int status = postbox_name(hearing->postbox, session, hello->name, hello->principal, root);
    assert(status == 0); /* is_taken has looked, before the book heard what must now be recorded */
    (void)status;
    uint8_t held[LEDGER_RECEIPT_SIZE * LEDGER_RECEIPTS_MAX];
    size_t held_size = 0;
    session->began_us = message_has(hello, MESSAGE_AT) ? hello->at_us : 0;
    session->wants_receipts = message_has(hello, MESSAGE_RECEIPTS);
    if (session->wants_receipts) {
        held_size =
            loss_compare(&hearing->losses, hearing->ledger, hello->receipts, hello->name, held);
    }
    struct tell *welcome = find_tell(hearing, TENDER_WELCOME);
    if (welcome != NULL) {
        complete(hearing, session, (tender_bytes){held, held_size}, &welcome->message);
    } else {
        complete(hearing, session, (tender_bytes){held, held_size}, &own);
        postbox_tell(hearing->postbox, session, &own);
    }
    hearing_take(hearing);
}

void welcome_hear(struct hearing *hearing, struct session *session, struct message *message,
                  uint64_t number)
{
    struct translate_answer answer;
    tender_reason reason = TENDER_REASON_NONE;
    enum translate_verdict verdict = translate_check(message, number, &answer);
    if (session->is_named) {
        return; /* a hello within a session changes nothing */
    }
    if (verdict == TRANSLATE_ANSWER) {
        postbox_end(hearing->postbox, session, &answer.message);
    } else if (verdict != TRANSLATE_HEAR || message->performative != TENDER_HELLO ||
               !is_proved(session, message)) {
        turn_away(hearing, session, TENDER_REASON_UNKNOWN_SESSION, NULL);
    } else if (hearing->book == NULL) {
        struct message elsewhere;
        uint32_t count = hearing->shard_count == 0 ? 1 : hearing->shard_count;
        elsewhere_answer(hearing, message, shard_of_principal(message->principal, count),
                         &elsewhere);
        postbox_end(hearing->postbox, session, &elsewhere);
    } else if ((reason = may(hearing, session, message->principal, message->name)) != 0) {
        turn_away(hearing, session, reason,
                  reason == TENDER_REASON_UNKNOWN_PRINCIPAL
                      ? "an operator enrols it by: tender principal add NAME --key PUBLIC-KEY"
                      : NULL);
    } else if (is_taken(hearing, message)) {
        turn_away(hearing, session, TENDER_REASON_NAME_TAKEN, NULL);
    } else if (is_late(hearing, message)) {
        turn_away(hearing, session, TENDER_REASON_NAME_TAKEN, "a session that began later has it");
    } else if (!has_place(hearing, message)) {
        char why[96];
        snprintf(why, sizeof(why), "sessions-per-principal: it has as many as it may, %" PRId64,
                 hearing->config->principal_sessions);
        refusals_count(REFUSAL_PRINCIPAL);
        postbox_evict(hearing->postbox, hearing->at_us);
        turn_away(hearing, session, TENDER_REASON_LIMIT_REACHED, why);
    } else {
        let_in(hearing, session, message);
        if (!session->is_gone) {
            struct log_line line;
            log_begin(&line, LOG_LEVEL_INFO, "hello");
            log_text(&line, "peer", message->name);
            log_text(&line, "principal", message->principal);
            log_int(&line, "heartbeat_us", session->heartbeat_us);
            log_end(&line);
        }
    }
}
