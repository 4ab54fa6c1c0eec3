/*
 * Opening and waiting for a session. See session.h.
 */
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"

void session_lock(struct session *session)
{
    (void)pthread_mutex_lock(&session->mutex);
}

void session_unlock(struct session *session)
{
    (void)pthread_mutex_unlock(&session->mutex);
}

/* Lets what was queued leave: at once, or with what the program says before its next call. */
static void let_leave(struct session *session, const struct view *view)
{
    if (view != NULL && view->is_handling) {
        pacer_arm(&session->paced, clock_us() + SESSION_CORK_US);
    } else {
        session_pump(session);
    }
}

/* Whether there is room for what the program says. */
static int may_say(const struct session *session)
{
    if (session->status != 0) {
        return session->status;
    }
    return outbox_is_full(&session->outbox) ? TENDER_ELIMIT : 0;
}

int session_say(struct session *session, const struct view *view, const struct message *message)
{
    int status = may_say(session);
    if (status == 0) {
        status = outbox_add(&session->outbox, message);
    }
    if (status == 0) {
        let_leave(session, view);
    }
    return status;
}

int session_say_packed(struct session *session, const struct view *view,
                       tender_performative performative, tender_bytes packed)
{
    int status = may_say(session);
    if (status == 0) {
        status = outbox_add_packed(&session->outbox, performative, packed);
    }
    if (status == 0) {
        let_leave(session, view);
    }
    return status;
}

/* Later than the session before, so that a hello of that one which comes late is known for old. */
static void begin(struct session *session)
{
    int64_t now_us = clock_wall_us();
    session->began_us = now_us > session->began_us ? now_us : session->began_us + 1;
}

int session_say_hello(struct session *session)
{
    begin(session);
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, NAME, name, ((tender_bytes){session->name, strlen(session->name)}));
    message_set(&hello, PRINCIPAL, principal,
                ((tender_bytes){session->principal, strlen(session->principal)}));
    message_set(&hello, HEARTBEAT, heartbeat_us, session->heartbeat_us);
    message_set(&hello, AT, at_us, session->began_us);
    message_set(&hello, RECEIPTS, receipts,
                ((tender_bytes){session->receipts, session->receipt_count * WIRE_RECEIPT_SIZE}));
    return outbox_add(&session->outbox, &hello);
}

int session_say_offer(struct session *session)
{
    tender_bytes skills[TENDER_SKILLS_MAX];
    for (uint32_t i = 0; i < session->skill_count; i++) {
        skills[i] = (tender_bytes){session->skills[i], strlen(session->skills[i])};
    }
    struct message offer = {.performative = TENDER_OFFER};
    message_set(&offer, SKILLS, skills, ((struct message_texts){session->skill_count, skills}));
    message_set(&offer, SLOTS, slots, session->slots);
    int status = outbox_add(&session->outbox, &offer);
    if (status == 0) {
        session->offers_said++;
        session->slots_bound =
            session->slots > session->slots_bound ? session->slots : session->slots_bound;
    }
    return status;
}

/* When the lane's request has taken too long, or INT64_MAX. */
static int64_t lane_due_us(const struct session *session, const struct lane *lane)
{
    if (lane->state == LANE_SENDING) {
        return lane->since_us + session->patience_us;
    }
    if (lane->state == LANE_WAITING) {
        return lane->since_us + 3 * session->heartbeat_us + 1000000;
    }
    return INT64_MAX;
}

static void wake(struct paced *paced)
{
    struct session *session = (struct session *)paced; /* its first member */
    session_lock(session);
    int64_t now_us = clock_us();
    struct channel *ended = channel_take_ended(session, now_us);
    if (session->status != 0 || session->is_closing) {
        session_unlock(session);
        channel_close_all(ended);
        return;
    }
    if (session->wants_renewal) {
        session_renew(session);
    }
    session_pump(session);
    int64_t due_us = INT64_MAX;
    for (size_t i = 0; i < 2; i++) {
        int64_t lane_us = lane_due_us(session, &session->channel->lanes[i]);
        due_us = lane_us < due_us ? lane_us : due_us;
    }
    bool is_deaf = session->url_count > 1 && session_is_deaf(session, now_us);
    bool wants_dialing = session->wants_dialing || due_us <= now_us || is_deaf;
    if (wants_dialing && now_us < session->dial_after_us) { /* not yet */
        due_us = session->dial_after_us;
        session->wants_dialing = true;
        wants_dialing = false;
    } else {
        session->wants_dialing = false;
    }
    pacer_arm(paced, due_us > now_us && due_us < now_us + 1000000 ? due_us : now_us + 1000000);
    session_unlock(session);
    channel_close_all(ended);
    if (wants_dialing) {
        session_dial_again(session);
    }
}

