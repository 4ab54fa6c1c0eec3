/*
 * The log of the simulated brokers: lines of the trace, without the time of day; nothing where no
 * trace is asked for.
 */
#include "log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "world.h"

static void add(struct log_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct log_line *line, const char *format, ...)
{
    va_list arguments;
    if (line->size == 0) {
        return;
    }
    va_start(arguments, format);
    int more =
        vsnprintf(line->text + line->size - 1, sizeof line->text - line->size, format, arguments);
    va_end(arguments);
    line->size += more > 0 && line->size + (size_t)more < sizeof line->text ? (size_t)more : 0;
}

void log_begin(struct log_line *line, enum log_level level, const char *event)
{
    (void)level;
    line->size = world_running->options.is_traced ? 1 : 0;
    add(line, "%s", event);
}

void log_int(struct log_line *line, const char *key, int64_t value)
{
    add(line, " %s=%" PRId64, key, value);
}

void log_text(struct log_line *line, const char *key, tender_bytes text)
{
    add(line, " %s=%.*s", key, (int)text.size, text.size == 0 ? "" : (const char *)text.data);
}

void log_string(struct log_line *line, const char *key, const char *text)
{
    add(line, " %s=%s", key, text);
}

void log_id(struct log_line *line, const char *key, tender_id id)
{
    add(line, " %s=%s", key, audit_id(id));
}

void log_end(struct log_line *line)
{
    if (line->size != 0) {
        world_trace(world_running, "log: %s", line->text);
    }
}

void log_event(enum log_level level, const char *event, const char *key, const char *text)
{
    struct log_line line;
    log_begin(&line, level, event);
    log_string(&line, key, text);
    log_end(&line);
}
