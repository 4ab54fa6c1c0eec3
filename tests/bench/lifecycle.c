/*
 * lifecycle: whole lives of tasks against a running broker, from the announcement to the client's
 * notice of the end, with three bids each, everything durable. Prints one line a phase:
 *
 *   batched   many tasks in flight, several announcements in one exchange
 *   single    tasks in flight, one announcement in one exchange
 *   alone     one task at a time: what a caller waits for
 */
#include "load.h"
#include "processor.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct options {
    struct load_options load;
    struct load_phase batched;
    struct load_phase single;
    uint32_t alone;
    int broker_pid;
    int postgres_pid;
    uint32_t warm_up;
};

static const char usage[] =
    "usage: lifecycle --url URL [options]\n"
    "  --principal P      whose account pays (platform); it needs credit for each task in flight\n"
    "  --tasks N          lifecycles in the batched phase (60000); 0: skip it\n"
    "  --in-flight N      tasks announced and not ended in it (8192)\n"
    "  --batch N          announcements in one exchange in it (64)\n"
    "  --single N         lifecycles with single announcements, 64 in flight (20000); 0: skip it\n"
    "  --alone N          lifecycles one at a time (1000); 0: skip it\n"
    "  --warm-up N        lifecycles before anything is counted (2000)\n"
    "  --contractors N    contractor sessions; 33 skills with three each take 99 (100)\n"
    "  --clients N        client sessions (64)\n"
    "  --broker-pid PID   to measure its processor time\n"
    "  --postgres-pid PID of the postmaster, likewise\n";

enum option_code {
    URL = 256,
    PRINCIPAL,
    TASKS,
    IN_FLIGHT,
    BATCH,
    SINGLE,
    ALONE,
    WARM_UP,
    CONTRACTORS,
    CLIENTS,
    BROKER_PID,
    POSTGRES_PID
};

static uint32_t number_of(const char *text)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || value > INT32_MAX) {
        bench_fail("%s is no number", text);
    }
    return (uint32_t)value;
}

static void option_set(struct options *options, int code, const char *value)
{
    switch (code) {
    case URL:
        options->load.url = value;
        break;
    case PRINCIPAL:
        options->load.principal = value;
        break;
    case TASKS:
        options->batched.tasks = number_of(value);
        break;
    case IN_FLIGHT:
        options->batched.in_flight = number_of(value);
        break;
    case BATCH:
        options->batched.batch = number_of(value);
        break;
    case SINGLE:
        options->single.tasks = number_of(value);
        break;
    case ALONE:
        options->alone = number_of(value);
        break;
    case WARM_UP:
        options->warm_up = number_of(value);
        break;
    case CONTRACTORS:
        options->load.contractors = number_of(value);
        break;
    case CLIENTS:
        options->load.clients = number_of(value);
        break;
    case BROKER_PID:
        options->broker_pid = (int)number_of(value);
        break;
    case POSTGRES_PID:
        options->postgres_pid = (int)number_of(value);
        break;
    default:
        fputs(usage, stderr);
        exit(2);
    }
}

static void options_read(struct options *options, int count, char **arguments)
{
    static const struct option known[] = {{"url", required_argument, NULL, URL},
                                          {"principal", required_argument, NULL, PRINCIPAL},
                                          {"tasks", required_argument, NULL, TASKS},
                                          {"in-flight", required_argument, NULL, IN_FLIGHT},
                                          {"batch", required_argument, NULL, BATCH},
                                          {"single", required_argument, NULL, SINGLE},
                                          {"alone", required_argument, NULL, ALONE},
                                          {"warm-up", required_argument, NULL, WARM_UP},
                                          {"contractors", required_argument, NULL, CONTRACTORS},
                                          {"clients", required_argument, NULL, CLIENTS},
                                          {"broker-pid", required_argument, NULL, BROKER_PID},
                                          {"postgres-pid", required_argument, NULL, POSTGRES_PID},
                                          {NULL, 0, NULL, 0}};
    for (int code = 0; (code = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        option_set(options, code, optarg);
    }
    if (options->load.url == NULL || options->load.contractors < 99 || options->load.clients == 0 ||
        optind != count) {
        fputs(usage, stderr);
        exit(2);
    }
}

static void run(const struct options *options, const char *name, const struct load_phase *phase)
{
    double broker = processor_of(options->broker_pid);
    double postgres = processor_of_family(options->postgres_pid);
    double self = processor_of_self();
    struct load_result result = load_run(phase);
    double scale = 1e6 / result.tasks;
    printf("phase=%s in_flight=%u batch=%u tasks=%u lifecycles_per_s=%.0f award_p50_us=%.0f "
           "award_p99_us=%.0f exchanges_per_lifecycle=%.2f broker_us=%.1f postgres_us=%.1f "
           "load_us=%.1f\n",
           name, phase->in_flight, phase->batch, result.tasks, result.tasks / result.seconds,
           result.p50_us, result.p99_us, (double)result.exchanges / result.tasks,
           (processor_of(options->broker_pid) - broker) * scale,
           (processor_of_family(options->postgres_pid) - postgres) * scale,
           (processor_of_self() - self) * scale);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    struct options options = {.load = {.principal = "platform", .contractors = 100, .clients = 64},
                              .batched = {.tasks = 60000, .in_flight = 8192, .batch = 64},
                              .single = {.tasks = 20000, .in_flight = 64, .batch = 1},
                              .alone = 1000,
                              .warm_up = 2000};
    options_read(&options, count, arguments);
    load_open(&options.load);
    if (options.warm_up > 0) {
        load_run(&(struct load_phase){options.warm_up, 256, 4});
    }
    if (options.batched.tasks > 0) {
        run(&options, "batched", &options.batched);
    }
    if (options.single.tasks > 0) {
        run(&options, "single", &options.single);
    }
    if (options.alone > 0) {
        run(&options, "alone", &(struct load_phase){options.alone, 1, 1});
    }
    /* Closing the sockets first hangs now and then in nng 1.5.2; what is open ends with the
     * process. */
    fflush(NULL);
    _exit(0);
}
