/*
 * Goal: whatever the database answers, and to whichever question, the ledger tries again, says that
 * another reigns, or ends with a sentence; nothing hangs, and a batch is held once or not at all.
 * Method: one life, from opening to a committed batch, is lived again and again. The n-th statement
 * is replaced by one that the server refuses with a given SQLSTATE, for every n; or the n-th answer
 * is lost with its connection; or it never comes; or the n-th allocation of the ledger's own
 * objects fails. libpq's functions and malloc's are wrapped for that.
 *
 *     test_ledger_reply          three of the states for each n, in turn
 *     test_ledger_reply --all    all of them
 */
#include "support.h"

#include <libpq-fe.h>
#include <poll.h>
#include <sys/socket.h>

/* T15, and what else a server says in bad times. TN002, "held already", is only a batch's own. */
static const char *const states[] = {"40001", "40P01", "23505", "57P01", "53100", "0A000", "08006",
                                     "TN001", "53300", "57014", "55P03", "25006", "26000", "58030",
                                     "XX000", "XX001", "42883", "22P02", "08P01", "23514"};
#define STATE_COUNT (sizeof states / sizeof states[0])

enum how { REFUSE, LOSE, SILENCE, MEMORY };

/* What happens, and to the how-manieth; `left` counts down to it. */
static struct {
    enum how how;
    const char *state;
    int left;
    bool is_armed;
    bool is_done;
    const PGconn *silent; /* nothing is read from it any more */
} plan;

static bool states_per_n_are_all;

static bool is_turn(enum how how)
{
    if (!plan.is_armed || plan.how != how || plan.is_done || --plan.left > 0) {
        return false;
    }
    plan.is_done = true;
    return true;
}

/* A statement that the server refuses with the plan's state. */
static const char *refusal(void)
{
    static char statement[128];
    snprintf(statement, sizeof statement,
             "do $$ begin raise exception 'refused by the test' using errcode = '%s'; end $$",
             plan.state);
    return statement;
}

int __real_PQsendQueryParams(PGconn *connection, const char *command, int count, const Oid *types,
                             const char *const *values, const int *lengths, const int *formats,
                             int format);
int __wrap_PQsendQueryParams(PGconn *connection, const char *command, int count, const Oid *types,
                             const char *const *values, const int *lengths, const int *formats,
                             int format);
int __wrap_PQsendQueryParams(PGconn *connection, const char *command, int count, const Oid *types,
                             const char *const *values, const int *lengths, const int *formats,
                             int format)
{
    return is_turn(REFUSE)
               ? __real_PQsendQueryParams(connection, refusal(), 0, NULL, NULL, NULL, NULL, format)
               : __real_PQsendQueryParams(connection, command, count, types, values, lengths,
                                          formats, format);
}

int __real_PQsendQueryPrepared(PGconn *connection, const char *name, int count,
                               const char *const *values, const int *lengths, const int *formats,
                               int format);
int __wrap_PQsendQueryPrepared(PGconn *connection, const char *name, int count,
                               const char *const *values, const int *lengths, const int *formats,
                               int format);
int __wrap_PQsendQueryPrepared(PGconn *connection, const char *name, int count,
                               const char *const *values, const int *lengths, const int *formats,
                               int format)
{
    return is_turn(REFUSE)
               ? __real_PQsendQueryParams(connection, refusal(), 0, NULL, NULL, NULL, NULL, 1)
               : __real_PQsendQueryPrepared(connection, name, count, values, lengths, formats,
                                            format);
}

PGresult *__real_PQexecParams(PGconn *connection, const char *command, int count, const Oid *types,
                              const char *const *values, const int *lengths, const int *formats,
                              int format);
PGresult *__wrap_PQexecParams(PGconn *connection, const char *command, int count, const Oid *types,
                              const char *const *values, const int *lengths, const int *formats,
                              int format);
PGresult *__wrap_PQexecParams(PGconn *connection, const char *command, int count, const Oid *types,
                              const char *const *values, const int *lengths, const int *formats,
                              int format)
{
    return is_turn(REFUSE)
               ? __real_PQexecParams(connection, refusal(), 0, NULL, NULL, NULL, NULL, format)
               : __real_PQexecParams(connection, command, count, types, values, lengths, formats,
                                     format);
}

PGresult *__real_PQexec(PGconn *connection, const char *command);
PGresult *__wrap_PQexec(PGconn *connection, const char *command);
PGresult *__wrap_PQexec(PGconn *connection, const char *command)
{
    return __real_PQexec(connection, is_turn(REFUSE) ? refusal() : command);
}

/* Waits for what the server has said, throws it away and ends the connection. */
static void lose_answer(const PGconn *connection)
{
    char lost[4096];
    struct pollfd descriptor = {.fd = PQsocket(connection), .events = POLLIN};
    while (poll(&descriptor, 1, 50) > 0 &&
           recv(descriptor.fd, lost, sizeof lost, MSG_DONTWAIT) > 0) {
    }
    (void)shutdown(descriptor.fd, SHUT_RDWR);
}

