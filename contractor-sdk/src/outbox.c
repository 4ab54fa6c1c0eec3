/* See outbox.h. Bytes slide down when half of them were heard; slips are a ring. */
#include "outbox.h"

#include <stdlib.h>
#include <string.h>

#include "wire.h"

#define BYTES_FIRST 4096
#define SLIPS_FIRST 64
/* What a message takes beyond its texts, content and skills. */
#define MESSAGE_OVERHEAD 1024

int outbox_init(struct outbox *outbox)
{
    *outbox = (struct outbox){.capacity = BYTES_FIRST, .slip_capacity = SLIPS_FIRST, .first = 1};
    outbox->bytes = malloc(BYTES_FIRST);
    outbox->slips = malloc(SLIPS_FIRST * sizeof(struct outbox_slip));
    if (outbox->bytes == NULL || outbox->slips == NULL) {
        outbox_release(outbox);
        return TENDER_ENOMEM;
    }
    return 0;
}

void outbox_release(struct outbox *outbox)
{
    free(outbox->bytes);
    free(outbox->slips);
    *outbox = (struct outbox){0};
}

static struct outbox_slip *slip_at(const struct outbox *outbox, size_t index)
{
    return &outbox->slips[(outbox->slip_start + index) & (outbox->slip_capacity - 1)];
}

static int reserve_slip(struct outbox *outbox)
{
    if (outbox->count < outbox->slip_capacity) {
        return 0;
    }
    struct outbox_slip *slips = malloc(outbox->slip_capacity * 2 * sizeof *slips);
    if (slips == NULL) {
        return TENDER_ENOMEM;
    }
    for (size_t i = 0; i < outbox->count; i++) {
        slips[i] = *slip_at(outbox, i);
    }
    free(outbox->slips);
    outbox->slips = slips;
    outbox->slip_start = 0;
    outbox->slip_capacity *= 2;
    return 0;
}

/* Makes room for `size` bytes behind the end. */
static int reserve_bytes(struct outbox *outbox, size_t size)
{
    size_t kept = outbox->end - outbox->start;
    if (outbox->capacity - outbox->end >= size) {
        return 0;
    }
    if (outbox->start >= outbox->capacity / 2 && outbox->capacity - kept >= size) {
        memmove(outbox->bytes, outbox->bytes + outbox->start, kept);
        outbox->start = 0;
        outbox->end = kept;
        return 0;
    }
    size_t capacity = outbox->capacity;
    while (capacity - outbox->end < size) {
        capacity *= 2;
    }
    uint8_t *bytes = realloc(outbox->bytes, capacity);
    if (bytes == NULL) {
        return TENDER_ENOMEM;
    }
    outbox->bytes = bytes;
    outbox->capacity = capacity;
    return 0;
}

size_t outbox_bound(const struct message *message)
{
    size_t size = MESSAGE_OVERHEAD + message->content.size + message->text.size +
                  message->evidence.size + message->after.size;
    return message_has(message, MESSAGE_SKILLS)
               ? size + message->skills.count * (TENDER_SKILL_MAX + 8)
               : size;
}

static int reserve(struct outbox *outbox, size_t size)
{
    int status = reserve_slip(outbox);
    return status == 0 ? reserve_bytes(outbox, size) : status;
}

static void append(struct outbox *outbox, tender_performative performative, size_t size)
{
    *slip_at(outbox, outbox->count++) =
        (struct outbox_slip){(uint32_t)size, (uint32_t)performative};
    outbox->end += size;
}

int outbox_add(struct outbox *outbox, const struct message *message)
{
    int status = reserve(outbox, outbox_bound(message));
    if (status != 0) {
        return status;
    }
    int size =
        wire_pack_message(message, outbox->bytes + outbox->end, outbox->capacity - outbox->end);
    if (size < 0) {
        return size;
    }
    append(outbox, message->performative, (size_t)size);
    return 0;
}

int outbox_add_packed(struct outbox *outbox, tender_performative performative, tender_bytes packed)
{
    int status = reserve(outbox, packed.size);
    if (status == 0) {
        memcpy(outbox->bytes + outbox->end, packed.data, packed.size);
        append(outbox, performative, packed.size);
    }
    return status;
}

void outbox_heard(struct outbox *outbox, uint64_t heard)
{
    while (outbox->count > 0 && outbox->first <= heard) {
        size_t size = slip_at(outbox, 0)->size;
        if (outbox->first <= outbox->sent) {
            outbox->sent_bytes -= size;
        } else {
            outbox->sent = outbox->first;
        }
        outbox->start += size;
        outbox->slip_start++;
        outbox->count--;
        outbox->first++;
    }
    if (outbox->count == 0) {
        outbox->start = 0;
        outbox->end = 0;
    }
}

tender_bytes outbox_take(struct outbox *outbox, size_t limit, uint64_t *first_out,
                         uint32_t *count_out)
{
    size_t index = (size_t)(outbox->sent + 1 - outbox->first);
    tender_bytes taken = {outbox->bytes + outbox->start + outbox->sent_bytes, 0};
    *first_out = outbox->sent + 1;
    *count_out = 0;
    while (index < outbox->count && *count_out < WIRE_MESSAGES_MAX &&
           taken.size + slip_at(outbox, index)->size <= limit) {
        taken.size += slip_at(outbox, index++)->size;
        *count_out += 1;
    }
    outbox->sent += *count_out;
    outbox->sent_bytes += taken.size;
    return taken;
}

void outbox_rewind(struct outbox *outbox)
{
    outbox->sent = outbox->first - 1;
    outbox->sent_bytes = 0;
}

tender_bytes outbox_peek(const struct outbox *outbox, size_t index,
                         tender_performative *performative_out)
{
    size_t offset = outbox->start;
    for (size_t i = 0; i < index; i++) {
        offset += slip_at(outbox, i)->size;
    }
    *performative_out = (tender_performative)slip_at(outbox, index)->performative;
    return (tender_bytes){outbox->bytes + offset, slip_at(outbox, index)->size};
}

bool outbox_has_said(const struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++) {
        tender_performative performative;
        (void)outbox_peek(outbox, i, &performative);
        if (performative != TENDER_HELLO && performative != TENDER_OFFER) {
            return true;
        }
    }
    return false;
}
