#include "terms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *terms_file(const char *path, size_t limit, size_t *size_out, char *why)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    char *bytes = file == NULL ? NULL : malloc(limit + 2);
    if (bytes == NULL) {
        snprintf(why, VALUE_WHY_MAX, "%.200s cannot be read: %s", path, strerror(errno));
        goto done;
    }
    *size_out = fread(bytes, 1, limit + 1, file);
    if (ferror(file) != 0 || *size_out > limit) {
        if (ferror(file) != 0) {
            snprintf(why, VALUE_WHY_MAX, "%.200s cannot be read: %s", path, strerror(errno));
        } else {
            snprintf(why, VALUE_WHY_MAX, "%.200s is too large; allowed: at most %zu bytes", path,
                     limit);
        }
        free(bytes);
        bytes = NULL;
        goto done;
    }
    bytes[*size_out] = '\0';
done:
    if (file != NULL && !is_input) {
        fclose(file);
    }
    return bytes;
}

static int complain(const struct terms *terms, const char *where, const char *flag, const char *why)
{
    return command_fail(&terms->arguments, EXIT_BAD_INPUT, "%s--%s: %s", where, flag, why);
}

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* A relative deadline is counted from now; either must lie ahead. */
static int take_deadline(struct terms *terms, const char *where)
{
    const struct value *deadline = argument(&terms->arguments, "deadline");
    if (!deadline->is_set) {
        return EXIT_DONE;
    }
    int64_t at_us = deadline->number + (deadline->is_relative ? now_us() : 0);
    if (at_us <= now_us() || at_us > TENDER_INSTANT_MAX) {
        return complain(terms, where, "deadline",
                        "must lie in the future, up to 2100-01-01T00:00:00Z");
    }
    terms->task.deadline_at_us = at_us;
    return EXIT_DONE;
}

static int take_content(struct terms *terms, const char *where)
{
    char why[VALUE_WHY_MAX];
    const char *path = argument_text(&terms->arguments, "payload");
    if (path != NULL && terms->content == NULL) {
        size_t size = 0;
        terms->content = terms_file(path, TENDER_CONTENT_MAX, &size, why);
        if (terms->content == NULL) {
            return complain(terms, where, "payload", why);
        }
        terms->task.content = (tender_bytes){terms->content, size};
    }
    return EXIT_DONE;
}

/* Names parted by commas. */
static int take_needs(struct terms *terms, const char *where)
{
    const char *text = argument_text(&terms->arguments, "needs");
    size_t count = 0;
    if (text == NULL || terms->names != NULL) {
        return EXIT_DONE;
    }
    terms->names = strdup(text);
    if (terms->names == NULL) {
        return command_fail(&terms->arguments, EXIT_OTHERWISE, "out of memory");
    }
    for (char *at = terms->names, *name; (name = strsep(&at, ",")) != NULL;) {
        if (count == TENDER_NEEDS_MAX || !tender_skill_is_valid(name, strlen(name))) {
            return complain(terms, where, "needs",
                            "is no list of at most 8 skills or resources, parted by commas");
        }
        terms->needs[count++] = name;
    }
    terms->task.needs = terms->needs;
    return EXIT_DONE;
}

/* Identifiers parted by commas. */
static int take_after(struct terms *terms, const char *where)
{
    const char *text = argument_text(&terms->arguments, "after");
    size_t count = 0;
    while (text != NULL) {
        size_t size = strcspn(text, ",");
        if (count == TENDER_AFTER_MAX || tender_id_parse(text, size, &terms->after[count]) != 0) {
            return complain(terms, where, "after",
                            "is no list of at most 16 identifiers of tasks, parted by commas");
        }
        count++;
        text = text[size] == ',' ? text + size + 1 : NULL;
    }
    terms->task.after = terms->after;
    terms->task.after_count = count;
    return EXIT_DONE;
}

/* What a plain task leaves out. */
static int take_more(struct terms *terms, const char *where)
{
    const struct arguments *arguments = &terms->arguments;
    tender_task *task = &terms->task;
    const struct value *invite_max = argument(arguments, "invite-max");
    const struct value *newcomers = argument(arguments, "newcomers");
    task->tier = argument_text(arguments, "tier");
    task->goal = argument_text(arguments, "goal");
    task->evidence = argument_text(arguments, "evidence");
    task->accept_us = argument_number(arguments, "accept");
    task->split_max = argument_number(arguments, "split");
    task->cover_all = argument(arguments, "cover-all")->is_set;
    task->improve = argument_number(arguments, "improve");
    task->lead_only = argument(arguments, "lead-only")->is_set;
    task->invite_max = invite_max->is_set ? invite_max->number : -1;
    task->newcomers_ppm = newcomers->is_set ? newcomers->number : -1;
    int code = take_needs(terms, where);
    return code == EXIT_DONE ? take_after(terms, where) : code;
}

