/*
 * A port without sockets: keeps what was answered, abandoned and hung up on, and makes requests as
 * a peer would, each with a proof of what the last hello of its session said. For tests of what
 * lies above the port.
 */
#ifndef TENDER_TESTS_SHELL_FAKE_PORT_H
#define TENDER_TESTS_SHELL_FAKE_PORT_H

#include "port.h"
#include "proof.h"
#include "wire.h"

#define FAKE_REPLIES_MAX 64

struct fake_reply {
    struct exchange *exchange;
    struct wire_header header;
    struct message messages[64]; /* texts are not kept */
    uint32_t count;
};

/* What happened since fake_port_reset. */
struct fake_port {
    struct fake_reply replies[FAKE_REPLIES_MAX];
    uint32_t reply_count;
    uint32_t abandoned_count;
    uint32_t hung_up_count;
    uint32_t hung_up_pipe;
    uint32_t fault_count;
    uint32_t open_pipe; /* the only one that is there still */
    uint32_t proven_pipe;
    int64_t proven_for_us;
    bool is_silent; /* requests bring no proof */
    bool is_gone;   /* there is no connection to be challenged */
    uint32_t bound_pipe;
    uint8_t bound[16];
};

/* Options of a postbox that are larger than what a test does, unless it says otherwise. */
#define FAKE_ALLOWANCE .key = fake_port_key(), FAKE_LIMITS
#define FAKE_LIMITS                                                                                \
    .principal_count = 100, .messages_per_s = 1000000, .bytes_per_s = 1 << 30,                     \
    .outbox_us = 5000000, .outboxes_size = 1 << 30, .waiting_size = 1 << 30

extern struct fake_port fake_port;

void fake_port_reset(void);

/* The broker's key, and the one by which every peer proves itself. */
const struct tender_key *fake_port_key(void);
const struct tender_key *fake_peer_key(void);

/* A request by connection `pipe` of session `session` (its id is 16 times that byte). The test
 * frees nothing: exchanges live until the process ends. */
struct exchange *fake_request(uint32_t pipe, uint8_t session, uint64_t first, uint64_t heard,
                              const struct message *messages, uint32_t count);

/* A request of any bytes. */
struct exchange *fake_bytes(uint32_t pipe, const void *bytes, size_t size);

#endif
