/*
 * Goal: one event is one line that no text of a peer can forge or steer; floods are counted.
 * Method: the log writes to a pipe, which is read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "log.h"

static int ends[2];

static int set_up(void **state)
{
    (void)state;
    int status = pipe(ends);
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    log_open(ends[1], LOG_LEVEL_INFO);
    return status;
}

static int tear_down(void **state)
{
    (void)state;
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/* What was written, without the time. */
static const char *written(void)
{
    static char text[65536];
    ssize_t size = read(ends[0], text, sizeof(text) - 1);
    text[size > 0 ? size : 0] = '\0';
    const char *level = strstr(text, " level=");
    return level != NULL ? level + 1 : text;
}

static void log_bytes(const char *event, const char *bytes, size_t size)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, event);
    log_text(&line, "peer", (tender_bytes){bytes, size});
    log_end(&line);
}

static void plain_values_stand_bare(void **state)
{
    struct log_line line;
    (void)state;
    log_begin(&line, LOG_LEVEL_WARNING, "award");
    log_id(&line, "task", (tender_id){{1}});
    log_string(&line, "contractor", "kiln-2");
    log_int(&line, "price_micro", -1500);
    log_end(&line);
    assert_string_equal(written(), "level=warning event=award "
                                   "task=01000000-0000-0000-0000-000000000000 contractor=kiln-2 "
                                   "price_micro=-1500\n");
}

static void dangerous_text_is_escaped(void **state)
{
    (void)state;
    log_bytes("a", "x\nlevel=info event=forged", 25);
    assert_string_equal(written(), "level=info event=a peer=\"x\\u{a}level=info event=forged\"\n");
    log_bytes("b",
              "\x1b[2J\xe2\x80\xae"
              "evil\xc2\x85",
              13);
    assert_string_equal(written(), "level=info event=b peer=\"\\u{1b}[2J\\u{202e}evil\\u{85}\"\n");
    log_bytes("c", "\xff\xc0\x80 \"q\\", 7);
    assert_string_equal(written(), "level=info event=c peer=\"\\xff\\xc0\\x80 \\\"q\\\\\"\n");
    log_bytes("d", "k\xc3\xb6ln \xf0\x9f\x8f\xba", 10);
    assert_string_equal(written(), "level=info event=d peer=\"k\xc3\xb6ln \xf0\x9f\x8f\xba\"\n");
    log_bytes("e", "", 0);
    assert_string_equal(written(), "level=info event=e peer=\"\"\n");
    log_bytes("f", "\xed\xa0\x80", 3);
    assert_string_equal(written(), "level=info event=f peer=\"\\u{d800}\"\n");
}

static void long_text_is_cut_and_still_one_line(void **state)
{
    static char bytes[10000];
    (void)state;
    memset(bytes, '\n', sizeof(bytes));
    log_bytes("long", bytes, sizeof(bytes));
    const char *text = written();
    size_t size = strlen(text);
    assert_true(size < LOG_LINE_SIZE);
    assert_ptr_equal(strchr(text, '\n'), text + size - 1);
    assert_non_null(strstr(text, "\"...\n"));
}

static void level_below_the_threshold_is_not_written(void **state)
{
    (void)state;
    log_event(LOG_LEVEL_DEBUG, "detail", "why", "x");
    assert_string_equal(written(), "");
}

static void flood_of_one_event_is_counted(void **state)
{
    static const char flood[] = "flood";
    (void)state;
    for (int i = 0; i < 500; i++) {
        log_event(LOG_LEVEL_INFO, flood, "why", "x");
    }
    int lines = 0;
    for (const char *at = written(); (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    assert_in_range(lines, LOG_EVENTS_PER_SECOND, 2 * LOG_EVENTS_PER_SECOND + 1);
    log_event(LOG_LEVEL_INFO, "other", "why", "x");
    assert_non_null(strstr(written(), "event=other"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_values_stand_bare),
        TEST(dangerous_text_is_escaped),
        TEST(long_text_is_cut_and_still_one_line),
        TEST(level_below_the_threshold_is_not_written),
        TEST(flood_of_one_event_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
