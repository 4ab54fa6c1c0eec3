/*
 * What was said and not yet heard: packed messages, numbered, one behind the other, so that an
 * exchange is a header and one copy. Knows neither sockets nor sessions. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_OUTBOX_H
#define TENDER_CONTRACTOR_SDK_SRC_OUTBOX_H

#include "message.h"

#define OUTBOX_MESSAGES_MAX 65536
#define OUTBOX_BYTES_MAX    ((size_t)32 << 20)

struct outbox_slip {
    uint32_t size;
    uint32_t performative;
};

/*
 * first  number of the oldest message kept
 * sent   highest number that is on its way on the present connection
 */
struct outbox {
    uint8_t *bytes;
    size_t start;
    size_t end;
    size_t capacity;
    struct outbox_slip *slips; /* a ring of slip_capacity, a power of two */
    size_t slip_start;
    size_t slip_capacity;
    size_t count;
    uint64_t first;
    uint64_t sent;
    size_t sent_bytes; /* of the kept messages up to `sent` */
};

TENDER_MUST_CHECK int outbox_init(struct outbox *outbox);
void outbox_release(struct outbox *outbox);

/* Bytes that a message needs at most. */
size_t outbox_bound(const struct message *message);
/* Packs a message behind the others. 0 or TENDER_ENOMEM; the caller looks at outbox_is_full first
 * where it can wait. */
TENDER_MUST_CHECK int outbox_add(struct outbox *outbox, const struct message *message);
/* The same for a message that is packed already. */
TENDER_MUST_CHECK int outbox_add_packed(struct outbox *outbox, tender_performative performative,
                                        tender_bytes packed);

/* Forgets everything up to `heard`. */
void outbox_heard(struct outbox *outbox, uint64_t heard);

/*
 * Takes as many of the messages that are not on their way as fit into `limit` bytes: they are then.
 * Returns their bytes, borrowed until the outbox changes.
 */
tender_bytes outbox_take(struct outbox *outbox, size_t limit, uint64_t *first_out,
                         uint32_t *count_out);

/* Nothing is on its way any more. */
void outbox_rewind(struct outbox *outbox);

/* The message at `index` of those kept. */
tender_bytes outbox_peek(const struct outbox *outbox, size_t index,
                         tender_performative *performative_out);

/* Whether there is more in it than hello and offers. */
bool outbox_has_said(const struct outbox *outbox);

static inline bool outbox_is_full(const struct outbox *outbox)
{
    return outbox->count >= OUTBOX_MESSAGES_MAX || outbox->end - outbox->start >= OUTBOX_BYTES_MAX;
}

static inline bool outbox_has_unsent(const struct outbox *outbox)
{
    return outbox->first + outbox->count > outbox->sent + 1;
}

#endif
