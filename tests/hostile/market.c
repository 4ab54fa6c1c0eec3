/*
 * The roles: see market.h.
 */
#include "market.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CEILING_MICRO INT64_C(1000000)
#define DUE_US        INT64_C(600000000)

int64_t market_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static tender_bytes text_of(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

void market_hello(struct peer *peer, const char *name, const char *principal, int64_t heartbeat_us)
{
    char full[TENDER_NAME_MAX];
    struct message hello = {.performative = TENDER_HELLO};
    snprintf(full, sizeof full, "%s-%u", name, peer->index);
    message_set(&hello, NAME, name, text_of(full));
    message_set(&hello, PRINCIPAL, principal, text_of(principal));
    message_set(&hello, HEARTBEAT, heartbeat_us, heartbeat_us);
    peer_say(peer, &hello);
}

void market_offer(struct peer *peer, const char *skill, uint32_t slots)
{
    tender_bytes item = text_of(skill);
    struct message_texts skills = {1, &item};
    struct message offer = {.performative = TENDER_OFFER};
    message_set(&offer, SKILLS, skills, skills);
    message_set(&offer, SLOTS, slots, slots);
    peer_say(peer, &offer);
}

void market_announce(struct peer *peer, uint32_t number, const char *skill, size_t content_size,
                     int64_t window_us)
{
    static uint8_t content[TENDER_CONTENT_MAX];
    char key[TENDER_KEY_MAX];
    snprintf(key, sizeof key, "%u-%u", peer->index, number);
    memcpy(content, &number, sizeof number);
    struct message announce = {.performative = TENDER_ANNOUNCE};
    message_set(&announce, KEY, key, text_of(key));
    message_set(&announce, SKILL, skill, text_of(skill));
    message_set(&announce, UNITS, units, 1);
    message_set(&announce, CEILING, ceiling_micro, CEILING_MICRO);
    message_set(&announce, WINDOW, window_us, window_us);
    message_set(&announce, DUE, due_us, DUE_US);
    message_set(&announce, ROUNDS, rounds, 1);
    tender_bytes bytes = {content, content_size};
    message_set(&announce, CONTENT, content, bytes);
    peer_say(peer, &announce);
}

static void bid(struct peer *peer, const struct message *cfp)
{
    struct message said = {.performative = TENDER_PROPOSE, .conversation = cfp->conversation};
    message_set(&said, ROUND, round, cfp->round);
    message_set(&said, DIGEST, digest, cfp->digest);
    message_set(&said, COST, cost_micro, CEILING_MICRO / 4 + peer->index);
    message_set(&said, ETA, eta_us, cfp->due_us);
    peer_say(peer, &said);
}

static void deliver(struct peer *peer, const struct message *award)
{
    struct message said = {.performative = TENDER_INFORM_DONE, .conversation = award->conversation};
    message_set(&said, PART, part, award->part);
    message_set(&said, GENERATION, generation, award->generation);
    message_set(&said, UNITS_DONE, units_done, award->units);
    peer_say(peer, &said);
}

void market_work(struct peer *peer, const struct message *message)
{
    if (message->performative == TENDER_CFP) {
        bid(peer, message);
    } else if (message->performative == TENDER_ACCEPT_PROPOSAL) {
        deliver(peer, message);
    }
}

uint64_t market_memory(int pid)
{
    char path[64];
    char line[256];
    unsigned long long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "Pss: %llu kB", &kib) != 1) {
    }
    if (file == NULL || kib == 0) {
        crowd_fail("%s cannot be read", path);
    }
    fclose(file);
    return kib * 1024;
}

static int compare(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

double market_percentile(double *values, size_t count, double percent)
{
    qsort(values, count, sizeof *values, compare);
    return count == 0 ? 0 : values[(size_t)((double)(count - 1) * percent / 100)];
}
