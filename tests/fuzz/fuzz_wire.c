/*
 * Goal: no frame makes the wire read beyond its bytes, reserve memory without end or fail an
 * assertion; and what was read can be packed and read again to the same message. Method: libFuzzer
 * with clang; elsewhere replay.c runs the corpus.
 */
#include "fuzz.h"

#include "wire.h"

/* Packs `message` alone and reads it back. */
static void read_again(const struct message *message)
{
    static uint8_t frame[TENDER_FRAME_MAX];
    static struct wire_reader *again;
    if (again == NULL) {
        expect(wire_reader_open(&again) == 0);
    }
    struct wire_header header = {.version = WIRE_VERSION, .first = 1, .count = 1};
    int head = wire_pack_header(&header, frame, sizeof frame);
    expect(head > 0 && head <= WIRE_HEADER_SIZE);
    int body = wire_pack_message(message, frame + head, sizeof frame - (size_t)head);
    expect(body > 0);
    const char *why;
    struct message read;
    expect(wire_open(again, frame, (size_t)(head + body), &header, &why) == 0);
    expect(wire_next(again, &read) == 1);
    expect(read.present == message->present && read.faulty == 0);
    expect(read.performative == message->performative);
    expect(read.cost_micro == message->cost_micro && read.units == message->units);
    expect(read.text.size == message->text.size && read.content.size == message->content.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct wire_reader *reader;
    if (reader == NULL) {
        expect(wire_reader_open(&reader) == 0);
    }
    struct wire_header header;
    const char *why = NULL;
    if (wire_open(reader, data, size, &header, &why) != 0) {
        expect(why != NULL);
        return 0;
    }
    uint32_t count = 0;
    struct message message;
    int status;
    while ((status = wire_next(reader, &message)) != 0) {
        count++;
        expect((message.present & message.faulty) == 0);
        expect((message.fault == 0) == (message.faulty == 0));
        if (status == 1) {
            (void)message_missing(&message, MESSAGE_FROM_BROKER);
            /* A faulty field keeps its value but not its bit; it is not packed, so it reads as 0.
             */
            if (message.faulty == 0) {
                read_again(&message);
            }
        }
    }
    expect(header.version != WIRE_VERSION || count == header.count);
    return 0;
}
