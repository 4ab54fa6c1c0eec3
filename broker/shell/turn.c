/*
 * The turn: everything the broker does, in the one order in which it does it.
 */
#include <string.h>

#include "daemon_internal.h"
#include "failpoint.h"
#include "log.h"
#include "notify.h"
#include "refusals.h"

#define SKEW_ALARM_US   1000000
#define SKEW_REPEAT_US  60000000 /* how often the alarm is raised while it lasts */
#define BYE_US          500000   /* how long peers without a parked exchange have for their bye */
#define PARTING_STEP_US 10000
#define LIMITS_EVERY_US 5000000 /* how often the limits that were met are logged */
#define ATTEND_EVERY    8  /* exchanges heard, or sessions answered, between looks at the ledger, */
#define ATTEND_MESSAGES 64 /* and messages in those exchanges */
#define PACE_MESSAGES                                                                              \
    8 /* messages behind the batch in flight from which on answers wait for it                     \
       */
#define PACE_MAX_US  20000 /* how long at most */
#define LEASE_STAMPS 3     /* an idle broker writes its stamp so often in a lease */

/* Whether time passes in the book; else a recess will say that it did not. */
static bool is_hearing(const struct daemon *daemon)
{
    return daemon->phase == PHASE_SERVING && daemon->choked_since_us == 0;
}

static void hear_recess(struct daemon *daemon, int64_t from_us, const char *why)
{
    struct event event = {.kind = EVENT_RECESS,
                          .at_us = daemon->hearing.at_us,
                          .from_us = from_us,
                          .until_us = daemon->hearing.at_us + daemon->config->grace_us};
    struct log_line line;
    log_begin(&line, LOG_LEVEL_WARNING, "recess");
    log_string(&line, "why", why);
    log_int(&line, "from_us", event.from_us);
    log_int(&line, "until_us", event.until_us);
    log_end(&line);
    hearing_event(&daemon->hearing, &event);
}

/* The alarm of one clock, which is not raised again for a while. */
static void judge_skew(const struct daemon *daemon, const char *whose, int64_t skew_us,
                       int64_t *next_us)
{
    bool is_skewed = skew_us > SKEW_ALARM_US || skew_us < -SKEW_ALARM_US;
    if (is_skewed && daemon->hearing.at_us >= *next_us) {
        *next_us = daemon->hearing.at_us + SKEW_REPEAT_US;
        struct log_line line;
        log_begin(&line, LOG_LEVEL_WARNING, "clock-skew");
        log_string(&line, "whose", whose);
        log_int(&line, "skew_us", skew_us);
        log_end(&line);
    }
}

/* The stamp against the clocks that people see: this machine's and the database's. */
static void check_skew(struct daemon *daemon)
{
    const struct link_clock *database = &daemon->link.clock;
    int64_t boot_us = clock_boot_us();
    judge_skew(daemon, "broker", clock_skew(&daemon->clock, clock_real_us(), boot_us, boot_us),
               &daemon->next_skew_us);
    if (database->heard_us != 0) {
        judge_skew(daemon, "database",
                   clock_skew(&daemon->clock, database->database_us, database->asked_us,
                              database->heard_us),
                   &daemon->next_database_skew_us);
        daemon->link.clock.heard_us = 0;
    }
}

/* Stamps the turn; a pause of the whole process is a recess. */
static void stamp(struct daemon *daemon)
{
    int64_t from_us = 0;
    bool is_stall = clock_turn(&daemon->clock, clock_boot_us(), daemon->config->stall_us, &from_us);
    daemon->hearing.at_us = daemon->clock.last_us;
    if (is_stall && is_hearing(daemon)) {
        hear_recess(daemon, from_us, "stall");
    }
    check_skew(daemon);
}

/*
 * While the ledger is too far behind nothing is heard and no time passes in the book; afterwards
 * that is a recess, as if the broker had been away.
 */
static bool is_choked(struct daemon *daemon)
{
    size_t backlog = ledger_backlog(daemon->link.ledger);
    size_t limit = (size_t)daemon->config->backlog_size;
    if (daemon->choked_since_us == 0 && backlog > limit) {
        daemon->choked_since_us = daemon->hearing.at_us;
        port_pause(daemon->port, true);
        refusals_count(REFUSAL_BACKLOG);
        log_event(LOG_LEVEL_WARNING, "receiving-paused", "why", "the ledger is behind");
    } else if (daemon->choked_since_us != 0 && backlog <= limit / 2) {
        int64_t since_us = daemon->choked_since_us;
        daemon->choked_since_us = 0;
        port_pause(daemon->port, false);
        log_event(LOG_LEVEL_INFO, "receiving-resumed", "why", "the ledger keeps up");
        if (daemon->hearing.at_us - since_us > daemon->config->stall_us) {
            hear_recess(daemon, since_us, "the ledger was behind");
        }
    }
    return daemon->choked_since_us != 0;
}

