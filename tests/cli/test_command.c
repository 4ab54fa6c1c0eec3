/*
 * Goal: the table of commands parses what it says, complains by name, and renders help and manual.
 * Method: the program's own table, words as typed, complaints read back from memory.
 */
#include "commands.h"
#include "wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WORDS_MAX 32

/* Parses a line of words; `complaint` receives what was said. `arguments` points into static
 * memory, until the next call. */
static int parse(const char *line, struct arguments *arguments, char *complaint, size_t capacity)
{
    static char copy[2048];
    static char *argv[WORDS_MAX + 1];
    int argc = 0;
    int words = 0;
    char *rest = NULL;
    snprintf(copy, sizeof(copy), "%s", line);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL && argc < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest)) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    const struct command *command = command_find(commands, command_count, argc, argv, &words);
    assert_non_null(command);
    FILE *errors = fmemopen(complaint, capacity, "w");
    int code = command_parse(command, argc - words + 1, argv + words - 1, arguments, errors);
    fclose(errors);
    return code;
}

static void expect_complaint(const char *line, const char *part)
{
    char complaint[2048] = "";
    struct arguments arguments;
    int code = parse(line, &arguments, complaint, sizeof(complaint));
    if (code == EXIT_DONE && strncmp(line, "announce", 8) == 0) {
        FILE *errors = fmemopen(complaint, sizeof(complaint), "w");
        code = command_complete(&arguments, errors);
        fclose(errors);
    }
    assert_int_equal(code, EXIT_BAD_INPUT);
    if (strstr(complaint, part) == NULL) {
        fail_msg("%s: \"%s\" is not in \"%s\"", line, part, complaint);
    }
}

static void flags_become_values_with_their_units(void **state)
{
    (void)state;
    char complaint[2048];
    struct arguments arguments;
    assert_int_equal(parse("announce --principal acme -s translate.de --units 40 --ceiling 30 "
                           "--window 20s --due=60m --kill-fee 5% -o json --wait",
                           &arguments, complaint, sizeof(complaint)),
                     EXIT_DONE);
    assert_int_equal(argument_number(&arguments, "ceiling"), 30000000);
    assert_int_equal(argument_number(&arguments, "window"), 20000000);
    assert_int_equal(argument_number(&arguments, "due"), INT64_C(3600000000));
    assert_int_equal(argument_number(&arguments, "kill-fee"), 50000);
    assert_int_equal(argument_number(&arguments, "backoff"), 1000000);
    assert_int_equal(argument_format(&arguments), OUTPUT_JSON);
    assert_true(argument(&arguments, "wait")->is_set);
    assert_false(argument(&arguments, "close-alone")->is_set);
    assert_string_equal(argument_text(&arguments, "skill"), "translate.de");
    assert_null(argument_text(&arguments, "key"));
}

static void complaints_name_flag_value_form_and_range(void **state)
{
    (void)state;
    expect_complaint("announce --window 20", "--window: \"20\" has no unit");
    expect_complaint("announce --ceiling NaN", "--ceiling: \"NaN\" is not allowed here; allowed: "
                                               "credits with at most six decimals, from 0 to "
                                               "1000000000000");
    expect_complaint("announce --deadline 2030-01-31T12:00:00", "has no time zone");
    expect_complaint("announce --units", "--units needs a value");
    expect_complaint("announce --unit 4 --unitz 5", "no flag --unitz; did you mean --units?");
    expect_complaint("announce -x", "no flag -x");
    expect_complaint("announce --wait=yes", "--wait takes no value");
    expect_complaint("announce --principal acme", "--skill is missing: skill that the work needs");
    expect_complaint("tasks --state open extra", "\"extra\" is one word too many");
    expect_complaint("tasks --state opened", "allowed: blocked|open|");
    expect_complaint("task", "TASK is missing");
    expect_complaint("task 123", "TASK: \"123\" is not allowed here; allowed: an identifier");
    expect_complaint("contractor exec --name n --principal p --skill s --rate 1", "-- CMD... is "
                                                                                  "missing");
}

static void two_words_name_one_command(void **state)
{
    (void)state;
    char complaint[2048];
    struct arguments arguments;
    assert_int_equal(parse("account fund acme 10.5", &arguments, complaint, sizeof(complaint)),
                     EXIT_DONE);
    assert_string_equal(arguments.command->name, "account fund");
    assert_int_equal(operand(&arguments, 1)->number, 10500000);
    assert_int_equal(parse("account acme", &arguments, complaint, sizeof(complaint)), EXIT_DONE);
    assert_string_equal(arguments.command->name, "account");
    assert_string_equal(operand(&arguments, 0)->text, "acme");
    assert_int_equal(parse("account fund -- acme -3", &arguments, complaint, sizeof(complaint)),
                     EXIT_DONE);
    assert_int_equal(operand(&arguments, 1)->number, -3000000);
}

