/*
 * A session of the exchange for load: packs what is said, keeps one request parked, hands out what
 * comes. Lean on purpose: on loopback nothing is lost, so nothing is kept to be said again; an
 * exchange that fails ends the program. Knows nothing of tasks.
 */
#ifndef TENDER_TESTS_BENCH_SESSION_H
#define TENDER_TESTS_BENCH_SESSION_H

#include "proof.h"
#include "wire.h"

#include <nng/nng.h>

#define SESSION_REQUESTS 2 /* one parked, one speaking */

struct session;

/* One request and its reply. */
struct request {
    struct session *session;
    nng_ctx context;
    nng_aio *aio;
    bool is_open;
    bool is_sending;
    struct request *next; /* in the queue of replies that came */
    nng_msg *reply;
};

/* Where replies of all sessions arrive, from the transport's threads. */
struct arrivals;
struct arrivals *arrivals_open(void);
/* Waits up to `timeout_ms` and takes all replies that came, oldest first; NULL when none did. */
struct request *arrivals_take(struct arrivals *arrivals, int timeout_ms);

typedef void session_hears(struct session *session, const struct message *message);

struct session {
    struct arrivals *arrivals;
    nng_socket socket;
    struct request requests[SESSION_REQUESTS];
    uint32_t open_count;
    uint8_t id[16];
    uint8_t challenge[PROOF_CHALLENGE_SIZE];
    char name[TENDER_NAME_MAX + 1];
    char principal[TENDER_NAME_MAX + 1];
    uint8_t *said; /* packed messages that no request carries yet */
    size_t said_size;
    size_t said_capacity;
    uint32_t said_count;
    uint64_t number; /* of the newest message that a request carries */
    uint64_t heard;
    nng_msg *held; /* a reply that came before the one it follows */
    session_hears *hears;
    uint32_t index;
    bool is_ready;
    uint64_t exchanges;
};

/* Ends the program with a sentence. */
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Dials `url` and says hello, which the key of TENDER_KEY proves. */
void session_open(struct session *session, struct arrivals *arrivals, const char *url,
                  const char *name, const char *principal);
/* Packs a message for the next request. */
void session_say(struct session *session, const struct message *message);
/* Hears a reply: calls `hears` for each new message. */
void session_hear(struct session *session, struct request *request, struct wire_reader *reader);
/* Sends what is said, at most `messages_max` messages at once being the caller's care; parks. */
void session_speak(struct session *session);

#endif