static void poll_inbox(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    if (daemon->link.had_request) {
        daemon->link.had_request = false;
        daemon->inbox_busy_until_us = at_us + 20 * daemon->config->inbox_poll_us;
        if (daemon->next_inbox_us > at_us + daemon->config->inbox_poll_us) {
            daemon->next_inbox_us = at_us + daemon->config->inbox_poll_us;
        }
    }
    if (at_us < daemon->next_inbox_us || !daemon->link.is_up || daemon->phase != PHASE_SERVING) {
        return;
    }
    bool is_busy = at_us < daemon->inbox_busy_until_us;
    daemon->next_inbox_us =
        at_us + (is_busy ? daemon->config->inbox_poll_us : daemon->config->inbox_idle_us);
    hearing_note(&daemon->hearing, ledger_poll_inbox(daemon->link.ledger));
}

/* How often an idle broker writes its stamp, which also renews its lease. */
static int64_t stamp_every_us(const struct daemon *daemon)
{
    return earlier(daemon->config->idle_batch_us, daemon->config->lease_us / LEASE_STAMPS);
}

/* Several brokers look at each other. */
static void watch_others(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    if (daemon->hearing.shard_count > 1 && daemon->link.is_up && at_us >= daemon->next_watch_us) {
        ledger_watch(daemon->link.ledger);
        daemon->next_watch_us = at_us + 2 * DAEMON_WATCH_US;
    }
    daemon_share(daemon);
}

/* Whether an empty batch is to be sent too: an idle broker's stamp now and then. */
static bool is_stamp_due(const struct daemon *daemon)
{
    int64_t since_us = daemon->hearing.at_us - daemon->last_batch_us;
    bool is_wanted = daemon->wants_batch || daemon->has_lapsed;
    return daemon->link.is_up && (is_wanted || since_us >= stamp_every_us(daemon));
}

/* Until when peers were heard: a recess begins there, whoever records it. */
static int64_t heard_until(const struct daemon *daemon)
{
    int64_t until_us = daemon->hearing.at_us;
    if (daemon->phase != PHASE_SERVING) {
        until_us = daemon->draining_since_us;
    }
    return daemon->choked_since_us != 0 ? earlier(until_us, daemon->choked_since_us) : until_us;
}

/* Sends what waits in the filling batch, as soon as the ledger is idle. */
static void write_batch(struct daemon *daemon, bool is_forced)
{
    if (daemon->phase == PHASE_PARTING || daemon->has_released) {
        return; /* a batch would renew what is given back */
    }
    int sent = journal_submit(daemon->journal, heard_until(daemon), is_forced);
    if (sent > 0) {
        daemon->last_batch_us = daemon->hearing.at_us;
        daemon->wants_batch = false;
        daemon->said_in_batch = daemon->hearing.said - daemon->said_before;
        daemon->said_before = daemon->hearing.said;
    } else {
        hearing_note(&daemon->hearing, sent);
    }
}

/*
 * Sends what was recorded meanwhile and then lets go what has committed, so that the ledger works
 * while the broker tells and hears.
 */
static void attend_ledger(struct daemon *daemon)
{
    link_advance(&daemon->link, clock_boot_us());
    if (daemon->link.committed != 0) {
        journal_committed(daemon->journal, daemon->link.committed);
        daemon->link.committed = 0;
        write_batch(daemon, false);
        journal_release(daemon->journal, daemon->hearing.at_us);
        link_advance(&daemon->link, clock_boot_us());
    }
}

/* Takes what came in. While the broker goes down nothing more is heard: peers say it again to the
 * next broker, since it is not covered by `heard`. */
static void hear(struct daemon *daemon)
{
    bool is_serving = daemon->phase == PHASE_SERVING;
    if (is_serving) {
        hearing_answered(&daemon->hearing);
        for (struct session *ready; (ready = postbox_ready(daemon->postbox)) != NULL;) {
            hearing_session(&daemon->hearing, ready);
        }
    }
    struct exchange *exchange = port_collect(daemon->port);
    uint64_t attended = daemon->hearing.said;
    for (int heard = 1; exchange != NULL; heard++) {
        struct exchange *following = exchange->next;
        struct session *session = postbox_arrive(daemon->postbox, exchange, daemon->hearing.at_us);
        failpoint(EXCHANGE_TAKEN);
        if (session != NULL && is_serving) {
            hearing_session(&daemon->hearing, session);
        }
        exchange = following;
        if (heard % ATTEND_EVERY == 0 || daemon->hearing.said - attended >= ATTEND_MESSAGES) {
            attend_ledger(daemon);
            attended = daemon->hearing.said;
        }
    }
    if (is_serving) {
        hearing_inbox(&daemon->hearing);
        hearing_tick(&daemon->hearing);
    }
}

