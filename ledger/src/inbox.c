/*
 * The inbox: requests that people wrote in SQL, read as if a peer had said them, and their answers.
 *
 * A body is a JSON object with the fields of a message by name, `task` being the conversation.
 * Words stand for codes, instants and durations are integers of µs, bytes are base64. It is checked
 * like a frame on the wire: a field that is malformed or out of range is the message's fault, and
 * not present.
 */
#include "private.h"

#include "wire.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* What a message borrows while it is read. */
struct reading {
    json_t *root;
    tender_bytes texts[TENDER_SKILLS_MAX];
    uint8_t *bytes[2];
    size_t byte_count;
};

static int word_parse(enum message_field field, const char *name, size_t size)
{
    switch (field) {
    case MESSAGE_PARTIAL:
        return tender_partial_parse(name, size);
    case MESSAGE_FALLBACK:
        return tender_fallback_parse(name, size);
    case MESSAGE_TASK_STATE:
        return tender_task_state_parse(name, size);
    case MESSAGE_STATE:
        return tender_commitment_state_parse(name, size);
    case MESSAGE_REASON:
        return tender_reason_parse(name, size);
    default:
        return -1;
    }
}

static const char *word_name(enum message_field field, int64_t code)
{
    switch (field) {
    case MESSAGE_PARTIAL:
        return tender_partial_name((tender_partial)code);
    case MESSAGE_FALLBACK:
        return tender_fallback_name((tender_fallback)code);
    case MESSAGE_TASK_STATE:
        return tender_task_state_name((tender_task_state)code);
    case MESSAGE_STATE:
        return tender_commitment_state_name((tender_commitment_state)code);
    case MESSAGE_REASON:
        return tender_reason_name((tender_reason)code);
    default:
        return NULL;
    }
}

/* Each reader returns TENDER_REASON_NONE, or why the value is no value of its field. */
static tender_reason read_INT(struct reading *reading, enum message_field field,
                              const json_t *value, int64_t *value_out)
{
    (void)reading;
    if (!json_is_integer(value)) {
        return json_is_real(value) ? TENDER_REASON_OUT_OF_RANGE : TENDER_REASON_MALFORMED;
    }
    *value_out = json_integer_value(value);
    return message_field_allows(field, *value_out) ? TENDER_REASON_NONE
                                                   : TENDER_REASON_OUT_OF_RANGE;
}

static tender_reason read_ENUM(struct reading *reading, enum message_field field,
                               const json_t *value, int64_t *value_out)
{
    (void)reading;
    const char *name = json_string_value(value);
    int code = name == NULL ? -1 : word_parse(field, name, json_string_length(value));
    if (code < 0 || (code == 0 && field != MESSAGE_REASON)) {
        return name == NULL ? TENDER_REASON_MALFORMED : TENDER_REASON_OUT_OF_RANGE;
    }
    *value_out = code;
    return TENDER_REASON_NONE;
}

static tender_reason read_TEXT(struct reading *reading, enum message_field field,
                               const json_t *value, tender_bytes *value_out)
{
    (void)reading;
    if (!json_is_string(value)) {
        return TENDER_REASON_MALFORMED;
    }
    *value_out = (tender_bytes){json_string_value(value), json_string_length(value)};
    return message_text_fault(field, *value_out);
}

static tender_reason read_BYTES(struct reading *reading, enum message_field field,
                                const json_t *value, tender_bytes *value_out)
{
    (void)field;
    const char *text = json_string_value(value);
    size_t slots = sizeof reading->bytes / sizeof reading->bytes[0];
    if (text == NULL || reading->byte_count == slots) {
        return TENDER_REASON_MALFORMED;
    }
    size_t size = 0;
    uint8_t *bytes = malloc(TENDER_CONTENT_MAX + 1);
    reading->bytes[reading->byte_count++] = bytes;
    if (bytes == NULL ||
        sodium_base642bin(bytes, TENDER_CONTENT_MAX + 1, text, json_string_length(value), "\n",
                          &size, NULL, sodium_base64_VARIANT_ORIGINAL) != 0) {
        return json_string_length(value) / 4 * 3 > TENDER_CONTENT_MAX ? TENDER_REASON_OUT_OF_RANGE
                                                                      : TENDER_REASON_MALFORMED;
    }
    *value_out = (tender_bytes){bytes, size};
    return size <= TENDER_CONTENT_MAX ? TENDER_REASON_NONE : TENDER_REASON_OUT_OF_RANGE;
}

static tender_reason read_ID(struct reading *reading, enum message_field field, const json_t *value,
                             tender_id *value_out)
{
    (void)reading;
    (void)field;
    const char *text = json_string_value(value);
    return text != NULL && tender_id_parse(text, json_string_length(value), value_out) == 0
               ? TENDER_REASON_NONE
               : TENDER_REASON_MALFORMED;
}

