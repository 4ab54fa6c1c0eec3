/*
 * Checks of what the program says, before it is queued: the sentence names the field and its range.
 */
#include <string.h>

#include "session.h"

int session_check_int(struct error *error, enum message_field field, int64_t value)
{
    int64_t minimum = 0;
    int64_t maximum = 0;
    (void)message_field_range(field, &minimum, &maximum);
    return value < minimum || value > maximum
               ? error_range(error, message_field_name(field), value, minimum, maximum)
               : 0;
}

int session_check_text(struct error *error, const char *field, const char *text, size_t limit)
{
    size_t size = text == NULL ? 0 : strlen(text);
    if (size > limit) {
        return error_limit(error, field, size, limit);
    }
    if (!tender_text_is_valid(text, size)) {
        return error_set(error, TENDER_EINVAL, "%s is not UTF-8", field);
    }
    return 0;
}

int session_check_content(struct error *error, const char *field, tender_bytes content)
{
    if (content.data == NULL && content.size > 0) {
        return error_set(error, TENDER_EINVAL, "%s has a size and no data", field);
    }
    return content.size > TENDER_CONTENT_MAX
               ? error_limit(error, field, content.size, TENDER_CONTENT_MAX)
               : 0;
}
