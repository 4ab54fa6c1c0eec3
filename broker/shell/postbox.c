/*
 * Sessions, their tables and what they are told: see postbox.h. How requests come in is
 * arrival.c's.
 */
#include "postbox_internal.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "log.h"

#define WAKE_STEP_US 10000 /* wakes are rounded up to this, so that they come together */

int postbox_open(const struct postbox_options *options, struct postbox **postbox_out)
{
    struct postbox *postbox = calloc(1, sizeof(*postbox));
    if (postbox == NULL) {
        return TENDER_ENOMEM;
    }
    postbox->options = *options;
    postbox->next_wake_us = TENDER_NEVER;
    postbox->slots = calloc(options->session_count, sizeof(struct session *));
    postbox->wakes = calloc(options->session_count, sizeof(int64_t));
    postbox->dirty = calloc(options->session_count, sizeof(struct session *));
    postbox->free_slots = calloc(options->session_count, sizeof(uint32_t));
    postbox->ready = calloc(options->session_count, sizeof(struct session_ref));
    if (postbox->ready == NULL || postbox->slots == NULL || postbox->wakes == NULL ||
        postbox->dirty == NULL || postbox->free_slots == NULL ||
        wire_reader_open(&postbox->reader) != 0) {
        postbox_close(postbox);
        return TENDER_ENOMEM;
    }
    *postbox_out = postbox;
    return 0;
}

void postbox_close(struct postbox *postbox)
{
    if (postbox == NULL) {
        return;
    }
    if (postbox->slots != NULL && postbox->dirty != NULL) {
        postbox_clear(postbox);
        postbox_sweep(postbox);
    }
    wire_reader_close(postbox->reader);
    free(postbox->slots);
    free(postbox->wakes);
    free(postbox->dirty);
    free(postbox->free_slots);
    free(postbox->ready);
    free(postbox);
}

void postbox_configure(struct postbox *postbox, const struct postbox_options *options)
{
    struct port *port = postbox->options.port;
    const struct tender_key *key = postbox->options.key;
    uint32_t session_count = postbox->options.session_count;
    postbox->options = *options;
    postbox->options.port = port;
    postbox->options.key = key;
    postbox->options.session_count = session_count;
}

struct session *session_open(struct postbox *postbox, const uint8_t id[16], int64_t at_us)
{
    uint32_t slot = 0;
    struct session *session = NULL;
    if (postbox->free_count > 0) {
        slot = postbox->free_slots[--postbox->free_count];
    } else if (postbox->slot_count < postbox->options.session_count) {
        slot = postbox->slot_count++;
    } else {
        return NULL;
    }
    session = calloc(1, sizeof(*session));
    if (session == NULL) {
        postbox->free_slots[postbox->free_count++] = slot;
        return NULL;
    }
    session->postbox = postbox;
    memcpy(session->id, id, sizeof(session->id));
    session->ref = (struct session_ref){.slot = slot, .serial = ++postbox->last_serial};
    session->heartbeat_us = postbox->options.heartbeat_us;
    session->heard_at_us = at_us;
    session->reply_by_us = TENDER_NEVER;
    session->heard_by_us = TENDER_NEVER;
    session->news_by_us = TENDER_NEVER;
    postbox->slots[slot] = session;
    postbox->wakes[slot] = TENDER_NEVER;
    postbox->count++;
    HASH_ADD(hh_id, postbox->by_id, id, sizeof(session->id), session);
    return session;
}

/* Frees what has ended, and its slots: so a turn looks at no more sessions than there are slots. */
void postbox_sweep(struct postbox *postbox)
{
    while (postbox->gone != NULL) {
        struct session *session = postbox->gone;
        postbox->gone = session->hh_id.next;
        postbox->free_slots[postbox->free_count++] = session->ref.slot;
        free(session);
    }
}

void session_touch(struct postbox *postbox, struct session *session)
{
    if (!session->is_dirty && !session->is_gone) {
        session->is_dirty = true;
        postbox->dirty[postbox->dirty_count++] = session;
    }
}

struct session *postbox_find(struct postbox *postbox, tender_bytes name)
{
    struct session *session = NULL;
    HASH_FIND(hh_name, postbox->by_name, name.data, name.size, session);
    return session;
}

bool session_is_attended(const struct session *session)
{
    const struct port *port = session->postbox->options.port;
    for (uint32_t i = 0; i < session->parked_count; i++) {
        if (port_is_open(port, session->parked[i]->pipe)) {
            return true;
        }
    }
    return false;
}