static tender_reason read_DIGEST(struct reading *reading, enum message_field field,
                                 const json_t *value, tender_digest *value_out)
{
    (void)reading;
    (void)field;
    const char *text = json_string_value(value);
    size_t size = 0;
    return text != NULL &&
                   sodium_hex2bin(value_out->bytes, sizeof value_out->bytes, text,
                                  json_string_length(value), NULL, &size, NULL) == 0 &&
                   size == sizeof value_out->bytes
               ? TENDER_REASON_NONE
               : TENDER_REASON_MALFORMED;
}

static tender_reason read_TEXTS(struct reading *reading, enum message_field field,
                                const json_t *value, struct message_texts *value_out)
{
    size_t count = json_array_size(value);
    if (!json_is_array(value)) {
        return TENDER_REASON_MALFORMED;
    }
    if (count > TENDER_SKILLS_MAX) {
        return TENDER_REASON_OUT_OF_RANGE;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(value, i);
        tender_reason reason = read_TEXT(reading, field, item, &reading->texts[i]);
        if (reason != TENDER_REASON_NONE) {
            return reason;
        }
    }
    *value_out = (struct message_texts){(uint32_t)count, reading->texts};
    return TENDER_REASON_NONE;
}

static void note_fault(struct message *message, enum message_field field, tender_reason reason)
{
    message->faulty |= MESSAGE_BIT(field);
    if (message->fault == 0) {
        message->fault = field;
        message->fault_reason = reason;
    }
}

