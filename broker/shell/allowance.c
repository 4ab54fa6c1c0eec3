/*
 * What a session may cost: its rate, what waits to be heard, what it was told and has not heard,
 * and how many sessions its root principal has. See postbox.h.
 */
#include "postbox_internal.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "refusals.h"

#define BURST_US       1000000  /* a session may say in one go what it may say in a second */
#define GONE_US        10000000 /* unheard, and without a connection: others may have its place */
#define EVICT_EVERY_US 1000000
#define OUTBOX_MIN     16384 /* what a session may be told however full all outboxes are */

struct principal {
    char name[TENDER_NAME_MAX];
    uint32_t count;
    UT_hash_handle hh;
};

static int64_t larger(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

bool session_is_slowed(const struct session *session, int64_t at_us)
{
    return session->slowed_until_us > at_us;
}

void session_charge(struct session *session, uint32_t messages, size_t bytes, int64_t at_us)
{
    const struct postbox_options *options = &session->postbox->options;
    int64_t by_messages = ((int64_t)messages + EXCHANGE_COST) * 1000000 / options->messages_per_s;
    int64_t by_bytes = (int64_t)bytes * 1000000 / options->bytes_per_s;
    session->paid_until_us = larger(session->paid_until_us, at_us) + larger(by_messages, by_bytes);
    int64_t over_us = session->paid_until_us - at_us - BURST_US;
    if (over_us <= 0) {
        return;
    }
    if (session->slowed_until_us == 0) {
        struct log_line line;
        enum refusal refusal = by_messages >= by_bytes ? REFUSAL_MESSAGES : REFUSAL_BYTES;
        refusals_count(refusal);
        log_begin(&line, LOG_LEVEL_WARNING, "slowed");
        log_text(&line, "peer", (tender_bytes){session->name, session->name_size});
        log_string(&line, "limit", refusal_name(refusal));
        log_end(&line);
    }
    session->slowed_until_us = at_us + over_us;
}

void session_quicken(struct session *session, int64_t at_us)
{
    struct postbox *postbox = session->postbox;
    if (session->slowed_until_us == 0 || session_is_slowed(session, at_us)) {
        return;
    }
    session->slowed_until_us = 0;
    if (postbox->ready_count < postbox->options.session_count) {
        postbox->ready[postbox->ready_count++] = session->ref;
    }
}

struct session *postbox_ready(struct postbox *postbox)
{
    while (postbox->ready_count > 0) {
        struct session *session = postbox_resolve(postbox, postbox->ready[--postbox->ready_count]);
        if (session != NULL) {
            return session;
        }
    }
    return NULL;
}

bool postbox_has_ready(const struct postbox *postbox)
{
    return postbox->ready_count > 0;
}

bool session_has_room(const struct session *session, size_t size)
{
    const struct postbox *postbox = session->postbox;
    return session->frame_count < 2 * SESSION_FRAMES_MAX &&
           session->frames_size + size <= SESSION_WAITING_MAX &&
           postbox->waiting_size + size <= postbox->options.waiting_size;
}

/* What one session may be told: less, once all outboxes together are half full. */
static size_t outbox_limit(const struct postbox *postbox)
{
    size_t all = postbox->options.outboxes_size;
    size_t most = postbox->options.outbox_size;
    if (postbox->outboxes_size <= all / 2) {
        return most;
    }
    size_t left = postbox->outboxes_size < all ? all - postbox->outboxes_size : 0;
    size_t limit = (size_t)((double)most * (double)left / ((double)all / 2));
    return limit > OUTBOX_MIN ? limit : OUTBOX_MIN;
}

const char *session_outgrown(struct session *session, int64_t at_us)
{
    const struct postbox *postbox = session->postbox;
    const struct postbox_options *options = &postbox->options;
    if (session->outbox_size <= outbox_limit(postbox)) {
        session->outgrown_since_us = 0;
        return NULL;
    }
    if (session->outgrown_since_us == 0) {
        session->outgrown_since_us = at_us;
    }
    if (postbox->outboxes_size > options->outboxes_size) {
        refusals_count(REFUSAL_OUTBOXES);
        return "outboxes full";
    }
    bool is_late = at_us - session->outgrown_since_us >= options->outbox_us;
    if (is_late || session->outbox_size > SESSION_OUTBOX_BURST * options->outbox_size) {
        refusals_count(REFUSAL_OUTBOX);
        return "outbox full";
    }
    return NULL;
}

void postbox_evict(struct postbox *postbox, int64_t at_us)
{
    if (at_us - postbox->evicted_us < EVICT_EVERY_US) {
        return;
    }
    postbox->evicted_us = at_us;
    for (uint32_t i = 0; i < postbox->slot_count; i++) {
        struct session *session = postbox->slots[i];
        if (session != NULL && at_us - session->heard_at_us >= GONE_US &&
            !port_is_open(postbox->options.port, session->pipe)) {
            session->is_evicted = true;
            session_touch(postbox, session);
        }
    }
}

bool postbox_has_place(const struct postbox *postbox, tender_bytes name)
{
    struct principal *principal = NULL;
    HASH_FIND(hh, postbox->principals, name.data, name.size, principal);
    return principal == NULL || principal->count < postbox->options.principal_count;
}

void principal_join(struct session *session, tender_bytes root)
{
    struct principal *principal = NULL;
    struct postbox *postbox = session->postbox;
    HASH_FIND(hh, postbox->principals, root.data, root.size, principal);
    if (principal == NULL) {
        principal = calloc(1, sizeof(*principal));
        if (principal == NULL) {
            return;
        }
        memcpy(principal->name, root.data, root.size);
        HASH_ADD(hh, postbox->principals, name, root.size, principal);
    }
    principal->count++;
    session->of_principal = principal;
}

void principal_leave(struct session *session)
{
    struct principal *principal = session->of_principal;
    if (principal == NULL) {
        return;
    }
    session->of_principal = NULL;
    if (--principal->count == 0) {
        HASH_DEL(session->postbox->principals, principal);
        free(principal);
    }
}
