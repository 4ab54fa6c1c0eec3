#include "fail.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fail_place fail_place = {.without = ""};

static int place_print(char *buffer, size_t size)
{
    bool is_whole = fail_place.without[0] == '\0';
    return snprintf(buffer, size,
                    "at seed %" PRIu64 ", step %" PRIu64 "\n"
                    "again: simulate --seed=%" PRIu64 " --steps=%" PRIu64 "%s%s --trace\n",
                    fail_place.seed, fail_place.step, fail_place.seed, fail_place.steps,
                    is_whole ? "" : " --without=", fail_place.without);
}

void fail_run_again(const char *how, uint64_t seed, uint64_t steps, const char *without)
{
    char seed_option[64];
    char steps_option[64];
    char without_option[256];
    snprintf(seed_option, sizeof seed_option, "--seed=%" PRIu64, seed);
    snprintf(steps_option, sizeof steps_option, "--steps=%" PRIu64, steps);
    snprintf(without_option, sizeof without_option, "--without=%s", without);
    execl("/proc/self/exe", "simulate", how, seed_option, steps_option, without_option,
          (char *)NULL);
}

/* Begins this program anew to look for a smaller world that breaks the same rule. */
static void shrink(void)
{
    if (!fail_place.is_final) {
        fail_run_again("--shrink", fail_place.seed, fail_place.steps, fail_place.without);
    }
}

void fail(const char *rule, const char *format, ...)
{
    char place[512];
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "simulate: %s broken: ", rule);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    place_print(place, sizeof place);
    fprintf(stderr, "\n%s", place);
    shrink();
    exit(1);
}

static void on_signal(int number)
{
    char place[512];
    signal(number, SIG_DFL);
    int size = place_print(place, sizeof place);
    if (size > 0 && write(STDERR_FILENO, place, (size_t)size) < 0) {
        _exit(1);
    }
    if (number != SIGALRM) { /* trying what takes minutes takes hours */
        shrink();
    }
    raise(number);
}

void fail_catch_signals(void)
{
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGALRM};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* a handler may have begun this program */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        signal(numbers[i], on_signal);
    }
}
