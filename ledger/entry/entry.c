/*
 * Writes entries: the JSON body by the field tables of entry.h, and the seal that chains it.
 * Reading is entry_decode.c's. Nothing here allocates.
 */
#include "entry.h"

#include "bytes.h"
#include "sha256.h"

#include <string.h>

/* The buffer being written; `is_full` once something did not fit. */
struct writer {
    char *data;
    size_t size;
    size_t capacity;
    bool is_full;
};

static void put(struct writer *writer, const char *bytes, size_t size)
{
    if (writer->capacity - writer->size < size) {
        writer->is_full = true;
        return;
    }
    memcpy(writer->data + writer->size, bytes, size);
    writer->size += size;
}

static void put_byte(struct writer *writer, char byte)
{
    put(writer, &byte, 1);
}

/* Two digits at a time: most numbers are instants of sixteen. */
static void put_integer(struct writer *writer, int64_t value)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233"
        "34353637383940414243444546474849505152535455565758596061626364656667"
        "6869707172737475767778798081828384858687888990919293949596979899";
    char digits[22];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    while (rest >= 10) {
        at -= 2;
        memcpy(digits + at, pairs + rest % 100 * 2, 2);
        rest /= 100;
    }
    if (rest > 0 || at == sizeof digits) {
        digits[--at] = (char)('0' + rest);
    }
    if (value < 0) {
        digits[--at] = '-';
    }
    put(writer, digits + at, sizeof digits - at);
}

static void put_hex(struct writer *writer, const uint8_t *bytes, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    char text[64];
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = hex[bytes[i] >> 4];
        text[2 * i + 1] = hex[bytes[i] & 15];
    }
    put(writer, text, 2 * size);
}

/* Runs of plain bytes are copied whole: nearly every text is one run. */
static void put_text(struct writer *writer, tender_bytes text)
{
    const char *bytes = text.data;
    size_t start = 0;
    put_byte(writer, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        put(writer, bytes + start, i - start);
        start = i + 1;
        if (byte >= 0x20) {
            char pair[2] = {'\\', (char)byte};
            put(writer, pair, sizeof pair);
        } else {
            put(writer, "\\u00", 4);
            put_hex(writer, &byte, 1);
        }
    }
    if (text.size > start) {
        put(writer, bytes + start, text.size - start);
    }
    put_byte(writer, '"');
}

static void put_id(struct writer *writer, tender_id id)
{
    char text[TENDER_ID_TEXT_SIZE];
    tender_id_format(id, text);
    put_byte(writer, '"');
    put(writer, text, TENDER_ID_TEXT_SIZE - 1);
    put_byte(writer, '"');
}

static void put_digest(struct writer *writer, tender_digest digest)
{
    put_byte(writer, '"');
    put_hex(writer, digest.bytes, sizeof digest.bytes);
    put_byte(writer, '"');
}

