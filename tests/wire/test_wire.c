/*
 * Goal: the wire says and reads exactly what vectors.json says, bad fields cost their message only,
 * and no frame makes it read or reserve beyond its bytes. Method: golden vectors packed by another
 * implementation, plus limits made here; run under ASan, in buffers of exact size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

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
    vectors_unload();
    return 0;
}

/* Packs an exchange of [count] messages; returns its size. */
static int pack(const struct wire_header *header, const struct message *messages, uint8_t *buffer,
                size_t capacity)
{
    int size = wire_pack_header(header, buffer, capacity);
    for (uint32_t i = 0; size >= 0 && i < header->count; i++) {
        int more = wire_pack_message(&messages[i], buffer + size, capacity - (size_t)size);
        size = more < 0 ? more : size + more;
    }
    return size;
}

static void assert_bytes_equal(tender_bytes left, tender_bytes right)
{
    assert_int_equal(left.size, right.size);
    if (left.size > 0) {
        assert_memory_equal(left.data, right.data, left.size);
    }
}

static void assert_texts_equal(const struct message_texts *left, const struct message_texts *right)
{
    assert_int_equal(left->count, right->count);
    for (uint32_t i = 0; i < left->count; i++) {
        assert_bytes_equal(left->items[i], right->items[i]);
    }
}

#define SAME_INT(member)    assert_int_equal(left->member, right->member)
#define SAME_ENUM(member)   SAME_INT(member)
#define SAME_TEXT(member)   assert_bytes_equal(left->member, right->member)
#define SAME_BYTES(member)  SAME_TEXT(member)
#define SAME_ID(member)     assert_memory_equal(&left->member, &right->member, sizeof left->member)
#define SAME_DIGEST(member) SAME_ID(member)
#define SAME_TEXTS(member)  assert_texts_equal(&left->member, &right->member)

static void assert_messages_equal(const struct message *left, const struct message *right)
{
    assert_int_equal(left->performative, right->performative);
    SAME_ID(conversation);
    assert_true(left->present == right->present);
    assert_true(left->faulty == right->faulty);
#define X(key, NAME, member, TYPE, name)                                                           \
    if (message_has(left, MESSAGE_##NAME)) {                                                       \
        SAME_##TYPE(member);                                                                       \
    }
    MESSAGE_FIELDS(X)
#undef X
}

static void open_vector(const json_t *vector, uint8_t **frame_out, struct wire_header *header_out)
{
    size_t size;
    const char *why = NULL;
    *frame_out = vector_frame(vector, &size);
    int status = wire_open(reader, *frame_out, size, header_out, &why);
    if (status != 0) {
        fail_msg("%s: %s", vector_text(vector, "name"), why);
    }
}

static void check_exchange(const json_t *vector)
{
    uint8_t *frame;
    struct wire_header header;
    open_vector(vector, &frame, &header);
    const json_t *meanings = json_object_get(vector, "messages");
    assert_int_equal(header.first, json_integer_value(json_object_get(vector, "first")));
    assert_int_equal(header.heard, json_integer_value(json_object_get(vector, "heard")));
    assert_int_equal(header.count, json_array_size(meanings));
    static struct vector_store stores[8];
    static struct message expected[8];
    for (uint32_t i = 0; i < header.count; i++) {
        struct message message;
        vector_message(json_array_get(meanings, i), &stores[i], &expected[i]);
        assert_int_equal(wire_next(reader, &message), 1);
        assert_messages_equal(&message, &expected[i]);
    }
    struct message none;
    assert_int_equal(wire_next(reader, &none), 0);

    size_t size = strlen(vector_text(vector, "hex")) / 2;
    uint8_t *packed = malloc(size);
    assert_int_equal(pack(&header, expected, packed, size), size);
    assert_memory_equal(packed, frame, size);
    for (size_t capacity = 0; capacity < size; capacity++) {
        assert_int_equal(pack(&header, expected, packed, capacity), TENDER_ELIMIT);
    }
    free(packed);
    free(frame);
}

static void golden_exchanges_are_read_and_written_byte_for_byte(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("exchanges"), i, vector)
    {
        check_exchange(vector);
    }
}

static bool is_covered(enum message_from from, int performative)
{
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("exchanges"), i, vector)
    {
        bool is_broker = strncmp(vector_text(vector, "name"), "broker", 6) == 0;
        size_t j;
        json_t *meaning;
        json_array_foreach(json_object_get(vector, "messages"), j, meaning)
        {
            const char *name = vector_text(meaning, "performative");
            if (is_broker == (from == MESSAGE_FROM_BROKER) &&
                tender_performative_parse(name, strlen(name)) == performative) {
                return true;
            }
        }
    }
    return false;
}

static void every_performative_has_a_golden_vector(void **state)
{
    (void)state;
#define X(code, NAME, name, help)                                                                  \
    if (!is_covered(MESSAGE_FROM_PEER, code) && !is_covered(MESSAGE_FROM_BROKER, code)) {          \
        fail_msg("no vector for %s", name);                                                        \
    }
    TENDER_PERFORMATIVES(X)
#undef X
}

