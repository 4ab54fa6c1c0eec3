/*
 * Frames and their questions: see frame.h.
 */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

struct frame *frame_open(nng_msg *message, const struct wire_header *header, int64_t at_us)
{
    struct frame *frame = calloc(1, sizeof(*frame));
    if (frame != NULL) {
        frame->message = message;
        frame->first = header->first;
        frame->count = header->count;
        frame->since_us = at_us;
    }
    return frame;
}

/* Packs a frame of one message, as a peer would send it. NULL without memory. */
static nng_msg *pack_request(const struct message *message)
{
    struct wire_header header = {.version = WIRE_VERSION, .first = 1, .count = 1};
    nng_msg *packed = NULL;
    size_t capacity = WIRE_HEADER_SIZE + 2 * TENDER_CONTENT_MAX;
    if (nng_msg_alloc(&packed, capacity) != 0) {
        return NULL;
    }
    uint8_t *body = nng_msg_body(packed);
    int head = wire_pack_header(&header, body, capacity);
    int size = head < 0 ? head : wire_pack_message(message, body + head, capacity - (size_t)head);
    if (size < 0) {
        nng_msg_free(packed);
        return NULL;
    }
    nng_msg_chop(packed, capacity - (size_t)head - (size_t)size);
    return packed;
}

struct frame *frame_from_request(const struct ledger_request *request, int64_t at_us)
{
    struct frame *frame = calloc(1, sizeof(*frame));
    struct frame_origin *origin = calloc(1, sizeof(*origin));
    bool is_fund = request->message.performative == 0;
    bool has_names = request->peer.size <= sizeof(origin->peer) && request->principal.size > 0 &&
                     request->principal.size <= sizeof(origin->principal);
    if (frame == NULL || origin == NULL || !has_names) {
        goto failed;
    }
    if (!is_fund) {
        frame->message = pack_request(&request->message);
        if (frame->message == NULL) {
            goto failed;
        }
    }
    origin->request = request->request;
    origin->shard = request->shard;
    origin->is_operator = request->is_operator;
    origin->is_fund = is_fund;
    origin->amount_micro = request->amount_micro;
    origin->peer_size = request->peer.size;
    origin->principal_size = request->principal.size;
    if (request->peer.size > 0) {
        memcpy(origin->peer, request->peer.data, request->peer.size);
    }
    if (request->principal.size > 0) {
        memcpy(origin->principal, request->principal.data, request->principal.size);
    }
    frame->count = 1;
    frame->since_us = at_us;
    frame->origin = origin;
    return frame;
failed:
    free(origin);
    free(frame);
    return NULL;
}

void frame_close(struct frame *frame)
{
    if (frame == NULL) {
        return;
    }
    while (frame->lookups != NULL) {
        struct lookup *lookup = frame->lookups;
        frame->lookups = lookup->next;
        lookup->frame = NULL;
        if (lookup->is_answered) {
            free(lookup);
        }
    }
    nng_msg_free(frame->message);
    free(frame->settled);
    free(frame->origin);
    free(frame);
}

struct lookup *frame_lookup(const struct frame *frame, uint32_t index, uint32_t after)
{
    struct lookup *lookup = frame->lookups;
    while (lookup != NULL && (lookup->index != index || lookup->after != after)) {
        lookup = lookup->next;
    }
    return lookup;
}

bool frame_has_answer(const struct frame *frame, uint32_t index)
{
    const struct lookup *lookup = frame->lookups;
    while (lookup != NULL && (lookup->index != index || !lookup->is_answered)) {
        lookup = lookup->next;
    }
    return lookup != NULL;
}

struct lookup *lookups_add(struct lookups *lookups, struct frame *frame, uint32_t index,
                           uint32_t after)
{
    struct lookup *lookup = calloc(1, sizeof(*lookup));
    if (lookup == NULL) {
        return NULL;
    }
    lookup->cookie = ++lookups->last_cookie;
    lookup->frame = frame;
    lookup->index = index;
    lookup->after = after;
    /* The list keeps the order of the messages, so that the one heard next is found at its head. */
    struct lookup **last = &frame->lookups;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = lookup;
    HASH_ADD(hh, lookups->by_cookie, cookie, sizeof(lookup->cookie), lookup);
    lookups->count++;
    return lookup;
}

/* Copies a text into a buffer of TENDER_NAME_MAX bytes. */
static tender_bytes keep_text(char *buffer, tender_bytes text)
{
    size_t size = text.size < TENDER_NAME_MAX ? text.size : TENDER_NAME_MAX;
    if (size > 0) {
        memcpy(buffer, text.data, size);
    }
    return (tender_bytes){.data = buffer, .size = size};
}

static void keep_prior(struct lookup *lookup, const struct ledger_prior *prior)
{
    lookup->prior = (struct prior){
        .task = prior->task,
        .newest = prior->newest,
        .state = prior->state,
        .reason = prior->reason,
        .client = keep_text(lookup->client, prior->client),
        .principal = keep_text(lookup->principal, prior->principal),
        .round = prior->round,
        .units = prior->units,
        .units_done = prior->units_done,
        .paid_micro = prior->paid_micro,
        .commitment_state = prior->commitment_state,
        .contractor = keep_text(lookup->contractor, prior->contractor),
        .commitment_units_done = prior->commitment_units_done,
        .commitment_paid_micro = prior->commitment_paid_micro,
        .number = prior->number,
        .hash = prior->hash,
    };
    lookup->is_answered = true;
}

struct frame *lookups_answer(struct lookups *lookups, uint64_t cookie,
                             const struct ledger_prior *prior)
{
    struct lookup *lookup = NULL;
    HASH_FIND(hh, lookups->by_cookie, &cookie, sizeof(cookie), lookup);
    if (lookup == NULL) {
        return NULL;
    }
    HASH_DEL(lookups->by_cookie, lookup);
    lookups->count--;
    if (lookup->frame == NULL) {
        free(lookup);
        return NULL;
    }
    keep_prior(lookup, prior);
    return lookup->frame;
}

void lookups_clear(struct lookups *lookups)
{
    struct lookup *lookup = NULL;
    struct lookup *following = NULL;
    HASH_ITER(hh, lookups->by_cookie, lookup, following)
    {
        HASH_DEL(lookups->by_cookie, lookup);
        if (lookup->frame != NULL) {
            struct lookup **link = &lookup->frame->lookups;
            while (*link != lookup) {
                link = &(*link)->next;
            }
            *link = lookup->next;
        }
        free(lookup);
    }
    lookups->count = 0;
}
