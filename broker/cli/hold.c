/*
 * tender hold, release and holds: what operators stop, and let go on. All of it goes through the
 * ledger's inbox, where the database says who may act as an operator.
 */
#include "commands.h"

#include "inbox.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is held; texts borrowed, NULL: not named. `task` as it was typed. */
struct subject {
    const char *contractor;
    const char *principal;
    const char *skill;
    const char *task;
};

/* The text behind `prefix`, where the word begins with it, else NULL. */
static const char *behind(const char *word, const char *prefix)
{
    size_t size = strlen(prefix);
    return strncmp(word, prefix, size) == 0 ? word + size : NULL;
}

/* Reads the first operand and --skill. A word without a prefix is a task. */
static int read_subject(const struct arguments *arguments, struct subject *subject_out)
{
    static const struct value_rule rule = {VALUE_ID, 0, 0, NULL};
    const char *word = operand(arguments, 0)->text;
    const char *skill = behind(word, "skill:");
    char why[VALUE_WHY_MAX];
    struct value value = {0};
    *subject_out = (struct subject){
        .contractor = behind(word, "contractor:"),
        .principal = behind(word, "principal:"),
        .skill = skill != NULL ? skill : argument_text(arguments, "skill"),
    };
    if (skill != NULL && argument_text(arguments, "skill") != NULL) {
        return command_fail(arguments, EXIT_BAD_INPUT, "--skill: SUBJECT names the skill already");
    }
    if (subject_out->contractor != NULL || subject_out->principal != NULL || skill != NULL) {
        return EXIT_DONE;
    }
    const char *task = behind(word, "task:");
    subject_out->task = task != NULL ? task : word;
    if (value_read(&rule, subject_out->task, &value, why) != 0) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "SUBJECT: %s; or contractor:NAME, "
                            "principal:NAME, skill:SKILL",
                            why);
    }
    return subject_out->skill == NULL
               ? EXIT_DONE
               : command_fail(arguments, EXIT_BAD_INPUT, "--skill: a task is held as it is");
}

int run_hold(const struct arguments *arguments)
{
    /* A span is counted from the database's clock, which stamps follow. */
    static const char sql[] =
        "select tender.hold($1, $2, $3, $4, $5::uuid, $6, coalesce($7::timestamptz, "
        "clock_timestamp() + $8::bigint * interval '1 microsecond'))";
    struct subject subject;
    char instant[VALUE_INSTANT_MAX];
    char span[24];
    int code = read_subject(arguments, &subject);
    if (code != EXIT_DONE) {
        return code;
    }
    const char *reason = argument_text(arguments, "reason");
    if (tender_reason_parse(reason, strlen(reason)) <= 0) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "--reason: \"%s\" is the word of no reason; quality-check, "
                            "resource-lost and other are often right",
                            reason);
    }
    const struct value *until = argument(arguments, "until");
    value_write_instant(until->number, instant);
    snprintf(span, sizeof(span), "%" PRId64, until->number);
    const char *parameters[] = {reason,
                                subject.contractor,
                                subject.principal,
                                subject.skill,
                                subject.task,
                                argument_text(arguments, "text"),
                                until->is_set && !until->is_relative ? instant : NULL,
                                until->is_set && until->is_relative ? span : NULL};
    return inbox_request(arguments, sql, 8, parameters);
}

int run_release(const struct arguments *arguments)
{
    struct subject subject;
    int code = read_subject(arguments, &subject);
    if (code != EXIT_DONE) {
        return code;
    }
    const char *parameters[] = {subject.task, subject.contractor, subject.principal, subject.skill};
    return inbox_request(arguments, "select tender.release($1::uuid, $2, $3, $4)", 4, parameters);
}

int run_holds(const struct arguments *arguments)
{
    const char *all = argument(arguments, "all")->is_set ? "t" : "f";
    return database_show(arguments, "hold", OUTPUT_LIST,
                         "select contractor, principal, skill, task_id, reason, text, author, "
                         "since, until, is_over from tender.hold where not is_over or $1::boolean "
                         "order by since desc",
                         1, &all);
}
