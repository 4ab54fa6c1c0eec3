#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SKILLS        33
#define BIDDERS       3
#define PRINCIPALS    3
#define CONTENT_SIZE  150
#define CEILING_MICRO INT64_C(1000000)
#define WINDOW_US     INT64_C(5000000)
#define DUE_US        INT64_C(600000000)
#define SILENCE_MS    30000
#define CONVERSATIONS (1U << 20) /* slots of the table from task to number, a power of two */

/* From the broker's identifier to our number of the task. */
struct conversation {
    tender_id task;
    uint32_t number; /* from 1 */
};

static struct {
    struct arrivals *arrivals;
    struct wire_reader *reader;
    struct session *sessions; /* contractors first */
    uint32_t contractor_count;
    uint32_t client_count;
    uint32_t ready_count;
    struct session **spoken_to; /* in this turn; a session twice at most */
    struct conversation *conversations;
    /* the phase */
    struct load_phase phase;
    uint32_t active; /* clients that announce */
    uint32_t announced;
    uint32_t ended;
    uint32_t failed;
    uint32_t awarded;
    uint32_t *in_flight; /* of each client */
    double *announced_at;
    double *latency_us;
    uint64_t keys;
    char prefix[24];
} load;

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        bench_fail("out of memory");
    }
    return memory;
}

/* The table is cleared for each phase, and never full: the phase has fewer tasks than it slots. */
static struct conversation *conversation_of(tender_id task)
{
    uint64_t hash;
    memcpy(&hash, task.bytes + 8, sizeof hash);
    hash ^= (uint64_t)task.bytes[6] << 8 | task.bytes[7] | (uint64_t)task.bytes[5] << 16;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 44) & (CONVERSATIONS - 1);
    while (load.conversations[at].number != 0 &&
           !tender_id_equal(load.conversations[at].task, task)) {
        at = (at + 1) & (CONVERSATIONS - 1);
    }
    return &load.conversations[at];
}

static void ready(struct session *session)
{
    if (!session->is_ready) {
        session->is_ready = true;
        load.ready_count++;
    }
}

static void bid(struct session *session, const struct message *cfp)
{
    struct conversation *conversation = conversation_of(cfp->conversation);
    uint32_t number;
    if (cfp->content.size < sizeof number) {
        bench_fail("a cfp without its content");
    }
    memcpy(&number, cfp->content.data, sizeof number);
    conversation->task = cfp->conversation;
    conversation->number = number;
    struct message said = {.performative = TENDER_PROPOSE, .conversation = cfp->conversation};
    int64_t cost = CEILING_MICRO / 4 + (int64_t)(session->index * 7919 + number * 31) % 500000;
    message_set(&said, ROUND, round, cfp->round);
    message_set(&said, DIGEST, digest, cfp->digest);
    message_set(&said, COST, cost_micro, cost);
    message_set(&said, ETA, eta_us, cfp->due_us);
    session_say(session, &said);
}

static void deliver(struct session *session, const struct message *award)
{
    const struct conversation *conversation = conversation_of(award->conversation);
    if (conversation->number == 0) {
        bench_fail("an award for a task without a cfp");
    }
    load.latency_us[load.awarded++] = now_us() - load.announced_at[conversation->number - 1];
    struct message said = {.performative = TENDER_INFORM_DONE, .conversation = award->conversation};
    message_set(&said, PART, part, award->part);
    message_set(&said, GENERATION, generation, award->generation);
    message_set(&said, UNITS_DONE, units_done, award->units);
    session_say(session, &said);
}

static void contractor_hears(struct session *session, const struct message *message)
{
    if (message->performative == TENDER_CFP) {
        bid(session, message);
    } else if (message->performative == TENDER_ACCEPT_PROPOSAL) {
        deliver(session, message);
    } else if (message->performative == TENDER_AGREE) {
        ready(session);
    } else if (message->performative == TENDER_NOT_UNDERSTOOD ||
               message->performative == TENDER_REFUSE) {
        bench_fail("the broker tells a contractor: %s",
                   tender_reason_name((tender_reason)message->reason));
    }
}

