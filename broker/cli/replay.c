/*
 * tender replay: prepares a replay, turns its loop, and lets the report tell how it went.
 */
#include "commands.h"

#include "database.h"
#include "inbox.h"
#include "replay.h"
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_US INT64_C(200000)
#define SILENCE_US  INT64_C(300000000) /* without any event; then what is missing is lost */

int64_t replay_scale(const struct replay *replay, int64_t us)
{
    return replay->speed == 0 ? 0 : us / replay->speed;
}

int64_t replay_scale_span(const struct replay *replay, int64_t us)
{
    int64_t scaled = replay_scale(replay, us);
    return scaled < REPLAY_SPAN_LEAST ? REPLAY_SPAN_LEAST : scaled;
}

void replay_note(struct replay *replay, int status)
{
    if (replay->status == 0 && status < 0) {
        replay->status = status;
    }
}

int64_t replay_units(const struct trace_row *row)
{
    int64_t tokens = row->context_tokens + row->generated_tokens;
    return tokens < 1 ? 1 : tokens;
}

int64_t replay_ceiling(const struct tiers *tiers, int64_t units)
{
    int64_t dearest = 0;
    for (size_t i = 0; i < tiers->count; i++) {
        int64_t cost_micro = tier_estimate(&tiers->items[i], units, 0).cost_micro;
        dearest = cost_micro > dearest ? cost_micro : dearest;
    }
    return dearest + dearest / 4;
}

static int load_tiers(struct replay *replay)
{
    const struct arguments *arguments = replay->arguments;
    const char *path = argument_text(arguments, "tiers");
    char why[VALUE_WHY_MAX];
    if (path == NULL) {
        tiers_default(&replay->tiers);
        return EXIT_DONE;
    }
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (file == NULL) {
        return command_fail(arguments, EXIT_BAD_INPUT, "--tiers: %s: %s", path, strerror(errno));
    }
    int status = tiers_read(file, &replay->tiers, why);
    if (file != stdin) {
        fclose(file);
    }
    return status == 0 ? EXIT_DONE
                       : command_fail(arguments, EXIT_BAD_INPUT, "--tiers: %s: %s", path, why);
}

static int load_trace(struct replay *replay)
{
    const struct arguments *arguments = replay->arguments;
    const char *path = argument_text(arguments, "trace");
    const struct value *synthetic = argument(arguments, "synthetic");
    char why[VALUE_WHY_MAX];
    if ((path != NULL) == synthetic->is_set) {
        return command_fail(arguments, EXIT_BAD_INPUT,
                            "one of --trace FILE and --synthetic ROWS is needed");
    }
    if (synthetic->is_set) {
        return trace_invent((size_t)synthetic->number, (uint64_t)argument_number(arguments, "seed"),
                            &replay->trace) == 0
                   ? EXIT_DONE
                   : command_fail(arguments, EXIT_OTHERWISE, "out of memory");
    }
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (file == NULL) {
        return command_fail(arguments, EXIT_BAD_INPUT, "--trace: %s: %s", path, strerror(errno));
    }
    int status = trace_read(file, (size_t)argument_number(arguments, "rows"), &replay->trace, why);
    if (file != stdin) {
        fclose(file);
    }
    return status == 0 ? EXIT_DONE
           : status == TENDER_EINVAL
               ? command_fail(arguments, EXIT_BAD_INPUT, "--trace: %s: %s", path, why)
               : command_fail(arguments, EXIT_OTHERWISE, "out of memory");
}

/* Sees to it that the client can pay for all rows at once. */
static int fund(const struct replay *replay)
{
    int64_t needed_micro = 0;
    for (size_t i = 0; i < replay->trace.count; i++) {
        needed_micro += replay_ceiling(&replay->tiers, replay_units(&replay->trace.rows[i]));
    }
    PGconn *connection = NULL;
    PGresult *result = NULL;
    const char *parameters[] = {REPLAY_PRINCIPAL};
    int code = database_open(replay->arguments, &connection);
    if (code == EXIT_DONE) {
        code = database_ask(replay->arguments, connection,
                            "select coalesce(sum(available), 0) from tender.account "
                            "where principal = $1",
                            1, parameters, &result);
    }
    if (code == EXIT_DONE && database_micro(result, 0, 0) < needed_micro) {
        code = inbox_fund(replay->arguments, connection, REPLAY_PRINCIPAL,
                          needed_micro - database_micro(result, 0, 0));
    }
    PQclear(result);
    PQfinish(connection);
    return code;
}

static void print_progress(const struct replay *replay, const struct announcer *announcer,
                           int64_t now_us, bool is_last)
{
    struct announcer_counts counts = announcer_count(announcer);
    int64_t seconds = (now_us - replay->began_us) / 1000000;
    int64_t lasted_us = now_us - replay->began_us;
    fprintf(stderr, "\r%zu of %zu announced, %zu running, %zu ended, %" PRId64 " s, %" PRId64 "/s ",
            counts.announced, replay->trace.count, counts.agreed - counts.ended, counts.ended,
            seconds, lasted_us <= 0 ? 0 : (int64_t)counts.ended * 1000000 / lasted_us);
    fprintf(stderr, is_last ? "\n" : "\033[K");
    fflush(stderr);
}

