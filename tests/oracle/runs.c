/*
 * Random walks of the book from a seed, and what it does, as text for check_runs.py: who comes and
 * goes, what is counted, announced, drawn, awarded and ended. README.md has the lines.
 *
 *     oracle_runs SEED FIRST COUNT    runs FIRST to FIRST + COUNT - 1
 */
#include "book.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS     24
#define PRINCIPALS 10
#define CLIENTS    2 /* of the first principals, which have agents too */
#define ROOTS      2 /* of the principals, below which others are enrolled */
#define STEPS      200
#define ACTIVE_MAX 72 /* agents times slots */
#define TEXT(b)    (int)(b).size, (const char *)(b).data

static const char *const names[] = {"forge", "lock", "gpu"};

enum { NAMES = sizeof names / sizeof names[0] };

struct award {
    tender_id task;
    int64_t generation;
    int64_t units;
    char owner[TENDER_NAME_MAX + 1];
    uint32_t client;
};

/* One walk. */
struct run {
    uint32_t enrolled; /* principals */
    uint64_t state;
    struct book *book;
    struct effects effects;
    int64_t now_us;
    uint64_t ids;
    struct award awards[ACTIVE_MAX];
    uint32_t award_count;
};

/* splitmix64. */
static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint32_t below(struct run *run, uint32_t limit)
{
    return (uint32_t)(next(&run->state) % limit);
}

static tender_bytes bytes_of(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

static const char *agent_name(uint32_t agent)
{
    static char names_of[AGENTS][8];
    snprintf(names_of[agent], sizeof names_of[agent], "a%u", agent);
    return names_of[agent];
}

static const char *principal_name(uint32_t principal)
{
    static char names_of[PRINCIPALS][8];
    snprintf(names_of[principal], sizeof names_of[principal], "p%u", principal);
    return names_of[principal];
}

static const char *client_name(uint32_t client)
{
    static char names_of[CLIENTS][8];
    snprintf(names_of[client], sizeof names_of[client], "c%u", client);
    return names_of[client];
}

static void say_bytes(const uint8_t *bytes, size_t size)
{
    putchar(' ');
    for (size_t i = 0; i < size; i++) {
        printf("%02x", bytes[i]);
    }
}

static void say_texts(const struct entry_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        printf(" %.*s", TEXT(texts->items[i]));
    }
}

static void say_ranks(const struct entry_ranks *ranks)
{
    for (size_t i = 0; i < ranks->count; i++) {
        const struct entry_rank *rank = &ranks->items[i];
        printf(" %.*s=%s", TEXT(rank->contractor), tender_reason_name(rank->reason));
    }
}

/* What the checker needs of an entry, as one line. */
static void say_entry(const struct entry *entry)
{
    switch ((int)entry->kind) {
    case ENTRY_ENROLLED:
        printf("enrolled %.*s %.*s %" PRId64, TEXT(entry->enrolled.contractor),
               TEXT(entry->enrolled.principal), entry->enrolled.slots);
        say_texts(&entry->enrolled.skills);
        break;
    case ENTRY_ADMITTED:
        printf("admitted %.*s %.*s", TEXT(entry->admitted.principal), TEXT(entry->admitted.parent));
        break;
    case ENTRY_DEPARTED:
        printf("departed %.*s", TEXT(entry->departed.contractor));
        break;
    case ENTRY_COUNTED:
        printf("counted %.*s %" PRId64 " %.*s", TEXT(entry->counted.resource), entry->counted.count,
               TEXT(entry->counted.contractor));
        break;
    case ENTRY_ANNOUNCED:
        printf("announced");
        say_bytes(entry->task.bytes, sizeof entry->task.bytes);
        printf(" %.*s %" PRId64 " %" PRId64 " %.*s", TEXT(entry->announced.principal),
               entry->announced.invite_max, entry->announced.newcomers_ppm,
               TEXT(entry->announced.skill));
        say_texts(&entry->announced.needs);
        break;
    case ENTRY_OPENED:
        printf("opened");
        say_bytes(entry->task.bytes, sizeof entry->task.bytes);
        printf(" %" PRId64, entry->opened.round);
        say_bytes(entry->opened.head.bytes, sizeof entry->opened.head.bytes);
        say_texts(&entry->opened.drawn);
        break;
    case ENTRY_AWARDED:
        printf("awarded");
        say_bytes(entry->task.bytes, sizeof entry->task.bytes);
        printf(" %.*s %" PRId64 " %" PRId64, TEXT(entry->awarded.contractor),
               entry->awarded.generation, entry->awarded.held);
        say_ranks(&entry->awarded.ranks);
        break;
    case ENTRY_CLOSED:
        printf("closed");
        say_bytes(entry->task.bytes, sizeof entry->task.bytes);
        printf(" %s", tender_reason_name(entry->closed.reason));
        say_ranks(&entry->closed.ranks);
        break;
    case ENTRY_SETTLED:
        printf("settled");
        say_bytes(entry->task.bytes, sizeof entry->task.bytes);
        printf(" %" PRId64 " %s %" PRId64, entry->settled.generation,
               tender_commitment_state_name(entry->settled.state), entry->settled.freed);
        break;
    default:
        return;
    }
    putchar('\n');
}