int __real_PQconsumeInput(PGconn *connection);
int __wrap_PQconsumeInput(PGconn *connection);
int __wrap_PQconsumeInput(PGconn *connection)
{
    if (is_turn(LOSE)) {
        lose_answer(connection);
    } else if (is_turn(SILENCE)) {
        plan.silent = connection;
    }
    return plan.silent == connection ? 1 : __real_PQconsumeInput(connection);
}

void __real_PQfinish(PGconn *connection);
void __wrap_PQfinish(PGconn *connection);
void __wrap_PQfinish(PGconn *connection)
{
    plan.silent = plan.silent == connection ? NULL : plan.silent;
    __real_PQfinish(connection);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return is_turn(MEMORY) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_turn(MEMORY) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return is_turn(MEMORY) ? NULL : __real_realloc(pointer, size);
}

char *__wrap_strdup(const char *text)
{
    return is_turn(MEMORY) ? NULL : __real_strdup(text);
}

static int64_t skipped_us; /* time that only the ledger saw pass */

/* Lets the ledger work until all is answered. Returns 0 or its error. */
static int work(struct house *house, uint64_t batch)
{
    int64_t end_us = monotonic_us() + 20000000;
    int status = 0;
    while (status == 0 && (house->committed < batch || house->priors < 2)) {
        struct pollfd descriptor = {.fd = ledger_socket(house->ledger), .events = POLLIN};
        if (ledger_wants(house->ledger) & LEDGER_WANTS_WRITE) {
            descriptor.events |= POLLOUT;
        }
        (void)poll(&descriptor, 1, plan.silent != NULL ? 0 : 5);
        skipped_us += plan.silent != NULL ? 10000000 : 0; /* nobody waits half a minute here */
        status = ledger_advance(house->ledger, monotonic_us() + skipped_us);
        if (monotonic_us() > end_us) {
            fail_msg("it hangs: %s", house->why);
        }
    }
    return status;
}

static int ignore_entry(void *context, const struct entry *entry)
{
    (void)context;
    (void)entry;
    return 0;
}

static void ignore_key(void *context, tender_bytes principal, tender_bytes key)
{
    (void)context;
    (void)principal;
    (void)key;
}

static void on_committed(void *context, uint64_t batch)
{
    ((struct house *)context)->committed = batch;
}

static void on_prior(void *context, uint64_t cookie, const struct ledger_prior *prior)
{
    (void)cookie;
    (void)prior;
    ((struct house *)context)->priors++;
}

static void on_connection(void *context, bool is_up, const char *why)
{
    (void)is_up;
    snprintf(((struct house *)context)->why, sizeof((struct house *)context)->why, "%s", why);
}

/* Opening, reigning and recalling; each may be refused. */
static int begin(struct house *house)
{
    struct ledger_options options = {.database = getenv("TENDER_DATABASE"),
                                     .broker = "test",
                                     .lease_us = 1,
                                     .handlers = {.context = house,
                                                  .on_committed = on_committed,
                                                  .on_prior = on_prior,
                                                  .on_connection = on_connection}};
    *house = (struct house){.now_us = HOUSE_START_US};
    plan.is_armed = plan.how == REFUSE || plan.how == MEMORY;
    int status = ledger_open(&options, &house->ledger);
    if (status == 0) {
        status = ledger_begin_reign(house->ledger, 0, &house->reign);
    }
    if (status == 0) {
        status = ledger_recall(house->ledger, 0, ignore_entry, house_ignore_head, NULL);
    }
    if (status == 0) {
        status = ledger_recall_keys(house->ledger, 0, 1000000, ignore_key, NULL);
        status = status == 1 ? 0 : status;
    }
    house->now_us = house->reign.stamp_us > house->now_us ? house->reign.stamp_us : house->now_us;
    return status;
}

/* An announcement and its round; where memory is out for one, the life is over. */
static int fill(struct house *house, struct chain *chain, const char *key)
{
    plan.is_armed = plan.how == MEMORY;
    house_announce(house, chain, key, CREDIT, 1);
    if (house->append_status == 0) {
        house_open_round(house, chain, 1, CREDIT, 1);
    }
    plan.is_armed = true;
    return house->append_status;
}

/* What is asked beside the batch. */
static int ask(struct house *house, const struct chain *chain, const char *key)
{
    tender_digest digest = entry_digest(text(key));
    struct message answer = {.performative = TENDER_AGREE, .conversation = chain->task};
    int status = ledger_lookup_key(house->ledger, 1, text("acme"), text(key), &digest);
    if (status == 0) {
        status = ledger_lookup_task(house->ledger, 2, chain->task, 0, 0);
    }
    if (status == 0) {
        status = ledger_answer(house->ledger, 1, &answer); /* of the batch that follows */
    }
    return status == 0 ? ledger_poll_inbox(house->ledger) : status;
}

