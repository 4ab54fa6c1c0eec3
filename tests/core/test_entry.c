/*
 * The codec of entries: every kind survives writing and reading, one body and its hash are golden,
 * anything that the writer would not have written is refused, and both ways to hash agree.
 */
#include "entry.h"
#include "sha256.h"

#include <sodium.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEXT(text)                                                                                 \
    (tender_bytes)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static const tender_bytes skills[] = {{"forge", 5}, {"weave/silk", 10}};
static const struct entry_answer answers[] = {
    {.contractor = {"kiln-1", 6},
     .principal = {"amber", 5},
     .state = TENDER_BID_STANDING,
     .cost_micro = 12000000,
     .eta_us = 3300000000,
     .text = {"a \"quote\", a \\ and a\ttab", 24}},
    {.contractor = {"kiln-2", 6},
     .principal = {"birch", 5},
     .state = TENDER_BID_INELIGIBLE,
     .reason = TENDER_REASON_COST_NEGATIVE,
     .cost_micro = INT64_MIN},
};
static const struct entry_rank ranks[] = {
    {{"kiln-1", 6}, TENDER_BID_WON, TENDER_REASON_LOWEST_COST, 1},
    {{"kiln-2", 6}, TENDER_BID_INELIGIBLE, TENDER_REASON_NO_SLOT, 0},
};

/* A value that is not left out, for each type of field. */
#define SAMPLE_INT  INT64_MAX
#define SAMPLE_TEXT TEXT("r\xc3\xa9sum\xc3\xa9 \x01")
#define SAMPLE_ID                                                                                  \
    (tender_id)                                                                                    \
    {                                                                                              \
        {                                                                                          \
            1, 2, 3, 4, 5, 6, 0x77, 8, 0x89, 10, 11, 12, 13, 14, 15, 255                           \
        }                                                                                          \
    }
#define SAMPLE_DIGEST                                                                              \
    (tender_digest)                                                                                \
    {                                                                                              \
        {                                                                                          \
            0xde, 0xad, 0xbe, 0xef                                                                 \
        }                                                                                          \
    }
#define SAMPLE_TEXTS                                                                               \
    (struct entry_texts)                                                                           \
    {                                                                                              \
        2, skills                                                                                  \
    }
#define SAMPLE_REASON           TENDER_REASON_OUTBID
#define SAMPLE_TASK_STATE       TENDER_TASK_UNALLOCATED
#define SAMPLE_COMMITMENT_STATE TENDER_COMMITMENT_LAPSED
#define SAMPLE_BID_STATE        TENDER_BID_LOST
#define SAMPLE_PARTIAL          TENDER_PARTIAL_COVER
#define SAMPLE_FALLBACK         TENDER_FALLBACK_HOLD
#define SAMPLE_ANSWERS                                                                             \
    (struct entry_answers)                                                                         \
    {                                                                                              \
        2, answers                                                                                 \
    }
#define SAMPLE_RANKS                                                                               \
    (struct entry_ranks)                                                                           \
    {                                                                                              \
        2, ranks                                                                                   \
    }
#define FILL(TYPE, member) fields->member = SAMPLE_##TYPE;

static void fill(struct entry *entry, enum entry_kind kind)
{
    memset(entry, 0, sizeof *entry);
    entry->kind = kind;
    switch (kind) {
#define X(code, NAME, name, help)                                                                  \
    case ENTRY_##NAME: {                                                                           \
        struct entry_##name *fields = &entry->name;                                                \
        ENTRY_##NAME##_FIELDS(FILL)                                                                \
    } break;
        ENTRY_KINDS(X)
#undef X
    }
}