static void remember_award(struct run *run, const struct message *told, tender_bytes owner)
{
    if (run->award_count == ACTIVE_MAX) {
        fputs("more awards than a run has tasks\n", stderr);
        exit(1);
    }
    struct award *award = &run->awards[run->award_count++];
    award->task = told->conversation;
    award->generation = told->generation;
    award->units = told->units;
    snprintf(award->owner, sizeof award->owner, "%.*s", TEXT(owner));
}

static void hear(struct run *run, struct event *event)
{
    event->at_us = ++run->now_us;
    book_hear(run->book, event, &run->effects);
    for (size_t i = 0; i < run->effects.entry_count; i++) {
        say_entry(&run->effects.entries[i]);
    }
    for (size_t i = 0; i < run->effects.tell_count; i++) {
        const struct tell *tell = &run->effects.tells[i];
        if (tell->message.performative == TENDER_ACCEPT_PROPOSAL) {
            remember_award(run, &tell->message, tell->to);
        }
    }
}

static void say(struct run *run, const char *peer, const char *principal, struct message *message,
                uint64_t request)
{
    static const struct prior nothing;
    struct event event = {.kind = EVENT_MESSAGE,
                          .peer = bytes_of(peer),
                          .principal = bytes_of(principal),
                          .request = request,
                          .is_operator = request != 0,
                          .message = message};
    tender_digest digest;
    run->ids++;
    for (int i = 0; i < 8; i++) {
        event.task.bytes[8 + i] = (uint8_t)(run->ids >> (56 - 8 * i));
    }
    if (book_wants_prior(run->book, &event, &digest)) {
        event.prior = &nothing;
    }
    hear(run, &event);
}

static void tick_until(struct run *run, int64_t until_us)
{
    while (book_next_deadline(run->book) <= until_us) {
        int64_t due_us = book_next_deadline(run->book);
        run->now_us = due_us > run->now_us ? due_us - 1 : run->now_us;
        struct event tick = {.kind = EVENT_TICK};
        hear(run, &tick);
    }
    run->now_us = until_us > run->now_us ? until_us : run->now_us;
}

static void come(struct run *run, uint32_t agent)
{
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, HEARTBEAT, heartbeat_us, INT64_C(3600000000));
    say(run, agent_name(agent), principal_name(agent % PRINCIPALS), &hello, 0);
    tender_bytes skills[NAMES];
    struct message_texts list = {0, skills};
    for (uint32_t i = 0; i < NAMES; i++) {
        if (i == 0 || below(run, 3) > 0) {
            skills[list.count++] = bytes_of(names[i]);
        }
    }
    struct message offer = {.performative = TENDER_OFFER};
    message_set(&offer, SKILLS, skills, list);
    message_set(&offer, SLOTS, slots, 1 + below(run, 3));
    say(run, agent_name(agent), principal_name(agent % PRINCIPALS), &offer, 0);
}

static void go(struct run *run, uint32_t agent)
{
    struct event left = {.kind = EVENT_LEFT, .peer = bytes_of(agent_name(agent))};
    hear(run, &left);
}