/* One life. Returns its end, 0 where all went well. */
static int live(struct house *house, struct chain *chain)
{
    static int turn;
    char key[32];
    int status = begin(house);
    *chain = (struct chain){0};
    if (status == 0) {
        snprintf(key, sizeof key, "reply-%d", turn++);
        uint64_t batch = ledger_batch(house->ledger);
        status = fill(house, chain, key);
        if (status == 0) {
            status = ledger_submit(house->ledger, house->now_us);
        }
        if (status == 0) {
            status = ask(house, chain, key);
        }
        status = status == 0 ? work(house, batch) : status;
    }
    plan.is_armed = false;
    return status;
}

static bool is_retried(const char *state)
{
    static const char *const fatal[] = {"23505", "TN001", "XX000", "XX001",
                                        "42883", "22P02", "08P01", "23514"};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
        if (strcmp(state, fatal[i]) == 0) {
            return false;
        }
    }
    return true;
}

/* Lives once with the plan and looks at what is left of it. Returns whether the plan came true. */
static bool try(enum how how, int n, const char *state)
{
    struct house house;
    struct chain chain;
    plan.how = how;
    plan.state = state;
    plan.left = n;
    plan.is_done = false;
    skipped_us = 0;
    int status = live(&house, &chain);
    bool has_begun = !tender_id_is_nil(chain.task);
    if (status != 0) {
        bool is_out = how == MEMORY && status == TENDER_ENOMEM; /* which says it all */
        const char *why = is_out ? "out of memory" : ledger_last_error(house.ledger);
        assert_true(plan.is_done && why != NULL && why[0] != '\0');
        assert_true(status == TENDER_EDATABASE || status == TENDER_EREIGN || is_out ||
                    status == TENDER_EUNSAFE || status == TENDER_ESCHEMA);
        assert_true(status != TENDER_EREIGN || strcmp(state, "TN001") == 0);
        bool may_end = how == MEMORY || (how == REFUSE && !is_retried(state));
        assert_true(!has_begun || may_end);
    }
    house_close(&house);
    if (has_begun) {
        const char *count =
            sql("select count(*) from tender_ledger.entry where task_id = '%s'", name_of(&chain));
        assert_string_equal(count, status == 0 || strcmp(count, "0") != 0 ? "2" : "0");
    }
    return plan.is_done;
}

static int for_each(enum how how)
{
    size_t per_n = how != REFUSE ? 1 : states_per_n_are_all ? STATE_COUNT : 3;
    int n = 1;
    for (bool came = true; came; n++) {
        came = false;
        for (size_t i = 0; i < per_n; i++) {
            size_t which = states_per_n_are_all ? i : ((size_t)n + 7 * i) % STATE_COUNT;
            came = try(how, n, states[which]) || came;
        }
        assert_true(n < 1000);
    }
    return n - 2;
}

static void every_statement_is_refused_with_every_kind_of_state(void **state)
{
    (void)state;
    int count = for_each(REFUSE);
    print_message("%d statements, each refused\n", count);
    assert_true(count >= 20);
}

static void every_answer_is_lost_with_its_connection(void **state)
{
    (void)state;
    int count = for_each(LOSE);
    print_message("%d answers, each lost\n", count);
    assert_true(count >= 1); /* on a busy machine several come at once */
}

static void every_answer_fails_to_come(void **state)
{
    (void)state;
    int count = for_each(SILENCE);
    print_message("%d answers, each awaited in vain\n", count);
    assert_true(count >= 1);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    int count = for_each(MEMORY);
    print_message("%d allocations, each failing\n", count);
    assert_true(count >= 20);
}

static int migrate_without(int n)
{
    char error[256] = "";
    plan.how = MEMORY;
    plan.left = n;
    plan.is_done = false;
    plan.is_armed = true;
    int status = ledger_migrate(getenv("TENDER_DATABASE"), NULL, NULL, error, sizeof error);
    plan.is_armed = false;
    assert_true(status == 0 || (plan.is_done && error[0] != '\0') || status == TENDER_ENOMEM);
    return status;
}

static void every_allocation_of_a_migration_fails(void **state)
{
    (void)state;
    int n = 0;
    do {
        (void)migrate_without(++n);
    } while (plan.is_done && n < 1000);
    print_message("%d allocations, each failing\n", n - 1);
    assert_int_equal(migrate_without(1 << 30), 0);
}

/* Money for every announcement. */
static int prepare(void **state)
{
    int status = migrate_database(state);
    struct house house;
    house_open(&house, "test");
    house_fund(&house, "acme", 1000000 * CREDIT);
    status = status == 0 ? house_commit(&house) : status;
    house_close(&house);
    return status;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_is_refused_with_every_kind_of_state),
        cmocka_unit_test(every_answer_is_lost_with_its_connection),
        cmocka_unit_test(every_answer_fails_to_come),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(every_allocation_of_a_migration_fails),
    };
    states_per_n_are_all = count > 1 && strcmp(arguments[1], "--all") == 0;
    return cmocka_run_group_tests_name("reply", tests, prepare, NULL);
}
