/*
 * Lines of a name, a space and a value, in a fixed order: how checkpoints and proofs are written.
 * Every value has one spelling, so a text says one thing and one text says it.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_LINES_H
#define TENDER_CONTRACTOR_SDK_SRC_LINES_H

#include "tender/vocabulary.h"

/* What is left of a text; `has_failed` once something was not as it must be. */
struct lines {
    const char *at;
    const char *end;
    bool has_failed;
};

/* Takes the line that is `text`. */
void lines_take(struct lines *lines, const char *text);
/* Takes the line of `name`, and returns its value; empty where it is not there. */
tender_bytes lines_value(struct lines *lines, const char *name);
/* Whether the next line is that of `name`. */
bool lines_have(const struct lines *lines, const char *name);
/* Values that are a decimal number up to `max`, an identifier, or `size` bytes in hex. */
uint64_t lines_number(struct lines *lines, const char *name, uint64_t max);
tender_id lines_id(struct lines *lines, const char *name);
void lines_hex(struct lines *lines, const char *name, const char *before, uint8_t *bytes_out,
               size_t size);

#endif