static void init_locks(struct session *session)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&session->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&session->mutex, NULL);
}

bool session_wait(struct session *session, int64_t until_us)
{
    struct timespec until = clock_at(until_us);
    return pthread_cond_timedwait(&session->changed, &session->mutex, &until) == 0;
}

static int await_welcome(struct session *session, const tender_options *options,
                         struct error *error)
{
    if (options->connect_timeout_ms == 0) {
        return 0;
    }
    int64_t until_us = clock_us() + (int64_t)options->connect_timeout_ms * 1000;
    int status = 0;
    session_lock(session);
    while (!session->is_welcomed && session->status == 0 && session_wait(session, until_us)) {
    }
    if (session->status != 0) {
        status = error_set(error, session->status, "%s", session->failure.text);
    } else if (!session->is_welcomed && session->is_short_of_room) {
        status = error_set(error, TENDER_EAWAY, "%s", session->shortage.text);
    } else if (!session->is_welcomed) {
        char why[200];
        session_explain_tls(session, why, sizeof why);
        status = error_set(error, TENDER_EAWAY, "no broker answered at %s within %u ms%s%s",
                           options->broker_url, options->connect_timeout_ms,
                           why[0] == '\0' ? "" : ": ", why);
    }
    session_unlock(session);
    return status;
}

/* Everything but the connection. */
static int prepare(struct session *session, struct error *error)
{
    int status = wire_reader_open(&session->reader);
    if (status == 0) {
        status = outbox_init(&session->outbox);
    }
    if (status == 0 && session->is_pinned) {
        session->slots = 0; /* until the fleet gives it some */
        status = outbox_init(&session->left);
    }
    if (status == 0) {
        status = session_say_hello(session);
    }
    if (status != 0) {
        return error_set(error, status, "out of memory");
    }
    if (getrandom(session->id, sizeof session->id, 0) != (ssize_t)sizeof session->id) {
        return error_set(error, TENDER_ESYSTEM, "no random bytes");
    }
    return 0;
}

static int connect_session(struct session *session, struct error *error)
{
    int result = channel_open(session, &session->channel);
    result = result != 0 ? result : session_dial(session);
    if (result != 0) {
        int status = result == NNG_ENOMEM                               ? TENDER_ENOMEM
                     : result == NNG_EADDRINVAL || result == NNG_EINVAL ? TENDER_EINVAL
                                                                        : TENDER_ESYSTEM;
        return error_set(error, status, "broker_url %s: %s", session->url[0], nng_strerror(result));
    }
    atomic_init(&session->paced.wake_at_us, clock_us() + 1000000);
    session->paced.wake = wake;
    int status = pacer_add(&session->paced);
    if (status != 0) {
        return error_set(error, status, "no thread for timers");
    }
    session->is_paced = true;
    session_lock(session);
    session_pump(session);
    session_unlock(session);
    return 0;
}

int session_open(const tender_options *options, bool is_contractor, struct view *view,
                 struct error *error, struct session **session_out)
{
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    init_locks(session);
    *(is_contractor ? &session->contractor : &session->client) = view;
    view->session = session;
    session->is_pinned = view->is_member;
    session->away_us = clock_us();
    int status = session_take_options(session, options, is_contractor, error);
    if (status == 0) {
        status = prepare(session, error);
    }
    if (status == 0) {
        status = connect_session(session, error);
    }
    if (status == 0) {
        status = await_welcome(session, options, error);
    }
    if (status != 0) {
        session_abandon(session);
        return status;
    }
    *session_out = session;
    return 0;
}

int view_next(struct view *view, int timeout_ms, int (*leave)(struct view *view),
              bool (*take)(struct view *view, struct item *item))
{
    struct session *session = view->session;
    struct inbox *inbox = &view->inbox;
    int64_t until_us = timeout_ms < 0 ? -1 : clock_us() + (int64_t)timeout_ms * 1000;
    session_lock(session);
    int status = leave(view);
    view->is_handling = false;
    while (status == 0) {
        if (atomic_load(&inbox->is_stopped)) {
            status = TENDER_ECLOSED;
            break;
        }
        struct item *item = inbox_next(inbox);
        if (item != NULL) {
            status = take(view, item) ? 1 : 0;
            continue;
        }
        session_pump(session);
        if (session->status != 0) {
            status = error_set(&view->error, session->status, "%s", session->failure.text);
            break;
        }
        session_unlock(session);
        bool is_ready = timeout_ms != 0 && inbox_wait(inbox, until_us) > 0;
        session_lock(session);
        if (!is_ready) {
            break;
        }
    }
    view->is_handling = status == 1;
    session_unlock(session);
    return status;
}