static const enum entry_kind kinds[] = {
#define X(code, NAME, name, help) ENTRY_##NAME,
    ENTRY_KINDS(X)
#undef X
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

static void round_trip(enum entry_kind kind, bool is_filled)
{
    static char first[ENTRY_BODY_MAX];
    static char second[ENTRY_BODY_MAX];
    struct entry_reader *reader = NULL;
    struct entry entry = {.kind = kind};
    if (is_filled) {
        fill(&entry, kind);
    }
    int size = entry_encode(&entry, first, sizeof first);
    assert_true(size >= 2);
    struct entry read = {.kind = kind, .body = {first, (size_t)size}};
    assert_int_equal(entry_reader_open(&reader), 0);
    assert_int_equal(entry_decode(reader, &read), 0);
    assert_int_equal(entry_encode(&read, second, sizeof second), size);
    assert_memory_equal(first, second, (size_t)size);
    entry_reader_close(reader);
    for (size_t capacity = 0; capacity < (size_t)size; capacity++) {
        assert_int_equal(entry_encode(&entry, second, capacity), TENDER_ELIMIT);
    }
}

static void every_kind_survives_writing_and_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        round_trip(kinds[i], true);
        round_trip(kinds[i], false);
    }
}

static void an_empty_entry_is_an_empty_object(void **state)
{
    (void)state;
    char buffer[16];
    struct entry entry = {.kind = ENTRY_HELD};
    assert_int_equal(entry_encode(&entry, buffer, sizeof buffer), 2);
    assert_memory_equal(buffer, "{}", 2);
}

static const char golden_body[] =
    "{\"round\":1,\"answers\":[{\"contractor\":\"kiln-1\",\"principal\":\"amber\","
    "\"state\":\"standing\",\"cost_micro\":12000000,\"eta_us\":3300000000,"
    "\"text\":\"a \\\"quote\\\", a \\\\ and a\\u0009tab\"},{\"contractor\":\"kiln-2\","
    "\"principal\":\"birch\",\"state\":\"ineligible\",\"reason\":\"cost-negative\","
    "\"cost_micro\":-9223372036854775808}]}";