static void golden_messages_have_what_is_required(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("exchanges"), i, vector)
    {
        uint8_t *frame;
        struct wire_header header;
        struct message message;
        open_vector(vector, &frame, &header);
        bool is_broker = strncmp(vector_text(vector, "name"), "broker", 6) == 0;
        while (wire_next(reader, &message) == 1) {
            assert_int_equal(
                message_missing(&message, is_broker ? MESSAGE_FROM_BROKER : MESSAGE_FROM_PEER), 0);
        }
        free(frame);
    }
}

static void each_required_field_is_missed(void **state)
{
    (void)state;
    static const struct {
        enum message_from from;
        tender_performative performative;
        uint64_t required;
    } rows[] = {
#define X(FROM, NAME, CONVERSATION, required, optional)                                            \
    {MESSAGE_FROM_##FROM, TENDER_##NAME, required},
        MESSAGE_RULES(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int field = 1; field < MESSAGE_FIELD_END; field++) {
            message_mask bit = MESSAGE_BIT(field) & rows[i].required;
            struct message message = {.performative = rows[i].performative,
                                      .present = rows[i].required & ~bit};
            int expected = bit == 0 ? 0 : field;
            assert_int_equal(message_missing(&message, rows[i].from), expected);
            message.faulty = bit;
            assert_int_equal(message_missing(&message, rows[i].from), 0);
        }
    }
}

static void B5_a_bad_field_is_named_and_the_rest_is_usable(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("faults"), i, vector)
    {
        uint8_t *frame;
        struct wire_header header;
        struct message message;
        open_vector(vector, &frame, &header);
        assert_int_equal(wire_next(reader, &message), 1);
        const char *reason = vector_text(vector, "reason");
        if (message.fault != (enum message_field)vector_field(vector_text(vector, "field")) ||
            (int)message.fault_reason != tender_reason_parse(reason, strlen(reason))) {
            fail_msg("%s: fault %d, reason %d", vector_text(vector, "name"), (int)message.fault,
                     (int)message.fault_reason);
        }
        assert_false(message_has(&message, message.fault));
        assert_true((message.faulty & MESSAGE_BIT(message.fault)) != 0);
        if (message.performative == TENDER_PROPOSE) {
            message_mask bid = MESSAGE_BIT(MESSAGE_ROUND) | MESSAGE_BIT(MESSAGE_DIGEST) |
                               MESSAGE_BIT(MESSAGE_COST) | MESSAGE_BIT(MESSAGE_ETA);
            assert_true(((message.present | message.faulty) & bid) == bid);
        }
        assert_int_equal(wire_next(reader, &message), 0);
        free(frame);
    }
}

static void what_is_unknown_is_skipped(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("skipped"), i, vector)
    {
        uint8_t *frame;
        struct wire_header header;
        struct message message;
        open_vector(vector, &frame, &header);
        assert_int_equal(wire_next(reader, &message), 1);
        message_mask present = 0;
        size_t j;
        json_t *name;
        json_array_foreach(json_object_get(vector, "present"), j, name)
        {
            present |= MESSAGE_BIT(vector_field(json_string_value(name)));
        }
        assert_true(message.present == present);
        assert_int_equal(message.fault, 0);
        const char *receipts = json_string_value(json_object_get(vector, "receipts"));
        assert_int_equal(header.has_tail, receipts != NULL);
        for (size_t k = 0; receipts != NULL && k < header.tail.size; k++) {
            unsigned byte;
            assert_int_equal(sscanf(receipts + 2 * k, "%2x", &byte), 1);
            assert_int_equal(((const uint8_t *)header.tail.data)[k], byte);
        }
        json_t *code = json_object_get(vector, "code");
        if (code != NULL) {
            assert_int_equal(message.performative, json_integer_value(code));
        }
        assert_int_equal(wire_next(reader, &message), 0);
        free(frame);
    }
}

static void receipts_stand_behind_the_messages(void **state)
{
    (void)state;
    uint8_t frame[256];
    uint8_t receipt[WIRE_RECEIPT_SIZE] = {[5] = 7, [17] = 9};
    const char *why = NULL;
    struct message said = {.performative = TENDER_BYE};
    struct message heard;
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = 3,
                                 .count = 1,
                                 .has_tail = true,
                                 .tail = {receipt, sizeof receipt}};
    int size = wire_pack_header(&header, frame, sizeof frame);
    size += wire_pack_message(&said, frame + size, sizeof frame - (size_t)size);
    size += wire_pack_tail(&header, frame + size, sizeof frame - (size_t)size);
    struct wire_header read;
    assert_int_equal(wire_open(reader, frame, (size_t)size, &read, &why), 0);
    assert_true(read.has_tail);
    assert_bytes_equal(read.tail, header.tail);
    assert_int_equal(wire_next(reader, &heard), 1);
    assert_int_equal(heard.performative, TENDER_BYE);
    assert_int_equal(wire_next(reader, &heard), 0);
    assert_int_equal(wire_open(reader, frame, (size_t)size - 1, &read, &why), TENDER_EPROTOCOL);
}