/* The wish as a line, before what comes of it; `refused` behind it where nothing does. */
static void count_name(struct run *run)
{
    const char *name = names[below(run, NAMES)];
    const char *contractor = below(run, 2) == 0 ? agent_name(below(run, AGENTS)) : "";
    struct message said = {.performative = TENDER_RESOURCE};
    message_set(&said, SKILL, skill, bytes_of(name));
    message_set(&said, UNITS_DONE, units_done, below(run, 4));
    if (contractor[0] != '\0') {
        message_set(&said, CONTRACTOR, contractor, bytes_of(contractor));
    }
    printf("count %s %" PRId64 " %s\n", name, said.units_done, contractor);
    say(run, "operator", "operator", &said, 1);
    for (size_t i = 0; i < run->effects.tell_count; i++) {
        const struct message *told = &run->effects.tells[i].message;
        if (told->performative == TENDER_REFUSE) {
            printf("refused %s\n", tender_reason_name((tender_reason)told->reason));
        }
    }
}

/* Answers the cfps that the last event told: most bid, at few costs. */
static void answer(struct run *run)
{
    static struct tell cfps[AGENTS];
    char agents[AGENTS][TENDER_NAME_MAX + 1];
    size_t count = 0;
    for (size_t i = 0; i < run->effects.tell_count; i++) {
        if (run->effects.tells[i].message.performative == TENDER_CFP && count < AGENTS) {
            cfps[count] = run->effects.tells[i];
            snprintf(agents[count], sizeof agents[count], "%.*s", TEXT(cfps[count].to));
            count++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t agent = (uint32_t)strtoul(agents[i] + 1, NULL, 10);
        struct message bid = {.performative = TENDER_PROPOSE,
                              .conversation = cfps[i].message.conversation};
        message_set(&bid, ROUND, round, cfps[i].message.round);
        message_set(&bid, DIGEST, digest, cfps[i].message.digest);
        message_set(&bid, COST, cost_micro, below(run, 10));
        message_set(&bid, ETA, eta_us, INT64_C(1800000000) + below(run, 3));
        if (below(run, 8) > 0) {
            say(run, agents[i], principal_name(agent % PRINCIPALS), &bid, 0);
        }
    }
}

static void cancel(struct run *run, tender_id task, uint32_t client)
{
    struct message said = {.performative = TENDER_CANCEL, .conversation = task};
    say(run, client_name(client), principal_name(client), &said, 0);
}

/* A task of one round; one that goes on without an award is withdrawn. */
static void announce(struct run *run)
{
    uint32_t client = below(run, CLIENTS);
    uint32_t skill = below(run, NAMES);
    tender_bytes needs[NAMES];
    struct message_texts list = {0, needs};
    char key[32];
    snprintf(key, sizeof key, "%" PRIu64, run->ids);
    for (uint32_t i = 0; i < NAMES; i++) {
        if (i != skill && below(run, 3) == 0) {
            needs[list.count++] = bytes_of(names[i]);
        }
    }
    struct message said = {.performative = TENDER_ANNOUNCE};
    message_set(&said, KEY, key, bytes_of(key));
    message_set(&said, SKILL, skill, bytes_of(names[skill]));
    message_set(&said, UNITS, units, 1);
    message_set(&said, CEILING, ceiling_micro, 9);
    message_set(&said, WINDOW, window_us, 1000000);
    message_set(&said, DUE, due_us, INT64_C(3600000000));
    message_set(&said, ACK, ack_us, INT64_C(3600000000));
    message_set(&said, ROUNDS, rounds, 1);
    if (list.count > 0) {
        message_set(&said, SKILLS, skills, list);
    }
    if (below(run, 4) > 0) {
        message_set(&said, INVITE_MAX, invite_max, 1 + below(run, 5));
        message_set(&said, SHARE, share_ppm, below(run, 5) * 250000);
    }
    uint32_t before = run->award_count;
    say(run, client_name(client), principal_name(client), &said, 0);
    tender_id task = run->effects.entry_count > 0 ? run->effects.entries[0].task : (tender_id){{0}};
    answer(run);
    tick_until(run, run->now_us + 1000000);
    if (run->award_count > before) {
        run->awards[before].client = client;
    } else {
        cancel(run, task, client);
    }
}

static void report(struct run *run, const struct award *award, tender_performative performative,
                   int64_t units)
{
    uint32_t agent = (uint32_t)strtoul(award->owner + 1, NULL, 10);
    struct message said = {.performative = performative, .conversation = award->task};
    message_set(&said, PART, part, 0);
    message_set(&said, GENERATION, generation, award->generation);
    message_set(&said, UNITS_DONE, units_done, units);
    if (performative == TENDER_FAILURE) {
        message_set(&said, REASON, reason, TENDER_REASON_UNABLE);
    }
    say(run, award->owner, principal_name(agent % PRINCIPALS), &said, 0);
}

/* An award ends: by its owner, who may decline it, or by its client. */
static void end_one(struct run *run)
{
    if (run->award_count == 0) {
        return;
    }
    uint32_t at = below(run, run->award_count);
    struct award award = run->awards[at];
    run->awards[at] = run->awards[--run->award_count];
    uint32_t before = run->award_count;
    switch (below(run, 4)) {
    case 0:
        cancel(run, award.task, award.client);
        break;
    case 1:
        report(run, &award, TENDER_FAILURE, 0); /* declines: a runner-up may take over */
        break;
    default:
        report(run, &award, TENDER_INFORM_DONE, award.units);
        break;
    }
    if (run->award_count > before) {
        run->awards[before].client = award.client;
    }
}

static void fund(struct run *run, uint32_t principal)
{
    struct event event = {.kind = EVENT_FUND,
                          .peer = bytes_of("operator"),
                          .principal = bytes_of(principal_name(principal)),
                          .request = 1,
                          .amount_micro = INT64_C(1000000)};
    hear(run, &event);
}

/* Each is enrolled once at most, the first ones below nobody, the others below one of those. */
static void enrol(struct run *run)
{
    if (run->enrolled == PRINCIPALS) {
        return;
    }
    uint32_t principal = run->enrolled++;
    struct message said = {.performative = TENDER_ENROL};
    message_set(&said, PRINCIPAL, principal, bytes_of(principal_name(principal)));
    message_set(&said, AT, at_us, run->now_us);
    if (principal >= ROOTS) {
        message_set(&said, NAME, name, bytes_of(principal_name(below(run, principal))));
    }
    say(run, "operator", "operator", &said, 1);
}

static void walk(struct run *run)
{
    bool has_families = below(run, 2) == 0;
    for (uint32_t i = 0; i < CLIENTS; i++) {
        fund(run, i);
    }
    for (uint32_t i = 0; i < AGENTS / 2; i++) {
        come(run, i);
    }
    for (int step = 0; step < STEPS; step++) {
        uint32_t choice = below(run, 100);
        if (choice < 12) {
            come(run, below(run, AGENTS));
        } else if (choice < 16) {
            go(run, below(run, AGENTS));
        } else if (choice < 19 && has_families) {
            enrol(run);
        } else if (choice < 30) {
            count_name(run);
        } else if (choice < 66) {
            announce(run);
        } else {
            end_one(run);
        }
        tick_until(run, run->now_us + 1000);
    }
    book_check(run->book);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: oracle_runs SEED FIRST COUNT\n", stderr);
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 0);
    uint64_t first = strtoull(argv[2], NULL, 0);
    uint64_t count = strtoull(argv[3], NULL, 0);
    const struct book_limits limits = {.task_count = 256,
                                       .contractor_count = AGENTS,
                                       .client_count = CLIENTS + 2,
                                       .account_count = PRINCIPALS + 2,
                                       .skill_count = NAMES + 1,
                                       .bid_count = 4096,
                                       .content_bytes = 65536,
                                       .invitations_max = 1000,
                                       .unanswered_max = 1000,
                                       .deadlines_per_tick = 1000,
                                       .keep_ended_us = 1000000};
    for (uint64_t i = first; i < first + count; i++) {
        struct run run = {.state = seed, .now_us = INT64_C(1750000000000000)};
        run.state = next(&run.state) + i; /* each run by itself, so that one can be said again */
        if (book_open(&limits, &run.book) != 0 || effects_init(&run.effects, &limits) != 0) {
            fputs("out of memory\n", stderr);
            return 1;
        }
        printf("run %" PRIu64 "\n", i);
        walk(&run);
        book_close(run.book);
        effects_release(&run.effects);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
