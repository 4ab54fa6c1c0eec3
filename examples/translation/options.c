/*
 * Reads the command line of the example's contractor: a table of flags, and the three forms that
 * values have (text, integer, credits or a duration).
 */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { FORM_TEXT, FORM_COUNT, FORM_CREDITS, FORM_DURATION };

struct flag {
    const char *name;
    enum form form;
    int64_t maximum;
    void *target;
    const char *help;
};

/* A decimal of at most six digits after the point, in millionths. */
static int read_credits(const char *text, int64_t *micro_out)
{
    size_t whole = strspn(text, "0123456789");
    size_t digits = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    size_t end = whole + (text[whole] == '.' ? 1 + digits : 0);
    if (whole == 0 || whole > 9 || digits > 6 || text[end] != '\0' ||
        (text[whole] == '.' && digits == 0)) {
        return -1;
    }
    int64_t micro = strtoll(text, NULL, 10) * 1000000;
    int64_t place = 100000;
    for (size_t i = 0; i < digits; i++, place /= 10) {
        micro += (text[whole + 1 + i] - '0') * place;
    }
    *micro_out = micro;
    return 0;
}

static int read_count(const char *text, char **rest_out, int64_t *count_out)
{
    size_t digits = strspn(text, "0123456789");
    *rest_out = (char *)text + digits;
    *count_out = strtoll(text, NULL, 10);
    return digits == 0 || digits > 15 ? -1 : 0;
}

/* An integer with ms, s, m or h. */
static int read_duration(const char *text, int64_t *us_out)
{
    static const struct {
        const char *unit;
        int64_t us;
    } units[] = {{"ms", 1000}, {"s", 1000000}, {"m", 60000000}, {"h", INT64_C(3600000000)}};
    char *rest = NULL;
    int64_t count = 0;
    if (read_count(text, &rest, &count) != 0 || count > 1000000000) {
        return -1;
    }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(rest, units[i].unit) == 0) {
            *us_out = count * units[i].us;
            return 0;
        }
    }
    return -1;
}

static int flag_read(const struct flag *flag, const char *text)
{
    int64_t number = 0;
    char *rest = NULL;
    int status = 0;
    switch (flag->form) {
    case FORM_TEXT:
        *(const char **)flag->target = text;
        return 0;
    case FORM_COUNT:
        status = read_count(text, &rest, &number) != 0 || *rest != '\0' ? -1 : 0;
        break;
    case FORM_CREDITS:
        status = read_credits(text, &number);
        break;
    case FORM_DURATION:
        status = read_duration(text, &number);
        break;
    }
    if (status != 0 || number > flag->maximum) {
        return -1;
    }
    *(int64_t *)flag->target = number;
    return 0;
}

static void print_help(const struct flag *flags)
{
    printf("A contractor that wraps a model tier and bids what its tokens and its queue cost.\n\n"
           "Usage: model-tier --name NAME [FLAGS]     (TENDER_URL says where the broker is)\n\n");
    for (const struct flag *flag = flags; flag->name != NULL; flag++) {
        printf("  --%-14s %s\n", flag->name, flag->help);
    }
}

/* --job is the only flag that may come more than once. */
static int add_job(struct tier *tier, int64_t job_us)
{
    if (tier->job_count == TIER_JOBS_MAX) {
        return -1;
    }
    tier->job_us[tier->job_count++] = job_us;
    return 0;
}

static int read_flags(const struct flag *flags, int argc, char **argv, struct tier *tier,
                      const int64_t *job_us)
{
    for (int i = 1; i < argc; i += 2) {
        const struct flag *flag = flags;
        while (flag->name != NULL &&
               (strncmp(argv[i], "--", 2) != 0 || strcmp(argv[i] + 2, flag->name) != 0)) {
            flag++;
        }
        if (flag->name == NULL || i + 1 == argc) {
            fprintf(stderr, "model-tier: %s %s; see --help\n", argv[i],
                    flag->name == NULL ? "is no flag" : "needs a value");
            return 2;
        }
        if (flag_read(flag, argv[i + 1]) != 0 ||
            (flag->target == job_us && add_job(tier, *job_us) != 0)) {
            fprintf(stderr, "model-tier: --%s '%s' cannot be used: %s\n", flag->name, argv[i + 1],
                    flag->help);
            return 2;
        }
    }
    return 0;
}

int options_read(int argc, char **argv, struct options *options_out)
{
    struct options *options = options_out;
    struct tier *tier = &options->tier;
    int64_t job_us = 0;
    *options = (struct options){.url = getenv("TENDER_URL"), .skill = "translate.de", .speed = 1};
    *tier = (struct tier){.tokens = 1000, .unit_us = 60000000, .slots = 1, .workers = 1};
    const struct flag flags[] = {
        {"name", FORM_TEXT, 0, &options->name, "of this agent"},
        {"principal", FORM_TEXT, 0, &options->principal, "whose money it is; else the name"},
        {"skill", FORM_TEXT, 0, &options->skill, "that it offers (translate.de)"},
        {"url", FORM_TEXT, 0, &options->url, "of the broker; else TENDER_URL"},
        {"price", FORM_CREDITS, 1000000000, &tier->price_micro, "credits for a thousand tokens"},
        {"tokens", FORM_COUNT, 1000000, &tier->tokens, "expected for a unit, at most 1000000"},
        {"unit", FORM_DURATION, INT64_C(86400000000), &tier->unit_us, "time for a unit, as in 75s"},
        {"slots", FORM_COUNT, 1000, &tier->slots, "jobs held at once, its own included"},
        {"workers", FORM_COUNT, 64, &tier->workers, "jobs worked on at the same time"},
        {"job", FORM_DURATION, INT64_C(864000000000), &job_us,
         "a job of its own that is before yours, as in 5m; up to 8 times"},
        {"queue-price", FORM_CREDITS, 1000000000, &tier->queue_price_micro,
         "credits that each waiting job adds"},
        {"fails-after", FORM_COUNT, 1000000, &tier->fails_after,
         "units after which the quality check fails; 0: never"},
        {"report-every", FORM_COUNT, 1000000, &tier->report_every,
         "units between reports of progress; 0: none"},
        {"speed", FORM_COUNT, 1000000, &options->speed, "divides the working time, and only that"},
        {NULL, FORM_TEXT, 0, NULL, NULL},
    };
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(flags);
        return -1;
    }
    int status = read_flags(flags, argc, argv, tier, &job_us);
    if (status == 0 &&
        (options->name == NULL || options->url == NULL || options->speed < 1 || tier->slots < 1 ||
         tier->workers < 1 || tier->unit_us < 1 || tier->tokens < 1)) {
        fprintf(stderr,
                "model-tier: --name and --url (or TENDER_URL) are needed; --speed, --slots, "
                "--workers, --unit and --tokens are at least 1; see --help\n");
        status = 2;
    }
    return status;
}
