/*
 * Entries and a loop for tests of the ledger.
 */
#include "house.h"

#include <assert.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

tender_bytes text(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

int64_t house_age_us = 0;
bool (*house_sign)(void *context, tender_checkpoint *checkpoint);
const uint8_t *house_key;
uint32_t house_shard = 0;
const char *house_payer = "acme";

tender_id next_task(void)
{
    static uint64_t last;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t counter = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    counter -= (uint64_t)house_age_us;
    last = counter > last ? counter : last + 1;
    uint64_t milliseconds = last / 1000;
    tender_id id = {{0}};
    for (int i = 0; i < 6; i++) {
        id.bytes[i] = (uint8_t)(milliseconds >> (40 - 8 * i));
    }
    uint64_t rest = last % 1000;
    id.bytes[6] = (uint8_t)(0x70 | rest >> 8);
    id.bytes[7] = (uint8_t)rest;
    id.bytes[8] = 0x80;
    for (int i = 9; i < 16; i++) {
        id.bytes[i] = (uint8_t)random();
    }
    return id;
}

static void on_committed(void *context, uint64_t batch)
{
    ((struct house *)context)->committed = batch;
}

static void on_prior(void *context, uint64_t cookie, const struct ledger_prior *prior)
{
    struct house *house = context;
    house->priors++;
    house->cookie = cookie;
    house->prior = *prior;
    snprintf(house->prior_contractor, sizeof house->prior_contractor, "%.*s",
             (int)prior->contractor.size, (const char *)prior->contractor.data);
}

static void keep(char target[256], tender_bytes bytes)
{
    snprintf(target, 256, "%.*s", (int)bytes.size,
             bytes.data == NULL ? "" : (const char *)bytes.data);
}

static void on_request(void *context, const struct ledger_request *request)
{
    struct house *house = context;
    house->requests++;
    house->request = *request;
    keep(house->request_text[0], request->peer);
    keep(house->request_text[1], request->principal);
    keep(house->request_text[2], request->message.key);
    keep(house->request_text[3], request->message.skill);
}

static void on_connection(void *context, bool is_up, const char *why)
{
    struct house *house = context;
    house->ups += is_up;
    house->downs += !is_up;
    snprintf(house->why, sizeof house->why, "%s", why);
}

static void on_seat(void *context, const struct ledger_seat *seat)
{
    struct house *house = context;
    house->seats++;
    house->seat = *seat;
    keep(house->seat_text[0], seat->broker);
    keep(house->seat_text[1], seat->urls);
}

/* The house's chain and the stamp go on where the last broker left them. */
static void continue_chain(struct house *house)
{
    char head[160];
    snprintf(head, sizeof head,
             "from tender_ledger.entry where shard = %u and task_id = "
             "'00000000-0000-0000-0000-000000000000' order by number desc limit 1",
             house_shard);
    const char *hash = sql("select encode(hash, 'hex') %s", head);
    house->chain.number = strtoull(sql("select number %s", head), NULL, 10);
    for (size_t i = 0; house->chain.number > 0 && i < sizeof house->chain.hash.bytes; i++) {
        unsigned byte;
        assert(sscanf(hash + 2 * i, "%2x", &byte) == 1);
        house->chain.hash.bytes[i] = (uint8_t)byte;
    }
    if (house->reign.stamp_us > house->now_us) {
        house->now_us = house->reign.stamp_us;
    }
}

void house_open_only(struct house *house, const char *broker, int64_t lease_us)
{
    *house = (struct house){.now_us = HOUSE_START_US};
    struct ledger_options options = {
        .database = getenv("TENDER_DATABASE"),
        .broker = broker,
        .urls = "tcp://127.0.0.1:1",
        .lease_us = lease_us,
        .key = house_key,
        .handlers = {.context = house,
                     .on_committed = on_committed,
                     .on_prior = on_prior,
                     .on_request = on_request,
                     .on_connection = on_connection,
                     .on_seat = on_seat,
                     .on_sign = house_sign},
    };
    if (ledger_open(&options, &house->ledger) != 0) {
        house_give_up(house, "the ledger opens");
    }
}

int house_begin(struct house *house)
{
    int status = ledger_begin_reign(house->ledger, house_shard, &house->reign);
    if (status == 0) {
        continue_chain(house);
    }
    return status;
}

void house_open(struct house *house, const char *broker)
{
    house_open_only(house, broker, 1); /* a lease so short that the next one need not wait */
    if (house_begin(house) != 0) {
        house_give_up(house, "the reign begins");
    }
}

void house_close(struct house *house)
{
    ledger_close(house->ledger);
    house->ledger = NULL;
}

void house_append(struct house *house, struct chain *chain, struct entry *entry)
{
    static char body[ENTRY_BODY_MAX];
    entry->task = chain->task;
    entry->shard = house_shard;
    entry->number = ++chain->number;
    entry->at_us = ++house->now_us;
    int size = entry_seal(entry, &chain->hash, body, sizeof body);
    assert(size > 0);
    chain->hash = entry->hash;
    int status = ledger_append(house->ledger, entry);
    assert(status == 0 || status == TENDER_ENOMEM);
    house->append_status = status;
}

void house_fund(struct house *house, const char *principal, int64_t amount_micro)
{
    struct entry entry = {.kind = ENTRY_FUNDED};
    entry.funded = (struct entry_funded){
        .principal = text(principal), .amount_micro = amount_micro, .by = text("operator")};
    house_append(house, &house->chain, &entry);
}

void house_enrol(struct house *house, const char *contractor, const char *principal)
{
    static const tender_bytes skills[] = {{"translate.de", 12}, {"translate.fr", 12}};
    struct entry entry = {.kind = ENTRY_ENROLLED};
    entry.enrolled = (struct entry_enrolled){.contractor = text(contractor),
                                             .principal = text(principal),
                                             .slots = 8,
                                             .skills = {2, skills}};
    house_append(house, &house->chain, &entry);
}

void house_announce(struct house *house, struct chain *chain, const char *key,
                    int64_t ceiling_micro, int64_t units)
{
    *chain = (struct chain){.task = next_task()};
    shard_mark(&chain->task, house_shard, ledger_shard_count(house->ledger));
    struct entry entry = {.kind = ENTRY_ANNOUNCED};
    entry.announced = (struct entry_announced){
        .client = text("platform-1"),
        .principal = text(house_payer),
        .key = text(key),
        .body_digest = entry_digest(text(key)),
        .skill = text("translate.de"),
        .units = units,
        .ceiling_micro = ceiling_micro,
        .window_us = 20000000,
        .due_us = INT64_C(3600000000),
        .deadline_at_us = house->now_us + INT64_C(12000000000),
        .rounds = 3,
        .backoff_us = 1000000,
        .ack_us = 10000000,
        .partial = TENDER_PARTIAL_PRO_RATA,
        .kill_fee_ppm = 100000,
        .fallback = TENDER_FALLBACK_UNALLOCATED,
        .content_size = 32,
        .content_digest = entry_digest(text("0123456789abcdef0123456789abcdef")),
    };
    entry.content = text("0123456789abcdef0123456789abcdef");
    house_append(house, chain, &entry);
}

void house_open_round(struct house *house, struct chain *chain, int64_t round,
                      int64_t ceiling_micro, int64_t units)
{
    struct entry entry = {.kind = ENTRY_OPENED};
    entry.opened = (struct entry_opened){.round = round,
                                         .head = chain->hash,
                                         .units = units,
                                         .ceiling_micro = ceiling_micro,
                                         .closes_at_us = house->now_us + 20000000,
                                         .due_us = INT64_C(3600000000)};
    house_append(house, chain, &entry);
}

void house_answer(struct house *house, struct chain *chain, int64_t round)
{
    struct entry_answer answers[] = {
        {.contractor = text("kiln-1"),
         .principal = text("north"),
         .state = TENDER_BID_STANDING,
         .cost_micro = 12 * CREDIT,
         .eta_us = INT64_C(3300000000)},
        {.contractor = text("kiln-2"),
         .principal = text("south"),
         .state = TENDER_BID_STANDING,
         .cost_micro = 15 * CREDIT,
         .eta_us = INT64_C(2700000000)},
        {.contractor = text("kiln-3"),
         .principal = text("west"),
         .state = TENDER_BID_REFUSED,
         .reason = TENDER_REASON_OVER_CAPACITY},
    };
    struct entry entry = {.kind = ENTRY_ANSWERED};
    entry.answered = (struct entry_answered){.round = round, .answers = {3, answers}};
    house_append(house, chain, &entry);
}

void house_award(struct house *house, struct chain *chain, int64_t round, int64_t generation,
                 int64_t price_micro, int64_t units)
{
    struct entry_rank ranks[] = {
        {.contractor = text("kiln-1"),
         .state = TENDER_BID_WON,
         .reason = TENDER_REASON_LOWEST_COST,
         .rank = 1},
        {.contractor = text("kiln-2"),
         .state = TENDER_BID_LOST,
         .reason = TENDER_REASON_OUTBID,
         .rank = 2},
    };
    struct entry entry = {.kind = ENTRY_AWARDED};
    entry.awarded = (struct entry_awarded){.round = round,
                                           .generation = generation,
                                           .contractor = text("kiln-1"),
                                           .principal = text("north"),
                                           .cost_micro = 12 * CREDIT,
                                           .price_micro = price_micro,
                                           .price_set_by = text("kiln-2"),
                                           .units = units,
                                           .due_at_us = house->now_us + INT64_C(3300000000),
                                           .ack_by_us = house->now_us + 10000000,
                                           .invited = 3,
                                           .ranks = {2, ranks}};
    house_append(house, chain, &entry);
}

void house_fulfil(struct house *house, struct chain *chain, int64_t generation, int64_t units,
                  int64_t paid_micro, int64_t ceiling_micro)
{
    struct entry entry = {.kind = ENTRY_SETTLED};
    entry.settled =
        (struct entry_settled){.generation = generation,
                               .contractor = text("kiln-1"),
                               .principal = text("north"),
                               .state = TENDER_COMMITMENT_FULFILLED,
                               .reason = TENDER_REASON_COMPLETED,
                               .units_done = units,
                               .paid_micro = paid_micro,
                               .acknowledged = 1,
                               .task_state = TENDER_TASK_DONE,
                               .task_reason = TENDER_REASON_COMPLETED,
                               .released_micro = ceiling_micro - paid_micro,
                               .content_size = 16,
                               .content_digest = entry_digest(text("0123456789abcdef"))};
    entry.content = text("0123456789abcdef");
    house_append(house, chain, &entry);
}

void house_fail(struct house *house, struct chain *chain, int64_t generation, int64_t units,
                int64_t paid_micro)
{
    struct entry entry = {.kind = ENTRY_SETTLED};
    entry.settled = (struct entry_settled){.generation = generation,
                                           .contractor = text("kiln-1"),
                                           .principal = text("north"),
                                           .state = TENDER_COMMITMENT_FAILED,
                                           .reason = TENDER_REASON_CONTRACTOR_FAILED,
                                           .said = TENDER_REASON_QUALITY_CHECK,
                                           .units_done = units,
                                           .paid_micro = paid_micro,
                                           .excluded = 1};
    house_append(house, chain, &entry);
}

void house_end(struct house *house, struct chain *chain, tender_task_state state,
               int64_t released_micro)
{
    struct entry entry = {.kind = ENTRY_ENDED};
    entry.ended = (struct entry_ended){
        .state = state, .reason = TENDER_REASON_ROUNDS_EXHAUSTED, .released_micro = released_micro};
    house_append(house, chain, &entry);
}

int house_step(struct house *house)
{
    int wants = ledger_wants(house->ledger);
    struct pollfd descriptor = {
        .fd = ledger_socket(house->ledger),
        .events = (short)((wants & LEDGER_WANTS_READ ? POLLIN : 0) |
                          (wants & LEDGER_WANTS_WRITE ? POLLOUT : 0)),
    };
    int64_t wait_us = ledger_retry_us(house->ledger) - monotonic_us();
    int wait_ms = wait_us <= 0 ? 0 : wait_us > 100000 ? 100 : (int)(wait_us / 1000) + 1;
    (void)poll(&descriptor, 1, wait_ms);
    return ledger_advance(house->ledger, monotonic_us());
}

int house_commit(struct house *house)
{
    uint64_t batch = ledger_batch(house->ledger);
    int64_t end_us = monotonic_us() + 20000000;
    int status = ledger_submit(house->ledger, house->now_us);
    while (status == 0 && house->committed < batch) {
        status = house_step(house);
        if (monotonic_us() > end_us) {
            house_give_up(house, "the batch is committed");
        }
    }
    return status;
}

_Noreturn void house_give_up(const struct house *house, const char *condition)
{
    fprintf(stderr, "gave up waiting for: %s (%s)\n", condition, ledger_last_error(house->ledger));
    abort();
}

static PGconn *side_connection(void)
{
    PGconn *connection = PQconnectdb(getenv("TENDER_DATABASE"));
    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "side connection: %s", PQerrorMessage(connection));
        abort();
    }
    return connection;
}

