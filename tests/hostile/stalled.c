/*
 * stalled: a tenth of the contractors stop reading, and whether the others notice. Nine tenths bid
 * on small tasks of a client that keeps some in flight; the last tenth are all asked for large
 * tasks that are announced at a steady rate, before and after they stop. Prints
 *
 *   before, during  the others' time from announcement to award
 *   ratio           of the 99th percentiles
 *   cut_s           seconds from the stop until the broker had closed the last of the stalled
 *   memory          of the broker: before the stop, and the most during it
 *   resumed_s       seconds until all that stalled were served again, once they read
 *
 * Exits 1 where a bound is given and not kept.
 */
#include "market.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEARTBEAT_US   INT64_C(5000000)
#define WINDOW_US      INT64_C(2000000)
#define BIDDERS        3 /* for each skill of the others */
#define REMEMBERED     64
#define SAMPLES_MAX    2000000
#define LARGE_EVERY_US 200000
#define CUT_MAX_US     (100 * INT64_C(1000000))

/* What a contractor remembers of the cfps that it answered: which task is which number. */
struct worker {
    tender_id tasks[REMEMBERED];
    uint32_t numbers[REMEMBERED];
    uint32_t next;
};

static struct {
    const char *url;
    int broker_pid;
    uint32_t count;
    uint32_t in_flight;
    double seconds;
    double ratio_max;
    double cut_max_s;
    struct crowd crowd;
    struct peer *peers; /* the others, then the stalled, then two clients */
    struct worker *workers;
    uint32_t stalled;
    uint32_t agreed;
    uint32_t flying;
    uint32_t number; /* announced by the first client */
    uint32_t large_number;
    int64_t next_large_us;
    int64_t *announced_us;
    double *latencies;
    size_t latency_count;
} run = {.count = 1000, .in_flight = 32, .seconds = 10};

static struct peer *stalled_peer(uint32_t index)
{
    return &run.peers[run.count - run.stalled + index];
}

static void remember(struct worker *worker, const struct message *cfp)
{
    uint32_t number = 0;
    memcpy(&number, cfp->content.data, sizeof number);
    worker->tasks[worker->next % REMEMBERED] = cfp->conversation;
    worker->numbers[worker->next++ % REMEMBERED] = number;
}

static void measure(const struct worker *worker, tender_id task)
{
    for (uint32_t i = 0; i < REMEMBERED; i++) {
        if (tender_id_equal(worker->tasks[i], task) && run.latency_count < SAMPLES_MAX) {
            run.latencies[run.latency_count++] =
                (double)(market_now_us() - run.announced_us[worker->numbers[i] % SAMPLES_MAX]);
        }
    }
}

static void contractor_hears(struct peer *peer, const struct message *message)
{
    bool is_other = peer->index < run.count - run.stalled;
    run.agreed += message->performative == TENDER_AGREE;
    if (is_other && message->performative == TENDER_CFP) {
        remember(&run.workers[peer->index], message);
    } else if (is_other && message->performative == TENDER_ACCEPT_PROPOSAL) {
        measure(&run.workers[peer->index], message->conversation);
    }
    market_work(peer, message);
}

static void contractor_begins(struct peer *peer)
{
    char skill[TENDER_SKILL_MAX];
    char principal[TENDER_NAME_MAX];
    bool is_other = peer->index < run.count - run.stalled;
    snprintf(skill, sizeof skill, "others/%u", peer->index / BIDDERS);
    snprintf(principal, sizeof principal, "guild-%u", peer->index);
    market_hello(peer, "stalled", principal, HEARTBEAT_US);
    market_offer(peer, is_other ? skill : "large", 4096);
}

