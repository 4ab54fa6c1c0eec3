/*
 * How a request enters its session: the structure of the frame, the session it belongs to, what the
 * peer has heard, and the order of what it says. See postbox.h.
 */
#include "postbox_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "proof.h"
#include "refusals.h"

/* Answers a request that belongs to no session, of which a connection may have a few. */
static void turn_away(struct postbox *postbox, struct exchange *exchange, const uint8_t id[16],
                      tender_reason reason, const char *why)
{
    struct message message = {.performative = TENDER_NOT_UNDERSTOOD};
    message_set(&message, REASON, reason, reason);
    if (why != NULL) {
        tender_bytes text = {.data = why, .size = strlen(why)};
        message_set(&message, TEXT, text, text);
    }
    nng_msg_free(exchange->message);
    exchange->message = NULL;
    uint32_t pipe = exchange->pipe;
    postbox_reject(postbox, exchange, id, 0, &message);
    port_fault(postbox->options.port, pipe);
}

/*
 * A session that is not known begins with hello, as message 1, from a peer that has heard nothing
 * in it: one that has, heard another broker, and would take what this one says for repeats.
 */
static struct session *begin(struct postbox *postbox, struct exchange *exchange,
                             const struct wire_header *header, int64_t at_us)
{
    struct message hello;
    bool is_hello = header->first == 1 && header->heard == 0 && header->count > 0 &&
                    wire_next(postbox->reader, &hello) == 1 && hello.performative == TENDER_HELLO;
    if (!is_hello) {
        turn_away(postbox, exchange, header->session, TENDER_REASON_UNKNOWN_SESSION, NULL);
        return NULL;
    }
    bool has_key = postbox->options.key != NULL;
    if (has_key && !credential_prove(postbox, exchange, header, NULL, &hello)) {
        return NULL;
    }
    struct session *session = session_open(postbox, header->session, at_us);
    if (session == NULL) {
        char why[96];
        snprintf(why, sizeof(why), "sessions: the broker has as many as it may, %u; try later",
                 postbox->options.session_count);
        refusals_count(REFUSAL_SESSIONS);
        postbox_evict(postbox, at_us);
        turn_away(postbox, exchange, header->session, TENDER_REASON_LIMIT_REACHED, why);
        return NULL;
    }
    if (message_has(&hello, MESSAGE_NAME) && message_has(&hello, MESSAGE_PRINCIPAL)) {
        session_claim(session, hello.name, hello.principal);
    }
    if (has_key) {
        memcpy(session->key, header->tail.data, sizeof(session->key));
        session->is_proved = true;
    }
    return session;
}

/* Frees what the peer has heard; after a new connection goes back to what it has not. */
static void acknowledge(struct session *session, uint64_t heard, uint32_t pipe)
{
    if (heard > session->sent) {
        heard = session->sent; /* it cannot have heard what was not said */
    }
    while (session->acknowledged < heard) {
        struct outgoing *outgoing = session->first;
        session->first = outgoing->next;
        session->outbox_size -= outgoing->size;
        session->flying_size -= outgoing->size;
        session->postbox->outboxes_size -= outgoing->size;
        session->outgrown_since_us = 0; /* it reads: its time begins anew */
        session->acknowledged++;
        free(outgoing);
    }
    if (session->first == NULL) {
        session->last = NULL;
    }
    bool is_new_pipe = session->spoke_pipe != 0 && session->spoke_pipe != pipe;
    if (is_new_pipe && session->acknowledged < session->sent) {
        session->unsent = session->first;
        session->sent = session->acknowledged;
        session->news_by_us = 0; /* it waited long enough */
        session->flying_size = 0;
    }
}

/* Puts a frame among those that wait, by its first number. */
static void insert(struct session *session, struct frame *frame)
{
    struct frame **link = &session->frames;
    while (*link != NULL && (*link)->first <= frame->first) {
        link = &(*link)->next;
    }
    frame->next = *link;
    *link = frame;
    session->frame_count++;
}

struct frame *session_ready(struct session *session)
{
    struct frame *frame = session->frames;
    return frame != NULL && frame->first <= session->taken + 1 ? frame : NULL;
}

void session_shift(struct session *session)
{
    struct frame *frame = session->frames;
    size_t size = nng_msg_len(frame->message);
    session->frames = frame->next;
    session->frame_count--;
    session->frames_size -= size;
    session->postbox->waiting_size -= size;
    frame_close(frame);
}

