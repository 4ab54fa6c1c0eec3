/*
 * A frame: the messages of one request while they wait to be heard, together with what the ledger
 * was asked for them. Requests from the inbox of SQL become frames of one message, so there is one
 * way in for both. Knows no sessions.
 */
#ifndef TENDER_BROKER_SHELL_FRAME_H
#define TENDER_BROKER_SHELL_FRAME_H

#include <nng/nng.h>
#include <uthash.h>

#include "event.h"
#include "ledger.h"
#include "wire.h"

struct frame;

/* One question to the ledger. The texts of `prior` lie in the three buffers. */
struct lookup {
    uint64_t cookie;
    struct frame *frame; /* NULL: whoever asked is gone */
    uint32_t index;      /* message of the frame */
    uint32_t after;      /* 0: about the message; else about the nth task that it waits for */
    bool is_answered;
    bool is_key;
    int64_t asked_us; /* stamp of the turn */
    tender_digest body_digest;
    struct prior prior;
    char client[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    char contractor[TENDER_NAME_MAX];
    struct lookup *next;
    UT_hash_handle hh;
};

/* Questions that the ledger has not answered, by cookie. */
struct lookups {
    struct lookup *by_cookie;
    uint64_t last_cookie;
    uint32_t count;
};

/* Names a session without keeping it alive. */
struct session_ref {
    uint32_t slot;
    uint32_t serial;
};

/* Who speaks in a frame from the inbox. */
struct frame_origin {
    uint64_t request;
    uint32_t shard; /* to which it was put */
    bool is_operator;
    bool is_fund;
    int64_t amount_micro;
    size_t peer_size;
    size_t principal_size;
    char peer[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
};

/*
 * first     number of the first message in its session; 0 in the inbox
 * index     message that is heard next
 * asked_until  messages before this one were asked for, where they need it
 * since_us  stamp of arrival
 * owner     session it belongs to
 * settled   the question answered last, whose texts an event borrows
 * after_states  what was told of the tasks that the message heard next waits for, if `after_of` is
 *           its index + 1
 * origin    for the inbox; NULL for peers
 */
struct frame {
    struct frame *next;
    nng_msg *message;
    uint64_t first;
    uint32_t count;
    uint32_t index;
    uint32_t asked_until;
    int64_t since_us;
    struct session_ref owner;
    struct lookup *lookups;
    struct lookup *settled;
    uint32_t after_of;
    uint8_t after_states[TENDER_AFTER_MAX];
    struct frame_origin *origin;
};

/* Makes a frame of a request; takes `message`. NULL without memory: `message` is then the caller's.
 */
struct frame *frame_open(nng_msg *message, const struct wire_header *header, int64_t at_us);

/* Makes a frame of what SQL asks; everything is copied. NULL without memory, or for a name or a
 * message beyond its limit. */
struct frame *frame_from_request(const struct ledger_request *request, int64_t at_us);

/* Frees a frame and what was answered for it; NULL is fine. */
void frame_close(struct frame *frame);

/* The question for the message at `index`, about itself (`after` 0) or the nth task that it waits
 * for; or NULL. */
struct lookup *frame_lookup(const struct frame *frame, uint32_t index, uint32_t after);

/* Whether a question for the message at `index` was answered. */
bool frame_has_answer(const struct frame *frame, uint32_t index);

/* Adds a question for the message at `index`. NULL without memory. */
struct lookup *lookups_add(struct lookups *lookups, struct frame *frame, uint32_t index,
                           uint32_t after);

/*
 * Stores an answer. Returns the frame that waited for it, or NULL when nobody does any more. An
 * answer that comes twice is ignored.
 */
struct frame *lookups_answer(struct lookups *lookups, uint64_t cookie,
                             const struct ledger_prior *prior);

/* Forgets all questions. */
void lookups_clear(struct lookups *lookups);

#endif