static int take_values(struct terms *terms, const char *where)
{
    const struct arguments *arguments = &terms->arguments;
    tender_task *task = &terms->task;
    const struct value *fallback = argument(arguments, "fallback");
    task->key = argument_text(arguments, "key");
    task->skill = argument_text(arguments, "skill");
    task->units = argument_number(arguments, "units");
    task->ceiling_micro = argument_number(arguments, "ceiling");
    task->window_us = argument_number(arguments, "window");
    task->due_us = argument_number(arguments, "due");
    task->rounds = argument_number(arguments, "rounds");
    task->backoff_us = argument_number(arguments, "backoff");
    task->ack_us = argument_number(arguments, "ack");
    task->heartbeat_us = argument_number(arguments, "heartbeat");
    task->priority = argument_number(arguments, "priority");
    /* The choices of --partial stand in the order of the vocabulary, which counts from 1. */
    task->partial = (tender_partial)(argument_number(arguments, "partial") + 1);
    task->kill_fee_ppm = argument_number(arguments, "kill-fee");
    task->close_alone = argument(arguments, "close-alone")->is_set;
    task->fallback = (tender_fallback)fallback->number;
    task->contractor = fallback->rest;
    task->again = argument(arguments, "again")->id;
    if (!tender_id_is_nil(task->again) && task->key == NULL) {
        return complain(terms, where, "again", "needs the --key of the task that it replaces");
    }
    int code = take_deadline(terms, where);
    if (code == EXIT_DONE) {
        code = take_more(terms, where);
    }
    return code == EXIT_DONE ? take_content(terms, where) : code;
}

int terms_read(const struct arguments *arguments, const char *where, struct terms *terms_out)
{
    *terms_out = (struct terms){.arguments = *arguments, .task = TENDER_TASK_INIT};
    int code = command_complete(&terms_out->arguments, stderr);
    return code == EXIT_DONE ? take_values(terms_out, where) : code;
}

/* The text of a member as a flag would have it: strings, whole numbers and true. NULL: other. */
static const char *member_text(struct terms *terms, const char *name, json_t *member)
{
    if (json_is_string(member)) {
        return json_string_value(member);
    }
    if (json_is_integer(member)) {
        char digits[24];
        snprintf(digits, sizeof(digits), "%" JSON_INTEGER_FORMAT, json_integer_value(member));
        /* The object keeps the text for as long as the terms live. */
        json_t *text = json_string(digits);
        return json_object_set_new(terms->line, name, text) == 0 ? json_string_value(text) : NULL;
    }
    return json_is_true(member) ? "" : NULL;
}

static int take_member(struct terms *terms, const char *where, const char *name, json_t *member)
{
    char why[VALUE_WHY_MAX];
    char flag[64];
    snprintf(flag, sizeof(flag), "%s", name);
    for (char *letter = strchr(flag, '_'); letter != NULL; letter = strchr(letter, '_')) {
        *letter = '-';
    }
    struct arguments *arguments = &terms->arguments;
    size_t index = argument_index(arguments, flag);
    if (index == arguments->flag_count || strcmp(flag, "wait") == 0 || strcmp(flag, "help") == 0) {
        char quoted[VALUE_QUOTED_MAX];
        value_quote(name, quoted);
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "%sno member \"%s\": the names are those of the flags, and content",
                            where, quoted);
    }
    bool is_switch = arguments->flags[index]->rule.type == VALUE_SWITCH;
    if (is_switch && json_is_false(member)) {
        return EXIT_DONE;
    }
    bool is_true = json_is_true(member);
    const char *text = member_text(terms, name, member); /* may replace the member */
    if (text == NULL || is_switch != is_true) {
        return complain(terms, where, flag,
                        "is not a text, a whole number or true; write decimals as text");
    }
    if (strcmp(flag, "payload") == 0 && strcmp(text, "-") == 0) {
        return complain(terms, where, flag, "is read from a file: the lines come from there");
    }
    const char *principal = argument_text(arguments, "principal");
    if (strcmp(flag, "principal") == 0 && principal != NULL && strcmp(principal, text) != 0) {
        return complain(terms, where, flag, "is not the --principal that this session speaks for");
    }
    if (value_read(&arguments->flags[index]->rule, text, &arguments->values[index], why) < 0) {
        return complain(terms, where, flag, why);
    }
    arguments->values[index].is_given = true;
    return EXIT_DONE;
}

static int take_inline(struct terms *terms, const char *where, json_t *content)
{
    size_t size = json_string_length(content);
    if (!json_is_string(content) || size > TENDER_CONTENT_MAX) {
        return complain(terms, where, "content", "is not a text of at most 65536 bytes");
    }
    terms->content = malloc(size + 1);
    if (terms->content == NULL) {
        return command_fail(&terms->arguments, EXIT_OTHERWISE, "out of memory");
    }
    memcpy(terms->content, json_string_value(content), size + 1);
    terms->task.content = (tender_bytes){terms->content, size};
    return EXIT_DONE;
}

int terms_read_line(const struct arguments *arguments, const char *line, size_t size,
                    const char *where, struct terms *terms_out)
{
    json_error_t error;
    *terms_out = (struct terms){.arguments = *arguments, .task = TENDER_TASK_INIT};
    terms_out->line = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(terms_out->line)) {
        char quoted[VALUE_QUOTED_MAX];
        value_quote(terms_out->line == NULL ? error.text : "", quoted); /* it quotes the line */
        return command_fail(arguments, EXIT_BAD_INPUT, "%snot an object of JSON%s%s", where,
                            quoted[0] == '\0' ? "" : ": ", quoted);
    }
    int code = EXIT_DONE;
    void *next = NULL;
    const char *name;
    json_t *member;
    json_object_foreach_safe(terms_out->line, next, name, member)
    {
        if (code == EXIT_DONE) {
            code = strcmp(name, "content") == 0 ? take_inline(terms_out, where, member)
                                                : take_member(terms_out, where, name, member);
        }
    }
    if (code == EXIT_DONE) {
        code = command_complete(&terms_out->arguments, stderr);
    }
    return code == EXIT_DONE ? take_values(terms_out, where) : code;
}

void terms_release(struct terms *terms)
{
    free(terms->content);
    free(terms->names);
    json_decref(terms->line);
    *terms = (struct terms){0};
}
