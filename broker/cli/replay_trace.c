#include "replay_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 32

/* Where the three columns stand. */
struct header {
    size_t timestamp;
    size_t context;
    size_t generated;
};

static int trace_add(struct trace *trace, const struct trace_row *row)
{
    if (trace->count == trace->capacity) {
        size_t capacity = trace->capacity == 0 ? 4096 : 2 * trace->capacity;
        struct trace_row *rows = realloc(trace->rows, capacity * sizeof(*rows));
        if (rows == NULL) {
            return TENDER_ENOMEM;
        }
        trace->rows = rows;
        trace->capacity = capacity;
    }
    trace->rows[trace->count++] = *row;
    return 0;
}

/* Cuts `line` at commas, in place; quotes around a field fall away. Returns how many fields. */
static size_t split(char *line, char *fields[FIELDS_MAX])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (count < FIELDS_MAX) {
        size_t length = strcspn(line, ",");
        bool is_last = line[length] == '\0';
        char *end = line + length;
        *end = '\0';
        if (length >= 2 && *line == '"' && end[-1] == '"') {
            end[-1] = '\0';
            line++;
        }
        fields[count++] = line;
        if (is_last) {
            break;
        }
        line = end + 1;
    }
    return count;
}

static bool read_header(char *line, struct header *header_out)
{
    static const char *const names[] = {"TIMESTAMP", "ContextTokens", "GeneratedTokens"};
    size_t places[3] = {FIELDS_MAX, FIELDS_MAX, FIELDS_MAX};
    char *fields[FIELDS_MAX];
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0) {
        line += 3;
    }
    size_t count = split(line, fields);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 3; j++) {
            places[j] = strcmp(fields[i], names[j]) == 0 ? i : places[j];
        }
    }
    *header_out = (struct header){places[0], places[1], places[2]};
    return places[0] < count && places[1] < count && places[2] < count;
}

/* Reads "2023-11-16 18:15:46.6805900" as µs; a zone would change no difference, so Z may follow. */
static bool read_time(char *text, int64_t *at_us_out)
{
    char form[64];
    size_t whole = strcspn(text, ".Zz");
    char *rest = text + whole;
    size_t digits = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    if (*rest == '.' && (digits < 1 || digits > 9)) {
        return false;
    }
    const char *zone = *rest == '.' ? rest + 1 + digits : rest;
    if (*zone != '\0' && strcmp(zone, "Z") != 0 && strcmp(zone, "z") != 0) {
        return false;
    }
    /* Nanoseconds beyond the microsecond say nothing here. */
    int kept = (int)(digits < 6 ? digits : 6);
    int size = snprintf(form, sizeof(form), "%.*s%s%.*sZ", (int)(whole < 40 ? whole : 40), text,
                        kept > 0 ? "." : "", kept, kept > 0 ? rest + 1 : "");
    return size < (int)sizeof(form) && value_read_instant(form, at_us_out) == 0;
}

static int read_row(char *line, const struct header *header, size_t number, struct trace_row *row,
                    char *why)
{
    char *fields[FIELDS_MAX];
    size_t count = split(line, fields);
    if (header->timestamp >= count || header->context >= count || header->generated >= count) {
        snprintf(why, VALUE_WHY_MAX, "line %zu has %zu fields, fewer than the header names", number,
                 count);
        return TENDER_EINVAL;
    }
    if (!read_time(fields[header->timestamp], &row->after_us)) {
        snprintf(why, VALUE_WHY_MAX,
                 "line %zu: TIMESTAMP \"%.60s\" is not a time such as 2023-11-16 18:15:46.6805900",
                 number, fields[header->timestamp]);
        return TENDER_EINVAL;
    }
    const char *names[] = {"ContextTokens", "GeneratedTokens"};
    const char *texts[] = {fields[header->context], fields[header->generated]};
    int64_t *numbers[] = {&row->context_tokens, &row->generated_tokens};
    for (size_t i = 0; i < 2; i++) {
        if (value_read_count(texts[i], numbers[i]) < 0 || *numbers[i] > TRACE_TOKENS_MAX) {
            snprintf(why, VALUE_WHY_MAX,
                     "line %zu: %s \"%.60s\" is not a whole number from 0 to %" PRId64, number,
                     names[i], texts[i], TRACE_TOKENS_MAX);
            return TENDER_EINVAL;
        }
    }
    return 0;
}

