/*
 * Questions to the ledger: when a message needs one, and when it was answered. See hearing.h.
 */
#include <stdlib.h>

#include "hearing_internal.h"
#include "log.h"

static void put(struct hearing *hearing, struct lookup *lookup, const struct event *event)
{
    const struct message *message = event->message;
    int status = lookup->is_key
                     ? ledger_lookup_key(hearing->ledger, lookup->cookie, event->principal,
                                         message->key, &lookup->body_digest)
                     : ledger_lookup_task(hearing->ledger, lookup->cookie, message->conversation,
                                          (uint32_t)message->part, (uint32_t)message->generation);
    if (status != 0 && hearing->status == 0) {
        hearing->status = status;
    }
}

static void ask(struct hearing *hearing, struct frame *frame, uint32_t index,
                const struct event *event, const tender_digest *body_digest)
{
    struct lookup *lookup = lookups_add(&hearing->lookups, frame, index);
    if (lookup == NULL) {
        hearing->status = TENDER_ENOMEM;
        return;
    }
    lookup->is_key = event->message->performative == TENDER_ANNOUNCE;
    lookup->body_digest = *body_digest;
    put(hearing, lookup, event);
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

bool question_settle(struct hearing *hearing, struct frame *frame, struct event *event)
{
    tender_digest body_digest;
    struct lookup *lookup = frame_lookup(frame, frame->index);
    if (!book_wants_prior(hearing->book, event, &body_digest)) {
        if (lookup != NULL) {
            consume(frame, lookup);
        }
        return true;
    }
    if (lookup == NULL) {
        ask(hearing, frame, frame->index, event, &body_digest);
        return false;
    }
    if (!lookup->is_answered) {
        return false;
    }
    event->prior = &lookup->prior;
    consume(frame, lookup);
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
        const struct lookup *lookup = frame != NULL ? frame_lookup(frame, frame->index) : NULL;
        if (lookup != NULL && lookup->is_answered) {
            hearing_session(hearing, session);
        }
    }
    hearing->answered_count = 0;
}
