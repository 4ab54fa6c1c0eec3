/*
 * How a broken rule ends the simulation: with the rule, the seed, the step and the command that
 * shows it again; and then, unless that was asked for already, with the smallest such command.
 */
#ifndef TENDER_TESTS_SIMULATE_FAIL_H
#define TENDER_TESTS_SIMULATE_FAIL_H

#include <stdbool.h>
#include <stdint.h>

/* Where the simulation is. */
struct fail_place {
    uint64_t seed;
    uint64_t step;
    uint64_t steps;
    const char *without; /* "loss,crash": what is switched off, or "" */
    bool is_final;       /* the failure is not to be made smaller */
};
extern struct fail_place fail_place;

_Noreturn void fail(const char *rule, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the simulation unless `condition` holds. */
#define require(condition, rule, ...)                                                              \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail(rule, __VA_ARGS__);                                                               \
        }                                                                                          \
    } while (0)

/* Becomes this program anew, with the option `how`, in one world; returns only where it cannot. */
void fail_run_again(const char *how, uint64_t seed, uint64_t steps, const char *without);

/* Makes an assertion of the core print the place, too. */
void fail_catch_signals(void);

#endif
