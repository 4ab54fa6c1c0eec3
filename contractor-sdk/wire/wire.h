/*
 * The exchange on the wire: checks, packs and unpacks it. Knows msgpack and messages, no sockets.
 *
 *     exchange := [ version, session (bin 16), first, heard, [ message … ] ]
 *               | [ version, session (bin 16), first, heard, [ message … ], tail (bin) ]
 *     message  := [ performative, conversation (bin 16), { field key: value … } ]
 *
 * Both directions have this form. `first` numbers the first message of the list, counting from 1
 * within the session and direction; `heard` is the highest number heard from the other side, all
 * before it included. The tail is receipts or a challenge from the broker, a question or a proof
 * from a peer (proof.h). PROTOCOL.md is the full text.
 */
#ifndef TENDER_CONTRACTOR_SDK_WIRE_WIRE_H
#define TENDER_CONTRACTOR_SDK_WIRE_WIRE_H

#include "message.h"

#define WIRE_VERSION      1
#define WIRE_DEPTH_MAX    8      /* nesting of arrays and maps in a frame */
#define WIRE_MESSAGES_MAX 4096   /* messages in an exchange */
#define WIRE_ELEMENTS_MAX 262144 /* msgpack objects in a frame */
#define WIRE_HEADER_SIZE  64     /* bytes that a header needs at most */
#define WIRE_RECEIPT_SIZE 18     /* bytes of one receipt: shard, reign, mark, batch (PROTOCOL.md) */
#define WIRE_RECEIPTS_MAX 64
#define WIRE_TAIL_SIZE                                                                             \
    (3 + WIRE_RECEIPT_SIZE * WIRE_RECEIPTS_MAX) /* bytes of a packed tail at most */

/* The head of an exchange, and its tail, which is its end; borrowed from the frame. */
struct wire_header {
    uint32_t version;
    uint8_t session[16];
    uint64_t first;
    uint64_t heard;
    uint32_t count; /* messages */
    bool has_tail;
    tender_bytes tail;
};

/*
 * Packs the header of an exchange of `count` messages; the packed messages follow it, one after the
 * other. Returns the size, or TENDER_ELIMIT when [capacity] is too small.
 */
TENDER_MUST_CHECK int wire_pack_header(const struct wire_header *header, uint8_t *buffer,
                                       size_t capacity);

/* Packs what stands behind the messages where header->has_tail. Returns as above. */
TENDER_MUST_CHECK int wire_pack_tail(const struct wire_header *header, uint8_t *buffer,
                                     size_t capacity);

/*
 * Packs one message: the fields that are present, in the order of their keys. Returns the size, or
 * TENDER_ELIMIT when [capacity] is too small.
 */
TENDER_MUST_CHECK int wire_pack_message(const struct message *message, uint8_t *buffer,
                                        size_t capacity);

/*
 * Reads frames. One reader serves many frames, one after the other; what it hands out is borrowed
 * from the frame and valid until the next wire_open.
 */
struct wire_reader;
TENDER_MUST_CHECK int wire_reader_open(struct wire_reader **reader_out);
void wire_reader_close(struct wire_reader *reader);

/*
 * Checks the structure of a whole frame before anything is unpacked (sizes, counts against the
 * bytes left, depth, one element budget for the frame, nothing after the end), then reads its
 * header.
 *
 * Returns 0, or TENDER_EPROTOCOL; `why_out` then receives a static sentence. An exchange of another
 * version returns 0 with that version, its session and no messages.
 */
TENDER_MUST_CHECK int wire_open(struct wire_reader *reader, const void *frame, size_t size,
                                struct wire_header *header_out, const char **why_out);

/*
 * Reads the next message. A field that is malformed or outside its limits leaves `fault` in the
 * message (message.h) and the rest usable; unknown keys are skipped; an unknown performative comes
 * with its number and an empty body.
 *
 * Returns 1 with a message, 0 at the end, TENDER_EPROTOCOL for a message that is no message, or
 * TENDER_ENOMEM for one that there is no memory for; the next call goes on behind it.
 */
TENDER_MUST_CHECK int wire_next(struct wire_reader *reader, struct message *message_out);

/*
 * Whether `message`, said by a peer, has the fields that its performative requires. Returns 0, or
 * the first missing field (message_missing).
 */
TENDER_MUST_CHECK enum message_field wire_missing(const struct message *message);

/* "cost_micro"; NULL for a key that is no field. Static. */
const char *message_field_name(enum message_field field);

/* The range [*minimum_out, *maximum_out] of an INT or ENUM field; false for the other types. */
bool message_field_range(enum message_field field, int64_t *minimum_out, int64_t *maximum_out);

/* Why a TEXT field, or an item of a TEXTS field, may not have this value: TENDER_REASON_NONE,
 * MALFORMED or OUT_OF_RANGE. */
tender_reason message_text_fault(enum message_field field, tender_bytes text);

/* Whether an INT or ENUM field may have this value; false for the other types. */
bool message_field_allows(enum message_field field, int64_t value);

#endif
