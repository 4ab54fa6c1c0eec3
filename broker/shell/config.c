/*
 * Setting, reading and writing options: see config.h.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum option_type { OPTION_TEXT, OPTION_DURATION, OPTION_COUNT, OPTION_SIZE, OPTION_FLAG };

struct option_row {
    enum option_type type;
    size_t offset;
    const char *name;
    const char *value;
    int64_t minimum;
    int64_t maximum;
    bool is_reloadable;
    const char *help;
};

static const struct option_row rows[] = {
#define OPTION(TYPE, member, name, value, minimum, maximum, reloadable, help)                      \
    {OPTION_##TYPE, offsetof(struct config, member), name, value, minimum, maximum, reloadable,    \
     help},
#include "options.def"
#undef OPTION
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

struct unit {
    const char *name;
    int64_t factor;
};

/* Ordered from large to small, so that writing takes the largest that divides. */
static const struct unit duration_units[] = {{"d", INT64_C(86400000000)},
                                             {"h", INT64_C(3600000000)},
                                             {"m", 60000000},
                                             {"s", 1000000},
                                             {"ms", 1000},
                                             {"us", 1},
                                             {NULL, 0}};
static const struct unit size_units[] = {
    {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}, {NULL, 0}};
static const struct unit count_units[] = {{"", 1}, {NULL, 0}};

static const struct unit *units_of(enum option_type type)
{
    return type == OPTION_DURATION ? duration_units
           : type == OPTION_SIZE   ? size_units
                                   : count_units;
}

static bool is_control(char byte)
{
    return (unsigned char)byte < 0x20 || byte == 0x7f;
}

int config_fail(struct config_error *error, int column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof(error->text), format, arguments);
    va_end(arguments);
    for (char *at = error->text; *at != '\0'; at++) {
        *at = is_control(*at) ? '?' : *at;
    }
    error->column = column;
    return TENDER_EINVAL;
}

/* Edit distance of two names, for the nearest one. */
static size_t distance(const char *left, const char *right)
{
    size_t row[64];
    size_t width = strlen(right) < 63 ? strlen(right) : 63;
    for (size_t k = 0; k <= width; k++) {
        row[k] = k;
    }
    for (size_t i = 1; left[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t k = 1; k <= width; k++) {
            size_t best = diagonal + (left[i - 1] != right[k - 1]);
            diagonal = row[k];
            best = best < row[k] + 1 ? best : row[k] + 1;
            row[k] = best < row[k - 1] + 1 ? best : row[k - 1] + 1;
        }
    }
    return row[width];
}

static const char *nearest(const char *name)
{
    const char *best = rows[0].name;
    for (size_t i = 1; i < ROW_COUNT; i++) {
        if (distance(name, rows[i].name) < distance(name, best)) {
            best = rows[i].name;
        }
    }
    return best;
}