static int wait_ms(const struct replay *replay, int64_t now_us, bool has_progress)
{
    int64_t until_us = timers_next(&replay->timers);
    int64_t latest_us = now_us + (has_progress ? PROGRESS_US : INT64_C(1000000));
    until_us = until_us < latest_us ? until_us : latest_us;
    return until_us <= now_us ? 0 : (int)((until_us - now_us + 999) / 1000);
}

/* Turns until every row has ended, or something failed. Everything runs on this thread. */
static void turn(struct replay *replay, struct announcer *announcer, struct worker **workers)
{
    bool has_progress = isatty(STDERR_FILENO) == 1;
    int64_t shown_us = 0;
    size_t count = replay->tiers.count;
    while (replay->status == 0 && !announcer_is_done(announcer)) {
        struct pollfd fds[TIERS_MAX + 1];
        for (size_t i = 0; i < count; i++) {
            fds[i] = (struct pollfd){.fd = worker_fd(workers[i]), .events = POLLIN};
        }
        fds[count] = (struct pollfd){.fd = announcer_fd(announcer), .events = POLLIN};
        int64_t now_us = session_now_us();
        if (poll(fds, count + 1, wait_ms(replay, now_us, has_progress)) < 0 && errno != EINTR) {
            replay_note(replay, TENDER_ESYSTEM);
        }
        now_us = session_now_us();
        timers_run(&replay->timers, now_us);
        for (size_t i = 0; i < count; i++) {
            worker_turn(workers[i]);
        }
        announcer_turn(announcer);
        if (has_progress && now_us - shown_us >= PROGRESS_US) {
            print_progress(replay, announcer, now_us, false);
            shown_us = now_us;
        }
        if (timers_next(&replay->timers) == TENDER_NEVER &&
            now_us - replay->heard_us > SILENCE_US) {
            replay_note(replay, TENDER_ETIMEDOUT);
        }
    }
    if (has_progress) {
        print_progress(replay, announcer, session_now_us(), true);
    }
}

static int open_all(struct replay *replay, struct announcer **announcer, struct worker **workers)
{
    const struct arguments *arguments = replay->arguments;
    uint32_t timeout_ms = (uint32_t)session_timeout_ms(arguments);
    for (size_t i = 0; i < replay->tiers.count; i++) {
        int status = worker_open(replay, &replay->tiers.items[i], timeout_ms, &workers[i]);
        if (status < 0) {
            fprintf(stderr, "contractor %s: ", replay->tiers.items[i].name);
            return session_fail(arguments, status, NULL);
        }
    }
    int status =
        announcer_open(replay, argument_number(arguments, "in-flight"), timeout_ms, announcer);
    return status == 0 ? EXIT_DONE : session_fail(arguments, status, NULL);
}

/* Says what stopped the loop, beyond the code. */
static void explain_stop(const struct replay *replay, const struct announcer *announcer,
                         struct worker *const *workers)
{
    const char *detail = announcer_error(announcer);
    for (size_t i = 0; i < replay->tiers.count && *detail == '\0'; i++) {
        detail = worker_error(workers[i]);
    }
    command_fail(replay->arguments, EXIT_OTHERWISE, "stopped early: %s%s%s",
                 tender_strerror(replay->status), *detail == '\0' ? "" : ": ", detail);
}

static int play(struct replay *replay)
{
    struct announcer *announcer = NULL;
    struct worker *workers[TIERS_MAX] = {NULL};
    int64_t elapsed_us = 0;
    int code = fund(replay);
    if (code == EXIT_DONE) {
        code = open_all(replay, &announcer, workers);
    }
    bool is_open = code == EXIT_DONE;
    if (is_open) {
        replay->began_us = session_now_us();
        replay->heard_us = replay->began_us;
        turn(replay, announcer, workers);
        elapsed_us = session_now_us() - replay->began_us;
        if (replay->status < 0) {
            explain_stop(replay, announcer, workers);
            code = EXIT_OTHERWISE;
        }
    }
    if (is_open) {
        int report = report_print(replay, elapsed_us);
        code = code == EXIT_DONE ? report : code;
    }
    announcer_close(announcer, code);
    for (size_t i = 0; i < replay->tiers.count; i++) {
        worker_close(workers[i], code);
    }
    return code;
}

int run_replay(const struct arguments *arguments)
{
    struct replay replay = {.arguments = arguments, .speed = argument_number(arguments, "speed")};
    session_name("replay", replay.run);
    int code = load_tiers(&replay);
    if (code == EXIT_DONE && argument(arguments, "show-tiers")->is_set) {
        tiers_write(&replay.tiers, stdout);
        return EXIT_DONE;
    }
    if (code == EXIT_DONE) {
        code = load_trace(&replay);
    }
    if (code == EXIT_DONE && argument(arguments, "show-trace")->is_set) {
        trace_write(&replay.trace, stdout);
    } else if (code == EXIT_DONE) {
        code = play(&replay);
    }
    timers_release(&replay.timers);
    trace_release(&replay.trace);
    return code;
}
