/*
 * What the fuzz targets share: a claim that holds in release builds too, and bytes taken from the
 * input one after the other, zeros once they are used up.
 */
#ifndef TENDER_TESTS_FUZZ_FUZZ_H
#define TENDER_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define expect(claim) fuzz_expect(claim, #claim, __FILE__, __LINE__)

static inline void fuzz_expect(bool holds, const char *claim, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, claim);
        abort();
    }
}

struct input {
    const uint8_t *data;
    size_t size;
};

static inline uint8_t input_byte(struct input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->data++;
}

static inline uint64_t input_number(struct input *input, int bytes)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) {
        number = number << 8 | input_byte(input);
    }
    return number;
}

/* At most `limit` bytes, borrowed from the input. */
static inline struct input input_take(struct input *input, size_t limit)
{
    struct input taken = {input->data, limit < input->size ? limit : input->size};
    input->data += taken.size;
    input->size -= taken.size;
    return taken;
}

/* A copy that ends with NUL, exact so that every overrun is seen; free it. */
static inline char *input_text(struct input input)
{
    char *text = malloc(input.size + 1);
    expect(text != NULL);
    if (input.size > 0) {
        memcpy(text, input.data, input.size);
    }
    text[input.size] = '\0';
    return text;
}

#endif