static const struct option_row *find_row(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Writes a number with the largest unit that divides it. */
static void format_number(enum option_type type, int64_t value, char *text, size_t size)
{
    const struct unit *unit = units_of(type);
    while (unit->factor > 1 && (value == 0 || value % unit->factor != 0)) {
        unit++;
    }
    const char *name = value == 0 && type == OPTION_DURATION ? "s" : unit->name;
    snprintf(text, size, "%" PRId64 "%s", value / unit->factor, name);
}

static int parse_number(const struct option_row *row, const char *value, int64_t *number_out,
                        struct config_error *error)
{
    char low[32];
    char high[32];
    char *end = NULL;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    bool is_number = isdigit((unsigned char)value[0]) && errno == 0;
    format_number(row->type, row->minimum, low, sizeof(low));
    format_number(row->type, row->maximum, high, sizeof(high));
    const struct unit *unit = units_of(row->type);
    while (unit->name != NULL && strcmp(unit->name, end) != 0) {
        unit++;
    }
    if (!is_number || unit->name == NULL) {
        return config_fail(error, 1, "'%s' is no value of '%s': give an integer%s, from %s to %s",
                           value, row->name,
                           row->type == OPTION_DURATION ? " with us, ms, s, m, h or d"
                           : row->type == OPTION_SIZE   ? " of bytes, or with KiB, MiB or GiB"
                                                        : "",
                           low, high);
    }
    if (__builtin_mul_overflow(number, unit->factor, number_out) || *number_out < row->minimum ||
        *number_out > row->maximum) {
        return config_fail(error, 1, "'%s' is outside the range of '%s': from %s to %s", value,
                           row->name, low, high);
    }
    return 0;
}

static int set_text(const struct option_row *row, char *text, const char *value,
                    struct config_error *error)
{
    size_t size = strlen(value);
    if (size < (size_t)row->minimum || size > (size_t)row->maximum) {
        return config_fail(error, 1, "'%s' takes %" PRId64 " to %" PRId64 " bytes, this has %zu",
                           row->name, row->minimum, row->maximum, size);
    }
    for (const char *at = value; *at != '\0'; at++) {
        if (is_control(*at)) {
            return config_fail(error, 1, "the value of '%s' holds a control character", row->name);
        }
    }
    memcpy(text, value, size + 1);
    return 0;
}

int config_set(struct config *config, const char *name, const char *value,
               struct config_error *error)
{
    const struct option_row *row = find_row(name);
    if (row == NULL) {
        return config_fail(error, 0, "there is no option '%s'; did you mean '%s'?", name,
                           nearest(name));
    }
    char *place = (char *)config + row->offset;
    int64_t number = 0;
    if (row->type == OPTION_TEXT) {
        return set_text(row, place, value, error);
    }
    if (row->type == OPTION_FLAG) {
        if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0) {
            return config_fail(error, 1, "'%s' is no value of '%s': yes or no", value, row->name);
        }
        number = strcmp(value, "yes") == 0;
    } else {
        int status = parse_number(row, value, &number, error);
        if (status != 0) {
            return status;
        }
    }
    memcpy(place, &number, sizeof(number));
    return 0;
}

void config_init(struct config *config)
{
    struct config_error error;
    memset(config, 0, sizeof(*config));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (config_set(config, rows[i].name, rows[i].value, &error) != 0) {
            abort(); /* a default outside its own range: a mistake in options.def */
        }
    }
}

static char *skip_blank(char *at)
{
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

/* Ends the text at `at` before its trailing white space. */
static void trim_end(char *at)
{
    size_t size = strlen(at);
    while (size > 0 && isspace((unsigned char)at[size - 1])) {
        at[--size] = '\0';
    }
}

/* One line, which is changed. */
static int read_line(struct config *config, char *line, struct config_error *error)
{
    trim_end(line);
    char *name = skip_blank(line);
    if (*name == '\0' || *name == '#') {
        return 0;
    }
    char *equals = strchr(name, '=');
    if (equals == NULL) {
        return config_fail(error, (int)(name - line) + 1, "expected 'name = value'");
    }
    *equals = '\0';
    trim_end(name);
    char *value = skip_blank(equals + 1);
    int value_column = (int)(value - line) + 1;
    size_t size = strlen(value);
    if (value[0] == '"') {
        if (size < 2 || value[size - 1] != '"') {
            return config_fail(error, value_column, "the quoted value has no end");
        }
        value[size - 1] = '\0';
        value++;
    }
    int status = config_set(config, name, value, error);
    if (status != 0) {
        error->column = error->column == 0 ? (int)(name - line) + 1 : value_column;
    }
    return status;
}

int config_read(struct config *config, FILE *file, struct config_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    memset(error, 0, sizeof(*error));
    for (ssize_t size = 0; status == 0 && (size = getline(&line, &capacity, file)) >= 0;) {
        error->line++;
        if (memchr(line, '\0', (size_t)size) != NULL) {
            status = config_fail(error, (int)strlen(line) + 1, "a NUL byte is no text");
        } else {
            status = read_line(config, line, error);
        }
    }
    if (status == 0 && ferror(file)) {
        (void)config_fail(error, 0, "%s", strerror(errno));
        status = TENDER_ESYSTEM;
    }
    free(line);
    return status;
}

int config_reload(struct config *config, const struct config *fresh, const char **name_out)
{
    int ignored = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        bool is_text = rows[i].type == OPTION_TEXT;
        char *place = (char *)config + rows[i].offset;
        const char *value = (const char *)fresh + rows[i].offset;
        size_t size = is_text ? CONFIG_TEXT_SIZE : sizeof(int64_t);
        if (is_text ? strcmp(place, value) == 0 : memcmp(place, value, size) == 0) {
            continue;
        }
        if (rows[i].is_reloadable) {
            memcpy(place, value, size);
        } else if (ignored++ == 0) {
            *name_out = rows[i].name;
        }
    }
    return ignored;
}