static void on_left(void *context, struct session *session)
{
    struct daemon *daemon = context;
    if (is_hearing(daemon)) { /* else the book finds by itself that nobody is there */
        hearing_left(&daemon->hearing, session);
    }
    daemon->has_more = true;
}

/* What a shutdown waits for, step by step: the last commit, then that every peer has its bye. */
static void part(struct daemon *daemon)
{
    struct message bye = {.performative = TENDER_BYE};
    message_set(&bye, REASON, reason, TENDER_REASON_GOING_DOWN);
    int64_t at_us = daemon->hearing.at_us;
    if (daemon->phase == PHASE_DRAINING && !daemon->wants_batch &&
        journal_is_drained(daemon->journal)) {
        failpoint(DRAINED);
        postbox_bye(daemon->postbox, &bye, at_us);
        daemon->phase = PHASE_PARTING;
        daemon->bye_by_us = at_us + BYE_US;
    }
    bool is_said = postbox_is_silent(daemon->postbox) || at_us >= daemon->bye_by_us;
    if (daemon->phase == PHASE_PARTING && is_said && !daemon->has_released) {
        ledger_release(daemon->link.ledger,
                       daemon->hearing.shards); /* now that nothing is said any more */
        daemon->has_released = true;
    }
    is_said = is_said && (ledger_is_released(daemon->link.ledger) || !daemon->link.is_up);
    if (daemon->phase == PHASE_PARTING && is_said && port_sending(daemon->port) == 0) {
        daemon_stop(daemon, daemon->end_code);
    } else if (daemon->phase != PHASE_SERVING && at_us >= daemon->shutdown_by_us) {
        log_event(LOG_LEVEL_WARNING, "shutdown-cut", "why", "it took too long");
        daemon_stop(daemon, daemon->end_code);
    }
}

static void begin_end(struct daemon *daemon)
{
    bool is_serving = daemon->phase == PHASE_SERVING || daemon->phase == PHASE_CHANGING;
    if (!daemon->wants_end || !is_serving) {
        return;
    }
    if (daemon->end_code == DAEMON_EXIT_DONE) {
        log_event(LOG_LEVEL_INFO, "stopping", "why", "signal");
        notify_send("STOPPING=1");
    }
    daemon->phase = PHASE_DRAINING;
    daemon->wants_batch = true; /* the last stamp, where the recess begins */
    daemon->draining_since_us = daemon->hearing.at_us;
    daemon->shutdown_by_us = daemon->hearing.at_us + daemon->config->shutdown_us;
}

static void on_met(void *context, enum refusal refusal, uint64_t times)
{
    struct daemon *daemon = context;
    if (daemon->link.ledger != NULL) {
        ledger_note_limit(daemon->link.ledger, refusal_name(refusal), times,
                          refusal_consequence(refusal));
    }
}

void daemon_keep_limits(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    if (daemon->choked_since_us == 0) { /* else nobody is heard who could show a session */
        port_sweep(daemon->port, clock_boot_us());
    }
    if (at_us >= daemon->next_limits_us) {
        daemon->next_limits_us = at_us + LIMITS_EVERY_US;
        refusals_log(on_met, daemon);
    }
}

/* Connects to its own listeners, and begins anew when nng cannot be helped otherwise. */
void daemon_probe(struct daemon *daemon)
{
    int64_t at_us = daemon->hearing.at_us;
    (void)probe_step(&daemon->probe, at_us, daemon->config->probe_us);
    if (!daemon->wants_end && probe_is_stuck(&daemon->probe, at_us)) {
        log_event(LOG_LEVEL_WARNING, "beginning-anew", "why",
                  "nng takes no closed connection away any more");
        daemon->end_code = DAEMON_EXIT_PORT;
        daemon->wants_end = true;
    }
}

static void on_timer(uv_timer_t *timer)
{
    (void)timer; /* it only wakes: the turn compares stamps */
}

void daemon_wake_in(struct daemon *daemon, int64_t wait_us)
{
    uint64_t wait_ms = wait_us > 0 ? (uint64_t)((wait_us + 999) / 1000) : 0;
    uv_update_time(&daemon->loop);
    uv_timer_start(&daemon->timer, on_timer, wait_ms, 0);
}

