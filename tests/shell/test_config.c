/*
 * Goal: a wrong configuration is refused with line, column and the nearest name or the range; what
 * is written is what is read. Method: small files in memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

static struct config config;
static struct config_error error;

static int read_text(const char *text)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    config_init(&config);
    int status = config_read(&config, file, &error);
    fclose(file);
    return status;
}

static void assert_error(const char *text, int line, int column, const char *part)
{
    assert_int_equal(read_text(text), TENDER_EINVAL);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    if (strstr(error.text, part) == NULL) {
        fail_msg("'%s' is not in '%s'", part, error.text);
    }
}

static void values_with_units_are_read(void **state)
{
    (void)state;
    assert_int_equal(read_text("# a comment\n\n  heartbeat = 250ms\nlisten = \"tcp://[::1]:0\"\n"
                               "backlog-size = 2MiB\ntasks=17\nparanoid = yes\n"),
                     0);
    assert_int_equal(config.heartbeat_us, 250000);
    assert_string_equal(config.listen, "tcp://[::1]:0");
    assert_int_equal(config.backlog_size, 2097152);
    assert_int_equal(config.task_count, 17);
    assert_int_equal(config.is_paranoid, 1);
}

static void wrong_lines_are_named_by_line_and_column(void **state)
{
    (void)state;
    assert_error("grace = 1s\n  hartbeat = 1s\n", 2, 3, "did you mean 'heartbeat'?");
    assert_error("grace = 1s\ngrace = 1\n", 2, 9, "with us, ms, s, m, h or d");
    assert_error("grace = 2h\n", 1, 9, "from 0s to 1h");
    assert_error("heartbeat = 99ms\n", 1, 13, "from 100ms to 1h");
    assert_error("heartbeat = -1s\n", 1, 13, "no value");
    assert_error("heartbeat = 99999999999999999999s\n", 1, 13, "no value");
    assert_error("session-time = 9223372036854775807d\n", 1, 16, "outside the range");
    assert_error("backlog-size = 8 MB\n", 1, 16, "KiB, MiB or GiB");
    assert_error("paranoid = true\n", 1, 12, "yes or no");
    assert_error("just words\n", 1, 1, "name = value");
    assert_error("broker = \"x\n", 1, 10, "no end");
    assert_error("broker =\n", 1, 9, "1 to 64 bytes");
}

static void written_configuration_reads_back(void **state)
{
    static char text[65536];
    struct config written;
    (void)state;
    assert_int_equal(read_text("heartbeat = 1500ms\noutbox-size = 1048577\ngrace = 0s\n"), 0);
    FILE *file = fmemopen(text, sizeof(text), "w");
    config_write(&config, false, file);
    fclose(file);
    written = config;
    assert_int_equal(read_text(text), 0);
    assert_memory_equal(&config, &written, sizeof(config));
}

static void sample_is_all_comment_and_has_every_option(void **state)
{
    static char text[65536];
    struct config defaults;
    (void)state;
    config_init(&defaults);
    FILE *file = fmemopen(text, sizeof(text), "w");
    config_write(&defaults, true, file);
    fclose(file);
    assert_int_equal(read_text(text), 0);
    assert_memory_equal(&config, &defaults, sizeof(config));
#define OPTION(TYPE, member, name, value, minimum, maximum, reloadable, help)                      \
    assert_non_null(strstr(text, "\n#" name " ="));
#include "options.def"
#undef OPTION
}

static void sample_in_ops_is_the_one_that_tenderd_writes(void **state)
{
    static char expected[65536];
    static char found[65536];
    struct config defaults;
    (void)state;
    config_init(&defaults);
    FILE *file = fmemopen(expected, sizeof(expected), "w");
    config_write(&defaults, true, file);
    fclose(file);
    file = fopen(SAMPLE_FILE, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof(found) - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, expected); /* else: tenderd --sample-config > ops/tender.conf */
}

static void arguments_go_before_the_file_and_the_environment(void **state)
{
    char *arguments[] = {"tenderd", "--grace", "7s", "--heartbeat=2s", "--check-config", NULL};
    struct config_request request;
    (void)state;
    setenv("TENDER_DATABASE", "host=/somewhere", 1);
    assert_int_equal(config_gather(&config, 5, arguments, &request, &error), 0);
    assert_int_equal(config.grace_us, 7000000);
    assert_int_equal(config.heartbeat_us, 2000000);
    assert_string_equal(config.database, "host=/somewhere");
    assert_true(request.wants_check);
    unsetenv("TENDER_DATABASE");
}

static void wrong_arguments_are_refused(void **state)
{
    char *unknown[] = {"tenderd", "--hartbeat", "1s", NULL};
    char *missing[] = {"tenderd", "--grace", NULL};
    char *bare[] = {"tenderd", "grace", NULL};
    struct config_request request;
    (void)state;
    assert_int_equal(config_gather(&config, 3, unknown, &request, &error), TENDER_EINVAL);
    assert_non_null(strstr(error.text, "heartbeat"));
    assert_int_equal(config_gather(&config, 2, missing, &request, &error), TENDER_EINVAL);
    assert_int_equal(config_gather(&config, 2, bare, &request, &error), TENDER_EINVAL);
}

static void reload_takes_only_what_may_change(void **state)
{
    struct config fresh;
    const char *name = NULL;
    (void)state;
    config_init(&config);
    config_init(&fresh);
    assert_int_equal(config_set(&fresh, "grace", "9s", &error), 0);
    assert_int_equal(config_set(&fresh, "tasks", "9", &error), 0);
    assert_int_equal(config_reload(&config, &fresh, &name), 1);
    assert_string_equal(name, "tasks");
    assert_int_equal(config.grace_us, 9000000);
    assert_int_not_equal(config.task_count, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_with_units_are_read),
        cmocka_unit_test(wrong_lines_are_named_by_line_and_column),
        cmocka_unit_test(written_configuration_reads_back),
        cmocka_unit_test(sample_is_all_comment_and_has_every_option),
        cmocka_unit_test(sample_in_ops_is_the_one_that_tenderd_writes),
        cmocka_unit_test(arguments_go_before_the_file_and_the_environment),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(reload_takes_only_what_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
