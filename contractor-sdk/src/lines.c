/* Lines of a name and a value: see lines.h. */
#include "lines.h"

#include <sodium.h>
#include <string.h>

#define HEX_BYTES_MAX 64 /* a signature */

/* Moves past the line. */
static tender_bytes next_line(struct lines *lines)
{
    size_t left = (size_t)(lines->end - lines->at);
    const char *end = left == 0 ? NULL : memchr(lines->at, '\n', left);
    if (end == NULL) {
        lines->has_failed = true;
        lines->at = lines->end;
        return (tender_bytes){"", 0};
    }
    tender_bytes line = {lines->at, (size_t)(end - lines->at)};
    lines->at = end + 1;
    return line;
}

void lines_take(struct lines *lines, const char *text)
{
    tender_bytes line = next_line(lines);
    bool is_it = line.size == strlen(text) && memcmp(line.data, text, line.size) == 0;
    lines->has_failed = lines->has_failed || !is_it;
}

bool lines_have(const struct lines *lines, const char *name)
{
    size_t size = strlen(name);
    return (size_t)(lines->end - lines->at) > size && memcmp(lines->at, name, size) == 0 &&
           lines->at[size] == ' ';
}

tender_bytes lines_value(struct lines *lines, const char *name)
{
    if (!lines_have(lines, name)) {
        lines->has_failed = true;
        return (tender_bytes){"", 0};
    }
    tender_bytes line = next_line(lines);
    size_t skip = strlen(name) + 1;
    return line.size < skip ? line
                            : (tender_bytes){(const char *)line.data + skip, line.size - skip};
}

uint64_t lines_number(struct lines *lines, const char *name, uint64_t max)
{
    tender_bytes value = lines_value(lines, name);
    const char *digits = value.data;
    uint64_t number = 0;
    bool is_right = value.size >= 1 && value.size <= 19 && (value.size == 1 || digits[0] != '0');
    for (size_t i = 0; is_right && i < value.size; i++) {
        is_right = digits[i] >= '0' && digits[i] <= '9';
        number = number * 10 + (uint64_t)(digits[i] - '0');
    }
    if (!is_right || number > max) {
        lines->has_failed = true;
        return 0;
    }
    return number;
}

tender_id lines_id(struct lines *lines, const char *name)
{
    tender_bytes value = lines_value(lines, name);
    tender_id id = {{0}};
    char text[TENDER_ID_TEXT_SIZE];
    if (tender_id_parse(value.data, value.size, &id) != 0) {
        lines->has_failed = true;
        return id;
    }
    tender_id_format(id, text);
    lines->has_failed = lines->has_failed || memcmp(text, value.data, value.size) != 0;
    return id;
}

void lines_hex(struct lines *lines, const char *name, const char *before, uint8_t *bytes_out,
               size_t size)
{
    tender_bytes value = lines_value(lines, name);
    const char *digits = value.data;
    size_t skip = strlen(before);
    char text[2 * HEX_BYTES_MAX + 1];
    memset(bytes_out, 0, size);
    bool is_right = size <= HEX_BYTES_MAX && value.size == skip + 2 * size &&
                    memcmp(digits, before, skip) == 0 &&
                    sodium_hex2bin(bytes_out, size, digits + skip, 2 * size, NULL, NULL, NULL) == 0;
    /* Capital digits are another spelling. */
    is_right = is_right && memcmp(sodium_bin2hex(text, sizeof text, bytes_out, size), digits + skip,
                                  2 * size) == 0;
    lines->has_failed = lines->has_failed || !is_right;
}
