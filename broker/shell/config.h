/*
 * The configuration of the broker: options.def as a struct, and how it is read from a file and from
 * the command line. Knows what an option's value may be, and nothing of what it is for.
 */
#ifndef TENDER_BROKER_SHELL_CONFIG_H
#define TENDER_BROKER_SHELL_CONFIG_H

#include <stdio.h>

#include "tender/vocabulary.h"

#define CONFIG_TEXT_SIZE 1024

#define CONFIG_TYPE_TEXT(member)     char member[CONFIG_TEXT_SIZE];
#define CONFIG_TYPE_DURATION(member) int64_t member;
#define CONFIG_TYPE_COUNT(member)    int64_t member;
#define CONFIG_TYPE_SIZE(member)     int64_t member;
#define CONFIG_TYPE_FLAG(member)     int64_t member;

/* Durations in µs, sizes in bytes, flags 0 or 1, texts ended by NUL. */
struct config {
#define OPTION(TYPE, member, name, value, minimum, maximum, reloadable, help)                      \
    CONFIG_TYPE_##TYPE(member)
#include "options.def"
#undef OPTION
};

/* Where a value was wrong, and a sentence with the nearest name or the range. */
struct config_error {
    int line;   /* from 1; 0: not in a file */
    int column; /* from 1 */
    char text[512];
};

/* Keeps a sentence in `error`, control characters as '?'. Returns TENDER_EINVAL. */
int config_fail(struct config_error *error, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills in the defaults. */
void config_init(struct config *config);

/* Sets one option by name. Returns 0, or TENDER_EINVAL with the sentence in `error`; its `column`
 * is then 0 when the name is wrong and 1 when the value is. */
TENDER_MUST_CHECK int config_set(struct config *config, const char *name, const char *value,
                                 struct config_error *error);

/*
 * Reads lines of `name = value`; `#` begins a comment line, a value may stand in double quotes.
 * Returns 0, TENDER_EINVAL for the first wrong line, or TENDER_ESYSTEM when it cannot be read.
 */
TENDER_MUST_CHECK int config_read(struct config *config, FILE *file, struct config_error *error);

/* What the command line asks for besides options. */
struct config_request {
    const char *path; /* --config; NULL: no file */
    bool wants_check;
    bool wants_show;
    bool wants_sample;
    bool wants_help;
    bool wants_version;
};

/*
 * Puts a configuration together: defaults, TENDER_DATABASE and TENDERD_KEY, the file that --config
 * names, and the other arguments, each over the one before. Returns as config_read; `error->line`
 * is 0 for an argument, and the path of a wrong file is in the request.
 */
TENDER_MUST_CHECK int config_gather(struct config *config, int argc, char **argv,
                                    struct config_request *request_out, struct config_error *error);

/*
 * Takes the reloadable options of `fresh` over into `config`. Returns how many others differ, which
 * stay as they are; `name_out` receives the first of them.
 */
int config_reload(struct config *config, const struct config *fresh, const char **name_out);

/* Writes what is set, in the form that config_read reads; with help above each option: a sample. */
void config_write(const struct config *config, bool with_help, FILE *file);

/* Writes the usage. */
void config_help(FILE *file);

#endif