/* The bodies of kinds and fields that came later, filled as the samples are. */
static const struct {
    enum entry_kind kind;
    const char *body;
} golden_bodies[] = {
    {ENTRY_ASSIGNED,
     "{\"round\":9223372036854775807,\"part\":9223372036854775807,\"generation\":92233720"
     "36854775807,\"contractor\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"principal\":\"r"
     "\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"rate_micro\":9223372036854775807,\"price_micro"
     "\":9223372036854775807,\"units\":9223372036854775807,\"ceiling_micro\":922337203685"
     "4775807,\"due_at_us\":9223372036854775807,\"ack_by_us\":9223372036854775807,\"head"
     "\":\"deadbeef00000000000000000000000000000000000000000000000000000000\",\"held\":92"
     "23372036854775807}"},
    {ENTRY_DELIVERED,
     "{\"part\":9223372036854775807,\"generation\":9223372036854775807,\"contractor\":\"r"
     "\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"units_done\":9223372036854775807,\"accept_by_us"
     "\":9223372036854775807,\"evidence\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"text\":"
     "\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"size\":9223372036854775807,\"digest\":\"dead"
     "beef00000000000000000000000000000000000000000000000000000000\",\"measured_micro\":9"
     "223372036854775807,\"tier\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"acknowledged\":9"
     "223372036854775807,\"content_size\":9223372036854775807,\"content_digest\":\"deadbe"
     "ef00000000000000000000000000000000000000000000000000000000\"}"},
    {ENTRY_ADOPTED,
     "{\"part\":9223372036854775807,\"generation\":9223372036854775807,\"contractor\":\"r"
     "\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"principal\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001"
     "\",\"late\":9223372036854775807,\"units\":9223372036854775807,\"paid_micro\":922337"
     "2036854775807,\"task_state\":\"unallocated\",\"task_reason\":\"outbid\",\"released_"
     "micro\":9223372036854775807}"},
    {ENTRY_BELIEVED, "{\"by\":\"r\xc3\xa9"
                     "sum\xc3\xa9"
                     " \\u0001\",\"principal\":\"r\xc3\xa9"
                     "sum"
                     "\xc3\xa9"
                     " \\u0001\",\"belief\":\"outbid\",\"text\":\"r\xc3\xa9"
                     "sum\xc3\xa9"
                     " "
                     "\\u0001\",\"part\":9223372036854775807,\"generation\":9223372036854775807}"},
    {ENTRY_UNBLOCKED, "{\"deadline_at_us\":9223372036854775807}"},
    {ENTRY_RATED,
     "{\"skill\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\",\"tier\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     ""
     " \\u0001\",\"rate_micro\":9223372036854775807,\"threshold_micro\":92233720368547758"
     "07,\"share_ppm\":9223372036854775807,\"by\":\"r\xc3\xa9"
     "sum\xc3\xa9"
     " \\u0001\"}"},
    {ENTRY_COUNTED, "{\"resource\":\"r\xc3\xa9"
                    "sum\xc3\xa9"
                    " \\u0001\",\"contractor\":\"r\xc3\xa9"
                    "sum"
                    "\xc3\xa9"
                    " \\u0001\",\"count\":9223372036854775807,\"by\":\"r\xc3\xa9"
                    "sum"
                    "\xc3\xa9"
                    " \\u0001\"}"},
    {ENTRY_BARRED, "{\"contractor\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"principal\":\"r\xc3\xa9"
                   "sum"
                   "\xc3\xa9"
                   " \\u0001\",\"skill\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"reason\":\"ou"
                   "tbid\",\"text\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"by\":\"r\xc3\xa9"
                   "sum"
                   "\xc3\xa9"
                   " \\u0001\",\"until_us\":9223372036854775807}"},
    {ENTRY_GOALED, "{\"principal\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"goal\":\"r\xc3\xa9"
                   "sum"
                   "\xc3\xa9"
                   " \\u0001\",\"belief\":\"outbid\",\"text\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " "
                   "\\u0001\",\"by\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"until_us\":9223372036854775"
                   "807}"},
    {ENTRY_STOOD, "{\"task\":\"01020304-0506-7708-890a-0b0c0d0e0fff\","
                  "\"after\":\"01020304-0506-7708-890a-0b0c0d0e0fff\",\"state\":\"unallocated\","
                  "\"reason\":\"outbid\"}"},
    {ENTRY_RECORDED, "{\"principal\":\"r\xc3\xa9"
                     "sum\xc3\xa9"
                     " \\u0001\",\"ended\":9223372036854775807,"
                     "\"fulfilled\":9223372036854775807}"},
    {ENTRY_STRUCK, "{\"contractor\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"skill\":\"r\xc3\xa9"
                   "sum"
                   "\xc3\xa9"
                   " \\u0001\",\"client\":\"r\xc3\xa9"
                   "sum\xc3\xa9"
                   " \\u0001\",\"kept\":92233"
                   "72036854775807}"},
    {ENTRY_ADMITTED, "{\"principal\":\"r\xc3\xa9"
                     "sum\xc3\xa9 \\u0001\","
                     "\"key\":\"deadbeef00000000000000000000000000000000000000000000000000000000\","
                     "\"parent\":\"r\xc3\xa9"
                     "sum\xc3\xa9 \\u0001\","
                     "\"revoked\":9223372036854775807,"
                     "\"said_at_us\":9223372036854775807,"
                     "\"by\":\"r\xc3\xa9"
                     "sum\xc3\xa9 \\u0001\"}"},
    {ENTRY_VOUCHED, "{\"agent\":\"r\xc3\xa9"
                    "sum\xc3\xa9 \\u0001\","
                    "\"principal\":\"r\xc3\xa9"
                    "sum\xc3\xa9 \\u0001\","
                    "\"key\":\"deadbeef00000000000000000000000000000000000000000000000000000000\","
                    "\"skills\":[\"forge\",\"weave/silk\"],"
                    "\"revoked\":9223372036854775807,"
                    "\"said_at_us\":9223372036854775807,"
                    "\"by\":\"r\xc3\xa9"
                    "sum\xc3\xa9 \\u0001\"}"},
};

static void later_bodies_are_golden(void **state)
{
    (void)state;
    static char buffer[4096];
    for (size_t i = 0; i < sizeof golden_bodies / sizeof golden_bodies[0]; i++) {
        struct entry entry;
        fill(&entry, golden_bodies[i].kind);
        int size = entry_encode(&entry, buffer, sizeof buffer);
        assert_int_equal(size, strlen(golden_bodies[i].body));
        assert_memory_equal(buffer, golden_bodies[i].body, (size_t)size);
    }
}

