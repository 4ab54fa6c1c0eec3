/*
 * Reads the messages of a frame that check.c has passed, field by field, from the bytes themselves:
 * no copies, and no allocation but for lists of texts. A bad field is noted in its message and
 * costs nobody else anything. Leaves what is required to message.c and meaning to the caller.
 */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#include "scan.h"

/* Room for the lists of one message; a reader keeps as many as its fullest frame needed. */
struct texts_block {
    struct texts_block *next;
    tender_bytes items[TENDER_SKILLS_MAX];
};

struct wire_reader {
    struct scan scan;
    uint32_t left; /* messages */
    struct texts_block *blocks;
    struct texts_block **unused; /* the first block this frame has not used */
    bool is_out_of_memory;       /* in the message being read */
};

int wire_reader_open(struct wire_reader **reader_out)
{
    struct wire_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return TENDER_ENOMEM;
    }
    reader->unused = &reader->blocks;
    *reader_out = reader;
    return 0;
}

void wire_reader_close(struct wire_reader *reader)
{
    if (reader == NULL) {
        return;
    }
    while (reader->blocks != NULL) {
        struct texts_block *block = reader->blocks;
        reader->blocks = block->next;
        free(block);
    }
    free(reader);
}

static bool read_integer(struct scan *scan, int64_t minimum, int64_t *value_out)
{
    struct scan_token token;
    if (scan_next(scan, &token) != SCAN_INT || token.integer < minimum) {
        return false;
    }
    *value_out = token.integer;
    return true;
}

/* Reads a bin of exactly `size` bytes. */
static bool read_fixed(struct scan *scan, uint8_t *bytes_out, size_t size)
{
    struct scan_token token;
    if (scan_next(scan, &token) != SCAN_BIN || token.bytes.size != size) {
        return false;
    }
    memcpy(bytes_out, token.bytes.data, size);
    return true;
}

/* The sixth part, behind the messages. */
static const char *read_tail(struct scan scan, struct wire_header *header)
{
    struct scan_token token;
    for (uint32_t i = 0; i < header->count; i++) {
        scan_skip(&scan);
    }
    if (scan_next(&scan, &token) != SCAN_BIN) {
        return "the sixth part is no bin";
    }
    header->has_tail = true;
    header->tail = token.bytes;
    return NULL;
}

static const char *read_header(struct scan *scan, struct wire_header *header)
{
    int64_t version = 0;
    int64_t first = 0;
    int64_t heard = 0;
    struct scan_token token;
    if (scan_next(scan, &token) != SCAN_ARRAY || token.count < 2) {
        return "the exchange is no array";
    }
    if (!read_integer(scan, 0, &version) || version > UINT32_MAX) {
        return "the version is no integer";
    }
    header->version = (uint32_t)version;
    if (!read_fixed(scan, header->session, sizeof header->session)) {
        return "the session is no bin of 16 bytes";
    }
    if (version != WIRE_VERSION) {
        return NULL;
    }
    bool has_tail = token.count == 6;
    if (token.count != 5 && !has_tail) {
        return "the exchange is no array of 5 or 6";
    }
    if (!read_integer(scan, 0, &first) || !read_integer(scan, 0, &heard)) {
        return "first or heard is no integer from 0 to 2^63 - 1";
    }
    if (scan_next(scan, &token) != SCAN_ARRAY || token.count > WIRE_MESSAGES_MAX) {
        return "the messages are no array of at most 4096";
    }
    header->first = (uint64_t)first;
    header->heard = (uint64_t)heard;
    header->count = token.count;
    return has_tail ? read_tail(*scan, header) : NULL;
}

int wire_open(struct wire_reader *reader, const void *frame, size_t size,
              struct wire_header *header_out, const char **why_out)
{
    *header_out = (struct wire_header){0};
    reader->left = 0;
    reader->unused = &reader->blocks;
    const char *why = wire_check(frame, size);
    if (why == NULL) {
        reader->scan = (struct scan){frame, (const uint8_t *)frame + size};
        why = read_header(&reader->scan, header_out);
    }
    if (why != NULL) {
        *why_out = why;
        return TENDER_EPROTOCOL;
    }
    reader->left = header_out->count;
    return 0;
}

/* Skips the rest of a value whose head was not the one wanted. */
static tender_reason value_skip(struct scan *scan, const uint8_t *start)
{
    scan->at = start;
    scan_skip(scan);
    return TENDER_REASON_MALFORMED;
}

/*
 * The readers of one value each. They return TENDER_REASON_NONE, MALFORMED or OUT_OF_RANGE;
 * whatever they return, exactly one value has been read.
 */
static tender_reason value_bytes(struct scan *scan, enum scan_kind kind, size_t limit,
                                 tender_bytes *bytes_out)
{
    const uint8_t *start = scan->at;
    struct scan_token token;
    if (scan_next(scan, &token) != kind) {
        return value_skip(scan, start);
    }
    *bytes_out = token.bytes;
    return token.bytes.size > limit ? TENDER_REASON_OUT_OF_RANGE : TENDER_REASON_NONE;
}

static tender_reason value_fixed(struct scan *scan, uint8_t *bytes_out, size_t size)
{
    const uint8_t *start = scan->at;
    struct scan_token token;
    if (scan_next(scan, &token) != SCAN_BIN || token.bytes.size != size) {
        return value_skip(scan, start);
    }
    memcpy(bytes_out, token.bytes.data, size);
    return TENDER_REASON_NONE;
}