struct session *postbox_next_named(struct postbox *postbox, uint32_t *index)
{
    while (*index < postbox->slot_count) {
        struct session *session = postbox->slots[(*index)++];
        if (session != NULL && session->is_named) {
            return session;
        }
    }
    return NULL;
}

struct session *postbox_resolve(struct postbox *postbox, struct session_ref ref)
{
    struct session *session = ref.slot < postbox->slot_count ? postbox->slots[ref.slot] : NULL;
    return session != NULL && session->ref.serial == ref.serial ? session : NULL;
}

void session_claim(struct session *session, tender_bytes name, tender_bytes principal)
{
    session->name_size = name.size;
    session->principal_size = principal.size;
    if (name.size > 0) {
        memcpy(session->name, name.data, name.size);
    }
    if (principal.size > 0) {
        memcpy(session->principal, principal.data, principal.size);
    }
}

int postbox_name(struct postbox *postbox, struct session *session, tender_bytes name,
                 tender_bytes principal, tender_bytes root)
{
    struct session *older = postbox_find(postbox, name);
    if (older != NULL && (older->principal_size != principal.size ||
                          memcmp(older->principal, principal.data, principal.size) != 0)) {
        return TENDER_ECONFLICT;
    }
    if (older != NULL) {
        struct message message = {.performative = TENDER_REFUSE};
        message_set(&message, REASON, reason, TENDER_REASON_NAME_TAKEN);
        postbox_end(postbox, older, &message);
    }
    session_claim(session, name, principal);
    principal_join(session, root);
    session->is_named = true;
    session_prove(session, session->heard_at_us);
    HASH_ADD_KEYPTR(hh_name, postbox->by_name, session->name, session->name_size, session);
    return 0;
}

struct outgoing *postbox_pack(struct postbox *postbox, const struct message *message)
{
    int size = wire_pack_message(message, postbox->scratch, sizeof(postbox->scratch));
    struct outgoing *outgoing = size < 0 ? NULL : malloc(sizeof(*outgoing) + (size_t)size);
    if (outgoing != NULL) {
        outgoing->next = NULL;
        outgoing->can_wait = false;
        outgoing->size = (uint32_t)size;
        memcpy(outgoing->bytes, postbox->scratch, (size_t)size);
    }
    return outgoing;
}

void postbox_put(struct postbox *postbox, struct session *session, struct outgoing *outgoing)
{
    if (session->is_gone) {
        free(outgoing);
        return;
    }
    if (session->last == NULL) {
        session->first = outgoing;
    } else {
        session->last->next = outgoing;
    }
    session->last = outgoing;
    if (session->unsent == NULL) {
        session->unsent = outgoing;
    }
    session->said++;
    session->pressing = outgoing->can_wait ? session->pressing : session->said;
    session->outbox_size += outgoing->size;
    postbox->outboxes_size += outgoing->size;
    session_touch(postbox, session);
}

void postbox_tell(struct postbox *postbox, struct session *session, const struct message *message)
{
    struct outgoing *outgoing = postbox_pack(postbox, message);
    if (outgoing == NULL) {
        log_event(LOG_LEVEL_ERROR, "message-lost", "performative",
                  tender_performative_name(message->performative));
        return;
    }
    postbox_put(postbox, session, outgoing);
}

void postbox_heard(struct postbox *postbox, struct session *session, uint64_t number, int64_t at_us)
{
    if (number <= session->heard) {
        return;
    }
    session->heard = number;
    if (session->heard_by_us == TENDER_NEVER) {
        session->heard_by_us = at_us + SESSION_HEARD_DELAY_US;
        session_touch(postbox, session);
    }
}

/* Answers with one message that has no number, or with none. */
void postbox_reject(struct postbox *postbox, struct exchange *exchange, const uint8_t id[16],
                    uint64_t heard, const struct message *message)
{
    uint8_t buffer[WIRE_HEADER_SIZE + 512];
    struct wire_header header = {.version = WIRE_VERSION, .heard = heard, .count = message != NULL};
    nng_msg *reply = NULL;
    memcpy(header.session, id, sizeof(header.session));
    int size = wire_pack_header(&header, buffer, sizeof(buffer));
    int more = 0;
    if (size >= 0 && message != NULL) {
        more = wire_pack_message(message, buffer + size, sizeof(buffer) - (size_t)size);
    }
    if (size < 0 || more < 0 || nng_msg_alloc(&reply, 0) != 0 ||
        nng_msg_append(reply, buffer, (size_t)(size + more)) != 0) {
        nng_msg_free(reply);
        port_abandon(postbox->options.port, exchange);
        return;
    }
    port_reply(postbox->options.port, exchange, reply);
}