const char *sql(const char *format, ...)
{
    static char values[4][4096];
    static int turn;
    char query[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(query, sizeof query, format, arguments);
    va_end(arguments);
    PGconn *connection = side_connection();
    PGresult *result = PQexec(connection, query);
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "%s: %s", query, PQerrorMessage(connection));
        abort();
    }
    char *value = values[turn++ % 4];
    snprintf(value, sizeof values[0], "%s",
             PQntuples(result) > 0 && PQnfields(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    PQfinish(connection);
    return value;
}

const char *sql_state(const char *query)
{
    static char state[6];
    PGconn *connection = side_connection();
    PGresult *result = PQexec(connection, query);
    const char *field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    snprintf(state, sizeof state, "%s", field == NULL ? "" : field);
    PQclear(result);
    PQfinish(connection);
    return state;
}

void set_setting(const char *setting, const char *value)
{
    (void)sql("alter system set %s = '%s'", setting, value);
    (void)sql("select pg_reload_conf()");
    int64_t end_us = monotonic_us() + 20000000;
    while (strcmp(sql("select current_setting('%s')", setting), value) != 0) {
        if (monotonic_us() > end_us) {
            fprintf(stderr, "gave up waiting for %s = %s\n", setting, value);
            abort();
        }
    }
}

void end_backend(void)
{
    (void)sql("select pg_terminate_backend(backend_pid, 10000) from tender_ledger.reign");
}

void house_ignore_head(void *context, uint32_t shard, uint64_t number, const tender_digest *hash)
{
    (void)context;
    (void)shard;
    (void)number;
    (void)hash;
}
