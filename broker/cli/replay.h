/*
 * A replay: one client and a few contractors in one thread, over real sessions with the broker.
 *
 * replay_client announces the rows and follows the tasks, replay_worker is a contractor that bids
 * from its queue and waits out the tokens, replay_report asks the ledger how it went, replay.c
 * prepares all that and turns the loop.
 */
#ifndef TENDER_BROKER_CLI_REPLAY_H
#define TENDER_BROKER_CLI_REPLAY_H

#include "command.h"
#include "replay_tiers.h"
#include "replay_timers.h"
#include "replay_trace.h"
#include "tender/client.h"
#include "tender/contractor.h"

#define REPLAY_SKILL      "llm.tokens"
#define REPLAY_PRINCIPAL  "replay-client"
#define REPLAY_SPAN_LEAST (INT64_C(5) * 1000000) /* eta and due are never below 5 s */

/*
 * What the client and the workers share.
 *
 * run         names this replay; its keys are RUN-ROW
 * speed       durations are divided by it; 0: max, nothing is waited for
 * status      first failure of a session or of memory; ends the loop
 */
struct replay {
    const struct arguments *arguments;
    struct trace trace;
    struct tiers tiers;
    struct timers timers;
    int64_t speed;
    char run[TENDER_NAME_MAX + 1];
    int64_t began_us;
    int64_t heard_us; /* when a task last moved */
    int status;
};

/* `us` at the replay's speed. */
int64_t replay_scale(const struct replay *replay, int64_t us);
/* The same for an eta or a due. */
int64_t replay_scale_span(const struct replay *replay, int64_t us);
/* Keeps the first failure. */
void replay_note(struct replay *replay, int status);
/* Tokens of a row: the units of its task. */
int64_t replay_units(const struct trace_row *row);
/* Ceiling of a task of so many tokens: a quarter above the dearest tier. */
int64_t replay_ceiling(const struct tiers *tiers, int64_t units);
/* The longest a commitment may take, before the division by the speed. */
#define REPLAY_DUE (INT64_C(600) * 1000000)

struct worker;
TENDER_MUST_CHECK int worker_open(struct replay *replay, const struct tier *tier,
                                  uint32_t timeout_ms, struct worker **worker_out);
/* `code` is what the program ends with, where closing hangs. */
void worker_close(struct worker *worker, int code);
int worker_fd(const struct worker *worker);
/* Takes all events there are, and sends what it says. */
void worker_turn(struct worker *worker);
/* Reports that were refused because the commitment was over. */
uint64_t worker_late(const struct worker *worker);
const char *worker_error(const struct worker *worker);

struct announcer;
TENDER_MUST_CHECK int announcer_open(struct replay *replay, int64_t in_flight_max,
                                     uint32_t timeout_ms, struct announcer **announcer_out);
void announcer_close(struct announcer *announcer, int code);
int announcer_fd(const struct announcer *announcer);
void announcer_turn(struct announcer *announcer);
bool announcer_is_done(const struct announcer *announcer);
const char *announcer_error(const struct announcer *announcer);

struct announcer_counts {
    size_t announced; /* said */
    size_t agreed;
    size_t refused;
    size_t ended;
};
struct announcer_counts announcer_count(const struct announcer *announcer);

/*
 * Prints how it went, from the ledger alone, and checks the books. Returns EXIT_DONE when every row
 * ended and everything adds up, else EXIT_OTHERWISE or what the database makes of it.
 */
TENDER_MUST_CHECK int report_print(const struct replay *replay, int64_t elapsed_us);

#endif
