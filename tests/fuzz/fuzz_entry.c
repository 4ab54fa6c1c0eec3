/*
 * Goal: a stored body is read back exactly or refused, and whatever an entry holds is written so
 * that reading gives the same bytes. Method: the first byte chooses the kind and which of the two
 * ways: the rest is a body, or fills the fields of an entry one after the other.
 */
#include "fuzz.h"

#include "entry.h"

#define BUILT 0x80 /* of the first byte: build an entry instead of reading a body */

static struct entry_reader *reader;
static char body[ENTRY_BODY_MAX];
static char again[ENTRY_BODY_MAX];

/* The fields of one entry being built; texts live here. */
static struct {
    char texts[4096][64];
    size_t text_count;
    tender_bytes items[1024];
    size_t item_count;
    struct entry_answer answers[16];
    struct entry_rank ranks[16];
} built;

static tender_bytes take_text(struct input *input)
{
    char *text = built.texts[built.text_count % 4096];
    struct input taken = input_take(input, input_byte(input) % 64);
    size_t size = 0;
    for (size_t i = 0; i < taken.size; i++) {
        text[size] = (char)taken.data[i];
        size += taken.data[i] != 0 && taken.data[i] < 0x80; /* texts are UTF-8 without NUL */
    }
    built.text_count++;
    return (tender_bytes){text, size};
}

static struct entry_texts take_texts(struct input *input)
{
    size_t count = input_byte(input) % 9;
    tender_bytes *items = &built.items[built.item_count];
    built.item_count += count;
    for (size_t i = 0; i < count; i++) {
        items[i] = take_text(input);
    }
    return (struct entry_texts){count, items};
}

static tender_id take_id(struct input *input)
{
    tender_id id;
    memset(&id, input_byte(input), sizeof id);
    return id;
}

static tender_digest take_digest(struct input *input)
{
    tender_digest digest;
    memset(&digest, input_byte(input), sizeof digest);
    return digest;
}

static int take_code(struct input *input, const char *(*name)(int code))
{
    int code = input_byte(input) % 64;
    return name(code) != NULL ? code : 0;
}

#define NAME_OF(noun)                                                                              \
    static const char *noun##_of(int code)                                                         \
    {                                                                                              \
        return tender_##noun##_name((tender_##noun)code);                                          \
    }
NAME_OF(reason)
NAME_OF(task_state)
NAME_OF(commitment_state)
NAME_OF(bid_state)
NAME_OF(partial)
NAME_OF(fallback)

#define TAKE_INT(input)              (int64_t) input_number(input, 8)
#define TAKE_TEXT(input)             take_text(input)
#define TAKE_ID(input)               take_id(input)
#define TAKE_DIGEST(input)           take_digest(input)
#define TAKE_TEXTS(input)            take_texts(input)
#define TAKE_REASON(input)           (tender_reason) take_code(input, reason_of)
#define TAKE_TASK_STATE(input)       (tender_task_state) take_code(input, task_state_of)
#define TAKE_COMMITMENT_STATE(input) (tender_commitment_state) take_code(input, commitment_state_of)
#define TAKE_BID_STATE(input)        (tender_bid_state) take_code(input, bid_state_of)
#define TAKE_PARTIAL(input)          (tender_partial) take_code(input, partial_of)
#define TAKE_FALLBACK(input)         (tender_fallback) take_code(input, fallback_of)
#define TAKE_ANSWERS(input)          take_answers(input)
#define TAKE_RANKS(input)            take_ranks(input)
#define TAKE_FIELD(TYPE, member)     fields->member = TAKE_##TYPE(input);

static struct entry_answers take_answers(struct input *input)
{
    size_t count = input_byte(input) % 16;
    for (size_t i = 0; i < count; i++) {
        struct entry_answer *fields = &built.answers[i];
        ENTRY_ANSWER_FIELDS(TAKE_FIELD)
    }
    return (struct entry_answers){count, built.answers};
}

static struct entry_ranks take_ranks(struct input *input)
{
    size_t count = input_byte(input) % 16;
    for (size_t i = 0; i < count; i++) {
        struct entry_rank *fields = &built.ranks[i];
        ENTRY_RANK_FIELDS(TAKE_FIELD)
    }
    return (struct entry_ranks){count, built.ranks};
}

#define TAKE_BODY(NAME, name)                                                                      \
    static void take_##name(struct input *input, struct entry_##name *fields)                      \
    {                                                                                              \
        ENTRY_##NAME##_FIELDS(TAKE_FIELD)                                                          \
    }
#define X(code, NAME, name, help) TAKE_BODY(NAME, name)
ENTRY_KINDS(X)
#undef X

static void take_entry(struct input *input, struct entry *entry)
{
    built.text_count = 0;
    built.item_count = 0;
    switch (entry->kind) {
#define X(code, NAME, name, help)                                                                  \
    case ENTRY_##NAME:                                                                             \
        take_##name(input, &entry->name);                                                          \
        break;
        ENTRY_KINDS(X)
#undef X
    }
}

/* What was decoded is sealed to the same bytes, and a second reading of them agrees. */
static void check_decoded(struct entry *entry)
{
    static const tender_digest first;
    tender_bytes given = entry->body;
    int size = entry_seal(entry, &first, again, sizeof again);
    expect(size >= 0 && (size_t)size == given.size);
    expect(memcmp(again, given.data, given.size) == 0);
    tender_digest hash = entry->hash;
    expect(entry_seal(entry, &first, again, sizeof again) == size);
    expect(memcmp(&hash, &entry->hash, sizeof hash) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    if (reader == NULL) {
        expect(entry_reader_open(&reader) == 0);
    }
    uint8_t choice = input_byte(&input);
    struct entry entry = {.kind = (enum entry_kind)(choice & 0x7f), .number = 1, .at_us = 1};
    if ((choice & BUILT) == 0) {
        entry.body = (tender_bytes){input.data, input.size};
        int status = entry_decode(reader, &entry);
        expect(status == 0 || status == TENDER_EPROTOCOL);
        if (status == 0) {
            check_decoded(&entry);
        }
        return 0;
    }
    if (entry_kind_name(entry.kind) == NULL) {
        return 0;
    }
    take_entry(&input, &entry);
    int written = entry_encode(&entry, body, sizeof body);
    expect(written > 0);
    struct entry read = {.kind = entry.kind, .body = {body, (size_t)written}};
    expect(entry_decode(reader, &read) == 0);
    check_decoded(&read);
    return 0;
}
