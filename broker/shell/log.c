/*
 * Lines, their escaping and their rate: see log.h.
 */
#include "log.h"

#include "mark.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RATE_SLOTS 64

static int log_descriptor = STDERR_FILENO;
static enum log_level log_threshold = LOG_LEVEL_INFO;

static const char *const level_names[] = {"error", "warning", "info", "debug"};

/* Lines of one event in the second that runs; slots are found by the address of its name. */
static struct {
    const char *event;
    int64_t second;
    uint32_t count;
    uint32_t suppressed;
} rates[RATE_SLOTS];

void log_open(int descriptor, enum log_level level)
{
    log_descriptor = descriptor;
    log_threshold = level;
}

int log_level_parse(const char *name)
{
    for (int i = 0; i <= LOG_LEVEL_DEBUG; i++) {
        if (strcmp(name, level_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* Whether a line of `event` may be written; `suppressed_out` receives how many were not before it.
 */
static bool rate_allows(const char *event, int64_t second, uint32_t *suppressed_out)
{
    size_t slot = ((uintptr_t)event >> 3) % RATE_SLOTS;
    *suppressed_out = 0;
    if (rates[slot].event != event) {
        rates[slot].event = event;
        rates[slot].second = second;
        rates[slot].count = 0;
        rates[slot].suppressed = 0;
    }
    if (rates[slot].second != second) {
        *suppressed_out = rates[slot].suppressed;
        rates[slot].second = second;
        rates[slot].count = 0;
        rates[slot].suppressed = 0;
    }
    if (rates[slot].count >= LOG_EVENTS_PER_SECOND) {
        rates[slot].suppressed++;
        return false;
    }
    rates[slot].count++;
    return true;
}

/* Adds bytes; the last bytes of the buffer are kept for the mark of a cut line and its end. */
static void add(struct log_line *line, const char *bytes, size_t size)
{
    if (line->size + size > sizeof(line->text) - 8) {
        line->is_cut = true;
        return;
    }
    memcpy(line->text + line->size, bytes, size);
    line->size += size;
}

static void add_key(struct log_line *line, const char *key)
{
    add(line, " ", 1);
    add(line, key, strlen(key));
    add(line, "=", 1);
}

void log_begin(struct log_line *line, enum log_level level, const char *event)
{
    struct timespec now;
    struct tm parts;
    char head[96];
    uint32_t suppressed = 0;
    line->size = 0;
    line->is_cut = false;
    clock_gettime(CLOCK_REALTIME, &now);
    if (level > log_threshold || !rate_allows(event, now.tv_sec, &suppressed)) {
        return;
    }
    gmtime_r(&now.tv_sec, &parts);
    size_t size = strftime(head, sizeof(head), "at=%Y-%m-%dT%H:%M:%S", &parts);
    int rest = snprintf(head + size, sizeof(head) - size,
                        ".%06ldZ level=%s event=", now.tv_nsec / 1000, level_names[level]);
    add(line, head, size + (size_t)rest);
    add(line, event, strlen(event));
    if (suppressed > 0) {
        log_int(line, "suppressed", suppressed);
    }
}

void log_int(struct log_line *line, const char *key, int64_t value)
{
    char digits[24];
    if (line->size == 0) {
        return;
    }
    add_key(line, key);
    int size = snprintf(digits, sizeof(digits), "%" PRId64, value);
    add(line, digits, (size_t)size);
}

/* Reads one code point of UTF-8. Returns its size, or 0 for a byte that begins none. */
static size_t read_point(const unsigned char *bytes, size_t left, uint32_t *point_out)
{
    size_t size = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : 3;
    if (bytes[0] >= 0xf0) {
        size = bytes[0] < 0xf5 ? 4 : 0;
    }
    if (size == 0 || size > left) {
        return 0;
    }
    uint32_t point = size == 1 ? bytes[0] : bytes[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
        point = point << 6 | (bytes[i] & 0x3f);
    }
    *point_out = point;
    return size;
}

static void add_point(struct log_line *line, const unsigned char *bytes, size_t size,
                      uint32_t point)
{
    char escape[16];
    if (size == 0) {
        int length = snprintf(escape, sizeof(escape), "\\x%02x", bytes[0]);
        add(line, escape, (size_t)length);
    } else if (mark_is_unsafe(point)) {
        int length = snprintf(escape, sizeof(escape), "\\u{%x}", point);
        add(line, escape, (size_t)length);
    } else if (point == '"' || point == '\\') {
        escape[0] = '\\';
        escape[1] = (char)point;
        add(line, escape, 2);
    } else {
        add(line, (const char *)bytes, size);
    }
}

static bool is_plain(tender_bytes text)
{
    const unsigned char *bytes = text.data;
    for (size_t i = 0; i < text.size; i++) {
        if (bytes[i] <= ' ' || bytes[i] >= 0x7f || bytes[i] == '"' || bytes[i] == '\\' ||
            bytes[i] == '=') {
            return false;
        }
    }
    return text.size > 0;
}

void log_text(struct log_line *line, const char *key, tender_bytes text)
{
    const unsigned char *bytes = text.data;
    if (line->size == 0) {
        return;
    }
    add_key(line, key);
    if (is_plain(text)) {
        add(line, text.data, text.size);
        return;
    }
    add(line, "\"", 1);
    for (size_t i = 0; i < text.size && !line->is_cut;) {
        uint32_t point = 0;
        size_t size = read_point(bytes + i, text.size - i, &point);
        add_point(line, bytes + i, size, point);
        i += size > 0 ? size : 1;
    }
    add(line, "\"", 1);
}

void log_string(struct log_line *line, const char *key, const char *text)
{
    tender_bytes bytes = {.data = text, .size = text != NULL ? strlen(text) : 0};
    log_text(line, key, bytes);
}

void log_id(struct log_line *line, const char *key, tender_id id)
{
    char text[TENDER_ID_TEXT_SIZE];
    if (line->size == 0) {
        return;
    }
    tender_id_format(id, text);
    log_string(line, key, text);
}

void log_end(struct log_line *line)
{
    if (line->size == 0) {
        return;
    }
    if (line->is_cut) {
        memcpy(line->text + line->size, "\"...", 4);
        line->size += 4;
    }
    line->text[line->size++] = '\n';
    while (write(log_descriptor, line->text, line->size) < 0 && errno == EINTR) {
    }
    line->size = 0;
}

void log_event(enum log_level level, const char *event, const char *key, const char *text)
{
    struct log_line line;
    log_begin(&line, level, event);
    log_string(&line, key, text);
    log_end(&line);
}
