/*
 * From frames to the book: see hearing.h. Hello is in welcome.c, questions are in question.c.
 */
#include "hearing_internal.h"

#include <stdlib.h>
#include <string.h>

#include "failpoint.h"
#include "log.h"

struct book_limits hearing_limits(const struct config *config)
{
    return (struct book_limits){
        .task_count = (uint32_t)config->task_count,
        .contractor_count = (uint32_t)config->contractor_count,
        .client_count = (uint32_t)config->client_count,
        .account_count = (uint32_t)config->account_count,
        .skill_count = (uint32_t)config->skill_count,
        .bid_count = (uint32_t)config->bid_count,
        .content_bytes = (uint64_t)config->content_size,
        .invitations_max = (uint32_t)config->invitations_max,
        .unanswered_max = (uint32_t)config->unanswered_max,
        .invite_max = (uint32_t)config->invite_max,
        .newcomers_ppm = config->newcomers * TENDER_PPM / 100,
        .deadlines_per_tick = (uint32_t)config->deadlines_per_tick,
        .keep_ended_us = config->keep_ended_us,
        .principal_tasks = (uint32_t)config->principal_tasks,
        .principal_answers = (uint32_t)config->principal_answers,
        .principal_awards = (uint32_t)config->principal_awards,
        .principal_exposure_micro = config->principal_exposure * TENDER_MICRO_PER_CREDIT,
        .principal_announcements = (uint32_t)config->principal_announcements,
    };
}

int hearing_open(struct hearing *hearing, const struct config *config, struct postbox *postbox,
                 struct journal *journal)
{
    struct book_limits limits = hearing_limits(config);
    memset(hearing, 0, sizeof(*hearing));
    hearing->config = config;
    hearing->postbox = postbox;
    hearing->journal = journal;
    hearing->inbox_last = &hearing->inbox;
    hearing->spoken = calloc((size_t)config->session_count, sizeof(*hearing->spoken));
    hearing->answered = calloc((size_t)config->session_count, sizeof(*hearing->answered));
    identifier_start(&hearing->identifiers);
    if (hearing->spoken == NULL || hearing->answered == NULL ||
        wire_reader_open(&hearing->reader) != 0) {
        return TENDER_ENOMEM;
    }
    return effects_init(&hearing->effects, &limits);
}

static void drop_inbox(struct hearing *hearing)
{
    while (hearing->inbox != NULL) {
        struct frame *frame = hearing->inbox;
        hearing->inbox = frame->next;
        frame_close(frame);
    }
    hearing->inbox_last = &hearing->inbox;
}

void hearing_close(struct hearing *hearing)
{
    drop_inbox(hearing);
    lookups_clear(&hearing->lookups);
    effects_release(&hearing->effects);
    wire_reader_close(hearing->reader);
    book_close(hearing->book);
    free(hearing->spoken);
    free(hearing->answered);
}

void hearing_rest(struct hearing *hearing)
{
    drop_inbox(hearing);
    lookups_clear(&hearing->lookups);
    book_close(hearing->book);
    hearing->book = NULL;
    hearing->ledger = NULL;
    hearing->shards = 0;
    hearing->spoken_count = 0;
    hearing->answered_count = 0;
    hearing->heard = 0;
    hearing->status = 0;
    hearing->losses.count = 0;
}

int hearing_begin(struct hearing *hearing, struct ledger *ledger, uint64_t shards)
{
    struct book_limits limits = hearing_limits(hearing->config);
    hearing_rest(hearing);
    hearing->ledger = ledger;
    hearing->shards = shards;
    hearing->shard_count = ledger_shard_count(ledger);
    limits.shards = shards;
    limits.shard_count = hearing->shard_count;
    return book_open(&limits, &hearing->book);
}

void hearing_note(struct hearing *hearing, int status)
{
    if (hearing->status == 0) {
        hearing->status = status;
    }
}

/* Takes the effects of an event to the journal; a failure is final. */
void hearing_take(struct hearing *hearing)
{
    hearing_note(hearing, journal_take(hearing->journal, &hearing->effects));
}

