/*
 * Questions to the ledger: when a message needs one, and when it was answered. See hearing.h.
 */
#include <stdlib.h>
#include <string.h>

#include "failpoint.h"
#include "hearing_internal.h"
#include "log.h"

/* Puts a question to the ledger, and remembers it. */
static struct lookup *add(struct hearing *hearing, struct frame *frame, uint32_t index,
                          uint32_t after)
{
    struct lookup *lookup = lookups_add(&hearing->lookups, frame, index, after);
    if (lookup == NULL) {
        hearing_note(hearing, TENDER_ENOMEM);
    }
    return lookup;
}

static void ask(struct hearing *hearing, struct frame *frame, uint32_t index,
                const struct event *event, const tender_digest *body_digest)
{
    const struct message *message = event->message;
    struct lookup *lookup = add(hearing, frame, index, 0);
    if (lookup == NULL) {
        return;
    }
    lookup->asked_us = hearing->at_us;
    lookup->is_key = message->performative == TENDER_ANNOUNCE;
    lookup->body_digest = *body_digest;
    hearing_note(hearing,
                 lookup->is_key
                     ? ledger_lookup_key(hearing->ledger, lookup->cookie, event->principal,
                                         message->key, &lookup->body_digest)
                     : ledger_lookup_task(hearing->ledger, lookup->cookie, message->conversation,
                                          (uint32_t)message->part, (uint32_t)message->generation));
}

/* About the task at `place` among those that an announcement waits for. */
static void ask_after(struct hearing *hearing, struct frame *frame, const struct event *event,
                      uint32_t place)
{
    struct lookup *lookup = add(hearing, frame, frame->index, place + 1);
    tender_id task;
    if (lookup != NULL) {
        memcpy(&task, (const char *)event->message->after.data + place * sizeof task, sizeof task);
        hearing_note(hearing, ledger_lookup_task(hearing->ledger, lookup->cookie, task, 0, 0));
    }
}

/* Takes a question out of its frame, which keeps it while its answer is borrowed. */
static void consume(struct frame *frame, struct lookup *lookup)
{
    struct lookup **link = &frame->lookups;
    while (*link != lookup) {
        link = &(*link)->next;
    }
    *link = lookup->next;
    lookup->frame = NULL;
    if (lookup->is_answered) {
        free(frame->settled);
        frame->settled = lookup;
    }
}

/*
 * Whether the event knows, or needs not know, of each task that the announcement waits for: one
 * that is neither in the book nor told is asked for, one after the other.
 */
static bool settle_after(struct hearing *hearing, struct frame *frame, struct event *event)
{
    bool is_new = event->message->performative == TENDER_ANNOUNCE &&
                  (event->prior == NULL || tender_id_is_nil(event->prior->task));
    uint32_t place;
    if (!is_new || !message_has(event->message, MESSAGE_AFTER)) {
        return true;
    }
    if (frame->after_of != frame->index + 1) {
        memset(frame->after_states, 0, sizeof frame->after_states);
        frame->after_of = frame->index + 1;
    }
    event->after_states = frame->after_states;
    while (book_wants_after(hearing->book, event, &place)) {
        struct lookup *lookup = frame_lookup(frame, frame->index, place + 1);
        if (lookup == NULL) {
            ask_after(hearing, frame, event, place);
            return false;
        }
        if (!lookup->is_answered) {
            return false;
        }
        frame->after_states[place] = (uint8_t)book_after_state(&lookup->prior, event->principal);
        consume(frame, lookup);
    }
    return true;
}

bool question_settle(struct hearing *hearing, struct frame *frame, struct event *event)
{
    tender_digest body_digest;
    struct lookup *lookup = frame_lookup(frame, frame->index, 0);
    if (book_wants_prior(hearing->book, event, &body_digest)) {
        if (lookup == NULL) {
            ask(hearing, frame, frame->index, event, &body_digest);
            return false;
        }
        if (!lookup->is_answered) {
            return false;
        }
        if (book_is_stale(hearing->book, lookup->asked_us)) { /* the frame waited for others */
            consume(frame, lookup);
            ask(hearing, frame, frame->index, event, &body_digest);
            return false;
        }
        event->prior = &lookup->prior;
    }
    if (!settle_after(hearing, frame, event)) {
        return false;
    }
    if (lookup != NULL) {
        consume(frame, lookup);
    }
    return true;
}

void question_prefetch(struct hearing *hearing, const struct session *session, struct frame *frame)
{
    struct event event = hearing_speaker(hearing, session, frame);
    struct message message;
    struct translate_answer answer;
    tender_digest body_digest;
    uint32_t index = frame->index + 1;
    if (frame->asked_until == frame->count) {
        return;
    }
    for (int decoded; (decoded = wire_next(hearing->reader, &message)) != 0; index++) {
        bool is_known = index < frame->asked_until;
        if (is_known || decoded != 1 || translate_check(&message, 1, &answer) != TRANSLATE_HEAR) {
            continue;
        }
        event.message = &message;
        if (book_wants_prior(hearing->book, &event, &body_digest)) {
            ask(hearing, frame, index, &event, &body_digest);
        }
    }
    frame->asked_until = frame->count;
}

void hearing_answer(struct hearing *hearing, uint64_t cookie, const struct ledger_prior *prior)
{
    failpoint(LOOKUP_ANSWERED);
    struct frame *frame = lookups_answer(&hearing->lookups, cookie, prior);
    if (frame == NULL || frame->origin != NULL) {
        return; /* the inbox is heard in every turn */
    }
    struct session *session = postbox_resolve(hearing->postbox, frame->owner);
    if (session != NULL && !session->has_answers) {
        session->has_answers = true;
        hearing->answered[hearing->answered_count++] = session->ref;
    }
}

void hearing_answered(struct hearing *hearing)
{
    for (size_t i = 0; i < hearing->answered_count; i++) {
        struct session *session = postbox_resolve(hearing->postbox, hearing->answered[i]);
        if (session == NULL) {
            continue;
        }
        session->has_answers = false;
        const struct frame *frame = session_ready(session);
        if (frame != NULL && frame_has_answer(frame, frame->index)) {
            hearing_session(hearing, session);
        }
    }
    hearing->answered_count = 0;
}
