/*
 * Errors in words: the sentence for a code, and the particulars of the last failure of a view or of
 * a thread's last open. Knows nothing of sessions.
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

#include "tender/contractor.h"

#define STRING_(text) #text
#define STRING(text)  STRING_(text)

static _Thread_local struct error open_error;

const char *tender_strerror(int error)
{
    switch (error) {
#define X(value, NAME, text)                                                                       \
    case value:                                                                                    \
        return text;
        TENDER_ERRORS(X)
#undef X
    default:
        return error >= 0 ? "no error" : "unknown error";
    }
}

const char *tender_version(void)
{
    return STRING(TENDER_VERSION);
}

struct error *error_of_open(void)
{
    return &open_error;
}

int error_set(struct error *error, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

int error_range(struct error *error, const char *field, int64_t value, int64_t minimum,
                int64_t maximum)
{
    return error_set(error, TENDER_EINVAL, "%s is %lld and must be %lld to %lld", field,
                     (long long)value, (long long)minimum, (long long)maximum);
}

int error_limit(struct error *error, const char *field, size_t size, size_t limit)
{
    return error_set(error, TENDER_ELIMIT, "%s has %zu bytes and may have %zu", field, size, limit);
}