/* Computed outside: sha256 of the label, 32 bytes of ab, the sample task, 3, 1750000000000000, … */
static const char golden_hash[] =
    "618afc15bcce75861c1dba8572de7e30f5d370d405377af094c9cc5b81f5d8fa";

static void one_body_and_its_hash_are_golden(void **state)
{
    (void)state;
    char buffer[1024];
    tender_digest previous;
    memset(previous.bytes, 0xab, sizeof previous.bytes);
    struct entry entry = {.task = SAMPLE_ID, .number = 3, .at_us = 1750000000000000};
    entry.kind = ENTRY_ANSWERED;
    entry.answered = (struct entry_answered){1, SAMPLE_ANSWERS};
    assert_int_equal(entry_seal(&entry, &previous, buffer, sizeof buffer), sizeof golden_body - 1);
    assert_memory_equal(buffer, golden_body, sizeof golden_body - 1);
    char hash[2 * sizeof entry.hash.bytes + 1];
    for (size_t i = 0; i < sizeof entry.hash.bytes; i++) {
        static const char hex[] = "0123456789abcdef";
        hash[2 * i] = hex[entry.hash.bytes[i] >> 4];
        hash[2 * i + 1] = hex[entry.hash.bytes[i] & 15];
    }
    hash[sizeof hash - 1] = '\0';
    assert_string_equal(hash, golden_hash);
}

static void a_body_that_was_not_written_so_is_refused(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "",
        "[]",
        "{",
        "{\"round\":1",
        "{\"round\": 1}",
        "{\"round\":0}",
        "{\"round\":1.0}",
        "{\"round\":\"1\"}",
        "{\"round\":9223372036854775808}",
        "{\"round\":1,\"round\":1}",
        "{\"reason\":\"none\"}",
        "{\"reason\":\"no such reason\"}",
        "{\"reason\":7}",
        "{\"reason\":\"outbid\",\"round\":1}",
        "{\"ranks\":[]}",
        "{\"ranks\":[7]}",
        "{\"ranks\":{}}",
        "{\"ranks\":[{\"contractor\":\"a\\u0000b\"}]}",
        "{\"ranks\":[{\"contractor\":\"\xff\"}]}",
        "{\"unknown\":1}",
        "{\"round\":1}x",
    };
    struct entry_reader *reader = NULL;
    assert_int_equal(entry_reader_open(&reader), 0);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct entry entry = {.kind = ENTRY_CLOSED, .body = {bodies[i], strlen(bodies[i])}};
        assert_int_equal(entry_decode(reader, &entry), TENDER_EPROTOCOL);
    }
    struct entry entry = {.kind = (enum entry_kind)99, .body = TEXT("{}")};
    assert_int_equal(entry_decode(reader, &entry), TENDER_EPROTOCOL);
    entry_reader_close(reader);
}

static void pieces_hash_as_libsodium_hashes_the_whole(void **state)
{
    (void)state;
    uint8_t bytes[700];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 13);
    }
    for (size_t size = 0; size < sizeof bytes; size++) {
        size_t cut = size * (size % 4) / 3;
        cut = cut < size ? cut : size;
        tender_bytes pieces[2] = {{bytes, cut}, {bytes + cut, size - cut}};
        tender_digest digest = sha256_pieces(pieces, 2);
        tender_digest whole;
        crypto_hash_sha256(whole.bytes, bytes, size);
        assert_memory_equal(digest.bytes, whole.bytes, sizeof digest.bytes);
    }
}

static void kinds_have_their_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        const char *name = entry_kind_name(kinds[i]);
        assert_non_null(name);
        assert_int_equal(entry_kind_parse(name, strlen(name)), (int)kinds[i]);
    }
    assert_int_equal(entry_kind_parse("nothing", 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_survives_writing_and_reading),
        cmocka_unit_test(an_empty_entry_is_an_empty_object),
        cmocka_unit_test(later_bodies_are_golden),
        cmocka_unit_test(one_body_and_its_hash_are_golden),
        cmocka_unit_test(a_body_that_was_not_written_so_is_refused),
        cmocka_unit_test(pieces_hash_as_libsodium_hashes_the_whole),
        cmocka_unit_test(kinds_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
