/*
 * Goal: every limit that the tables tell is kept, and the value beyond it is named as faulty.
 * Method: each value at its limit and one beyond, packed and read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "wire.h"

static struct wire_reader *reader;

static int set_up(void **state)
{
    (void)state;
    return wire_reader_open(&reader);
}

static int tear_down(void **state)
{
    (void)state;
    wire_reader_close(reader);
    return 0;
}

/* Packs one message and reads it back; the reading is returned. */
static struct message round_trip(const struct message *message, uint8_t *buffer, size_t capacity)
{
    struct wire_header header = {.version = WIRE_VERSION, .first = 1, .count = 1};
    int head = wire_pack_header(&header, buffer, capacity);
    assert_true(head > 0);
    int body = wire_pack_message(message, buffer + head, capacity - (size_t)head);
    assert_true(body > 0);
    int size = head + body;
    const char *why = NULL;
    struct message read;
    assert_int_equal(wire_open(reader, buffer, (size_t)size, &header, &why), 0);
    assert_int_equal(wire_next(reader, &read), 1);
    return read;
}

static void texts_and_content_have_limits(void **state)
{
    (void)state;
    static char bytes[TENDER_CONTENT_MAX + 1];
    static uint8_t buffer[TENDER_CONTENT_MAX + 1000];
    memset(bytes, 'x', sizeof bytes);
    for (size_t over = 0; over <= 1; over++) {
        struct message message = {.performative = TENDER_FAILURE};
        message_set(&message, CONTENT, content, ((tender_bytes){bytes, TENDER_CONTENT_MAX + over}));
        message_set(&message, NUMBER, number, 7);
        struct message read = round_trip(&message, buffer, sizeof buffer);
        assert_int_equal(read.fault, over == 0 ? 0 : MESSAGE_CONTENT);
        assert_int_equal(message_has(&read, MESSAGE_CONTENT), over == 0);
        assert_int_equal(read.number, 7);

        message = (struct message){.performative = TENDER_FAILURE};
        message_set(&message, TEXT, text, ((tender_bytes){bytes, TENDER_TEXT_MAX + over}));
        read = round_trip(&message, buffer, sizeof buffer);
        assert_int_equal(read.fault, over == 0 ? 0 : MESSAGE_TEXT);

        message = (struct message){.performative = TENDER_ANNOUNCE};
        message_set(&message, KEY, key, ((tender_bytes){bytes, TENDER_KEY_MAX + over}));
        read = round_trip(&message, buffer, sizeof buffer);
        assert_int_equal(read.fault, over == 0 ? 0 : MESSAGE_KEY);
    }
}

#define SET_INT(member)    message.member = value
#define SET_ENUM(member)   SET_INT(member)
#define SET_TEXT(member)   (void)0
#define SET_BYTES(member)  (void)0
#define SET_ID(member)     (void)0
#define SET_DIGEST(member) (void)0
#define SET_TEXTS(member)  (void)0

static enum message_field fault_of(int field, int64_t value)
{
    struct message message = {.performative = TENDER_INFORM, .present = MESSAGE_BIT(field)};
    switch (field) {
#define X(key, NAME, member, TYPE, name)                                                           \
    case key:                                                                                      \
        SET_##TYPE(member);                                                                        \
        break;
        MESSAGE_FIELDS(X)
#undef X
    default:
        break;
    }
    uint8_t buffer[128];
    return round_trip(&message, buffer, sizeof buffer).fault;
}

static void W7_integers_have_the_ranges_that_are_told(void **state)
{
    (void)state;
    for (int field = 1; field < MESSAGE_FIELD_END; field++) {
        int64_t minimum;
        int64_t maximum;
        if (!message_field_range((enum message_field)field, &minimum, &maximum)) {
            continue;
        }
        assert_int_equal(fault_of(field, minimum), 0);
        if (field != MESSAGE_REASON) { /* reasons are also rows */
            assert_int_equal(fault_of(field, maximum), 0);
        }
        if (minimum > INT64_MIN) {
            assert_int_equal(fault_of(field, minimum - 1), field);
        }
        if (maximum < INT64_MAX) {
            assert_int_equal(fault_of(field, maximum + 1), field);
        }
    }
}

static void frames_and_lists_have_limits(void **state)
{
    (void)state;
    static uint8_t frame[TENDER_FRAME_MAX + 1];
    struct wire_header header = {.version = WIRE_VERSION, .count = WIRE_MESSAGES_MAX};
    const char *why;
    for (uint32_t over = 0; over <= 1; over++) {
        header.count = WIRE_MESSAGES_MAX + over;
        int size = wire_pack_header(&header, frame, sizeof frame);
        memset(frame + size, 0x05, header.count);
        struct wire_header read;
        assert_int_equal(wire_open(reader, frame, (size_t)size + header.count, &read, &why),
                         over == 0 ? 0 : TENDER_EPROTOCOL);
    }
    memset(frame, 0xc0, sizeof frame);
    assert_int_equal(wire_open(reader, frame, sizeof frame, &header, &why), TENDER_EPROTOCOL);
    assert_string_equal(why, "the frame is larger than 1 MiB");
    /* An array of nils as long as the element budget, and of one more. */
    frame[0] = 0xdd;
    for (uint32_t over = 0; over <= 1; over++) {
        uint32_t count = WIRE_ELEMENTS_MAX - 1 + over;
        for (int i = 0; i < 4; i++) {
            frame[1 + i] = (uint8_t)(count >> (24 - 8 * i));
        }
        assert_int_equal(wire_open(reader, frame, 5 + count, &header, &why), TENDER_EPROTOCOL);
        assert_int_equal(strcmp(why, "the frame has too many elements") == 0, over == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_content_have_limits),
        cmocka_unit_test(W7_integers_have_the_ranges_that_are_told),
        cmocka_unit_test(frames_and_lists_have_limits),
    };
    return cmocka_run_group_tests_name("limits", tests, set_up, tear_down);
}
