/*
 * The structural walk over a frame that comes before anything else looks at it. A count costs its
 * sender five bytes and could cost the receiver gigabytes, so nothing is believed and nothing is
 * allocated. Knows msgpack; leaves messages and fields to unpack.c.
 */
#include "scan.h"

#include "wire.h"

static enum scan_kind scan_unsigned(struct scan *scan, size_t size, struct scan_token *token)
{
    uint64_t value = 0;
    if (!scan_head(scan, size, &value)) {
        return SCAN_END;
    }
    token->integer = (int64_t)value;
    return value > INT64_MAX ? SCAN_BIG : SCAN_INT;
}

static enum scan_kind scan_signed(struct scan *scan, size_t size, struct scan_token *token)
{
    uint64_t value = 0;
    if (!scan_head(scan, size, &value)) {
        return SCAN_END;
    }
    unsigned shift = (unsigned)(64 - 8 * size);
    token->integer = (int64_t)(value << shift) >> shift;
    return SCAN_INT;
}

static enum scan_kind scan_sized(struct scan *scan, size_t head, size_t extra, enum scan_kind kind,
                                 struct scan_token *token)
{
    uint64_t size = 0;
    if (!scan_head(scan, head, &size)) {
        return SCAN_END;
    }
    return scan_payload(scan, size + extra, kind, token);
}

static enum scan_kind scan_counted(struct scan *scan, size_t head, enum scan_kind kind,
                                   struct scan_token *token)
{
    uint64_t count = 0;
    if (!scan_head(scan, head, &count)) {
        return SCAN_END;
    }
    token->count = (uint32_t)count;
    return kind;
}

enum scan_kind scan_long(struct scan *scan, uint8_t first, struct scan_token *token)
{
    switch (first) {
    case 0xc0: /* nil */
    case 0xc2: /* false */
    case 0xc3: /* true */
        return SCAN_OTHER;
    case 0xc4:
    case 0xc5:
    case 0xc6:
        return scan_sized(scan, (size_t)1 << (first - 0xc4), 0, SCAN_BIN, token);
    case 0xc7: /* extensions: a size, then a type and the payload */
    case 0xc8:
    case 0xc9:
        return scan_sized(scan, (size_t)1 << (first - 0xc7), 1, SCAN_OTHER, token);
    case 0xca:
    case 0xcb: /* floats */
        return scan_payload(scan, first == 0xca ? 4 : 8, SCAN_OTHER, token);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return scan_unsigned(scan, (size_t)1 << (first - 0xcc), token);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return scan_signed(scan, (size_t)1 << (first - 0xd0), token);
    case 0xd4: /* extensions of 1, 2, 4, 8 and 16 bytes after a type */
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return scan_payload(scan, ((size_t)1 << (first - 0xd4)) + 1, SCAN_OTHER, token);
    case 0xd9:
    case 0xda:
    case 0xdb:
        return scan_sized(scan, (size_t)1 << (first - 0xd9), 0, SCAN_STR, token);
    case 0xdc:
    case 0xdd:
        return scan_counted(scan, first == 0xdc ? 2 : 4, SCAN_ARRAY, token);
    case 0xde:
    case 0xdf:
        return scan_counted(scan, first == 0xde ? 2 : 4, SCAN_MAP, token);
    default: /* 0xc1 begins nothing */
        return SCAN_END;
    }
}

void scan_skip(struct scan *scan)
{
    /* Objects still to skip; counts were checked against the bytes of the frame. */
    uint64_t pending = 1;
    while (pending > 0) {
        struct scan_token token;
        enum scan_kind kind = scan_next(scan, &token);
        if (kind == SCAN_END) {
            return;
        }
        pending--;
        if (kind == SCAN_ARRAY) {
            pending += token.count;
        } else if (kind == SCAN_MAP) {
            pending += (uint64_t)token.count * 2;
        }
    }
}

struct walk {
    struct scan scan;
    uint32_t elements; /* that the frame may still have */
};

static const char *walk_object(struct walk *walk, int depth, struct scan_token *token_out);

/* Walks `count` pairs. Keys that can be fields must not come twice. */
static const char *walk_map(struct walk *walk, uint32_t count, int depth)
{
    message_mask seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct scan_token key;
        const char *why = walk_object(walk, depth, &key);
        if (why != NULL) {
            return why;
        }
        if (key.kind == SCAN_INT && key.integer >= 0 && key.integer < MESSAGE_KEYS) {
            if ((seen & MESSAGE_BIT(key.integer)) != 0) {
                return "a key comes twice in one map";
            }
            seen |= MESSAGE_BIT(key.integer);
        }
        struct scan_token value;
        why = walk_object(walk, depth, &value);
        if (why != NULL) {
            return why;
        }
    }
    return NULL;
}

static const char *walk_array(struct walk *walk, uint32_t count, int depth)
{
    for (uint32_t i = 0; i < count; i++) {
        struct scan_token element;
        const char *why = walk_object(walk, depth, &element);
        if (why != NULL) {
            return why;
        }
    }
    return NULL;
}

static const char *walk_object(struct walk *walk, int depth, struct scan_token *token_out)
{
    if (walk->elements-- == 0) {
        return "the frame has too many elements";
    }
    enum scan_kind kind = scan_next(&walk->scan, token_out);
    if (kind == SCAN_END) {
        return "an object is cut short or begins with a byte that begins nothing";
    }
    if (kind != SCAN_ARRAY && kind != SCAN_MAP) {
        return NULL;
    }
    if (depth == WIRE_DEPTH_MAX) {
        return "arrays and maps are nested too deeply";
    }
    uint64_t least = (uint64_t)token_out->count * (kind == SCAN_MAP ? 2 : 1);
    if (least > scan_left(&walk->scan)) {
        return "a count is larger than the bytes left";
    }
    return kind == SCAN_MAP ? walk_map(walk, token_out->count, depth + 1)
                            : walk_array(walk, token_out->count, depth + 1);
}

const char *wire_check(const void *frame, size_t size)
{
    if (size > TENDER_FRAME_MAX) {
        return "the frame is larger than 1 MiB";
    }
    if (size == 0) {
        return "the frame is empty";
    }
    struct walk walk = {.scan = {frame, (const uint8_t *)frame + size},
                        .elements = WIRE_ELEMENTS_MAX};
    struct scan_token root;
    const char *why = walk_object(&walk, 0, &root);
    if (why == NULL && walk.scan.at != walk.scan.end) {
        why = "bytes follow the end of the exchange";
    }
    return why;
}
