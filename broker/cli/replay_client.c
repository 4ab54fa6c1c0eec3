/*
 * The client of a replay: announces each row when its time has come, or as fast as tasks are
 * recorded, and follows every task until it has ended.
 */
#include "replay.h"

#include "session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define UNANSWERED_MAX 256             /* announcements said and not answered */
#define RETRY_US       INT64_C(100000) /* after the broker's tables were full */
#define SECOND         INT64_C(1000000)

/* One row's task. */
struct errand {
    tender_id task;
    bool is_agreed;
    bool is_ended;
    UT_hash_handle hh;
};

struct announcer {
    struct replay *replay;
    tender_client *client;
    struct errand *errands; /* [trace.count] */
    struct errand *by_task;
    size_t next; /* first row not said */
    size_t in_flight_max;
    bool is_waiting; /* a timer will go on */
    struct announcer_counts counts;
};

static void speak(struct announcer *announcer);

static void resume(void *context, void *subject)
{
    struct announcer *announcer = context;
    (void)subject;
    announcer->is_waiting = false;
    speak(announcer);
}

static void wait_until(struct announcer *announcer, int64_t at_us)
{
    announcer->is_waiting = true;
    replay_note(announcer->replay,
                timers_add(&announcer->replay->timers, at_us, resume, announcer, NULL));
}

static int say(struct announcer *announcer, size_t index)
{
    struct replay *replay = announcer->replay;
    const struct trace_row *row = &replay->trace.rows[index];
    char key[TENDER_KEY_MAX];
    char content[128];
    snprintf(key, sizeof(key), "%s-%zu", replay->run, index + 1);
    int size = snprintf(content, sizeof(content),
                        "{\"context_tokens\":%" PRId64 ",\"generated_tokens\":%" PRId64 "}",
                        row->context_tokens, row->generated_tokens);
    tender_task task = TENDER_TASK_INIT;
    task.key = key;
    task.skill = REPLAY_SKILL;
    task.units = replay_units(row);
    task.ceiling_micro = replay_ceiling(&replay->tiers, task.units);
    /* Rounds close when all invited have answered, so the window counts only while nobody has room.
     */
    task.window_us = 10 * SECOND;
    task.due_us = replay->speed == 0 ? 60 * SECOND : replay_scale_span(replay, REPLAY_DUE);
    task.rounds = TENDER_ROUNDS_MAX;
    task.backoff_us = SECOND;
    task.ack_us = 30 * SECOND;
    task.close_alone = true;
    task.content = (tender_bytes){content, (size_t)size};
    return tender_announce(announcer->client, &task, NULL);
}

/* Says what is due now; with max, as much as may be in flight. */
static void speak(struct announcer *announcer)
{
    struct replay *replay = announcer->replay;
    struct announcer_counts *counts = &announcer->counts;
    while (announcer->next < replay->trace.count && !announcer->is_waiting) {
        size_t unanswered = counts->announced - counts->agreed - counts->refused;
        size_t running = counts->announced - counts->ended - counts->refused;
        int64_t due_us =
            replay->began_us + replay_scale(replay, replay->trace.rows[announcer->next].after_us);
        if (replay->speed == 0 &&
            (unanswered >= UNANSWERED_MAX || running >= announcer->in_flight_max)) {
            return;
        }
        if (replay->speed != 0 && due_us > session_now_us()) {
            wait_until(announcer, due_us);
            return;
        }
        int status = say(announcer, announcer->next);
        if (status == TENDER_ELIMIT) {
            wait_until(announcer, session_now_us() + 10000);
            return;
        }
        replay_note(replay, status);
        if (status < 0) {
            return;
        }
        announcer->next++;
        counts->announced++;
    }
}

static struct errand *by_key(struct announcer *announcer, const char *key)
{
    size_t size = strlen(announcer->replay->run);
    if (strncmp(key, announcer->replay->run, size) != 0 || key[size] != '-') {
        return NULL;
    }
    size_t row = strtoull(key + size + 1, NULL, 10);
    return row >= 1 && row <= announcer->replay->trace.count ? &announcer->errands[row - 1] : NULL;
}

static void say_again(void *context, void *subject)
{
    struct announcer *announcer = context;
    struct errand *errand = subject;
    int status = say(announcer, (size_t)(errand - announcer->errands));
    if (status == TENDER_ELIMIT) {
        status = timers_add(&announcer->replay->timers, session_now_us() + RETRY_US, say_again,
                            announcer, errand);
    }
    replay_note(announcer->replay, status);
}

