/*
 * A play is a test: its name is a claim, its lines are events and what they cause (script.c).
 */
#ifndef TENDER_TESTS_CORE_PLAY_H
#define TENDER_TESTS_CORE_PLAY_H

#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PLAY(name, ...)                                                                            \
    static void name(void **state)                                                                 \
    {                                                                                              \
        static const char *const lines[] = {__VA_ARGS__};                                          \
        (void)state;                                                                               \
        script_run(lines, sizeof lines / sizeof lines[0]);                                         \
    }
#define TEST(name) cmocka_unit_test(name)

/* A client with 100 credits, and three contractors of three principals. */
#define CAST                                                                                       \
    "fund acme 100", "join client acme", "join a amber forge 4", "join b birch forge 4",           \
        "join c cedar forge 4"

#endif
