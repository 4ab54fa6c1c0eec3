/*
 * Values as people write them: durations, credits, instants, shares, names. Reads each into the
 * integers that the rest of Tender uses, without floating point, and says in a sentence what is
 * wrong with a text and which form and range would be right. Writes them back the same way.
 * Knows no flags and no commands; command.h puts the flag's name before the sentence.
 */
#ifndef TENDER_BROKER_CLI_VALUE_H
#define TENDER_BROKER_CLI_VALUE_H

#include "tender/vocabulary.h"

#define VALUE_WHY_MAX     512 /* bytes of a sentence that says what is wrong */
#define VALUE_QUOTED_MAX  160 /* bytes of a text as messages quote it */
#define VALUE_FORM_MAX    256 /* bytes of a sentence that says which form is right */
#define VALUE_MICRO_MAX   32  /* bytes of an amount of credits as text */
#define VALUE_SPAN_MAX    32  /* bytes of a duration as text */
#define VALUE_INSTANT_MAX 40

/* What a text stands for, and so how it is read. */
enum value_type {
    VALUE_SWITCH,   /* no text; number is 1 */
    VALUE_TEXT,     /* anything that is UTF-8 without NUL; minimum and maximum bound its bytes */
    VALUE_FILE,     /* path of a file, "-" for standard input */
    VALUE_NAME,     /* an agent's or a principal's name */
    VALUE_ENROLLED, /* a principal's name, or * */
    VALUE_SKILL,    /* a skill */
    VALUE_ID,       /* an identifier of 36 characters */
    VALUE_COUNT,    /* a whole number */
    VALUE_CREDITS,  /* credits with at most six decimals; number in micro-credits */
    VALUE_DURATION, /* number in µs */
    VALUE_INSTANT,  /* RFC 3339 with a zone; number in µs since the Unix epoch */
    VALUE_DEADLINE, /* an instant, or a duration from now: then is_relative */
    VALUE_SHARE,    /* a percentage; number in parts per million */
    VALUE_CHOICE,   /* one of `choices`; number is its index */
    VALUE_FALLBACK, /* unallocated, hold, or contractor:NAME; number is the code, name_out the NAME
                     */
    VALUE_SPEED,    /* a whole number, or max; number 0 stands for max */
};

/*
 * How a value is read, and between what.
 *
 * minimum, maximum  bounds of the number (of the bytes, for VALUE_TEXT), both included
 * choices           words parted by '|'; VALUE_CHOICE only
 */
struct value_rule {
    enum value_type type;
    int64_t minimum;
    int64_t maximum;
    const char *choices;
};

/*
 * A value that was read.
 *
 * text    as it was written; borrowed
 * number  its meaning, where that is a number
 * id      its meaning, where that is an identifier
 * rest    the NAME of contractor:NAME; points into text, else NULL
 */
struct value {
    bool is_set;
    bool is_given; /* by the user; false: it is the preset */
    bool is_relative;
    const char *text;
    int64_t number;
    tender_id id;
    const char *rest;
};

/*
 * Reads `text` under `rule`. Returns 0, or TENDER_EINVAL; `why` ([VALUE_WHY_MAX] bytes) then holds
 * the end of a sentence that begins with the flag: it quotes the text and gives form and range.
 */
TENDER_MUST_CHECK int value_read(const struct value_rule *rule, const char *text,
                                 struct value *value_out, char *why);

/* Writes the form and range that `rule` allows into `form` ([VALUE_FORM_MAX] bytes). */
void value_describe(const struct value_rule *rule, char *form);

/* Copies `text` for a message: its first 80 bytes, what is not printable ASCII as \xHH. */
void value_quote(const char *text, char quoted[VALUE_QUOTED_MAX]);

/* Each reads one form. Returns 0; TENDER_EINVAL: not of this form; TENDER_ELIMIT: beyond int64. */
TENDER_MUST_CHECK int value_read_count(const char *text, int64_t *count_out);
TENDER_MUST_CHECK int value_read_credits(const char *text, int64_t *micro_out);
TENDER_MUST_CHECK int value_read_duration(const char *text, int64_t *us_out);
TENDER_MUST_CHECK int value_read_instant(const char *text, int64_t *at_us_out);
TENDER_MUST_CHECK int value_read_share(const char *text, int64_t *ppm_out);

/* 10500000 → "10.5". */
void value_write_credits(int64_t micro, char text_out[VALUE_MICRO_MAX]);
/* 90000000 → "90s": the largest unit that leaves an integer. */
void value_write_duration(int64_t us, char text_out[VALUE_SPAN_MAX]);
/* RFC 3339 in UTC, with microseconds where there are any. */
void value_write_instant(int64_t at_us, char text_out[VALUE_INSTANT_MAX]);
/* Days from 1970-01-01 of a date of the Gregorian calendar. */
int64_t value_days(int64_t year, int64_t month, int64_t day);
/* Days that a month has. */
int value_month_days(int year, int month);

#endif
