/*
 * Commands as data: each is one row with its flags, operands, help and examples, and from the row
 * come the parsing (getopt_long), the help text and the manual page. What a command does is its
 * `run`; commands.c holds the rows.
 */
#ifndef TENDER_BROKER_CLI_COMMAND_H
#define TENDER_BROKER_CLI_COMMAND_H

#include "output.h"
#include "value.h"

#include <stdio.h>

#define COMMAND_FLAGS_MAX    48
#define COMMAND_OPERANDS_MAX 4

/* What the program says to the shell that started it. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_OTHERWISE = 1, /* it ended, otherwise than asked for */
    EXIT_BAD_INPUT = 2,
    EXIT_AWAY = 3,    /* broker or database cannot be reached */
    EXIT_REFUSED = 4, /* refused, or in conflict with what is */
};

/*
 * A flag.
 *
 * letter       short form, or 0
 * metavar      what the help calls its value; NULL for a switch
 * preset       default, as text; NULL: none
 * is_required  the command cannot run without it
 */
struct flag {
    const char *name;
    char letter;
    struct value_rule rule;
    const char *metavar;
    const char *preset;
    bool is_required;
    const char *help;
};

struct operand {
    const char *name;
    struct value_rule rule;
    bool is_optional;
    const char *help;
};

/* What a command can also be given; flags that many commands share. */
enum command_common {
    COMMAND_READS_SQL = 1 << 0,   /* --database */
    COMMAND_SPEAKS_WIRE = 1 << 1, /* --url */
    COMMAND_HAS_OUTPUT = 1 << 2,  /* -o */
    COMMAND_HAS_TIMEOUT = 1 << 3, /* --timeout */
    COMMAND_TAKES_REST = 1 << 4,  /* words after --, for another program */
    COMMAND_PASSES_ALL = 1 << 5,  /* every word is for another program */
    COMMAND_READS_LINES =
        1 << 6, /* may read its flags as JSON lines; asks command_complete itself */
};

struct arguments;

/*
 * A command.
 *
 * name      one word or two: "announce", "account fund"
 * summary   one line, for lists
 * about     paragraphs parted by an empty line; the help wraps them
 * flags     ended by a row without a name
 * examples  lines as typed, comments included
 * exits     what the exit codes mean here; NULL: as always
 */
struct command {
    const char *name;
    const char *summary;
    const char *about;
    unsigned common;
    const struct flag *flags;
    const struct operand *operands;
    const char *rest_name;
    const char *examples;
    const char *exits;
    int (*run)(const struct arguments *arguments);
};

/* What was typed. Texts are borrowed from argv. */
struct arguments {
    const struct command *command;
    const struct flag *flags[COMMAND_FLAGS_MAX];
    struct value values[COMMAND_FLAGS_MAX];
    size_t flag_count;
    struct value operands[COMMAND_OPERANDS_MAX];
    size_t operand_count;
    char **rest; /* ends with NULL */
    int rest_count;
};

/*
 * Finds the command that the words begin with. Returns it, with how many words name it, or NULL.
 */
const struct command *command_find(const struct command *commands, size_t command_count, int argc,
                                   char **argv, int *words_out);

/* The name nearest to `word`, or NULL when none is near. */
const char *command_nearest(const struct command *commands, size_t command_count, const char *word);

/*
 * Reads the words after the command's name. Returns EXIT_DONE, or EXIT_BAD_INPUT after one line on
 * `errors`; or -1 when help was asked for.
 */
TENDER_MUST_CHECK int command_parse(const struct command *command, int argc, char **argv,
                                    struct arguments *arguments_out, FILE *errors);

/* Says which required flag is missing, if one is. Returns EXIT_DONE or EXIT_BAD_INPUT. */
TENDER_MUST_CHECK int command_complete(const struct arguments *arguments, FILE *errors);

/* The index of the flag of that name, or flag_count when the command has none. */
size_t argument_index(const struct arguments *arguments, const char *flag);
/* The value of the flag of that name; the command must have it. Never NULL; look at is_set. */
const struct value *argument(const struct arguments *arguments, const char *flag);
/* Its number, or 0 when it is not set. */
int64_t argument_number(const struct arguments *arguments, const char *flag);
/* Its text, or NULL when it is not set. */
const char *argument_text(const struct arguments *arguments, const char *flag);
/* The operand at `index`; look at is_set. */
const struct value *operand(const struct arguments *arguments, size_t index);
/* The format that -o asks for. */
enum output_format argument_format(const struct arguments *arguments);

/* Fills `flags_out` ([COMMAND_FLAGS_MAX]) with the command's flags, then the common ones it has. */
size_t command_flags(const struct command *command, const struct flag **flags_out);

/* Prints the help of one command, or the overview of all. */
void command_help(const struct command *command, FILE *out);
void command_overview(const struct command *commands, size_t command_count, FILE *out);
/* Prints the manual page of all commands, in scdoc. */
void command_manual(const struct command *commands, size_t command_count, FILE *out);

/* Prints "tender COMMAND: …" to standard error. Returns `code`. */
int command_fail(const struct arguments *arguments, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
