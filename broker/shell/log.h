/*
 * The log: one event, one line of key=value on a descriptor, identifiers first. Texts that peers
 * chose are escaped, so that no line can be forged and no terminal be steered; an event that
 * repeats too fast is counted instead of written. Decides nothing and knows nothing of what it
 * logs.
 */
#ifndef TENDER_BROKER_SHELL_LOG_H
#define TENDER_BROKER_SHELL_LOG_H

#include "tender/vocabulary.h"

#define LOG_LINE_SIZE         2048
#define LOG_EVENTS_PER_SECOND 20 /* lines of one event in a second; the others are counted */

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* One line while it is written. `size` is 0 for a line that is not to be written. */
struct log_line {
    size_t size;
    bool is_cut;
    char text[LOG_LINE_SIZE];
};

/* Where lines go and from which level on. Before this call: standard error, info. */
void log_open(int descriptor, enum log_level level);

/* The level of that name (error, warning, info, debug), or -1. */
int log_level_parse(const char *name);

/*
 * Begins a line, adds to it, and writes it in one call of write(2). `event` is a static string.
 * Every function accepts a line that was suppressed.
 */
void log_begin(struct log_line *line, enum log_level level, const char *event);
void log_int(struct log_line *line, const char *key, int64_t value);
void log_text(struct log_line *line, const char *key, tender_bytes text);
void log_string(struct log_line *line, const char *key, const char *text);
void log_id(struct log_line *line, const char *key, tender_id id);
void log_end(struct log_line *line);

/* A line with one text. */
void log_event(enum log_level level, const char *event, const char *key, const char *text);

#endif
