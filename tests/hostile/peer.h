/*
 * A peer of the exchange on a plain socket: thousands of them in one process and one thread, so
 * that what is measured is the broker. It greets, packs what is said, keeps one request parked and
 * hands out what comes; it can stop reading and go on, leave without a word and come back. Written
 * to count and to misbehave, not to be safe: what was lost with a connection is not said again,
 * unless the session is begun anew. It proves its connections by the key of TENDER_KEY. Knows
 * nothing of tasks.
 */
#ifndef TENDER_TESTS_HOSTILE_PEER_H
#define TENDER_TESTS_HOSTILE_PEER_H

#include "proof.h"
#include "wire.h"

#define PEER_REQUESTS 2 /* one parked, one speaking */

struct peer;

typedef void peer_hears(struct peer *peer, const struct message *message);

/* Peers that are served together. */
struct crowd {
    int poll;
    struct wire_reader *reader;
    struct tender_key *key;
    const char *url;
    struct peer **touched; /* [peer_count]; whom to let speak at the end of a turn */
    uint32_t touched_count;
    uint64_t lost; /* connections that the broker closed */
};

struct buffer {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

/*
 * begins  called when a session begins, to say hello and what follows
 * hears   called for each message of the broker that is new
 */
struct peer {
    struct crowd *crowd;
    peer_hears *hears;
    void (*begins)(struct peer *peer);
    uint32_t index;
    int descriptor;  /* -1: not connected */
    uint32_t prefix; /* bytes before a frame's size: 1 on ipc */
    bool is_greeted;
    bool is_deaf; /* does not read */
    bool is_touched;
    bool is_asking;     /* who answers; nothing else is said meanwhile */
    bool is_challenged; /* and proves itself by the next request */
    bool is_proved;
    uint8_t challenge[PROOF_CHALLENGE_SIZE];
    size_t name_size; /* as its hello says */
    size_t principal_size;
    char name[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    uint8_t id[16];
    uint32_t open_count;
    uint32_t request;
    struct buffer in;
    struct buffer out;
    struct buffer said; /* packed messages that no request carries yet */
    uint32_t said_count;
    uint64_t number; /* of the newest message that a request carries */
    uint64_t heard;
};

/* Ends the program with a sentence. */
_Noreturn void crowd_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes as many descriptors as the system allows. */
void crowd_open(struct crowd *crowd, const char *url, uint32_t peer_count);
void crowd_close(struct crowd *crowd);

/* Serves everybody once: waits up to `timeout_ms` for anything to happen. */
void crowd_turn(struct crowd *crowd, int timeout_ms);

/* Connects; a peer that was connected before goes on with its session. Blocks until the listener
 * has room. */
void peer_connect(struct peer *peer);

/* Begins a session: a new identifier, numbers from 1; calls `begins`. */
void peer_begin(struct peer *peer);

/* Closes the connection without a word; what was not sent or read is lost. */
void peer_drop(struct peer *peer);
void peer_release(struct peer *peer);

/* Packs a message for the next request. */
void peer_say(struct peer *peer, const struct message *message);

/* Sends what was said, or parks a request where none is open. */
void peer_speak(struct peer *peer);

/* Stops reading, or goes on. */
void peer_deafen(struct peer *peer, bool is_deaf);

#endif
