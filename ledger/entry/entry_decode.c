/*
 * Reads entry bodies with jansson, by the field tables of entry.h. Strict: a body that entry_encode
 * would not have written byte for byte is refused, so what was recalled can be sealed again.
 */
#include "entry.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

#define READER_ITEMS_MAX 2048 /* texts, answers or ranks of one entry */

struct entry_reader {
    json_t *root;
    size_t text_count; /* of all lists of the entry being read */
    tender_bytes texts[READER_ITEMS_MAX];
    struct entry_answer answers[READER_ITEMS_MAX];
    struct entry_rank ranks[READER_ITEMS_MAX];
    char again[ENTRY_BODY_MAX];
};

int entry_reader_open(struct entry_reader **reader_out)
{
    *reader_out = calloc(1, sizeof **reader_out);
    return *reader_out != NULL ? 0 : TENDER_ENOMEM;
}

void entry_reader_close(struct entry_reader *reader)
{
    if (reader != NULL) {
        json_decref(reader->root);
        free(reader);
    }
}

static bool get_int(const json_t *value, int64_t *out)
{
    *out = (int64_t)json_integer_value(value);
    return json_is_integer(value);
}

static bool get_text(const json_t *value, tender_bytes *out)
{
    *out = (tender_bytes){json_string_value(value), json_string_length(value)};
    return json_is_string(value);
}

static bool get_id(const json_t *value, tender_id *out)
{
    return json_is_string(value) &&
           tender_id_parse(json_string_value(value), json_string_length(value), out) == 0;
}

static int nibble(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool get_digest(const json_t *value, tender_digest *out)
{
    const char *hex = json_string_value(value);
    if (hex == NULL || json_string_length(value) != 2 * sizeof out->bytes) {
        return false;
    }
    for (size_t i = 0; i < sizeof out->bytes; i++) {
        int high = nibble(hex[2 * i]);
        int low = nibble(hex[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* The code of a name, or 0: no body writes the row that is 0. */
static int get_code(const json_t *value, int (*parse)(const char *name, size_t size))
{
    int code =
        json_is_string(value) ? parse(json_string_value(value), json_string_length(value)) : 0;
    return code > 0 ? code : 0;
}

#define GET_INT(value, out)     get_int(value, out)
#define GET_TEXT(value, out)    get_text(value, out)
#define GET_ID(value, out)      get_id(value, out)
#define GET_DIGEST(value, out)  get_digest(value, out)
#define GET_TEXTS(value, out)   get_texts(reader, value, out)
#define GET_ANSWERS(value, out) get_answers(reader, value, out)
#define GET_RANKS(value, out)   get_ranks(reader, value, out)
#define GET_REASON(value, out)  ((*(out) = (tender_reason)get_code(value, tender_reason_parse)) > 0)
#define GET_TASK_STATE(value, out)                                                                 \
    ((*(out) = (tender_task_state)get_code(value, tender_task_state_parse)) > 0)
#define GET_COMMITMENT_STATE(value, out)                                                           \
    ((*(out) = (tender_commitment_state)get_code(value, tender_commitment_state_parse)) > 0)
#define GET_BID_STATE(value, out)                                                                  \
    ((*(out) = (tender_bid_state)get_code(value, tender_bid_state_parse)) > 0)
#define GET_PARTIAL(value, out)                                                                    \
    ((*(out) = (tender_partial)get_code(value, tender_partial_parse)) > 0)
#define GET_FALLBACK(value, out)                                                                   \
    ((*(out) = (tender_fallback)get_code(value, tender_fallback_parse)) > 0)

/* A field that is not there stays zero. */
#define GET_FIELD(TYPE, member)                                                                    \
    do {                                                                                           \
        const json_t *value = json_object_get(object, #member);                                    \
        if (value != NULL && !GET_##TYPE(value, &fields->member)) {                                \
            return false;                                                                          \
        }                                                                                          \
    } while (0);

static bool get_texts(struct entry_reader *reader, const json_t *list, struct entry_texts *out)
{
    size_t count = json_array_size(list);
    tender_bytes *texts = &reader->texts[reader->text_count];
    if (!json_is_array(list) || count > READER_ITEMS_MAX - reader->text_count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!get_text(json_array_get(list, i), &texts[i])) {
            return false;
        }
    }
    *out = (struct entry_texts){count, texts};
    reader->text_count += count;
    return true;
}

static bool get_answer(const json_t *object, struct entry_answer *fields)
{
    ENTRY_ANSWER_FIELDS(GET_FIELD)
    return json_is_object(object);
}

static bool get_answers(struct entry_reader *reader, const json_t *list, struct entry_answers *out)
{
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count > READER_ITEMS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        memset(&reader->answers[i], 0, sizeof reader->answers[i]);
        if (!get_answer(json_array_get(list, i), &reader->answers[i])) {
            return false;
        }
    }
    *out = (struct entry_answers){count, reader->answers};
    return true;
}

static bool get_rank(const json_t *object, struct entry_rank *fields)
{
    ENTRY_RANK_FIELDS(GET_FIELD)
    return json_is_object(object);
}

static bool get_ranks(struct entry_reader *reader, const json_t *list, struct entry_ranks *out)
{
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count > READER_ITEMS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        memset(&reader->ranks[i], 0, sizeof reader->ranks[i]);
        if (!get_rank(json_array_get(list, i), &reader->ranks[i])) {
            return false;
        }
    }
    *out = (struct entry_ranks){count, reader->ranks};
    return true;
}

#define GET_BODY(NAME, name)                                                                       \
    static bool get_body_##name(struct entry_reader *reader, const json_t *object,                 \
                                struct entry_##name *fields)                                       \
    {                                                                                              \
        (void)reader;                                                                              \
        memset(fields, 0, sizeof *fields);                                                         \
        ENTRY_##NAME##_FIELDS(GET_FIELD) return true;                                              \
    }
#define X(code, NAME, name, help) GET_BODY(NAME, name)
ENTRY_KINDS(X)
#undef X

static bool get_body(struct entry_reader *reader, const json_t *object, struct entry *entry)
{
    switch (entry->kind) {
#define X(code, NAME, name, help)                                                                  \
    case ENTRY_##NAME:                                                                             \
        return get_body_##name(reader, object, &entry->name);
        ENTRY_KINDS(X)
#undef X
    }
    return false;
}

int entry_decode(struct entry_reader *reader, struct entry *entry)
{
    json_decref(reader->root);
    reader->root = NULL;
    reader->text_count = 0;
    if (entry->body.size > ENTRY_BODY_MAX || entry_kind_name(entry->kind) == NULL) {
        return TENDER_EPROTOCOL;
    }
    json_error_t error;
    reader->root = json_loadb(entry->body.data, entry->body.size, JSON_REJECT_DUPLICATES, &error);
    if (reader->root == NULL) {
        return json_error_code(&error) == json_error_out_of_memory ? TENDER_ENOMEM
                                                                   : TENDER_EPROTOCOL;
    }
    if (!json_is_object(reader->root) || !get_body(reader, reader->root, entry)) {
        return TENDER_EPROTOCOL;
    }
    int size = entry_encode(entry, reader->again, sizeof reader->again);
    bool is_same = size >= 0 && (size_t)size == entry->body.size &&
                   memcmp(reader->again, entry->body.data, entry->body.size) == 0;
    return is_same ? 0 : TENDER_EPROTOCOL;
}