/* Arms the only timer, for whatever comes first. */
static void arm(struct daemon *daemon, bool has_spoken)
{
    int64_t at_us = daemon->hearing.at_us;
    int64_t next_us = at_us + DAEMON_SLEEP_MAX_US;
    next_us = earlier(next_us, has_spoken ? postbox_next(daemon->postbox)
                                          : at_us + daemon->paced_until_boot_us - clock_boot_us());
    bool is_writing = daemon->phase != PHASE_PARTING;
    if (daemon->link.is_up && is_writing && !ledger_is_busy(daemon->link.ledger)) {
        next_us = earlier(next_us, daemon->last_batch_us + stamp_every_us(daemon));
    }
    if (daemon->link.is_up && is_hearing(daemon)) {
        next_us = earlier(next_us, daemon->next_inbox_us);
        next_us =
            daemon->hearing.shard_count > 1 ? earlier(next_us, daemon->next_watch_us) : next_us;
    }
    if (daemon->phase != PHASE_SERVING) {
        next_us = earlier(next_us, at_us + PARTING_STEP_US);
    } else {
        next_us = earlier(next_us, probe_next(&daemon->probe));
    }
    if (is_hearing(daemon)) {
        next_us = earlier(next_us, book_next_deadline(daemon->hearing.book));
    }
    int64_t wait_us = next_us - at_us;
    int64_t boot_us = clock_boot_us();
    if (!daemon->link.is_up) {
        wait_us = earlier(wait_us, ledger_retry_us(daemon->link.ledger) - boot_us);
    }
    wait_us -= boot_us - daemon->clock.boot_us + daemon->clock.base_us - at_us;
    daemon_wake_in(daemon, daemon->has_more ? 0 : wait_us);
}

/*
 * Under load what is said waits until the batch in flight has committed: peers are then answered
 * once instead of often, with more, while the broker goes on hearing what the next batch will hold.
 * A broker that hears little answers at once.
 */
static bool is_paced(const struct daemon *daemon)
{
    bool is_loaded = daemon->said_in_batch >= PACE_MESSAGES;
    bool is_waiting = journal_is_waiting(daemon->journal) && daemon->link.committed == 0 &&
                      daemon->link.status == 0 && daemon->link.is_up;
    return is_loaded && is_waiting && daemon->phase == PHASE_SERVING &&
           daemon->paced_until_boot_us > clock_boot_us();
}

/*
 * Past the end of its lease the broker is mute: another may have taken over, and what this one
 * remembers may no longer be so. What has committed has renewed the lease. One that stands by
 * remembers nothing, and may have no ledger to ask.
 */
static void mind_lease(struct daemon *daemon)
{
    if (daemon->phase == PHASE_STANDBY) {
        return;
    }
    bool is_over = clock_boot_us() >= ledger_leased_until_us(daemon->link.ledger);
    bool has_lapsed = is_over || daemon->has_released;
    if (has_lapsed != daemon->has_lapsed) {
        log_event(has_lapsed ? LOG_LEVEL_WARNING : LOG_LEVEL_INFO,
                  has_lapsed ? "lease-lapsed" : "lease-renewed", "broker", daemon->config->broker);
    }
    daemon->has_lapsed = has_lapsed;
    postbox_mute(daemon->postbox, has_lapsed);
    if (!has_lapsed) {
        loss_say(&daemon->hearing.losses, daemon->link.ledger);
    }
}

void daemon_speak(struct daemon *daemon)
{
    bool has_more = true;
    daemon->paced_until_boot_us = clock_boot_us() + PACE_MAX_US;
    while (has_more) {
        mind_lease(daemon);
        has_more =
            postbox_speak(daemon->postbox, daemon->hearing.at_us, ATTEND_EVERY, on_left, daemon);
        if (has_more) {
            attend_ledger(daemon);
        }
    }
}

void daemon_turn(struct daemon *daemon)
{
    if (daemon->phase == PHASE_STANDBY) {
        daemon_standby_turn(daemon);
        return;
    }
    bool speaks = !is_paced(daemon);
    daemon->has_more = false;
    daemon->turns++;
    stamp(daemon);
    begin_end(daemon);
    attend_ledger(daemon);
    if (!is_choked(daemon)) {
        hear(daemon);
        poll_inbox(daemon);
        watch_others(daemon);
    }
    write_batch(daemon, is_stamp_due(daemon));
    link_advance(&daemon->link, clock_boot_us());
    if (speaks) {
        daemon_speak(daemon);
    }
    if (daemon->phase == PHASE_SERVING) {
        bool may_hear = daemon->choked_since_us == 0;
        daemon->has_more |= may_hear && postbox_has_ready(daemon->postbox);
        daemon_probe(daemon);
    }
    outlet_tell(&daemon->outlet);
    daemon_keep_limits(daemon);
    if (daemon->phase == PHASE_CHANGING) {
        daemon_change(daemon);
    } else {
        part(daemon);
    }
    int status = daemon->link.status != 0 ? daemon->link.status : daemon->hearing.status;
    if (status != 0) {
        daemon_fail(daemon, status);
    }
    if (daemon->link.ledger != NULL) {
        arm(daemon, speaks);
    }
}
