/*
 * Reads vectors.json for the tests of the wire: hex, meanings, and messages made from meanings.
 */
#ifndef TENDER_TESTS_WIRE_VECTORS_H
#define TENDER_TESTS_WIRE_VECTORS_H

#include <jansson.h>

#include "wire.h"

/* The array of that name; aborts when the file cannot be read. Borrowed from a static root. */
json_t *vectors_load(const char *name);
void vectors_unload(void);

/* Bytes of the vector's "hex" in a buffer of their exact size, so that a read beyond is found. */
uint8_t *vector_frame(const json_t *vector, size_t *size_out);
const char *vector_text(const json_t *vector, const char *name);

/* The message that a meaning describes. Texts are borrowed from `store`, which lives as long. */
struct vector_store {
    tender_bytes texts[TENDER_SKILLS_MAX];
    size_t content_size;
    uint8_t content[256];
};
void vector_message(const json_t *meaning, struct vector_store *store, struct message *message_out);

/* The field of that name, or 0. */
int vector_field(const char *name);

#endif
