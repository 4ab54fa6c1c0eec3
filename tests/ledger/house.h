/*
 * Makes entries as the core would write them: sealed, numbered, chained. And runs a ledger's loop
 * until something has happened. For the tests and the bench of the ledger; knows no mechanism.
 */
#ifndef TENDER_TESTS_LEDGER_HOUSE_H
#define TENDER_TESTS_LEDGER_HOUSE_H

#include "ledger.h"

#define HOUSE_START_US INT64_C(1700000000000000)
#define CREDIT         TENDER_MICRO_PER_CREDIT

/* The end of one task's chain. */
struct chain {
    tender_id task;
    uint64_t number;
    tender_digest hash;
};

/* What the handlers saw. */
struct house {
    struct ledger *ledger;
    struct chain chain; /* of the nil task */
    int64_t now_us;     /* stamp; moves by one with each entry */
    struct ledger_reign reign;
    int append_status; /* of the last entry: 0 or TENDER_ENOMEM */
    uint64_t committed;
    int ups;
    int downs;
    char why[256];
    int priors;
    uint64_t cookie;
    struct ledger_prior prior;
    char prior_contractor[TENDER_NAME_MAX + 1];
    int seats;
    struct ledger_seat seat; /* the last one, without its texts; those are in seat_text */
    char seat_text[2][256];  /* broker, urls */
    int requests;
    struct ledger_request request;
    char request_text[4][256]; /* peer, principal, key, skill */
};

tender_bytes text(const char *text);
/* How long ago tasks are announced, by their identifiers; 0 but for tests of the past. */
extern int64_t house_age_us;
/* The shard that is written, and who pays for its tasks; 0 and acme unless a program says so. */
extern uint32_t house_shard;
extern const char *house_payer;
/* Signs checkpoints, with every batch; NULL: there are none. */
extern bool (*house_sign)(void *context, tender_checkpoint *checkpoint);
extern const uint8_t *house_key; /* by which it does */
/* Identifiers rise, as version 7 does. */
tender_id next_task(void);

/* Opens the ledger of TENDER_DATABASE and begins a reign; asserts that it works. */
void house_open(struct house *house, const char *broker);
/* Opens it for a broker with a lease in µs that has not begun to reign. */
void house_open_only(struct house *house, const char *broker, int64_t lease_us);
/* Begins a reign. Returns what the ledger does. */
int house_begin(struct house *house);
void house_close(struct house *house);

/* Seals `entry` at the end of `chain` and appends it. */
void house_append(struct house *house, struct chain *chain, struct entry *entry);

/* Entries with plain values; all of them move the stamp. */
void house_fund(struct house *house, const char *principal, int64_t amount_micro);
void house_enrol(struct house *house, const char *contractor, const char *principal);
void house_announce(struct house *house, struct chain *chain, const char *key,
                    int64_t ceiling_micro, int64_t units);
void house_open_round(struct house *house, struct chain *chain, int64_t round,
                      int64_t ceiling_micro, int64_t units);
void house_answer(struct house *house, struct chain *chain, int64_t round);
void house_award(struct house *house, struct chain *chain, int64_t round, int64_t generation,
                 int64_t price_micro, int64_t units);
/* Fulfils a commitment, and with it the task, whose ceiling is given. */
void house_fulfil(struct house *house, struct chain *chain, int64_t generation, int64_t units,
                  int64_t paid_micro, int64_t ceiling_micro);
/* Ends a commitment short of its units; the task goes on. */
void house_fail(struct house *house, struct chain *chain, int64_t generation, int64_t units,
                int64_t paid_micro);
void house_end(struct house *house, struct chain *chain, tender_task_state state,
               int64_t released_micro);

/* Advances the ledger until it has nothing to wait for or 20 s have passed. Returns the first
 * error. */
int house_step(struct house *house);
/* Submits what is filling and waits until it is committed. Returns 0 or the ledger's error. */
int house_commit(struct house *house);
/* Waits while the condition does not hold; fails the test after 20 s. */
#define house_wait(house, condition)                                                               \
    for (int64_t end_us_ = monotonic_us() + 20000000; !(condition);) {                             \
        if (house_step(house) != 0 || monotonic_us() > end_us_) {                                  \
            house_give_up(house, #condition);                                                      \
        }                                                                                          \
    }
/* The first value that `query` returns, by a connection apart; "" for null or none. Valid until the
 * fourth next call. */
const char *sql(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The SQLSTATE that `query` fails with, or "". */
const char *sql_state(const char *query);
/* Changes a setting of the cluster, which is the test's own, and waits until it holds. */
void set_setting(const char *setting, const char *value);
/* Ends the backend that the reign writes through. */
void end_backend(void);

_Noreturn void house_give_up(const struct house *house, const char *condition);
int64_t monotonic_us(void);

/* For a recall of which only the entries are asked. */
void house_ignore_head(void *context, uint32_t shard, uint64_t number, const tender_digest *hash);

#endif