static void format_value(const struct config *config, const struct option_row *row, char *text,
                         size_t size)
{
    const char *place = (const char *)config + row->offset;
    int64_t number = 0;
    if (row->type == OPTION_TEXT) {
        /* Blanks at an end, and a quote at the beginning, are kept by quotes around them. */
        size_t length = strlen(place);
        bool is_quoted =
            place[0] == ' ' || place[0] == '"' || (length > 0 && place[length - 1] == ' ');
        snprintf(text, size, is_quoted ? "\"%s\"" : "%s", place);
        return;
    }
    memcpy(&number, place, sizeof(number));
    if (row->type == OPTION_FLAG) {
        snprintf(text, size, "%s", number != 0 ? "yes" : "no");
    } else {
        format_number(row->type, number, text, size);
    }
}

/* The range of a row, for people; empty for texts and flags. */
static void format_range(const struct option_row *row, char *text, size_t size)
{
    char low[32];
    char high[32];
    text[0] = '\0';
    if (row->type != OPTION_TEXT && row->type != OPTION_FLAG) {
        format_number(row->type, row->minimum, low, sizeof(low));
        format_number(row->type, row->maximum, high, sizeof(high));
        snprintf(text, size, "%s to %s; ", low, high);
    }
}

void config_write(const struct config *config, bool with_help, FILE *file)
{
    char value[CONFIG_TEXT_SIZE + 2];
    char range[80];
    if (with_help) {
        fprintf(file,
                "# Configuration of tenderd: every option with its default. Written by\n"
                "# tenderd --sample-config; tenderd --check-config --config FILE reads it.\n");
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        format_value(config, &rows[i], value, sizeof(value));
        format_range(&rows[i], range, sizeof(range));
        if (with_help) {
            fprintf(file, "\n# %s\n# %s%s\n#", rows[i].help, range,
                    rows[i].is_reloadable ? "SIGHUP takes a new value over." : "Needs a restart.");
        }
        fprintf(file, "%s =%s%s\n", rows[i].name, value[0] != '\0' ? " " : "", value);
    }
}

void config_help(FILE *file)
{
    char range[80];
    fprintf(
        file,
        "Usage: tenderd [--config FILE] [--OPTION VALUE]...\n\n"
        "The broker of Tender: listens for clients and contractors, runs the tenders and keeps\n"
        "every promise in PostgreSQL. Options given here go before those in the file.\n\n"
        "  --config FILE     read options from FILE: lines of 'name = value'\n"
        "  --check-config    say whether the configuration is right, and end (0 or 2)\n"
        "  --show-config     print every option as it is in force, passwords as ***, and end\n"
        "  --sample-config   print a commented file with the defaults, and end\n"
        "  --version         print the version, and end\n\nOptions:\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        format_range(&rows[i], range, sizeof(range));
        fprintf(file, "  --%s\n        %s\n        (%sdefault: %s)\n", rows[i].name, rows[i].help,
                range, rows[i].value[0] != '\0' ? rows[i].value : "empty");
    }
    fprintf(file,
            "\nSignals: TERM and INT end it in good order, HUP reads the configuration again.\n"
            "Exit: 0 ended in good order, 2 bad configuration or address, 3 another broker\n"
            "reigns, 4 the ledger cannot be reached or refused.\n");
}