static void free_outbox(struct session *session)
{
    while (session->first != NULL) {
        struct outgoing *outgoing = session->first;
        session->first = outgoing->next;
        free(outgoing);
    }
    session->unsent = NULL;
    session->last = NULL;
    session->postbox->outboxes_size -= session->outbox_size;
    session->outbox_size = 0;
}

void postbox_end(struct postbox *postbox, struct session *session, const struct message *message)
{
    if (session->is_gone) {
        return;
    }
    for (uint32_t i = 0; i < session->parked_count; i++) {
        postbox_reject(postbox, session->parked[i], session->id, session->heard, message);
    }
    session->parked_count = 0;
    free_outbox(session);
    while (session->frames != NULL) {
        session_shift(session);
    }
    if (session->is_named) {
        HASH_DELETE(hh_name, postbox->by_name, session);
    }
    principal_leave(session);
    HASH_DELETE(hh_id, postbox->by_id, session);
    session->is_gone = true;
    postbox->slots[session->ref.slot] = NULL;
    postbox->wakes[session->ref.slot] = TENDER_NEVER;
    postbox->count--;
    session->hh_id.next = postbox->gone; /* the link is free now that it has left the table */
    postbox->gone = session;
}

void postbox_clear(struct postbox *postbox)
{
    struct message message = {.performative = TENDER_NOT_UNDERSTOOD};
    message_set(&message, REASON, reason, TENDER_REASON_UNKNOWN_SESSION);
    for (uint32_t i = 0; i < postbox->slot_count; i++) {
        if (postbox->slots[i] != NULL) {
            postbox_end(postbox, postbox->slots[i], &message);
        }
    }
}

void postbox_mute(struct postbox *postbox, bool is_mute)
{
    bool may_speak_again = postbox->is_mute && !is_mute;
    postbox->is_mute = is_mute;
    for (uint32_t i = 0; may_speak_again && i < postbox->slot_count; i++) {
        if (postbox->slots[i] != NULL && postbox->slots[i]->unsent != NULL) {
            session_touch(postbox, postbox->slots[i]);
        }
    }
}

int64_t session_kept_us(const struct session *session)
{
    int64_t kept_us = 10 * session->heartbeat_us;
    int64_t least_us = session->postbox->options.session_us;
    return kept_us > least_us ? kept_us : least_us;
}

/* Sets when this session wants to be looked at again. */
void session_wake(struct postbox *postbox, struct session *session)
{
    int64_t wake_us = session->heard_at_us + session_kept_us(session);
    session->heard_by_us =
        session->heard > session->heard_told ? session->heard_by_us : TENDER_NEVER;
    if (session->parked_count > 0) {
        wake_us = earlier(wake_us, earlier(session->reply_by_us, session->heard_by_us));
        bool may_speak = !postbox->is_mute && session->slowed_until_us == 0;
        wake_us = may_speak ? earlier(wake_us, session->news_by_us) : wake_us;
    }
    if (session->frames != NULL && session_ready(session) == NULL) {
        wake_us = earlier(wake_us, session->frames->since_us + SESSION_GAP_US);
    }
    if (session->slowed_until_us != 0) {
        wake_us = earlier(wake_us, session->slowed_until_us);
    }
    if (session->outgrown_since_us != 0) {
        wake_us = earlier(wake_us, session->outgrown_since_us + postbox->options.outbox_us);
    }
    wake_us = (wake_us + WAKE_STEP_US - 1) / WAKE_STEP_US * WAKE_STEP_US;
    postbox->wakes[session->ref.slot] = wake_us;
    if (wake_us < postbox->next_wake_us) {
        postbox->next_wake_us = wake_us;
    }
}

/* Marks every session whose time has come. */
void postbox_wake(struct postbox *postbox, int64_t at_us)
{
    if (at_us < postbox->next_wake_us) {
        return;
    }
    int64_t next_us = TENDER_NEVER;
    for (uint32_t i = 0; i < postbox->slot_count; i++) {
        if (postbox->wakes[i] <= at_us) {
            session_touch(postbox, postbox->slots[i]); /* an empty slot never wakes */
        } else if (postbox->wakes[i] < next_us) {
            next_us = postbox->wakes[i];
        }
    }
    postbox->next_wake_us = next_us;
}

int64_t postbox_next(const struct postbox *postbox)
{
    return postbox->next_wake_us;
}

uint64_t postbox_answered(const struct postbox *postbox)
{
    return postbox->answered;
}

uint32_t postbox_count(const struct postbox *postbox)
{
    return postbox->count;
}