void hearing_event(struct hearing *hearing, const struct event *event)
{
    book_hear(hearing->book, event, &hearing->effects);
    hearing_take(hearing);
    hearing->heard++;
}

void hearing_resume(struct hearing *hearing)
{
    book_resume(hearing->book, hearing->at_us, &hearing->effects);
    hearing_take(hearing);
    hearing->heard++;
}

void hearing_left(struct hearing *hearing, const struct session *session)
{
    if (!session->is_named) {
        return;
    }
    struct event event = {
        .kind = EVENT_LEFT,
        .at_us = hearing->at_us,
        .peer = {.data = session->name, .size = session->name_size},
        .principal = {.data = session->principal, .size = session->principal_size},
    };
    hearing_event(hearing, &event);
}

/* What a frame is heard for: a session or the inbox. */
struct event hearing_speaker(const struct hearing *hearing, const struct session *session,
                             const struct frame *frame)
{
    struct event event = {.kind = EVENT_MESSAGE, .at_us = hearing->at_us};
    if (session != NULL) {
        event.peer = (tender_bytes){session->name, session->name_size};
        event.principal = (tender_bytes){session->principal, session->principal_size};
    } else {
        event.peer = (tender_bytes){frame->origin->peer, frame->origin->peer_size};
        event.principal = (tender_bytes){frame->origin->principal, frame->origin->principal_size};
        event.request = frame->origin->request;
        event.shard = frame->origin->shard;
        event.is_operator = frame->origin->is_operator;
    }
    return event;
}

/* Answers without the book. */
static void answer(struct hearing *hearing, struct session *session, const struct frame *frame,
                   const struct translate_answer *answer)
{
    if (session != NULL) {
        postbox_tell(hearing->postbox, session, &answer->message);
        return;
    }
    struct tell tell = {.request = frame->origin->request, .message = answer->message};
    struct effects effects = {.tells = &tell, .tell_count = 1};
    hearing_note(hearing, journal_take(hearing->journal, &effects));
}

/* Lets the book hear one good message. Returns false when it must wait for the ledger. */
static bool hear_message(struct hearing *hearing, struct session *session, struct frame *frame,
                         struct message *message)
{
    struct event event = hearing_speaker(hearing, session, frame);
    event.message = message;
    uint32_t shard = elsewhere_shard(hearing, &event);
    if (!shard_is_in(hearing->shards, shard)) {
        struct translate_answer reply;
        elsewhere_answer(hearing, message, shard, &reply.message);
        answer(hearing, session, frame, &reply);
        return true;
    }
    if (!question_settle(hearing, frame, &event)) {
        return false;
    }
    if (message->performative == TENDER_ANNOUNCE) {
        event.task = identifier_next(&hearing->identifiers, hearing->at_us);
        shard_mark(&event.task, shard, hearing->shard_count);
    }
    hearing_event(hearing, &event);
    return true;
}

/* Deals with one message. Returns false when the frame must wait. */
static bool take_message(struct hearing *hearing, struct session *session, struct frame *frame,
                         struct message *message, int decoded)
{
    struct translate_answer reply;
    uint64_t number = frame->first == 0 ? 0 : frame->first + frame->index;
    if (decoded != 1) {
        translate_no_message(number, &reply);
        answer(hearing, session, frame, &reply);
        return true;
    }
    if (session != NULL && (!session->is_named || message->performative == TENDER_HELLO)) {
        welcome_hear(hearing, session, message, number);
        return true;
    }
    switch (translate_check(message, number, &reply)) {
    case TRANSLATE_HEAR:
        break;
    case TRANSLATE_ANSWER:
        answer(hearing, session, frame, &reply);
        return true;
    case TRANSLATE_LEAVE:
        if (session != NULL) {
            hearing_left(hearing, session);
            postbox_end(hearing->postbox, session, NULL);
        }
        return true;
    case TRANSLATE_SKIP:
        return true;
    }
    return hear_message(hearing, session, frame, message);
}

/* Hears a frame from its index on. Returns whether it is done; false: it waits, or its session
 * ended. */