/* Keeps the messages of the request. Returns whether the session may go on. */
static bool keep_frame(struct session *session, struct exchange *exchange,
                       const struct wire_header *header, int64_t at_us)
{
    bool is_old = header->first + header->count - 1 <= session->taken;
    if (header->count == 0 || header->first == 0 || is_old) {
        nng_msg_free(exchange->message);
        exchange->message = NULL;
        return true;
    }
    struct frame *frame = NULL;
    size_t size = nng_msg_len(exchange->message);
    if (session_has_room(session, size)) {
        frame = frame_open(exchange->message, header, at_us);
    }
    if (frame == NULL) {
        refusals_count(REFUSAL_WAITING);
        return false;
    }
    exchange->message = NULL;
    session->frames_size += size;
    session->postbox->waiting_size += size;
    insert(session, frame);
    return true;
}

void session_prove(struct session *session, int64_t at_us)
{
    int64_t kept_us = session_kept_us(session);
    session->prove_us = at_us + kept_us;
    port_prove(session->postbox->options.port, session->pipe, 2 * kept_us);
}

/* Parks the exchange as the newest. */
static void park(struct session *session, struct exchange *exchange, int64_t at_us)
{
    if (session->pipe != exchange->pipe) {
        session->pipe = exchange->pipe;
        session->prove_us = at_us;
    }
    if (session->is_named && session->prove_us <= at_us) {
        session_prove(session, at_us);
    }
    session->parked[session->parked_count++] = exchange;
    session->reply_by_us = at_us + session->heartbeat_us;
}

/* A peer that breaks the rules of the exchange loses its connection and starts from what was heard.
 */
static struct session *hang_up(struct postbox *postbox, struct exchange *exchange, const char *why)
{
    log_event(LOG_LEVEL_WARNING, "hang-up", "why", why);
    port_hang_up(postbox->options.port, exchange->pipe);
    nng_msg_free(exchange->message);
    exchange->message = NULL;
    port_abandon(postbox->options.port, exchange);
    return NULL;
}

/*
 * The session of a request by a connection that does not speak for it yet. Such a request is
 * challenged unless it brings its proof; the answer to that one comes at once, so that the peer
 * knows that it is taken.
 */
static struct session *introduce(struct postbox *postbox, struct exchange *exchange,
                                 const struct wire_header *header, struct session *session,
                                 int64_t at_us)
{
    uint32_t pipe = exchange->pipe;
    if (postbox->options.key == NULL) {
        return session == NULL ? begin(postbox, exchange, header, at_us) : session;
    }
    if (nng_msg_len(exchange->message) > PROOF_FRAME_MAX) {
        refusals_count(REFUSAL_UNPROVED);
        return hang_up(postbox, exchange, "more than 4 KiB before a proof");
    }
    if (!credential_is_shown(header)) {
        credential_challenge(postbox, exchange, header);
        return NULL;
    }
    if (session == NULL) {
        session = begin(postbox, exchange, header, at_us);
    } else if (!credential_prove(postbox, exchange, header, session, NULL)) {
        return NULL;
    }
    if (session != NULL) {
        credential_bind(session, pipe);
    }
    return session;
}

struct session *postbox_arrive(struct postbox *postbox, struct exchange *exchange, int64_t at_us)
{
    struct wire_header header;
    struct session *session = NULL;
    const char *why = NULL;
    static const uint8_t no_id[16];
    if (wire_open(postbox->reader, nng_msg_body(exchange->message), nng_msg_len(exchange->message),
                  &header, &why) != 0) {
        turn_away(postbox, exchange, no_id, TENDER_REASON_MALFORMED, why);
        return NULL;
    }
    if (header.version != WIRE_VERSION) {
        turn_away(postbox, exchange, header.session, TENDER_REASON_VERSION, NULL);
        return NULL;
    }
    if (header.first > UINT64_MAX - WIRE_MESSAGES_MAX) {
        return hang_up(postbox, exchange, "a number beyond all bounds");
    }
    HASH_FIND(hh_id, postbox->by_id, header.session, sizeof(header.session), session);
    bool is_known = session != NULL;
    bool is_bound = is_known && session->bound_pipe == exchange->pipe;
    if (!is_bound) {
        session = introduce(postbox, exchange, &header, session, at_us);
    }
    if (session == NULL) {
        return NULL;
    }
    if (session->parked_count == SESSION_PARKED_MAX) {
        refusals_count(REFUSAL_PARKED);
        return hang_up(postbox, exchange, "too many open exchanges");
    }
    size_t size = nng_msg_len(exchange->message);
    if (!keep_frame(session, exchange, &header, at_us)) {
        return hang_up(postbox, exchange, "too many messages that wait");
    }
    session->heard_at_us = at_us;
    session->is_evicted = false;
    acknowledge(session, header.heard, exchange->pipe);
    park(session, exchange, at_us);
    if (is_known && !is_bound && postbox->options.key != NULL) {
        session->reply_by_us = at_us; /* its proof is taken */
    }
    session_charge(session, header.count, size, at_us);
    session_touch(postbox, session);
    return session;
}
