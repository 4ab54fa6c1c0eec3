/*
 * Packs headers and messages with msgpack-c straight into the caller's buffer. Leaves framing,
 * numbering and the order of messages to the caller.
 */
#include "wire.h"

#include <msgpack/pack.h>
#include <string.h>

/* A bounded buffer; it remembers that something did not fit. */
struct sink {
    uint8_t *at;
    uint8_t *end;
    bool is_full;
};

static int sink_write(void *context, const char *bytes, size_t size)
{
    struct sink *sink = context;
    if ((size_t)(sink->end - sink->at) < size) {
        sink->is_full = true;
        sink->end = sink->at; /* nothing smaller may slip in behind */
        return -1;
    }
    if (size > 0) { /* where there is nothing, there may be no place either */
        memcpy(sink->at, bytes, size);
        sink->at += size;
    }
    return 0;
}

/* The packer's results are not looked at one by one: the sink remembers the first failure. */
static void sink_init(struct sink *sink, msgpack_packer *packer, uint8_t *buffer, size_t capacity)
{
    *sink = (struct sink){.at = buffer, .end = buffer + capacity};
    msgpack_packer_init(packer, sink, sink_write);
}

static int sink_size(const struct sink *sink, const uint8_t *buffer)
{
    return sink->is_full ? TENDER_ELIMIT : (int)(sink->at - buffer);
}

static void pack_int(msgpack_packer *packer, int64_t value)
{
    msgpack_pack_int64(packer, value);
}

static void pack_text(msgpack_packer *packer, tender_bytes text)
{
    msgpack_pack_str(packer, text.size);
    msgpack_pack_str_body(packer, text.data, text.size);
}

static void pack_bin(msgpack_packer *packer, const void *data, size_t size)
{
    msgpack_pack_bin(packer, size);
    msgpack_pack_bin_body(packer, data, size);
}

static void pack_texts(msgpack_packer *packer, const struct message_texts *texts)
{
    msgpack_pack_array(packer, texts->count);
    for (uint32_t i = 0; i < texts->count; i++) {
        pack_text(packer, texts->items[i]);
    }
}

#define PACK_INT(member)    pack_int(packer, message->member)
#define PACK_ENUM(member)   pack_int(packer, message->member)
#define PACK_TEXT(member)   pack_text(packer, message->member)
#define PACK_BYTES(member)  pack_bin(packer, message->member.data, message->member.size)
#define PACK_ID(member)     pack_bin(packer, message->member.bytes, sizeof message->member.bytes)
#define PACK_DIGEST(member) PACK_ID(member)
#define PACK_TEXTS(member)  pack_texts(packer, &message->member)

static void pack_field(msgpack_packer *packer, const struct message *message,
                       enum message_field field)
{
    msgpack_pack_int(packer, (int)field);
    switch (field) {
#define X(key, NAME, member, TYPE, name)                                                           \
    case key:                                                                                      \
        PACK_##TYPE(member);                                                                       \
        break;
        MESSAGE_FIELDS(X)
#undef X
    default:
        break;
    }
}

int wire_pack_header(const struct wire_header *header, uint8_t *buffer, size_t capacity)
{
    struct sink sink;
    msgpack_packer packer;
    sink_init(&sink, &packer, buffer, capacity);
    msgpack_pack_array(&packer, header->has_tail ? 6 : 5);
    msgpack_pack_uint32(&packer, header->version);
    pack_bin(&packer, header->session, sizeof header->session);
    msgpack_pack_uint64(&packer, header->first);
    msgpack_pack_uint64(&packer, header->heard);
    msgpack_pack_array(&packer, header->count);
    return sink_size(&sink, buffer);
}

int wire_pack_tail(const struct wire_header *header, uint8_t *buffer, size_t capacity)
{
    struct sink sink;
    msgpack_packer packer;
    sink_init(&sink, &packer, buffer, capacity);
    pack_bin(&packer, header->tail.data, header->tail.size);
    return sink_size(&sink, buffer);
}

int wire_pack_message(const struct message *message, uint8_t *buffer, size_t capacity)
{
    message_mask left = message->present & MESSAGE_ALL;
    int count = __builtin_popcountll((uint64_t)left) + __builtin_popcountll((uint64_t)(left >> 64));
    struct sink sink;
    msgpack_packer packer;
    sink_init(&sink, &packer, buffer, capacity);
    msgpack_pack_array(&packer, 3);
    msgpack_pack_int(&packer, (int)message->performative);
    pack_bin(&packer, message->conversation.bytes, sizeof message->conversation.bytes);
    msgpack_pack_map(&packer, (size_t)count);
    while (left != 0) {
        pack_field(&packer, message, message_first(left));
        left &= left - 1;
    }
    return sink_size(&sink, buffer);
}
