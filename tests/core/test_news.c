/*
 * Goal: what somebody has to act on is not told as news that can wait, and the rest is. Method: a
 * life with a winner and two losers; after each event, of whom the tells may wait.
 */
#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the last event told that can wait, in one text: "b:reject-proposal client:inform". */
static const char *can_wait(const struct stage *stage)
{
    static char text[256];
    size_t size = 0;
    text[0] = '\0';
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        const struct tell *tell = &stage->effects.tells[i];
        if (tell->can_wait) {
            size +=
                (size_t)snprintf(text + size, sizeof text - size, "%s%.*s:%s", size > 0 ? " " : "",
                                 (int)tell->to.size, (const char *)tell->to.data,
                                 tender_performative_name(tell->message.performative));
            assert_true(size < sizeof text);
        }
    }
    return text;
}

static void only_news_that_nobody_acts_on_can_wait(void **state)
{
    static const struct {
        const char *line;
        const char *can_wait;
    } steps[] = {
        {"fund acme 100", ""},
        {"join client acme", ""},
        {"join a amber forge 4", ""},
        {"join b basalt forge 4", ""},
        {"join c cobalt forge 4", ""},
        {"client announces t ceiling=10", ""},
        {"a bids t 3 10m", ""},
        {"b bids t 4 10m", ""},
        {"c bids t 11 10m", "client:inform"}, /* who won; c, too dear, is told so at once */
        {"a acks t", "b:reject-proposal"},
        {"a done t 1", "a:inform"},
    };
    (void)state;
    struct stage *stage = stage_open();
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        script_line(stage, steps[i].line);
        assert_string_equal(can_wait(stage), steps[i].can_wait);
    }
    stage_close(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_news_that_nobody_acts_on_can_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