static void client_hears(struct peer *peer, const struct message *message)
{
    bool is_end = message->performative == TENDER_INFORM &&
                  message_has(message, MESSAGE_TASK_STATE) &&
                  tender_task_state_is_terminal((tender_task_state)message->task_state);
    if (message->performative == TENDER_REFUSE || message->performative == TENDER_NOT_UNDERSTOOD) {
        crowd_fail("the broker tells a client: %s",
                   tender_reason_name((tender_reason)message->reason));
    }
    run.flying -= is_end && peer->index == run.count;
}

static void client_begins(struct peer *peer)
{
    market_hello(peer, "stalled-client", "platform", HEARTBEAT_US);
}

/* Keeps tasks in flight, and asks the last tenth for a large one now and then. */
static void announce(void)
{
    struct peer *client = &run.peers[run.count];
    uint32_t skills = (run.count - run.stalled) / BIDDERS;
    char skill[TENDER_SKILL_MAX];
    while (run.flying < run.in_flight) {
        snprintf(skill, sizeof skill, "others/%u", run.number % skills);
        run.announced_us[++run.number % SAMPLES_MAX] = market_now_us();
        market_announce(client, run.number, skill, 64, WINDOW_US);
        run.flying++;
    }
    if (market_now_us() >= run.next_large_us) {
        run.next_large_us = market_now_us() + LARGE_EVERY_US;
        market_announce(&run.peers[run.count + 1], ++run.large_number, "large", TENDER_CONTENT_MAX,
                        WINDOW_US);
    }
}

static uint32_t count_cut(void)
{
    uint32_t cut = 0;
    for (uint32_t i = 0; i < run.stalled; i++) {
        cut += stalled_peer(i)->descriptor < 0;
    }
    return cut;
}

/* Serves for `seconds`, and until all that are deaf are cut where that is awaited. Returns the 99th
 * percentile; `cut_out` and `memory_out` receive when the last was cut, and the most memory. */
static double serve(const char *phase, double seconds, bool awaits_cut, double *cut_out,
                    uint64_t *memory_out)
{
    int64_t from_us = market_now_us();
    int64_t sample_us = from_us;
    run.latency_count = 0;
    *cut_out = 0;
    *memory_out = 0;
    while (market_now_us() - from_us < (int64_t)(seconds * 1e6) ||
           (awaits_cut && count_cut() < run.stalled && market_now_us() - from_us < CUT_MAX_US)) {
        announce();
        crowd_turn(&run.crowd, 10);
        if (awaits_cut && *cut_out == 0 && count_cut() == run.stalled) {
            *cut_out = (double)(market_now_us() - from_us) / 1e6;
        }
        if (market_now_us() >= sample_us) {
            uint64_t memory = market_memory(run.broker_pid);
            sample_us = market_now_us() + 500000;
            *memory_out = memory > *memory_out ? memory : *memory_out;
        }
    }
    double p50 = market_percentile(run.latencies, run.latency_count, 50);
    double p99 = market_percentile(run.latencies, run.latency_count, 99);
    printf("phase=%s awards=%zu award_p50_us=%.0f award_p99_us=%.0f broker_mib=%.1f\n", phase,
           run.latency_count, p50, p99, (double)*memory_out / 1048576);
    fflush(stdout);
    return p99;
}

/* Lets those that stalled read again; returns how long it took until all were served. */
static double resume(void)
{
    int64_t from_us = market_now_us();
    run.agreed = 0;
    for (uint32_t i = 0; i < run.stalled; i++) {
        struct peer *peer = stalled_peer(i);
        peer->is_deaf = false;
        if (peer->descriptor < 0) {
            peer_connect(peer);
        } else {
            peer_deafen(peer, false);
        }
        market_offer(peer, "large", 4096);
    }
    while (run.agreed < run.stalled) {
        announce();
        crowd_turn(&run.crowd, 10);
        for (uint32_t i = 0; i < run.stalled; i++) {
            if (stalled_peer(i)->descriptor < 0) { /* found out by reading that it was cut */
                peer_connect(stalled_peer(i));
                market_offer(stalled_peer(i), "large", 4096);
            }
        }
        if (market_now_us() - from_us > CUT_MAX_US) {
            crowd_fail("%u of %u were served again", run.agreed, run.stalled);
        }
    }
    return (double)(market_now_us() - from_us) / 1e6;
}

