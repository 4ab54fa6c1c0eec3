/*
 * The load: contractors that bid and deliver at once, clients that keep tasks in flight, and the
 * count of what came to its end. One phase at a time.
 */
#ifndef TENDER_TESTS_BENCH_LOAD_H
#define TENDER_TESTS_BENCH_LOAD_H

#include "session.h"

/*
 * tasks      lifecycles in the phase
 * in_flight  tasks announced and not ended, over all clients
 * batch      announcements in one exchange
 */
struct load_phase {
    uint32_t tasks;
    uint32_t in_flight;
    uint32_t batch;
};

/* What a phase found. Latencies in µs, from the announcement's packing to the award's arrival. */
struct load_result {
    double seconds;
    uint32_t tasks;
    double p50_us;
    double p99_us;
    uint64_t exchanges;
};

struct load_options {
    const char *url;
    const char *principal; /* whose account pays */
    uint32_t contractors;
    uint32_t clients;
};

void load_open(const struct load_options *options);
struct load_result load_run(const struct load_phase *phase);

#endif