static void client_hears(struct session *session, const struct message *message)
{
    if (message->performative == TENDER_WELCOME) {
        ready(session);
    } else if (message->performative == TENDER_INFORM &&
               tender_task_state_is_terminal((tender_task_state)message->task_state)) {
        load.ended++;
        load.failed += message->task_state != TENDER_TASK_DONE;
        load.in_flight[session->index]--;
    } else if (message->performative == TENDER_NOT_UNDERSTOOD ||
               message->performative == TENDER_REFUSE) {
        bench_fail("the broker tells a client: %s",
                   tender_reason_name((tender_reason)message->reason));
    }
}

static void announce(struct session *session)
{
    char key[TENDER_KEY_MAX];
    char skill[TENDER_SKILL_MAX];
    uint8_t content[CONTENT_SIZE];
    uint32_t number = ++load.announced;
    int key_size =
        snprintf(key, sizeof key, "%s-%llu", load.prefix, (unsigned long long)++load.keys);
    int skill_size = snprintf(skill, sizeof skill, "bench/%u", number % SKILLS);
    memset(content, 'x', sizeof content);
    memcpy(content, &number, sizeof number);
    struct message said = {.performative = TENDER_ANNOUNCE};
    tender_bytes key_bytes = {key, (size_t)key_size};
    tender_bytes skill_bytes = {skill, (size_t)skill_size};
    tender_bytes content_bytes = {content, sizeof content};
    message_set(&said, KEY, key, key_bytes);
    message_set(&said, SKILL, skill, skill_bytes);
    message_set(&said, UNITS, units, 1);
    message_set(&said, CEILING, ceiling_micro, CEILING_MICRO);
    message_set(&said, WINDOW, window_us, WINDOW_US);
    message_set(&said, DUE, due_us, DUE_US);
    message_set(&said, CONTENT, content, content_bytes);
    load.announced_at[number - 1] = now_us();
    session_say(session, &said);
    load.in_flight[session->index]++;
}

/* Announces a whole batch when there is room for one and a request is free to carry it. */
static void refill(struct session *session)
{
    uint32_t share = load.phase.in_flight / load.active;
    if (session->open_count == SESSION_REQUESTS ||
        load.in_flight[session->index] + load.phase.batch > share) {
        return;
    }
    for (uint32_t i = 0; i < load.phase.batch && load.announced < load.phase.tasks; i++) {
        announce(session);
    }
}

static void offer(struct session *session, uint32_t number)
{
    char skill[TENDER_SKILL_MAX];
    /* Those beyond three for each skill stand by with a skill that nobody asks for. */
    uint32_t chosen = number < SKILLS * BIDDERS ? number / BIDDERS : SKILLS;
    int size = snprintf(skill, sizeof skill, "bench/%u", chosen);
    tender_bytes item = {skill, (size_t)size};
    struct message_texts skills = {1, &item};
    struct message said = {.performative = TENDER_OFFER};
    message_set(&said, SKILLS, skills, skills);
    message_set(&said, SLOTS, slots, 4096);
    session_say(session, &said);
}

static struct request *arrived(void)
{
    struct request *request = arrivals_take(load.arrivals, SILENCE_MS);
    if (request == NULL) {
        bench_fail("silence for %d s: %u announced, %u awarded, %u ended", SILENCE_MS / 1000,
                   load.announced, load.awarded, load.ended);
    }
    return request;
}

/* Hears everything that came, then lets everybody who heard something speak, once each. */
static void turn(void)
{
    uint32_t count = 0;
    for (struct request *request = arrived(); request != NULL; request = request->next) {
        session_hear(request->session, request, load.reader);
        load.spoken_to[count++] = request->session;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct session *session = load.spoken_to[i];
        if (session->hears == client_hears && session->index < load.active) {
            refill(session);
        }
        session_speak(session);
    }
}