static void read_fields(struct reading *reading, struct message *message)
{
    const json_t *value;
    tender_reason reason;
#define X(key, NAME, member, TYPE, name)                                                           \
    value = json_object_get(reading->root, name);                                                  \
    if (value != NULL && !json_is_null(value)) {                                                   \
        reason = read_##TYPE(reading, MESSAGE_##NAME, value, &message->member);                    \
        if (reason == TENDER_REASON_NONE) {                                                        \
            message->present |= MESSAGE_BIT(MESSAGE_##NAME);                                       \
        } else {                                                                                   \
            note_fault(message, MESSAGE_##NAME, reason);                                           \
        }                                                                                          \
    }
    MESSAGE_FIELDS(X)
#undef X
    value = json_object_get(reading->root, "task");
    if (value != NULL) {
        (void)read_ID(reading, 0, value, &message->conversation);
    }
}

static int inbox_hold(struct ledger *ledger, uint32_t shard, uint64_t request)
{
    if (ledger->held_count == ledger->held_capacity) {
        size_t capacity =
            ledger->held_capacity == 0 ? REQUESTS_PER_POLL : ledger->held_capacity * 2;
        struct held_request *held = realloc(ledger->held, capacity * sizeof *held);
        if (held == NULL) {
            return TENDER_ENOMEM;
        }
        ledger->held = held;
        ledger->held_capacity = capacity;
    }
    ledger->held[ledger->held_count++] = (struct held_request){request, shard};
    return 0;
}

static bool inbox_holds(const struct ledger *ledger, uint64_t request)
{
    for (size_t i = 0; i < ledger->held_count; i++) {
        if (ledger->held[i].request == request) {
            return true;
        }
    }
    return false;
}

/* Of one that was handed out; the first shard for any other, which has no row to be answered. */
static uint32_t inbox_shard(const struct ledger *ledger, uint64_t request)
{
    size_t at = 0;
    while (at < ledger->held_count && ledger->held[at].request != request) {
        at++;
    }
    return at < ledger->held_count ? ledger->held[at].shard : shard_first(ledger->shards);
}

static void hand_out(struct ledger *ledger, uint32_t shard, const PGresult *result, int row)
{
    struct reading reading = {0};
    struct ledger_request request = {
        .request = (uint64_t)cell_integer(result, row, 0),
        .shard = shard,
        .peer = cell_bytes(result, row, 2),
        .principal = cell_bytes(result, row, 3),
        .is_operator = PQgetvalue(result, row, 4)[0] != 0,
    };
    tender_bytes kind = cell_bytes(result, row, 1);
    tender_bytes body = cell_bytes(result, row, 5);
    reading.root = json_loadb(body.data, body.size, 0, NULL);
    if (inbox_holds(ledger, request.request) || inbox_hold(ledger, shard, request.request) != 0) {
        json_decref(reading.root);
        return; /* the next poll brings it again */
    }
    int performative = tender_performative_parse(kind.data, kind.size);
    request.message.performative = (tender_performative)(performative < 0 ? 0 : performative);
    read_fields(&reading, &request.message);
    request.amount_micro = json_integer_value(json_object_get(reading.root, "amount_micro"));
    if (ledger->handlers.on_request != NULL) {
        ledger->handlers.on_request(ledger->handlers.context, &request);
    }
    for (size_t i = 0; i < reading.byte_count; i++) {
        free(reading.bytes[i]);
    }
    json_decref(reading.root);
}

void inbox_read(struct ledger *ledger, const PGresult *result)
{
    uint32_t shard = shard_take(&ledger->poll_shards); /* answers come in the order of the shards */
    for (int row = 0; row < PQntuples(result); row++) {
        hand_out(ledger, shard, result, row);
    }
    if (PQntuples(result) == REQUESTS_PER_POLL) {
        ledger->wants_poll = true;
    }
}

void inbox_release(struct ledger *ledger, const struct batch *batch)
{
    const struct answer_row *answers = batch->answers.items;
    for (size_t i = 0; i < batch->answers.count; i++) {
        for (size_t at = 0; at < ledger->held_count; at++) {
            if (ledger->held[at].request == (uint64_t)answers[i].request) {
                ledger->held[at] = ledger->held[--ledger->held_count];
                break;
            }
        }
    }
}

static int queue_poll(struct ledger *ledger, uint32_t shard)
{
    struct column columns[3] = {{0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_begin_array(&columns[1], COLUMN_INT8);
    for (size_t i = 0; i < ledger->held_count; i++) {
        column_integer(&columns[1], (int64_t)ledger->held[i].request);
    }
    column_set_integer(&columns[2], COLUMN_INT4, REQUESTS_PER_POLL);
    return pipeline_queue(ledger, STATEMENT_PENDING_REQUESTS, columns, 3);
}

int inbox_queue(struct ledger *ledger)
{
    int status = 0;
    ledger->poll_shards = ledger->shards;
    for (uint64_t left = ledger->shards; status == 0 && left != 0;) {
        status = queue_poll(ledger, shard_take(&left));
    }
    return status;
}

int ledger_poll_inbox(struct ledger *ledger)
{
    ledger->wants_poll = true;
    return pipeline_send(ledger);
}

/* Each writer returns a new value, or NULL when memory ran out. */
static json_t *write_INT(enum message_field field, int64_t value)
{
    (void)field;
    return json_integer(value);
}

static json_t *write_ENUM(enum message_field field, int64_t value)
{
    const char *name = word_name(field, value);
    return name == NULL ? json_integer(value) : json_string(name);
}

static json_t *write_TEXT(enum message_field field, tender_bytes value)
{
    (void)field;
    return json_stringn(value.size == 0 ? "" : value.data, value.size);
}

static json_t *write_BYTES(enum message_field field, tender_bytes value)
{
    (void)field;
    size_t size = sodium_base64_encoded_len(value.size, sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(size);
    if (text == NULL) {
        return NULL;
    }
    sodium_bin2base64(text, size, value.data, value.size, sodium_base64_VARIANT_ORIGINAL);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static json_t *write_ID(enum message_field field, tender_id value)
{
    (void)field;
    char text[TENDER_ID_TEXT_SIZE];
    tender_id_format(value, text);
    return json_string(text);
}

static json_t *write_DIGEST(enum message_field field, tender_digest value)
{
    (void)field;
    char text[2 * sizeof value.bytes + 1];
    sodium_bin2hex(text, sizeof text, value.bytes, sizeof value.bytes);
    return json_string(text);
}

static json_t *write_TEXTS(enum message_field field, struct message_texts value)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list != NULL && i < value.count; i++) {
        if (json_array_append_new(list, write_TEXT(field, value.items[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static char *message_write(const struct message *message)
{
    json_t *root = json_object();
    const char *performative = tender_performative_name(message->performative);
    int status = performative == NULL
                     ? 0
                     : json_object_set_new(root, "performative", json_string(performative));
    if (!tender_id_is_nil(message->conversation)) {
        status |= json_object_set_new(root, "task", write_ID(0, message->conversation));
    }
#define X(key, NAME, member, TYPE, name)                                                           \
    if (message_has(message, MESSAGE_##NAME)) {                                                    \
        status |= json_object_set_new(root, name, write_##TYPE(MESSAGE_##NAME, message->member));  \
    }
    MESSAGE_FIELDS(X)
#undef X
    char *text = status == 0 ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

int ledger_answer(struct ledger *ledger, uint64_t request, const struct message *message)
{
    char *text = message_write(message);
    struct batch *batch = bundle_touch(ledger->filling, inbox_shard(ledger, request));
    struct answer_row *row = text == NULL || batch == NULL ? NULL : rows_add(&batch->answers);
    tender_bytes kept = {0};
    if (row != NULL) {
        kept = batch_keep(batch, (tender_bytes){text, strlen(text)});
        row->request = (int64_t)request;
        row->answer = kept;
        ledger->filling->size += kept.size;
    }
    free(text);
    return kept.data == NULL ? TENDER_ENOMEM : 0;
}
