/*
 * invite: what a round costs the core, by how many contractors there are. Each is a principal of
 * its own and offers one skill; a task invites a drawn few of them, who bid, and the first does it.
 * Prints one line for each number of contractors:
 *
 *   announce   from hearing an announcement to its cfps
 *   round      all that the core does for the task: announcement, bids, award, work, end
 *   free       of that what the end costs, when the winner is free again and rounds are open
 *
 * With --all every contractor is invited, as a task does that does not ask for fewer.
 */
#include "book.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OPEN_ROUNDS 64 /* of other tasks, full, while one is measured */

struct options {
    uint32_t rounds;
    uint32_t invite_max;
    bool is_all;
};

struct bench {
    const struct options *options;
    struct book *book;
    struct effects effects;
    int64_t now_us;
    uint64_t ids;
    uint64_t spent_ns; /* in book_hear since it was last set to 0 */
};

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "invite: %s\n", why);
    exit(1);
}

static uint64_t clock_ns(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static tender_bytes bytes_of(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

static void hear(struct bench *bench, struct event *event)
{
    event->at_us = ++bench->now_us;
    uint64_t from = clock_ns();
    book_hear(bench->book, event, &bench->effects);
    bench->spent_ns += clock_ns() - from;
}

static void say(struct bench *bench, const char *peer, const char *principal,
                struct message *message)
{
    static const struct prior nothing;
    struct event event = {.kind = EVENT_MESSAGE,
                          .peer = bytes_of(peer),
                          .principal = bytes_of(principal),
                          .message = message};
    tender_digest digest;
    bench->ids++;
    memcpy(event.task.bytes, &bench->ids, sizeof bench->ids);
    if (book_wants_prior(bench->book, &event, &digest)) {
        event.prior = &nothing;
    }
    hear(bench, &event);
}

static void tick(struct bench *bench, int64_t until_us)
{
    bench->now_us = until_us;
    while (book_next_deadline(bench->book) <= bench->now_us) {
        struct event event = {.kind = EVENT_TICK, .committed_us = bench->now_us};
        hear(bench, &event);
    }
}

static void enrol(struct bench *bench, uint32_t number)
{
    char name[24];
    char principal[24];
    snprintf(name, sizeof name, "kiln-%u", number);
    snprintf(principal, sizeof principal, "guild-%u", number);
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, HEARTBEAT, heartbeat_us, INT64_C(3600000000));
    say(bench, name, principal, &hello);
    tender_bytes skill = bytes_of("forge");
    struct message offer = {.performative = TENDER_OFFER};
    message_set(&offer, SKILLS, skills, ((struct message_texts){1, &skill}));
    message_set(&offer, SLOTS, slots, 64);
    say(bench, name, principal, &offer);
}

static void announce(struct bench *bench)
{
    char key[24];
    snprintf(key, sizeof key, "%" PRIu64, bench->ids);
    struct message said = {.performative = TENDER_ANNOUNCE};
    message_set(&said, KEY, key, bytes_of(key));
    message_set(&said, SKILL, skill, bytes_of("forge"));
    message_set(&said, UNITS, units, 1);
    message_set(&said, CEILING, ceiling_micro, 1000000);
    message_set(&said, WINDOW, window_us, 20000000);
    message_set(&said, DUE, due_us, 60000000);
    message_set(&said, ACK, ack_us, 60000000);
    if (!bench->options->is_all) {
        message_set(&said, INVITE_MAX, invite_max, (int64_t)bench->options->invite_max);
    }
    say(bench, "client", "acme", &said);
}

/* Whoever was asked bids; the last bid closes the round. */
static size_t answer(struct bench *bench)
{
    static struct message cfps[100000];
    static char names[100000][24];
    size_t count = 0;
    for (size_t i = 0; i < bench->effects.tell_count; i++) {
        const struct tell *tell = &bench->effects.tells[i];
        if (tell->message.performative == TENDER_CFP && count < 100000) {
            snprintf(names[count], sizeof names[count], "%.*s", (int)tell->to.size,
                     (const char *)tell->to.data);
            cfps[count++] = tell->message;
        }
    }
    for (size_t i = 0; i < count; i++) {
        char principal[24];
        snprintf(principal, sizeof principal, "guild-%s", names[i] + 5);
        struct message bid = {.performative = TENDER_PROPOSE, .conversation = cfps[i].conversation};
        message_set(&bid, ROUND, round, cfps[i].round);
        message_set(&bid, DIGEST, digest, cfps[i].digest);
        message_set(&bid, COST, cost_micro, (int64_t)(1000 + i));
        message_set(&bid, ETA, eta_us, 1000000);
        say(bench, names[i], principal, &bid);
    }
    return count;
}

static void finish(struct bench *bench)
{
    struct message award = {.performative = 0};
    char owner[24] = "";
    for (size_t i = 0; i < bench->effects.tell_count; i++) {
        const struct tell *tell = &bench->effects.tells[i];
        if (tell->message.performative == TENDER_ACCEPT_PROPOSAL) {
            award = tell->message;
            snprintf(owner, sizeof owner, "%.*s", (int)tell->to.size, (const char *)tell->to.data);
        }
    }
    if (owner[0] == '\0') {
        give_up("the round was not awarded");
    }
    char principal[32];
    snprintf(principal, sizeof principal, "guild-%s", owner + 5);
    struct message done = {.performative = TENDER_INFORM_DONE, .conversation = award.conversation};
    message_set(&done, PART, part, award.part);
    message_set(&done, GENERATION, generation, award.generation);
    message_set(&done, UNITS_DONE, units_done, 1);
    say(bench, owner, principal, &done);
}

static int compare(const void *left, const void *right)
{
    uint64_t one = *(const uint64_t *)left;
    uint64_t other = *(const uint64_t *)right;
    return one < other ? -1 : one > other;
}

static double percentile(uint64_t *times, uint32_t count, uint32_t percent)
{
    qsort(times, count, sizeof *times, compare);
    return (double)times[(uint64_t)(count - 1) * percent / 100] / 1000.0;
}

/* Nine of ten have kept most of what they promised; the others are newcomers. */
static void recall_record(struct bench *bench, uint32_t number)
{
    char principal[24];
    snprintf(principal, sizeof principal, "guild-%u", number);
    struct entry entry = {.kind = ENTRY_RECORDED};
    entry.recorded = (struct entry_recorded){
        .principal = bytes_of(principal), .ended = 20, .fulfilled = 10 + number % 10};
    if (number % 10 != 0 && book_recall(bench->book, &entry) != 0) {
        give_up("a record is not recalled");
    }
}

static void open_book(struct bench *bench, uint32_t contractors)
{
    const struct book_limits limits = {.task_count = 4096,
                                       .contractor_count = contractors,
                                       .client_count = 4,
                                       .account_count = contractors + 4,
                                       .skill_count = 4,
                                       .bid_count = contractors * 4 + 65536,
                                       .content_bytes = 1 << 20,
                                       .invitations_max = 100000,
                                       .unanswered_max = 100000,
                                       .deadlines_per_tick = 1000,
                                       .keep_ended_us = 1000};
    if (book_open(&limits, &bench->book) != 0 || effects_init(&bench->effects, &limits) != 0) {
        give_up("out of memory");
    }
    for (uint32_t i = 0; i < contractors; i++) {
        recall_record(bench, i);
    }
    struct event fund = {.kind = EVENT_FUND,
                         .peer = bytes_of("operator"),
                         .principal = bytes_of("acme"),
                         .request = 1,
                         .amount_micro = INT64_C(1000000000000000)};
    hear(bench, &fund);
    for (uint32_t i = 0; i < contractors; i++) {
        enrol(bench, i);
    }
}

static void run(const struct options *options, uint32_t contractors)
{
    struct bench bench = {.options = options, .now_us = INT64_C(1750000000000000)};
    uint64_t *times[3];
    for (int i = 0; i < 3; i++) {
        times[i] = calloc(options->rounds, sizeof *times[i]);
        if (times[i] == NULL) {
            give_up("out of memory");
        }
    }
    open_book(&bench, contractors);
    for (uint32_t i = 0; !options->is_all && i < OPEN_ROUNDS; i++) {
        announce(&bench);
    }
    size_t asked = 0;
    for (uint32_t i = 0; i < options->rounds; i++) {
        bench.spent_ns = 0;
        announce(&bench);
        times[0][i] = bench.spent_ns;
        asked = answer(&bench);
        uint64_t before = bench.spent_ns;
        finish(&bench);
        times[2][i] = bench.spent_ns - before;
        times[1][i] = bench.spent_ns;
        tick(&bench, bench.now_us + 10000); /* ended tasks are forgotten */
    }
    printf("contractors=%u asked=%zu announce_p50_us=%.1f announce_p99_us=%.1f round_p50_us=%.1f "
           "round_p99_us=%.1f free_p50_us=%.1f free_p99_us=%.1f\n",
           contractors, asked, percentile(times[0], options->rounds, 50),
           percentile(times[0], options->rounds, 99), percentile(times[1], options->rounds, 50),
           percentile(times[1], options->rounds, 99), percentile(times[2], options->rounds, 50),
           percentile(times[2], options->rounds, 99));
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        free(times[i]);
    }
    book_close(bench.book);
    effects_release(&bench.effects);
}

static uint32_t number_of(const char *text)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || value == 0 || value > 100000) {
        give_up("a number from 1 to 100000 is missing");
    }
    return (uint32_t)value;
}

int main(int count, char **arguments)
{
    static const struct option known[] = {{"rounds", required_argument, NULL, 'r'},
                                          {"invite-max", required_argument, NULL, 'i'},
                                          {"all", no_argument, NULL, 'a'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {.rounds = 1000, .invite_max = 16};
    for (int code = 0; (code = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        if (code == 'r') {
            options.rounds = number_of(optarg);
        } else if (code == 'i') {
            options.invite_max = number_of(optarg);
        } else if (code == 'a') {
            options.is_all = true;
        } else {
            fputs("usage: invite [--rounds N] [--invite-max N | --all] [CONTRACTORS …]\n", stderr);
            return 2;
        }
    }
    if (optind == count) {
        run(&options, 100);
        run(&options, 1000);
        run(&options, 10000);
    }
    for (; optind < count; optind++) {
        run(&options, number_of(arguments[optind]));
    }
    return 0;
}