static void on_agreed(struct announcer *announcer, const tender_agreement *agreed)
{
    struct errand *errand = by_key(announcer, agreed->key);
    if (errand == NULL || errand->is_agreed) {
        return;
    }
    errand->task = agreed->task;
    errand->is_agreed = true;
    announcer->counts.agreed++;
    HASH_ADD(hh, announcer->by_task, task, sizeof(errand->task), errand);
}

static void on_refused(struct announcer *announcer, const tender_refusal *refusal)
{
    struct errand *errand = by_key(announcer, refusal->key);
    if (errand == NULL || errand->is_agreed || errand->is_ended) {
        return;
    }
    if (refusal->reason == TENDER_REASON_LIMIT_REACHED) {
        replay_note(announcer->replay,
                    timers_add(&announcer->replay->timers, session_now_us() + RETRY_US, say_again,
                               announcer, errand));
        return;
    }
    if (announcer->counts.refused == 0) {
        char where[64];
        snprintf(where, sizeof(where), "row %zu: ", (size_t)(errand - announcer->errands) + 1);
        session_refused(announcer->replay->arguments, where, refusal);
    }
    errand->is_ended = true;
    announcer->counts.refused++;
}

static void on_state(struct announcer *announcer, const tender_task_status *state)
{
    struct errand *errand = NULL;
    HASH_FIND(hh, announcer->by_task, &state->task, sizeof(state->task), errand);
    if (errand == NULL || errand->is_ended || !tender_task_state_is_terminal(state->task_state)) {
        return;
    }
    errand->is_ended = true;
    announcer->counts.ended++;
    HASH_DEL(announcer->by_task, errand);
}

/* After a new connection: the states that were missed. Asking twice does no harm. */
static void ask_again(void *context, void *subject)
{
    struct announcer *announcer = context;
    struct errand *errand, *next;
    (void)subject;
    HASH_ITER(hh, announcer->by_task, errand, next)
    {
        if (tender_query(announcer->client, errand->task) < 0) {
            replay_note(announcer->replay,
                        timers_add(&announcer->replay->timers, session_now_us() + RETRY_US,
                                   ask_again, announcer, NULL));
            return;
        }
    }
}

void announcer_turn(struct announcer *announcer)
{
    const tender_client_event *event = NULL;
    int status;
    if (!announcer->is_waiting) {
        speak(announcer);
    }
    while ((status = tender_client_next(announcer->client, 0, &event)) > 0) {
        announcer->replay->heard_us = session_now_us();
        if (event->kind == TENDER_CLIENT_AGREED) {
            on_agreed(announcer, &event->agreed);
        } else if (event->kind == TENDER_CLIENT_REFUSED) {
            on_refused(announcer, &event->refused);
        } else if (event->kind == TENDER_CLIENT_STATE) {
            on_state(announcer, &event->state);
        } else if (event->kind == TENDER_CLIENT_CONTACT &&
                   event->contact.kind == TENDER_CONTACT_CONNECTED) {
            ask_again(announcer, NULL);
        }
        if (!announcer->is_waiting) {
            speak(announcer);
        }
    }
    replay_note(announcer->replay, status);
}

int announcer_open(struct replay *replay, int64_t in_flight_max, uint32_t timeout_ms,
                   struct announcer **announcer_out)
{
    struct announcer *announcer = calloc(1, sizeof(*announcer));
    *announcer_out = announcer;
    if (announcer == NULL) {
        return TENDER_ENOMEM;
    }
    announcer->replay = replay;
    announcer->in_flight_max = (size_t)in_flight_max;
    announcer->errands = calloc(replay->trace.count, sizeof(*announcer->errands));
    tender_options options = session_options(replay->arguments);
    options.name = replay->run;
    options.principal = REPLAY_PRINCIPAL;
    options.connect_timeout_ms = timeout_ms;
    return announcer->errands == NULL ? TENDER_ENOMEM
                                      : tender_client_open(&options, &announcer->client);
}

void announcer_close(struct announcer *announcer, int code)
{
    if (announcer == NULL) {
        return;
    }
    session_end(announcer->client, NULL, code);
    HASH_CLEAR(hh, announcer->by_task);
    free(announcer->errands);
    free(announcer);
}

int announcer_fd(const struct announcer *announcer)
{
    return tender_client_fd(announcer->client);
}

bool announcer_is_done(const struct announcer *announcer)
{
    const struct announcer_counts *counts = &announcer->counts;
    return counts->ended + counts->refused == announcer->replay->trace.count;
}

struct announcer_counts announcer_count(const struct announcer *announcer)
{
    return announcer->counts;
}

const char *announcer_error(const struct announcer *announcer)
{
    return tender_client_last_error(announcer->client);
}