/* A code that no row has is written as an empty name, which no reader accepts. */
static void put_name(struct writer *writer, const char *name)
{
    put_byte(writer, '"');
    put(writer, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    put_byte(writer, '"');
}

static void put_texts(struct writer *writer, struct entry_texts texts)
{
    for (size_t i = 0; i < texts.count; i++) {
        put_byte(writer, i == 0 ? '[' : ',');
        put_text(writer, texts.items[i]);
    }
    put_byte(writer, ']');
}

static void put_member(struct writer *writer, bool *is_first, const char *member, size_t size)
{
    put_byte(writer, *is_first ? '{' : ',');
    put_byte(writer, '"');
    put(writer, member, size);
    put(writer, "\":", 2);
    *is_first = false;
}

static void put_end(struct writer *writer, bool is_empty)
{
    if (is_empty) {
        put_byte(writer, '{');
    }
    put_byte(writer, '}');
}

static bool digest_is_zero(tender_digest digest)
{
    static const tender_digest zero;
    return memcmp(&digest, &zero, sizeof zero) == 0;
}

static void put_answers(struct writer *writer, struct entry_answers answers);
static void put_ranks(struct writer *writer, struct entry_ranks ranks);

/* Per type: whether a value is left out, and how it is written. */
#define EMPTY_INT(value)              ((value) == 0)
#define EMPTY_TEXT(value)             ((value).size == 0)
#define EMPTY_ID(value)               tender_id_is_nil(value)
#define EMPTY_DIGEST(value)           digest_is_zero(value)
#define EMPTY_TEXTS(value)            ((value).count == 0)
#define EMPTY_REASON(value)           ((value) == TENDER_REASON_NONE)
#define EMPTY_TASK_STATE(value)       ((int)(value) == 0)
#define EMPTY_COMMITMENT_STATE(value) ((int)(value) == 0)
#define EMPTY_BID_STATE(value)        ((int)(value) == 0)
#define EMPTY_PARTIAL(value)          ((int)(value) == 0)
#define EMPTY_FALLBACK(value)         ((int)(value) == 0)
#define EMPTY_ANSWERS(value)          ((value).count == 0)
#define EMPTY_RANKS(value)            ((value).count == 0)

#define PUT_INT(writer, value)              put_integer(writer, value)
#define PUT_TEXT(writer, value)             put_text(writer, value)
#define PUT_ID(writer, value)               put_id(writer, value)
#define PUT_DIGEST(writer, value)           put_digest(writer, value)
#define PUT_TEXTS(writer, value)            put_texts(writer, value)
#define PUT_REASON(writer, value)           put_name(writer, tender_reason_name(value))
#define PUT_TASK_STATE(writer, value)       put_name(writer, tender_task_state_name(value))
#define PUT_COMMITMENT_STATE(writer, value) put_name(writer, tender_commitment_state_name(value))
#define PUT_BID_STATE(writer, value)        put_name(writer, tender_bid_state_name(value))
#define PUT_PARTIAL(writer, value)          put_name(writer, tender_partial_name(value))
#define PUT_FALLBACK(writer, value)         put_name(writer, tender_fallback_name(value))
#define PUT_ANSWERS(writer, value)          put_answers(writer, value)
#define PUT_RANKS(writer, value)            put_ranks(writer, value)

#define PUT_FIELD(TYPE, member)                                                                    \
    if (!EMPTY_##TYPE(fields->member)) {                                                           \
        put_member(writer, &is_first, #member, sizeof #member - 1);                                \
        PUT_##TYPE(writer, fields->member);                                                        \
    }

static void put_answers(struct writer *writer, struct entry_answers answers)
{
    for (size_t i = 0; i < answers.count; i++) {
        const struct entry_answer *fields = &answers.items[i];
        bool is_first = true;
        put_byte(writer, i == 0 ? '[' : ',');
        ENTRY_ANSWER_FIELDS(PUT_FIELD)
        put_end(writer, is_first);
    }
    put_byte(writer, ']');
}

static void put_ranks(struct writer *writer, struct entry_ranks ranks)
{
    for (size_t i = 0; i < ranks.count; i++) {
        const struct entry_rank *fields = &ranks.items[i];
        bool is_first = true;
        put_byte(writer, i == 0 ? '[' : ',');
        ENTRY_RANK_FIELDS(PUT_FIELD)
        put_end(writer, is_first);
    }
    put_byte(writer, ']');
}

/* One writer for each kind: put_body_announced and so on. */
#define PUT_BODY(NAME, name)                                                                       \
    static void put_body_##name(struct writer *writer, const struct entry_##name *fields)          \
    {                                                                                              \
        bool is_first = true;                                                                      \
        ENTRY_##NAME##_FIELDS(PUT_FIELD) put_end(writer, is_first);                                \
    }
#define X(code, NAME, name, help) PUT_BODY(NAME, name)
ENTRY_KINDS(X)
#undef X

const char *entry_kind_name(enum entry_kind kind)
{
    switch (kind) {
#define X(code, NAME, name, help)                                                                  \
    case ENTRY_##NAME:                                                                             \
        return #name;
        ENTRY_KINDS(X)
#undef X
    }
    return NULL;
}

int entry_kind_parse(const char *name, size_t size)
{
#define X(code, NAME, name_, help)                                                                 \
    if (size == sizeof #name_ - 1 && memcmp(name, #name_, size) == 0) {                            \
        return code;                                                                               \
    }
    ENTRY_KINDS(X)
#undef X
    return 0;
}

int entry_encode(const struct entry *entry, char *buffer, size_t capacity)
{
    size_t limit = capacity < ENTRY_BODY_MAX ? capacity : ENTRY_BODY_MAX;
    struct writer writer = {.data = buffer, .capacity = limit};
    switch (entry->kind) {
#define X(code, NAME, name, help)                                                                  \
    case ENTRY_##NAME:                                                                             \
        put_body_##name(&writer, &entry->name);                                                    \
        break;
        ENTRY_KINDS(X)
#undef X
    }
    return writer.is_full ? TENDER_ELIMIT : (int)writer.size;
}

#define SEAL_LABEL    "tender/entry/v1" /* with its NUL */
#define SEAL_HEAD_MAX (sizeof SEAL_LABEL + 32 + 16 + 8 + 8 + 16)

/* Everything before the body, in one piece: hashing short pieces costs more than copying them. */
static size_t seal_head(const struct entry *entry, const tender_digest *previous,
                        uint8_t head_out[SEAL_HEAD_MAX])
{
    const char *kind = entry_kind_name(entry->kind);
    size_t kind_size = strlen(kind) + 1;
    size_t at = 0;
    memcpy(head_out, SEAL_LABEL, sizeof SEAL_LABEL);
    at += sizeof SEAL_LABEL;
    memcpy(head_out + at, previous->bytes, sizeof previous->bytes);
    at += sizeof previous->bytes;
    memcpy(head_out + at, entry->task.bytes, sizeof entry->task.bytes);
    at += sizeof entry->task.bytes;
    (void)put_big_endian(head_out + at, entry->number, 8);
    (void)put_big_endian(head_out + at + 8, (uint64_t)entry->at_us, 8);
    at += 16;
    memcpy(head_out + at, kind, kind_size);
    return at + kind_size;
}

int entry_seal(struct entry *entry, const tender_digest *previous, char *buffer, size_t capacity)
{
    int size = entry_encode(entry, buffer, capacity);
    if (size < 0) {
        return size;
    }
    uint8_t head[SEAL_HEAD_MAX];
    size_t head_size = seal_head(entry, previous, head);
    const tender_bytes pieces[2] = {{head, head_size}, {buffer, (size_t)size}};
    entry->hash = sha256_pieces(pieces, 2);
    entry->body = (tender_bytes){buffer, (size_t)size};
    return size;
}

tender_digest entry_digest(tender_bytes bytes)
{
    return sha256_pieces(&bytes, 1);
}
