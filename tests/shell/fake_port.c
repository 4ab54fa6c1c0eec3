/*
 * The port of the tests: see fake_port.h.
 */
#include "fake_port.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct fake_port fake_port;

static struct exchange exchanges[1024];
static uint32_t exchange_count;

void fake_port_reset(void)
{
    memset(&fake_port, 0, sizeof(fake_port));
}

struct exchange *fake_bytes(uint32_t pipe, const void *bytes, size_t size)
{
    struct exchange *exchange = &exchanges[exchange_count++ % 1024];
    nng_msg *message = NULL;
    int status = nng_msg_alloc(&message, 0);
    assert(status == 0);
    status = nng_msg_append(message, bytes, size);
    assert(status == 0);
    *exchange = (struct exchange){.message = message, .pipe = pipe};
    return exchange;
}

static struct tender_key *make_key(void)
{
    struct tender_key *key = NULL;
    int status = tender_key_new(&key);
    assert(status == 0);
    return key;
}

const struct tender_key *fake_port_key(void)
{
    static struct tender_key *key;
    key = key == NULL ? make_key() : key;
    return key;
}

const struct tender_key *fake_peer_key(void)
{
    static struct tender_key *key;
    key = key == NULL ? make_key() : key;
    return key;
}

/* What the sessions are, by their byte: the last hello of each. */
static struct {
    char name[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    size_t name_size;
    size_t principal_size;
} claims[256];

static void keep_claim(uint8_t session, const struct message *hello)
{
    bool is_whole = hello->name.size <= TENDER_NAME_MAX && hello->name.size > 0 &&
                    hello->principal.size <= TENDER_NAME_MAX && hello->principal.size > 0;
    if (hello->performative == TENDER_HELLO && is_whole) {
        memcpy(claims[session].name, hello->name.data, hello->name.size);
        memcpy(claims[session].principal, hello->principal.data, hello->principal.size);
        claims[session].name_size = hello->name.size;
        claims[session].principal_size = hello->principal.size;
    }
}

/* Every connection is challenged with the same nonce. */
static const uint8_t nonce[GATE_NONCE_SIZE] = "a nonce of the tests";

static void prove(uint8_t session, uint8_t proof_out[PROOF_SIZE])
{
    uint8_t challenge[PROOF_NONCE_SIZE + TENDER_PUBLIC_KEY_SIZE];
    uint8_t id[16];
    struct proof_claim claim = {
        .challenge = challenge,
        .session = id,
        .name = {claims[session].name, claims[session].name_size},
        .principal = {claims[session].principal, claims[session].principal_size}};
    memset(id, session, sizeof(id));
    memcpy(challenge, nonce, sizeof(nonce));
    memcpy(challenge + sizeof(nonce), tender_key_public(fake_port_key()), TENDER_PUBLIC_KEY_SIZE);
    proof_make(fake_peer_key(), &claim, proof_out);
}

bool port_nonce(struct port *port, uint32_t pipe, uint8_t nonce_out[GATE_NONCE_SIZE])
{
    (void)port;
    (void)pipe;
    memcpy(nonce_out, nonce, sizeof(nonce));
    return !fake_port.is_gone;
}

bool port_bind(struct port *port, uint32_t pipe, const uint8_t session[16], uint8_t before_out[16])
{
    (void)port;
    bool was_bound = fake_port.bound_pipe == pipe;
    memcpy(before_out, fake_port.bound, sizeof(fake_port.bound));
    memcpy(fake_port.bound, session, sizeof(fake_port.bound));
    fake_port.bound_pipe = pipe;
    return was_bound;
}

struct exchange *fake_request(uint32_t pipe, uint8_t session, uint64_t first, uint64_t heard,
                              const struct message *messages, uint32_t count)
{
    static uint8_t buffer[TENDER_FRAME_MAX];
    uint8_t proof[PROOF_SIZE];
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = first,
                                 .heard = heard,
                                 .count = count,
                                 .has_tail = !fake_port.is_silent,
                                 .tail = {proof, sizeof(proof)}};
    memset(header.session, session, sizeof(header.session));
    if (count > 0) {
        keep_claim(session, &messages[0]);
    }
    int size = wire_pack_header(&header, buffer, sizeof(buffer));
    assert(size > 0);
    for (uint32_t i = 0; i < count; i++) {
        int more = wire_pack_message(&messages[i], buffer + size, sizeof(buffer) - (size_t)size);
        assert(more > 0);
        size += more;
    }
    if (header.has_tail) {
        prove(session, proof);
        int more = wire_pack_tail(&header, buffer + size, sizeof(buffer) - (size_t)size);
        assert(more > 0);
        size += more;
    }
    return fake_bytes(pipe, buffer, (size_t)size);
}

void port_reply(struct port *port, struct exchange *exchange, nng_msg *reply)
{
    static struct wire_reader *reader;
    const char *why = NULL;
    (void)port;
    assert(fake_port.reply_count < FAKE_REPLIES_MAX);
    assert(exchange->message == NULL);
    struct fake_reply *kept = &fake_port.replies[fake_port.reply_count++];
    kept->exchange = exchange;
    int status = reader == NULL ? wire_reader_open(&reader) : 0;
    assert(status == 0);
    status = wire_open(reader, nng_msg_body(reply), nng_msg_len(reply), &kept->header, &why);
    assert(status == 0);
    while (kept->count < 64 && wire_next(reader, &kept->messages[kept->count]) == 1) {
        kept->count++;
    }
    nng_msg_free(reply);
}

void port_abandon(struct port *port, struct exchange *exchange)
{
    (void)port;
    (void)exchange;
    fake_port.abandoned_count++;
}

void port_prove(struct port *port, uint32_t pipe, int64_t kept_us)
{
    (void)port;
    fake_port.proven_pipe = pipe;
    fake_port.proven_for_us = kept_us;
}

void port_fault(struct port *port, uint32_t pipe)
{
    (void)port;
    (void)pipe;
    fake_port.fault_count++;
}

bool port_is_open(const struct port *port, uint32_t pipe)
{
    (void)port;
    return pipe == fake_port.open_pipe;
}

void port_hang_up(struct port *port, uint32_t pipe)
{
    (void)port;
    fake_port.hung_up_count++;
    fake_port.hung_up_pipe = pipe;
}
