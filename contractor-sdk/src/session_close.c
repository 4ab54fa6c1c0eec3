/*
 * Leaving: lingers until what was said is recorded, says bye, and frees the session. See session.h.
 */
#include <stdlib.h>

#include "clock.h"
#include "session.h"

/* How often close asks whether everything was heard. */
#define LINGER_ASK_US 5000

void session_abandon(struct session *session)
{
    session_lock(session);
    session->is_closing = true;
    session_unlock(session);
    if (session->is_paced) {
        pacer_remove(&session->paced);
    }
    if (session->channel != NULL) {
        channel_close(session->channel);
    }
    channel_close_all(session->left_channels);
    wire_reader_close(session->reader);
    outbox_release(&session->outbox);
    if (session->is_pinned) {
        outbox_release(&session->left);
    }
    tender_key_free(session->key);
    free(session->urls);
    known_release(&session->known);
    free(session->ca_file);
    free(session->skills);
    (void)pthread_cond_destroy(&session->changed);
    (void)pthread_mutex_destroy(&session->mutex);
    free(session);
}

/* Waits until everything was heard, asking for news by empty requests; who has said nothing but who
 * it is and what it offers, as to a broker that stands by, does not wait. Locked. */
static void linger(struct session *session, int64_t until_us)
{
    while (outbox_has_said(&session->outbox) && session->status == 0 && clock_us() < until_us) {
        session_pump(session);
        int64_t next_us = clock_us() + LINGER_ASK_US;
        if (!session_wait(session, next_us < until_us ? next_us : until_us)) {
            session_ask(session);
        }
    }
}

/* Says bye and waits for all replies, which come even where the broker has nothing to say. Locked.
 */
static void say_bye(struct session *session, int64_t until_us)
{
    struct message bye = {.performative = TENDER_BYE};
    if (session->status != 0 || !session->is_connected || outbox_add(&session->outbox, &bye) != 0) {
        return;
    }
    session->is_leaving = true;
    uint64_t number = session->outbox.first + session->outbox.count - 1;
    while (session->outbox.sent < number && session->status == 0 && session->is_connected &&
           clock_us() < until_us) {
        session_pump(session);
        (void)session_wait(session, clock_us() + LINGER_ASK_US);
    }
    while (session_is_asking(session) && session->status == 0 && session->is_connected &&
           clock_us() < until_us) {
        (void)session_wait(session, until_us);
    }
}

void session_close(struct session *session)
{
    if (session == NULL) {
        return;
    }
    session_lock(session);
    int64_t now_us = clock_us();
    linger(session, now_us + session->linger_us);
    int64_t bye_us = session->linger_us < 200000 ? session->linger_us : 200000;
    say_bye(session, clock_us() + bye_us);
    session_unlock(session);
    session_abandon(session);
}
