/*
 * Whose a connection is: challenges it, and takes the proof of what it is said to speak for. A
 * connection speaks for one session, and a session by the key that opened it. Whether that key may
 * is welcome.c's to say. See proof.h and postbox.h.
 */
#include "postbox_internal.h"

#include <string.h>

#include "log.h"
#include "proof.h"
#include "refusals.h"

_Static_assert(GATE_NONCE_SIZE == PROOF_NONCE_SIZE, "a nonce is a nonce");

bool credential_is_shown(const struct wire_header *header)
{
    return header->has_tail && header->tail.size == PROOF_SIZE;
}

/* Answers without a session's numbers, and with no message. */
static void answer(struct postbox *postbox, struct exchange *exchange,
                   const struct wire_header *request, const uint8_t challenge[PROOF_CHALLENGE_SIZE])
{
    uint8_t buffer[WIRE_HEADER_SIZE + PROOF_CHALLENGE_SIZE];
    struct wire_header header = {
        .version = WIRE_VERSION, .has_tail = true, .tail = {challenge, PROOF_CHALLENGE_SIZE}};
    nng_msg *reply = NULL;
    memcpy(header.session, request->session, sizeof(header.session));
    int size = wire_pack_header(&header, buffer, sizeof(buffer));
    int more =
        size < 0 ? size : wire_pack_tail(&header, buffer + size, sizeof(buffer) - (size_t)size);
    if (more < 0 || nng_msg_alloc(&reply, 0) != 0 ||
        nng_msg_append(reply, buffer, (size_t)(size + more)) != 0) {
        nng_msg_free(reply);
        port_abandon(postbox->options.port, exchange);
        return;
    }
    port_reply(postbox->options.port, exchange, reply);
}

/* Challenges the connection, which may have too many of them: each counts as a fault. */
void credential_challenge(struct postbox *postbox, struct exchange *exchange,
                          const struct wire_header *header)
{
    uint8_t text[PROOF_CHALLENGE_SIZE];
    bool asks = header->has_tail && header->tail.size == PROOF_QUESTION_SIZE;
    uint32_t pipe = exchange->pipe;
    bool is_there = port_nonce(postbox->options.port, pipe, text);
    if (is_there) {
        proof_challenge(postbox->options.key, asks ? header->tail.data : NULL, header->session,
                        text);
    }
    nng_msg_free(exchange->message); /* whose the question is */
    exchange->message = NULL;
    if (!is_there) {
        port_abandon(postbox->options.port, exchange);
        return;
    }
    answer(postbox, exchange, header, text);
    port_fault(postbox->options.port, pipe);
}

/* Whether the proof is one of the key by which the session was opened, of what it names. */
static bool is_good(struct postbox *postbox, uint32_t pipe, const struct wire_header *header,
                    const struct session *session, const struct message *hello)
{
    const uint8_t *proof = header->tail.data;
    uint8_t challenged[PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE];
    struct proof_claim claim = {.challenge = challenged, .session = header->session};
    if (!port_nonce(postbox->options.port, pipe, challenged) ||
        (session != NULL && memcmp(session->key, proof, sizeof(session->key)) != 0)) {
        return false;
    }
    memcpy(challenged + PROOF_NONCE_SIZE, tender_key_public(postbox->options.key),
           TENDER_PUBLIC_KEY_SIZE);
    claim.name = session == NULL ? hello->name : (tender_bytes){session->name, session->name_size};
    claim.principal = session == NULL ? hello->principal
                                      : (tender_bytes){session->principal, session->principal_size};
    return proof_is_good(proof, &claim);
}

bool credential_prove(struct postbox *postbox, struct exchange *exchange,
                      const struct wire_header *header, const struct session *session,
                      const struct message *hello)
{
    bool is_nameless = hello != NULL && (!message_has(hello, MESSAGE_NAME) ||
                                         !message_has(hello, MESSAGE_PRINCIPAL));
    if (is_nameless || is_good(postbox, exchange->pipe, header, session, hello)) {
        return true; /* who says no name is refused for that */
    }
    refusals_count(REFUSAL_UNPROVED);
    credential_challenge(postbox, exchange, header);
    return false;
}

void credential_bind(struct session *session, uint32_t pipe)
{
    struct postbox *postbox = session->postbox;
    struct session *other = NULL;
    uint8_t before[16];
    if (port_bind(postbox->options.port, pipe, session->id, before)) {
        HASH_FIND(hh_id, postbox->by_id, before, sizeof(before), other);
    }
    if (other != NULL && other->bound_pipe == pipe) {
        other->bound_pipe = 0;
    }
    session->bound_pipe = pipe;
}
