#include "fail.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fail_place fail_place;

static int place_print(char *buffer, size_t size)
{
    return snprintf(buffer, size,
                    "at seed %" PRIu64 ", step %" PRIu64 "\n"
                    "again: simulate --seed=%" PRIu64 " --steps=%" PRIu64 " --trace\n",
                    fail_place.seed, fail_place.step, fail_place.seed, fail_place.steps);
}

void fail(const char *rule, const char *format, ...)
{
    char place[256];
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "simulate: %s broken: ", rule);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    place_print(place, sizeof place);
    fprintf(stderr, "\n%s", place);
    exit(1);
}

static void on_signal(int number)
{
    char place[256];
    signal(number, SIG_DFL);
    int size = place_print(place, sizeof place);
    if (size > 0 && write(STDERR_FILENO, place, (size_t)size) < 0) {
        _exit(1);
    }
    raise(number);
}

void fail_catch_signals(void)
{
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        signal(numbers[i], on_signal);
    }
}
