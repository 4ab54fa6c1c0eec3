/*
 * many: thousands of contractors that are connected and idle, and what each of them costs the
 * broker. Then all of them lose their connection at one moment and come back; last, all begin new
 * sessions. Prints one line a phase; exits 1 where a bound is given and not kept.
 *
 *   joined      sessions that said hello and offer: memory for each, in bytes
 *   reconnected seconds from the first connection of all until each was served (an offer agreed)
 */
#include "market.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEARTBEAT_US INT64_C(3600000000)
#define SERVE_EVERY  64 /* connections made between looks at those that are there */

static struct {
    const char *url;
    int broker_pid;
    uint32_t count;
    uint32_t principals;
    double memory_max; /* bytes a contractor; 0: not judged */
    double seconds_max;
    struct crowd crowd;
    struct peer *peers;
    uint32_t agreed;
} many = {.count = 10000, .principals = 1000};

static void on_message(struct peer *peer, const struct message *message)
{
    (void)peer;
    if (message->performative == TENDER_AGREE) {
        many.agreed++;
    } else if (message->performative != TENDER_WELCOME) {
        crowd_fail("the broker says %s: %s", tender_performative_name(message->performative),
                   tender_reason_name((tender_reason)message->reason));
    }
}

static void on_begin(struct peer *peer)
{
    char principal[TENDER_NAME_MAX];
    snprintf(principal, sizeof principal, "guild-%u", peer->index % many.principals);
    market_hello(peer, "many", principal, HEARTBEAT_US);
    market_offer(peer, "wait", 1);
}

/* Serves until everybody was agreed with. Returns the seconds since `from_us`. */
static double await_all(int64_t from_us)
{
    while (many.agreed < many.count) {
        crowd_turn(&many.crowd, 1000);
        if (market_now_us() - from_us > 120 * INT64_C(1000000)) {
            crowd_fail("after 120 s %u of %u were served, %llu connections lost", many.agreed,
                       many.count, (unsigned long long)many.crowd.lost);
        }
    }
    return (double)(market_now_us() - from_us) / 1e6;
}

static void connect_all(bool is_new)
{
    many.agreed = 0;
    for (uint32_t i = 0; i < many.count; i++) {
        struct peer *peer = &many.peers[i];
        peer_connect(peer);
        if (is_new) {
            peer_begin(peer);
        } else {
            market_offer(peer, "wait", 1);
        }
        if (i % SERVE_EVERY == 0) {
            crowd_turn(&many.crowd, 0);
        }
    }
}

static double join(void)
{
    uint64_t before = market_memory(many.broker_pid);
    int64_t from_us = market_now_us();
    connect_all(true);
    double seconds = await_all(from_us);
    double each = (double)(market_memory(many.broker_pid) - before) / many.count;
    printf("phase=joined contractors=%u seconds=%.2f broker_before_mib=%.1f bytes_each=%.0f\n",
           many.count, seconds, (double)before / 1048576, each);
    fflush(stdout);
    return each;
}

static double come_back(const char *phase, bool is_new)
{
    for (uint32_t i = 0; i < many.count; i++) {
        peer_drop(&many.peers[i]);
    }
    uint64_t lost = many.crowd.lost;
    int64_t from_us = market_now_us();
    connect_all(is_new);
    double seconds = await_all(from_us);
    printf("phase=%s contractors=%u seconds=%.2f broker_mib=%.1f lost=%llu\n", phase, many.count,
           seconds, (double)market_memory(many.broker_pid) / 1048576,
           (unsigned long long)(many.crowd.lost - lost));
    fflush(stdout);
    return seconds;
}

static void read_options(int count, char **arguments)
{
    static const struct option known[] = {{"url", required_argument, NULL, 'u'},
                                          {"broker-pid", required_argument, NULL, 'b'},
                                          {"contractors", required_argument, NULL, 'c'},
                                          {"principals", required_argument, NULL, 'p'},
                                          {"memory-max", required_argument, NULL, 'm'},
                                          {"seconds-max", required_argument, NULL, 's'},
                                          {NULL, 0, NULL, 0}};
    for (int code = 0; (code = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (code) {
        case 'u':
            many.url = optarg;
            break;
        case 'b':
            many.broker_pid = atoi(optarg);
            break;
        case 'c':
            many.count = (uint32_t)atoi(optarg);
            break;
        case 'p':
            many.principals = (uint32_t)atoi(optarg);
            break;
        case 'm':
            many.memory_max = atof(optarg);
            break;
        case 's':
            many.seconds_max = atof(optarg);
            break;
        default:
            many.url = NULL;
        }
    }
    if (many.url == NULL || many.broker_pid <= 0 || many.count == 0 || many.principals == 0) {
        crowd_fail("usage: many --url URL --broker-pid PID [--contractors N] [--principals N] "
                   "[--memory-max BYTES] [--seconds-max S]");
    }
}

int main(int count, char **arguments)
{
    read_options(count, arguments);
    crowd_open(&many.crowd, many.url, many.count);
    many.peers = calloc(many.count, sizeof *many.peers);
    if (many.peers == NULL) {
        crowd_fail("out of memory");
    }
    for (uint32_t i = 0; i < many.count; i++) {
        many.peers[i] = (struct peer){.crowd = &many.crowd,
                                      .hears = on_message,
                                      .begins = on_begin,
                                      .index = i,
                                      .descriptor = -1};
    }
    double each = join();
    double resumed = come_back("resumed", false);
    double renewed = come_back("renewed", true);
    for (uint32_t i = 0; i < many.count; i++) {
        peer_release(&many.peers[i]);
    }
    free(many.peers);
    crowd_close(&many.crowd);
    bool is_small = many.memory_max == 0 || each <= many.memory_max;
    bool is_quick =
        many.seconds_max == 0 || (resumed <= many.seconds_max && renewed <= many.seconds_max);
    return is_small && is_quick ? 0 : 1;
}