static tender_reason value_text(struct scan *scan, enum message_field field, tender_bytes *text_out)
{
    tender_reason reason = value_bytes(scan, SCAN_STR, SIZE_MAX, text_out);
    return reason == TENDER_REASON_NONE ? message_text_fault(field, *text_out) : reason;
}

/* A block for one list; NULL when memory is out. */
static struct texts_block *texts_take(struct wire_reader *reader)
{
    struct texts_block *block = *reader->unused;
    if (block == NULL) {
        block = malloc(sizeof *block);
        if (block == NULL) {
            return NULL;
        }
        block->next = NULL;
        *reader->unused = block;
    }
    reader->unused = &block->next;
    return block;
}

static tender_reason value_texts(struct wire_reader *reader, enum message_field field,
                                 struct message_texts *texts_out)
{
    const uint8_t *start = reader->scan.at;
    struct scan_token token;
    if (scan_next(&reader->scan, &token) != SCAN_ARRAY) {
        return value_skip(&reader->scan, start);
    }
    bool is_too_long = token.count > TENDER_SKILLS_MAX;
    struct texts_block *block = is_too_long ? NULL : texts_take(reader);
    if (block == NULL) {
        reader->is_out_of_memory = reader->is_out_of_memory || !is_too_long;
        (void)value_skip(&reader->scan, start);
        return TENDER_REASON_OUT_OF_RANGE;
    }
    tender_reason worst = TENDER_REASON_NONE;
    (void)field; /* skills are the only list */
    for (uint32_t i = 0; i < token.count; i++) {
        tender_reason reason = value_text(&reader->scan, MESSAGE_SKILL, &block->items[i]);
        worst = worst == TENDER_REASON_NONE ? reason : worst;
    }
    *texts_out = (struct message_texts){token.count, block->items};
    return worst;
}

/* Whether an integer is in its range; reasons must also be rows of their table. */
static tender_reason value_in_range(enum message_field field, int64_t value)
{
    bool is_within = message_field_allows(field, value);
    if (is_within && field == MESSAGE_REASON) {
        is_within = tender_reason_name((tender_reason)value) != NULL;
    }
    return is_within ? TENDER_REASON_NONE : TENDER_REASON_OUT_OF_RANGE;
}

static tender_reason value_integer(struct scan *scan, enum message_field field, int64_t *value_out)
{
    const uint8_t *start = scan->at;
    struct scan_token token;
    if (scan_next(scan, &token) != SCAN_INT) {
        return value_skip(scan, start);
    }
    *value_out = token.integer;
    return value_in_range(field, token.integer);
}

#define VALUE_INT(field, member)  value_integer(&reader->scan, field, &message->member)
#define VALUE_ENUM(field, member) VALUE_INT(field, member)
#define VALUE_TEXT(field, member) value_text(&reader->scan, field, &message->member)
#define VALUE_BYTES(field, member)                                                                 \
    value_bytes(&reader->scan, SCAN_BIN, TENDER_CONTENT_MAX, &message->member)
#define VALUE_ID(field, member)                                                                    \
    value_fixed(&reader->scan, message->member.bytes, sizeof message->member.bytes)
#define VALUE_DIGEST(field, member) VALUE_ID(field, member)
#define VALUE_TEXTS(field, member)  value_texts(reader, field, &message->member)

static void read_field(struct wire_reader *reader, struct message *message, int64_t key)
{
    tender_reason reason = TENDER_REASON_NONE;
    switch (key) {
#define X(code, NAME, member, TYPE, name)                                                          \
    case code:                                                                                     \
        reason = VALUE_##TYPE((enum message_field)(code), member);                                 \
        break;
        MESSAGE_FIELDS(X)
#undef X
    default:
        scan_skip(&reader->scan);
        return;
    }
    if (reason == TENDER_REASON_NONE) {
        message->present |= MESSAGE_BIT(key);
        return;
    }
    message->faulty |= MESSAGE_BIT(key);
    if (message->fault == 0) {
        message->fault = (enum message_field)key;
        message->fault_reason = reason;
    }
}

static void read_body(struct wire_reader *reader, struct message *message, uint32_t count)
{
    bool is_known = tender_performative_name(message->performative) != NULL;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *start = reader->scan.at;
        struct scan_token key;
        if (!is_known || scan_next(&reader->scan, &key) != SCAN_INT) {
            reader->scan.at = start;
            scan_skip(&reader->scan);
            scan_skip(&reader->scan);
            continue;
        }
        read_field(reader, message, key.integer);
    }
}

int wire_next(struct wire_reader *reader, struct message *message_out)
{
    if (reader->left == 0) {
        return 0;
    }
    reader->left--;
    memset(message_out, 0, sizeof *message_out); /* what is absent reads as zero */
    struct scan *scan = &reader->scan;
    struct scan next = *scan;
    int64_t performative = 0;
    struct scan_token token;
    if (scan_next(scan, &token) != SCAN_ARRAY || token.count != 3 ||
        !read_integer(scan, 1, &performative) || performative > INT32_MAX ||
        !read_fixed(scan, message_out->conversation.bytes, 16) ||
        scan_next(scan, &token) != SCAN_MAP) {
        scan_skip(&next);
        *scan = next;
        return TENDER_EPROTOCOL;
    }
    message_out->performative = (tender_performative)performative;
    reader->is_out_of_memory = false;
    read_body(reader, message_out, token.count);
    return reader->is_out_of_memory ? TENDER_ENOMEM : 1;
}