static void open_all(void)
{
    run.stalled = run.count / 10;
    crowd_open(&run.crowd, run.url, run.count + 2);
    run.peers = calloc(run.count + 2, sizeof *run.peers);
    run.workers = calloc(run.count, sizeof *run.workers);
    run.announced_us = calloc(SAMPLES_MAX, sizeof *run.announced_us);
    run.latencies = calloc(SAMPLES_MAX, sizeof *run.latencies);
    if (run.peers == NULL || run.workers == NULL || run.announced_us == NULL ||
        run.latencies == NULL) {
        crowd_fail("out of memory");
    }
    for (uint32_t i = 0; i < run.count + 2; i++) {
        bool is_client = i >= run.count;
        run.peers[i] = (struct peer){.crowd = &run.crowd,
                                     .hears = is_client ? client_hears : contractor_hears,
                                     .begins = is_client ? client_begins : contractor_begins,
                                     .index = i,
                                     .descriptor = -1};
        peer_connect(&run.peers[i]);
        peer_begin(&run.peers[i]);
        crowd_turn(&run.crowd, 0);
    }
    while (run.agreed < run.count) {
        crowd_turn(&run.crowd, 1000);
    }
}

static void read_options(int count, char **arguments)
{
    static const struct option known[] = {
        {"url", required_argument, NULL, 'u'},         {"broker-pid", required_argument, NULL, 'b'},
        {"contractors", required_argument, NULL, 'c'}, {"in-flight", required_argument, NULL, 'f'},
        {"seconds", required_argument, NULL, 's'},     {"ratio-max", required_argument, NULL, 'r'},
        {"cut-max", required_argument, NULL, 'm'},     {NULL, 0, NULL, 0}};
    for (int code = 0; (code = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (code) {
        case 'u':
            run.url = optarg;
            break;
        case 'b':
            run.broker_pid = atoi(optarg);
            break;
        case 'c':
            run.count = (uint32_t)atoi(optarg);
            break;
        case 'f':
            run.in_flight = (uint32_t)atoi(optarg);
            break;
        case 's':
            run.seconds = atof(optarg);
            break;
        case 'r':
            run.ratio_max = atof(optarg);
            break;
        case 'm':
            run.cut_max_s = atof(optarg);
            break;
        default:
            run.url = NULL;
        }
    }
    if (run.url == NULL || run.broker_pid <= 0 || run.count < 40 || run.in_flight == 0) {
        crowd_fail("usage: stalled --url URL --broker-pid PID [--contractors N] [--in-flight N] "
                   "[--seconds S] [--ratio-max X] [--cut-max S]");
    }
}

int main(int count, char **arguments)
{
    double cut = 0;
    uint64_t memory = 0;
    uint64_t most = 0;
    read_options(count, arguments);
    open_all();
    (void)serve("warm", run.seconds / 4, false, &cut, &memory);
    double before = serve("before", run.seconds, false, &cut, &memory);
    for (uint32_t i = 0; i < run.stalled; i++) {
        peer_deafen(stalled_peer(i), true);
    }
    double during = serve("during", run.seconds, true, &cut, &most);
    uint32_t left = run.stalled - count_cut();
    double resumed = resume();
    printf("stalled=%u of=%u ratio=%.2f cut_s=%.1f not_cut=%u memory_mib=%.1f most_mib=%.1f "
           "resumed_s=%.2f\n",
           run.stalled, run.count, during / before, cut, left, (double)memory / 1048576,
           (double)most / 1048576, resumed);
    bool is_even = run.ratio_max == 0 || during <= before * run.ratio_max;
    bool is_cut = run.cut_max_s == 0 || (left == 0 && cut <= run.cut_max_s);
    return is_even && is_cut ? 0 : 1;
}