/* Sorts by time without changing the order of equals; traces are nearly always sorted already. */
static void put_in_order(struct trace *trace)
{
    for (size_t i = 1; i < trace->count; i++) {
        struct trace_row row = trace->rows[i];
        size_t j = i;
        for (; j > 0 && trace->rows[j - 1].after_us > row.after_us; j--) {
            trace->rows[j] = trace->rows[j - 1];
        }
        trace->rows[j] = row;
    }
    for (size_t i = trace->count; i-- > 0;) {
        trace->rows[i].after_us -= trace->rows[0].after_us;
    }
}

int trace_read(FILE *file, size_t limit, struct trace *trace_out, char *why)
{
    struct header header = {0};
    char *line = NULL;
    size_t capacity = 0;
    size_t number = 1;
    int status = 0;
    *trace_out = (struct trace){0};
    why[0] = '\0';
    if (getline(&line, &capacity, file) < 0 || !read_header(line, &header)) {
        snprintf(why, VALUE_WHY_MAX,
                 "line 1 is no header with TIMESTAMP, ContextTokens and GeneratedTokens");
        status = TENDER_EINVAL;
    }
    while (status == 0 && (limit == 0 || trace_out->count < limit)) {
        struct trace_row row = {0};
        ssize_t size = getline(&line, &capacity, file);
        if (size < 0) {
            break;
        }
        number++;
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        status = strlen(line) == (size_t)size ? read_row(line, &header, number, &row, why)
                                              : TENDER_EINVAL;
        if (status == TENDER_EINVAL && strlen(line) != (size_t)size && why[0] == '\0') {
            snprintf(why, VALUE_WHY_MAX, "line %zu holds a NUL", number);
        }
        status = status == 0 ? trace_add(trace_out, &row) : status;
    }
    free(line);
    if (status == 0 && trace_out->count == 0) {
        snprintf(why, VALUE_WHY_MAX, "the trace has no rows");
        status = TENDER_EINVAL;
    }
    put_in_order(trace_out);
    if (status == 0 && trace_out->rows[trace_out->count - 1].after_us > TRACE_SPAN_MAX) {
        snprintf(why, VALUE_WHY_MAX, "the trace spans more than 3660 days");
        status = TENDER_EINVAL;
    }
    return status;
}

/* SplitMix64: a public-domain generator, the same on every machine. */
static uint64_t draw(uint64_t *state)
{
    uint64_t mixed = (*state += UINT64_C(0x9e3779b97f4a7c15));
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* A waiting time with the given mean: the number of halvings is geometric, which is close enough to
 * exponential and needs no floating point. */
static int64_t draw_wait(uint64_t *state, int64_t mean)
{
    uint64_t bits = draw(state);
    int64_t halvings = __builtin_ctzll(bits | (UINT64_C(1) << 20));
    int64_t within = (int64_t)(draw(state) % 1000);
    return mean * (halvings * 1000 + within) * 2 / 3000;
}

int trace_invent(size_t count, uint64_t seed, struct trace *trace_out)
{
    uint64_t state = seed;
    int64_t at_us = 0;
    *trace_out = (struct trace){0};
    for (size_t i = 0; i < count; i++) {
        /* Sums of skewed draws, capped where the real traces end. */
        int64_t context = 20 + draw_wait(&state, 700) + draw_wait(&state, 430);
        int64_t generated = 5 + draw_wait(&state, 130) + draw_wait(&state, 80);
        struct trace_row row = {at_us, context < 14000 ? context : 14000,
                                generated < 1000 ? generated : 1000};
        if (trace_add(trace_out, &row) < 0) {
            return TENDER_ENOMEM;
        }
        /* One in four begins a pause; the others come close together. */
        at_us += draw(&state) % 4 == 0 ? draw_wait(&state, 500000) : draw_wait(&state, 75000);
    }
    return 0;
}

void trace_write(const struct trace *trace, FILE *out)
{
    fprintf(out, "TIMESTAMP,ContextTokens,GeneratedTokens\n");
    for (size_t i = 0; i < trace->count; i++) {
        char instant[VALUE_INSTANT_MAX];
        const struct trace_row *row = &trace->rows[i];
        value_write_instant(row->after_us, instant);
        instant[strcspn(instant, "T")] = ' ';
        instant[strcspn(instant, "Z")] = '\0';
        fprintf(out, "%s,%" PRId64 ",%" PRId64 "\n", instant, row->context_tokens,
                row->generated_tokens);
    }
}

void trace_release(struct trace *trace)
{
    free(trace->rows);
    *trace = (struct trace){0};
}