static bool hear_frame(struct hearing *hearing, struct session *session, struct frame *frame)
{
    struct wire_header header;
    struct message message;
    const char *why = NULL;
    if (wire_open(hearing->reader, nng_msg_body(frame->message), nng_msg_len(frame->message),
                  &header, &why) != 0) {
        return true; /* it was good when it arrived */
    }
    for (uint32_t i = 0; i < frame->count; i++) {
        int decoded = wire_next(hearing->reader, &message);
        if (i < frame->index) {
            continue;
        }
        if (decoded == TENDER_ENOMEM) {
            hearing_note(hearing, decoded);
            return false; /* not heard: it is said again */
        }
        bool is_new = session == NULL || frame->first + i > session->taken;
        if (is_new && !take_message(hearing, session, frame, &message, decoded)) {
            question_prefetch(hearing, session, frame);
            return false;
        }
        if (session != NULL && session->is_gone) {
            return false;
        }
        frame->index = i + 1;
        hearing->said += is_new;
        if (session != NULL && is_new) {
            session->taken = frame->first + i;
        }
    }
    return true;
}

void hearing_session(struct hearing *hearing, struct session *session)
{
    uint64_t taken = session->taken;
    while (!session->is_gone && !session_is_slowed(session, hearing->at_us)) {
        struct frame *frame = session_ready(session);
        if (frame == NULL) {
            break;
        }
        frame->owner = session->ref;
        if (!hear_frame(hearing, session, frame)) {
            break;
        }
        session_shift(session);
    }
    if (session->is_gone) {
        return;
    }
    if (session->taken > taken) {
        session->seen_at_us = hearing->at_us;
        if (!session->has_spoken) {
            session->has_spoken = true;
            hearing->spoken[hearing->spoken_count++] = session->ref;
        }
    } else if (session->is_named &&
               hearing->at_us - session->seen_at_us >= session->heartbeat_us / 4) {
        struct event event = hearing_speaker(hearing, session, NULL);
        event.kind = EVENT_HEARD;
        session->seen_at_us = hearing->at_us;
        hearing_event(hearing, &event);
    }
}

void hearing_request(struct hearing *hearing, const struct ledger_request *request)
{
    failpoint(REQUEST_READ);
    struct frame *frame = frame_from_request(request, hearing->at_us);
    if (frame == NULL) {
        struct log_line line;
        log_begin(&line, LOG_LEVEL_ERROR, "request-dropped");
        log_int(&line, "request", (int64_t)request->request);
        log_end(&line);
        return;
    }
    *hearing->inbox_last = frame;
    hearing->inbox_last = &frame->next;
}

static bool hear_request(struct hearing *hearing, struct frame *frame)
{
    if (!frame->origin->is_fund) {
        return hear_frame(hearing, NULL, frame);
    }
    struct event event = hearing_speaker(hearing, NULL, frame);
    event.kind = EVENT_FUND;
    event.amount_micro = frame->origin->amount_micro;
    hearing_event(hearing, &event);
    return true;
}

void hearing_inbox(struct hearing *hearing)
{
    struct frame **link = &hearing->inbox;
    while (*link != NULL) {
        struct frame *frame = *link;
        if (!hear_request(hearing, frame)) {
            link = &frame->next;
            continue;
        }
        *link = frame->next;
        frame_close(frame);
    }
    hearing->inbox_last = link;
}

void hearing_tick(struct hearing *hearing)
{
    if (hearing->heard > 0 || book_next_deadline(hearing->book) <= hearing->at_us) {
        struct event event = {.kind = EVENT_TICK,
                              .at_us = hearing->at_us,
                              .committed_us = journal_committed_us(hearing->journal)};
        hearing_event(hearing, &event);
        hearing->heard = 0;
    }
    welcome_again(hearing);
    for (size_t i = 0; i < hearing->spoken_count; i++) {
        struct session *session = postbox_resolve(hearing->postbox, hearing->spoken[i]);
        if (session == NULL) {
            continue;
        }
        session->has_spoken = false;
        hearing_note(hearing, journal_mark(hearing->journal, session, hearing->at_us));
    }
    hearing->spoken_count = 0;
    if (hearing->config->is_paranoid) {
        book_check(hearing->book);
    }
}