static void contractor_open(const struct load_options *options, uint32_t number)
{
    char name[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    struct session *session = &load.sessions[number];
    session->index = number;
    session->hears = contractor_hears;
    snprintf(name, sizeof name, "bench-contractor-%u", number);
    snprintf(principal, sizeof principal, "bench-principal-%u", number % PRINCIPALS);
    session_open(session, load.arrivals, options->url, name, principal);
    offer(session, number);
    session_speak(session);
}

static void client_open(const struct load_options *options, uint32_t number)
{
    char name[TENDER_NAME_MAX];
    struct session *session = &load.sessions[load.contractor_count + number];
    session->index = number;
    session->hears = client_hears;
    snprintf(name, sizeof name, "bench-client-%u", number);
    session_open(session, load.arrivals, options->url, name, options->principal);
    session_speak(session);
}

void load_open(const struct load_options *options)
{
    load.contractor_count = options->contractors;
    load.client_count = options->clients;
    load.arrivals = arrivals_open();
    if (wire_reader_open(&load.reader) != 0) {
        bench_fail("out of memory");
    }
    load.sessions = take(options->contractors + options->clients, sizeof *load.sessions);
    load.spoken_to =
        take((size_t)2 * (options->contractors + options->clients), sizeof(struct session *));
    load.in_flight = take(options->clients, sizeof *load.in_flight);
    load.conversations = take(CONVERSATIONS, sizeof *load.conversations);
    snprintf(load.prefix, sizeof load.prefix, "%llx", (unsigned long long)time(NULL));
    for (uint32_t i = 0; i < options->contractors; i++) {
        contractor_open(options, i);
    }
    for (uint32_t i = 0; i < options->clients; i++) {
        client_open(options, i);
    }
    while (load.ready_count < options->contractors + options->clients) {
        turn();
    }
}

static int compare(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static uint64_t exchanges(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < load.contractor_count + load.client_count; i++) {
        sum += load.sessions[i].exchanges;
    }
    return sum;
}

static struct load_result result_of(double seconds, uint64_t exchanges_before)
{
    struct load_result result = {
        .seconds = seconds, .tasks = load.ended, .exchanges = exchanges() - exchanges_before};
    qsort(load.latency_us, load.awarded, sizeof *load.latency_us, compare);
    result.p50_us = load.latency_us[load.awarded / 2];
    result.p99_us = load.latency_us[(size_t)load.awarded * 99 / 100];
    return result;
}

struct load_result load_run(const struct load_phase *phase)
{
    if (phase->tasks == 0 || phase->tasks > CONVERSATIONS / 2 || phase->batch == 0 ||
        phase->in_flight < phase->batch) {
        bench_fail("a phase has 1 to %u tasks, and a batch of 1 to the number in flight",
                   CONVERSATIONS / 2);
    }
    load.phase = *phase;
    uint32_t batches = phase->in_flight / phase->batch;
    load.active = batches < load.client_count ? batches : load.client_count;
    load.announced = load.ended = load.awarded = load.failed = 0;
    load.announced_at = take(phase->tasks, sizeof *load.announced_at);
    load.latency_us = take((size_t)phase->tasks + 1, sizeof *load.latency_us);
    memset(load.conversations, 0, CONVERSATIONS * sizeof *load.conversations);
    uint64_t exchanges_before = exchanges();
    double start = now_us();
    for (uint32_t i = 0; i < load.active; i++) {
        refill(&load.sessions[load.contractor_count + i]);
        session_speak(&load.sessions[load.contractor_count + i]);
    }
    while (load.ended < phase->tasks) {
        turn();
    }
    double seconds = (now_us() - start) / 1e6;
    if (load.failed > 0 || load.awarded != phase->tasks) {
        bench_fail("%u of %u tasks were not done as they should", load.failed, phase->tasks);
    }
    struct load_result result = result_of(seconds, exchanges_before);
    free(load.announced_at);
    free(load.latency_us);
    return result;
}
