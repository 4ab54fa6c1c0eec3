/* See vectors.h. Whatever is wrong with the file ends the test program. */
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *root;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "vectors.json: %s\n", what);
        abort();
    }
}

json_t *vectors_load(const char *name)
{
    if (root == NULL) {
        json_error_t error;
        root = json_load_file(VECTORS_FILE, 0, &error);
        expect(root != NULL, error.text);
    }
    json_t *list = json_object_get(root, name);
    expect(json_is_array(list), name);
    return list;
}

void vectors_unload(void)
{
    json_decref(root);
    root = NULL;
}

const char *vector_text(const json_t *vector, const char *name)
{
    const char *text = json_string_value(json_object_get(vector, name));
    return text == NULL ? "" : text;
}

static size_t parse_hex(const char *hex, uint8_t *bytes_out, size_t capacity)
{
    size_t size = 0;
    for (; hex[0] != '\0'; hex += hex[0] == '-' ? 1 : 2) {
        if (hex[0] != '-') {
            char digits[3] = {hex[0], hex[1], '\0'};
            expect(size < capacity, "a value is too long");
            bytes_out[size++] = (uint8_t)strtoul(digits, NULL, 16);
        }
    }
    return size;
}

uint8_t *vector_frame(const json_t *vector, size_t *size_out)
{
    const char *hex = vector_text(vector, "hex");
    size_t size = strlen(hex) / 2;
    uint8_t *frame = malloc(size == 0 ? 1 : size);
    expect(frame != NULL, "out of memory");
    *size_out = parse_hex(hex, frame, size);
    return frame;
}

int vector_field(const char *name)
{
#define X(key, NAME, member, TYPE, field_name)                                                     \
    if (strcmp(name, field_name) == 0) {                                                           \
        return key;                                                                                \
    }
    MESSAGE_FIELDS(X)
#undef X
    return 0;
}

static tender_bytes text_of(const json_t *value)
{
    return (tender_bytes){json_string_value(value), json_string_length(value)};
}

static struct message_texts texts_of(const json_t *value, struct vector_store *store)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        store->texts[i] = text_of(json_array_get(value, i));
    }
    return (struct message_texts){(uint32_t)json_array_size(value), store->texts};
}

static tender_bytes bytes_of(const json_t *value, struct vector_store *store)
{
    uint8_t *bytes = store->content + store->content_size;
    size_t size =
        parse_hex(json_string_value(value), bytes, sizeof store->content - store->content_size);
    store->content_size += size;
    return (tender_bytes){bytes, size};
}

#define MAKE_INT(member)   message_out->member = json_integer_value(value)
#define MAKE_ENUM(member)  MAKE_INT(member)
#define MAKE_TEXT(member)  message_out->member = text_of(value)
#define MAKE_BYTES(member) message_out->member = bytes_of(value, store)
#define MAKE_ID(member)                                                                            \
    (void)parse_hex(json_string_value(value), message_out->member.bytes,                           \
                    sizeof message_out->member.bytes)
#define MAKE_DIGEST(member) MAKE_ID(member)
#define MAKE_TEXTS(member)  message_out->member = texts_of(value, store)

void vector_message(const json_t *meaning, struct vector_store *store, struct message *message_out)
{
    const char *performative = vector_text(meaning, "performative");
    *message_out = (struct message){0};
    store->content_size = 0;
    message_out->performative =
        (tender_performative)tender_performative_parse(performative, strlen(performative));
    expect((int)message_out->performative != 0, performative);
    (void)parse_hex(vector_text(meaning, "conversation"), message_out->conversation.bytes, 16);
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(meaning, "fields"), name, value)
    {
        int field = vector_field(name);
        expect(field != 0, name);
        message_out->present |= MESSAGE_BIT(field);
        switch (field) {
#define X(key, NAME, member, TYPE, field_name)                                                     \
    case key:                                                                                      \
        MAKE_##TYPE(member);                                                                       \
        break;
            MESSAGE_FIELDS(X)
#undef X
        default:
            break;
        }
    }
}
