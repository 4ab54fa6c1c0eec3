#include "shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_SIZE 8192

const char *shrink_names(uint32_t without)
{
    static char names[256];
    size_t size = 0;
    names[0] = '\0';
    for (size_t i = 0; i < WEATHER_COUNT; i++) {
        if ((without & (UINT32_C(1) << i)) != 0) {
            size += (size_t)snprintf(names + size, sizeof names - size, "%s%s",
                                     size == 0 ? "" : ",", weather_names[i]);
        }
    }
    return names;
}

bool shrink_parse(const char *names, uint32_t *without_out)
{
    *without_out = 0;
    while (*names != '\0') {
        size_t size = strcspn(names, ",");
        size_t i = 0;
        while (i < WEATHER_COUNT &&
               (strlen(weather_names[i]) != size || memcmp(weather_names[i], names, size) != 0)) {
            i++;
        }
        if (i == WEATHER_COUNT) {
            return false;
        }
        *without_out |= UINT32_C(1) << i;
        names += names[size] == ',' ? size + 1 : size;
    }
    return true;
}

/* What the program says on standard error; "" when it succeeds. */
static void run(const struct world_options *options, char said[SAID_SIZE])
{
    int ends[2];
    said[0] = '\0';
    if (pipe(ends) != 0) {
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        if (freopen("/dev/null", "w", stdout) != NULL) {
            fail_run_again("--final", options->seed, options->steps,
                           shrink_names(options->without));
        }
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    ssize_t more;
    while ((more = read(ends[0], said + size, SAID_SIZE - 1 - size)) > 0) {
        size += (size_t)more;
    }
    said[size] = '\0';
    close(ends[0]);
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status == 0) {
        said[0] = '\0';
    }
}

/* What was broken, without what differs from one world to another. */
static void rule_of(const char *said, char rule[SAID_SIZE])
{
    const char *start = strstr(said, "Assertion");
    const char *end = start == NULL ? strstr(said, " broken:") : strchr(start, '\n');
    start = start == NULL ? said : start;
    snprintf(rule, SAID_SIZE, "%.*s", end == NULL ? 0 : (int)(end - start), start);
}

static bool breaks(const struct world_options *options, const char *rule)
{
    char said[SAID_SIZE];
    char other[SAID_SIZE];
    run(options, said);
    rule_of(said, other);
    return said[0] != '\0' && strcmp(rule, other) == 0;
}

static void switch_off(struct world_options *options, const char *rule)
{
    for (size_t i = 0; i < WEATHER_COUNT; i++) {
        struct world_options less = *options;
        less.without |= UINT32_C(1) << i;
        if (less.without != options->without && breaks(&less, rule)) {
            *options = less;
        }
    }
}

static void take_steps(struct world_options *options, const char *rule)
{
    for (uint64_t fewer = options->steps / 2; fewer > 0; fewer /= 2) {
        struct world_options less = *options;
        less.steps -= fewer;
        if (less.steps > 0 && breaks(&less, rule)) {
            *options = less;
        }
    }
}

int shrink(const struct world_options *options)
{
    struct world_options least = *options;
    char said[SAID_SIZE];
    char rule[SAID_SIZE];
    run(&least, said);
    rule_of(said, rule);
    if (said[0] == '\0') {
        fprintf(stderr, "it does not come again\n");
        return 2;
    }
    switch_off(&least, rule);
    take_steps(&least, rule);
    switch_off(&least, rule);
    fprintf(stderr, "smallest: simulate --seed=%" PRIu64 " --steps=%" PRIu64 "%s%s --trace\n",
            least.seed, least.steps,
            least.without == 0 ? "" : " --without=", shrink_names(least.without));
    return 1;
}