static void malformed_frames_are_refused_whole_and_reserve_nothing(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("malformed"), i, vector)
    {
        size_t size;
        uint8_t *frame = vector_frame(vector, &size);
        struct wire_header header;
        const char *why = NULL;
        if (wire_open(reader, frame, size, &header, &why) != TENDER_EPROTOCOL || why == NULL) {
            fail_msg("%s was read", vector_text(vector, "name"));
        }
        struct message message;
        assert_int_equal(wire_next(reader, &message), 0);
        free(frame);
    }
}

static void a_message_that_is_none_leaves_the_next_one_readable(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("no_messages"), i, vector)
    {
        uint8_t *frame;
        struct wire_header header;
        struct message message;
        open_vector(vector, &frame, &header);
        assert_int_equal(wire_next(reader, &message), TENDER_EPROTOCOL);
        assert_int_equal(wire_next(reader, &message), 1);
        assert_int_equal(message.performative, TENDER_QUERY);
        assert_int_equal(wire_next(reader, &message), 0);
        free(frame);
    }
}

static void every_golden_frame_cut_short_is_refused(void **state)
{
    (void)state;
    size_t i;
    json_t *vector;
    json_array_foreach(vectors_load("exchanges"), i, vector)
    {
        size_t size;
        uint8_t *frame = vector_frame(vector, &size);
        for (size_t cut = 0; cut < size; cut++) {
            uint8_t *part = malloc(cut == 0 ? 1 : cut);
            memcpy(part, frame, cut);
            struct wire_header header;
            const char *why;
            assert_int_equal(wire_open(reader, part, cut, &header, &why), TENDER_EPROTOCOL);
            free(part);
        }
        free(frame);
    }
}

static void another_version_is_told_with_its_session(void **state)
{
    (void)state;
    uint8_t frame[] = "\x93\x02\xc4\x10QRSTUVWXYZQRSTUV"
                      "\xa3new";
    struct wire_header header;
    const char *why;
    struct message message;
    assert_int_equal(wire_open(reader, frame, sizeof frame - 1, &header, &why), 0);
    assert_int_equal(header.version, 2);
    assert_memory_equal(header.session, "QRSTUVWXYZQRSTUV", 16);
    assert_int_equal(wire_next(reader, &message), 0);
}

static void empty_text_may_be_nowhere(void **state)
{
    (void)state;
    static uint8_t frame[256];
    struct message said = {.performative = TENDER_INFORM};
    struct message read;
    struct wire_header header = {.version = WIRE_VERSION, .first = 1, .count = 1};
    message_set(&said, TEXT, text, ((tender_bytes){NULL, 0}));
    int size = pack(&header, &said, frame, sizeof frame);
    const char *why;
    assert_int_equal(wire_open(reader, frame, (size_t)size, &header, &why), 0);
    assert_int_equal(wire_next(reader, &read), 1);
    assert_true(message_has(&read, MESSAGE_TEXT));
    assert_int_equal(read.text.size, 0);
}

static void lists_of_many_messages_stay_valid_together(void **state)
{
    (void)state;
    static uint8_t frame[4096];
    tender_bytes skills[2] = {{"a", 1}, {"b", 1}};
    struct message offers[3];
    for (size_t i = 0; i < 3; i++) {
        offers[i] = (struct message){.performative = TENDER_OFFER};
        message_set(&offers[i], SKILLS, skills,
                    ((struct message_texts){(uint32_t)i, skills + (i == 1)}));
    }
    struct wire_header header = {.version = WIRE_VERSION, .first = 1, .count = 3};
    int size = pack(&header, offers, frame, sizeof frame);
    const char *why;
    for (int again = 0; again < 2; again++) {
        struct message read[3];
        assert_int_equal(wire_open(reader, frame, (size_t)size, &header, &why), 0);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(wire_next(reader, &read[i]), 1);
        }
        for (size_t i = 0; i < 3; i++) {
            assert_texts_equal(&read[i].skills, &offers[i].skills);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_exchanges_are_read_and_written_byte_for_byte),
        cmocka_unit_test(every_performative_has_a_golden_vector),
        cmocka_unit_test(golden_messages_have_what_is_required),
        cmocka_unit_test(each_required_field_is_missed),
        cmocka_unit_test(B5_a_bad_field_is_named_and_the_rest_is_usable),
        cmocka_unit_test(what_is_unknown_is_skipped),
        cmocka_unit_test(receipts_stand_behind_the_messages),
        cmocka_unit_test(malformed_frames_are_refused_whole_and_reserve_nothing),
        cmocka_unit_test(a_message_that_is_none_leaves_the_next_one_readable),
        cmocka_unit_test(every_golden_frame_cut_short_is_refused),
        cmocka_unit_test(another_version_is_told_with_its_session),
        cmocka_unit_test(empty_text_may_be_nowhere),
        cmocka_unit_test(lists_of_many_messages_stay_valid_together),
    };
    return cmocka_run_group_tests_name("wire", tests, set_up, tear_down);
}
