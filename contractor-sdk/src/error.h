/*
 * The particulars of a failure: one sentence, kept by whoever failed. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_ERROR_H
#define TENDER_CONTRACTOR_SDK_SRC_ERROR_H

#include <stddef.h>
#include <stdint.h>

struct error {
    char text[400];
};

/* Where the calling thread's failed open leaves its sentence. */
struct error *error_of_open(void);

/* Each writes a sentence and returns the status to return: `status`, TENDER_EINVAL, TENDER_ELIMIT.
 */
int error_set(struct error *error, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int error_range(struct error *error, const char *field, int64_t value, int64_t minimum,
                int64_t maximum);
int error_limit(struct error *error, const char *field, size_t size, size_t limit);

#endif