static void words_after_two_dashes_belong_to_another_program(void **state)
{
    (void)state;
    char complaint[2048];
    struct arguments arguments;
    assert_int_equal(parse("contractor exec --name n --principal p --skill s --rate 0.5 --slots 2 "
                           "-- tr --help a-z",
                           &arguments, complaint, sizeof(complaint)),
                     EXIT_DONE);
    assert_int_equal(arguments.rest_count, 3);
    assert_string_equal(arguments.rest[1], "--help");
    assert_null(arguments.rest[3]);
    assert_int_equal(parse("psql -c select", &arguments, complaint, sizeof(complaint)), EXIT_DONE);
    assert_int_equal(arguments.rest_count, 2);
}

static void a_near_miss_is_named(void **state)
{
    (void)state;
    assert_string_equal(command_nearest(commands, command_count, "anounce"), "announce");
    assert_string_equal(command_nearest(commands, command_count, "taks"), "tasks");
    assert_null(command_nearest(commands, command_count, "frobnicate"));
}

static void every_preset_is_a_value_of_its_flag(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const struct flag *flags[COMMAND_FLAGS_MAX];
        size_t count = command_flags(&commands[i], flags);
        for (size_t j = 0; j < count; j++) {
            char why[VALUE_WHY_MAX] = "";
            struct value value;
            if (flags[j]->preset != NULL &&
                value_read(&flags[j]->rule, flags[j]->preset, &value, why) != 0) {
                fail_msg("tender %s --%s: %s", commands[i].name, flags[j]->name, why);
            }
        }
    }
}

static void flags_allow_what_the_wire_allows(void **state)
{
    (void)state;
    static const struct {
        const char *flag;
        enum message_field field;
    } rows[] = {
        {"units", MESSAGE_UNITS}, {"ceiling", MESSAGE_CEILING},   {"window", MESSAGE_WINDOW},
        {"due", MESSAGE_DUE},     {"rounds", MESSAGE_ROUNDS},     {"backoff", MESSAGE_BACKOFF},
        {"ack", MESSAGE_ACK},     {"priority", MESSAGE_PRIORITY}, {"kill-fee", MESSAGE_KILL_FEE}};
    const struct flag *flags[COMMAND_FLAGS_MAX];
    size_t count = command_flags(&commands[0], flags);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int64_t minimum, maximum;
        size_t j = 0;
        while (j < count && strcmp(flags[j]->name, rows[i].flag) != 0) {
            j++;
        }
        assert_true(j < count);
        assert_true(message_field_range(rows[i].field, &minimum, &maximum));
        if (flags[j]->rule.minimum != minimum || flags[j]->rule.maximum != maximum) {
            fail_msg("--%s: the wire allows %lld to %lld", rows[i].flag, (long long)minimum,
                     (long long)maximum);
        }
    }
}

/* Prints into memory. Allocated. */
static char *rendered(void (*print)(const struct command *rows, size_t count, FILE *out),
                      const struct command *rows, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    print(rows, count, out);
    fclose(out);
    return text;
}

static void print_one(const struct command *rows, size_t count, FILE *out)
{
    (void)count;
    command_help(rows, out);
}

static void help_teaches_every_flag_with_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const struct flag *flags[COMMAND_FLAGS_MAX];
        size_t count = command_flags(&commands[i], flags);
        char *help = rendered(print_one, &commands[i], 1);
        assert_non_null(strstr(help, "\nExamples:\n  tender "));
        assert_non_null(strstr(help, "\nExit codes:\n"));
        for (size_t j = 0; j < count && (commands[i].common & COMMAND_PASSES_ALL) == 0; j++) {
            char words[64];
            snprintf(words, sizeof(words), "--%s", flags[j]->name);
            assert_non_null(strstr(help, words));
        }
        for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
            if (strcspn(line, "\n") > 100) {
                fail_msg("tender %s: a line of %zu columns", commands[i].name, strcspn(line, "\n"));
            }
        }
        free(help);
    }
}

static void overview_and_manual_name_every_command(void **state)
{
    (void)state;
    char *overview = rendered(command_overview, commands, command_count);
    char *manual = rendered(command_manual, commands, command_count);
    for (size_t i = 0; i < command_count; i++) {
        assert_non_null(strstr(overview, commands[i].name));
        assert_non_null(strstr(manual, commands[i].name));
    }
    free(overview);
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_become_values_with_their_units),
        cmocka_unit_test(complaints_name_flag_value_form_and_range),
        cmocka_unit_test(two_words_name_one_command),
        cmocka_unit_test(words_after_two_dashes_belong_to_another_program),
        cmocka_unit_test(a_near_miss_is_named),
        cmocka_unit_test(every_preset_is_a_value_of_its_flag),
        cmocka_unit_test(flags_allow_what_the_wire_allows),
        cmocka_unit_test(help_teaches_every_flag_with_examples),
        cmocka_unit_test(overview_and_manual_name_every_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
