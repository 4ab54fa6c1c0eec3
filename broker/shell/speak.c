/*
 * How a session answers: which of its exchanges, and with what. See postbox.h.
 */
#include "postbox_internal.h"

#include <assert.h>
#include <string.h>

#include "failpoint.h"
#include "log.h"
#include "refusals.h"

#define REPLY_MAX (TENDER_FRAME_MAX - WIRE_HEADER_SIZE - WIRE_TAIL_SIZE)

/*
 * How many messages the next reply takes, from the first unsent one on, and their bytes. No more is
 * under way to a peer than fits into one reply, so that one that does not read holds no more in
 * nng.
 */
static uint32_t measure(const struct session *session, size_t *size_out)
{
    uint32_t count = 0;
    size_t size = 0;
    size_t room = session->flying_size < REPLY_MAX ? REPLY_MAX - session->flying_size : 0;
    const struct outgoing *outgoing = session->unsent;
    while (outgoing != NULL && count < WIRE_MESSAGES_MAX && size + outgoing->size <= room) {
        size += outgoing->size;
        count++;
        outgoing = outgoing->next;
    }
    *size_out = size;
    return count;
}

/* Builds the reply; returns NULL without memory. */
static nng_msg *compose(const struct postbox *postbox, const struct session *session,
                        uint32_t count, size_t size)
{
    uint8_t head[WIRE_HEADER_SIZE];
    uint8_t tail[WIRE_TAIL_SIZE];
    bool is_news = session->receipts_told != postbox->receipts_serial;
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = session->sent + 1,
                                 .heard = session->heard,
                                 .count = count,
                                 .has_tail = session->wants_receipts && is_news,
                                 .tail = {postbox->receipts, postbox->receipts_size}};
    nng_msg *reply = NULL;
    memcpy(header.session, session->id, sizeof(header.session));
    int head_size = wire_pack_header(&header, head, sizeof(head));
    int tail_size = header.has_tail ? wire_pack_tail(&header, tail, sizeof(tail)) : 0;
    if (head_size < 0 || tail_size < 0 ||
        nng_msg_alloc(&reply, (size_t)head_size + size + (size_t)tail_size) != 0) {
        return NULL;
    }
    uint8_t *at = nng_msg_body(reply);
    memcpy(at, head, (size_t)head_size);
    at += head_size;
    const struct outgoing *outgoing = session->unsent;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(at, outgoing->bytes, outgoing->size);
        at += outgoing->size;
        outgoing = outgoing->next;
    }
    memcpy(at, tail, (size_t)tail_size);
    return reply;
}

/* Answers the oldest exchange, with messages where it came by the newest connection. */
static void answer(struct postbox *postbox, struct session *session)
{
    struct exchange *exchange = session->parked[0];
    struct exchange *newest = session->parked[session->parked_count - 1];
    size_t size = 0;
    bool has_turn = exchange->pipe == newest->pipe && !postbox->is_mute;
    uint32_t count = has_turn ? measure(session, &size) : 0;
    nng_msg *reply = compose(postbox, session, count, size);
    session->parked_count--;
    memmove(session->parked, session->parked + 1, session->parked_count * sizeof(exchange));
    if (reply == NULL) {
        log_event(LOG_LEVEL_ERROR, "out-of-memory", "where", "reply");
        port_abandon(postbox->options.port, exchange);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        session->unsent = session->unsent->next;
    }
    if (count > 0) {
        session->sent += count;
        session->news_by_us = TENDER_NEVER;
        session->flying_size += size;
        session->spoke_pipe = exchange->pipe;
    }
    session->heard_told = session->heard;
    session->receipts_told = postbox->receipts_serial;
    postbox->answered++;
    failpoint(REPLY_MADE);
    port_reply(postbox->options.port, exchange, reply);
    failpoint(REPLY_LEFT);
}

void postbox_receipts(struct postbox *postbox, tender_bytes receipts)
{
    assert(receipts.size <= sizeof(postbox->receipts));
    memcpy(postbox->receipts, receipts.data, receipts.size);
    postbox->receipts_size = receipts.size;
    postbox->receipts_serial++;
}

/* Whether a message waits that a reply has room for. */
static bool has_unsent(const struct session *session)
{
    return session->unsent != NULL && session->flying_size + session->unsent->size <= REPLY_MAX;
}

/*
 * Sets when what waits leaves at the latest. What nobody has to act on takes no exchange of its own
 * at once: mostly something else is said before long, and has room for it.
 */
static void time_news(struct session *session, int64_t at_us)
{
    if (!has_unsent(session)) {
        session->news_by_us = TENDER_NEVER;
    } else if (session->news_by_us == TENDER_NEVER) {
        session->news_by_us = at_us + SESSION_NEWS_DELAY_US;
    }
}

/* Whether a message waits that is to leave now. */
static bool has_to_say(const struct session *session, int64_t at_us)
{
    bool is_pressing = session->pressing > session->sent;
    return has_unsent(session) && (is_pressing || session->news_by_us <= at_us);
}

static void speak(struct postbox *postbox, struct session *session, int64_t at_us)
{
    while (session->parked_count > 0) {
        bool is_older = session->parked_count > 1 && session->frame_count < SESSION_FRAMES_MAX;
        bool is_due = session->reply_by_us <= at_us ||
                      (session->heard_by_us <= at_us && session->heard > session->heard_told);
        if (!postbox->is_mute) {
            time_news(session, at_us);
        }
        bool is_wanted = is_older || (!postbox->is_mute && has_to_say(session, at_us));
        if (!is_due && (!is_wanted || session_is_slowed(session, at_us))) {
            break;
        }
        answer(postbox, session);
    }
}

/* Whether the session is to end, and the reason for the log. */
static const char *why_ends(struct session *session, int64_t at_us)
{
    if (session->heard_at_us + session_kept_us(session) <= at_us) {
        refusals_count(REFUSAL_SESSION_TIME);
        return "not heard";
    }
    return session->is_evicted ? "gone, and others want in" : session_outgrown(session, at_us);
}

/* A gap that does not close: the peer says everything again by a new connection. */
static void check_gap(struct postbox *postbox, struct session *session, int64_t at_us)
{
    struct frame *frame = session->frames;
    if (frame == NULL || session_ready(session) != NULL ||
        frame->since_us + SESSION_GAP_US > at_us) {
        return;
    }
    refusals_count(REFUSAL_GAP);
    log_event(LOG_LEVEL_WARNING, "hang-up", "why", "a gap in the numbers did not close");
    while (session->frames != NULL) {
        session_shift(session);
    }
    for (uint32_t i = 0; i < session->parked_count; i++) {
        port_hang_up(postbox->options.port, session->parked[i]->pipe);
    }
}

static void look_at(struct postbox *postbox, struct session *session, int64_t at_us,
                    void (*on_left)(void *context, struct session *session), void *context)
{
    session_quicken(session, at_us);
    speak(postbox, session, at_us);
    check_gap(postbox, session, at_us);
    const char *why = why_ends(session, at_us);
    if (why == NULL) {
        session_wake(postbox, session);
        return;
    }
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "session-ended");
    log_text(&line, "peer", (tender_bytes){session->name, session->name_size});
    log_string(&line, "why", why);
    log_end(&line);
    on_left(context, session);
    struct message message = {.performative = TENDER_NOT_UNDERSTOOD};
    message_set(&message, REASON, reason, TENDER_REASON_UNKNOWN_SESSION);
    postbox_end(postbox, session, &message);
    if (session->outgrown_since_us != 0) { /* what nng holds for it must go too */
        port_hang_up(postbox->options.port, session->pipe);
    }
}

bool postbox_speak(struct postbox *postbox, int64_t at_us, uint32_t limit,
                   void (*on_left)(void *context, struct session *session), void *context)
{
    postbox_wake(postbox, at_us);
    for (uint32_t i = 0; i < limit && postbox->dirty_count > 0; i++) {
        struct session *session = postbox->dirty[--postbox->dirty_count];
        session->is_dirty = false;
        if (!session->is_gone) {
            look_at(postbox, session, at_us, on_left, context);
        }
    }
    if (postbox->dirty_count > 0) {
        return true;
    }
    postbox_sweep(postbox);
    return false;
}

void postbox_bye(struct postbox *postbox, const struct message *message, int64_t at_us)
{
    for (uint32_t i = 0; i < postbox->slot_count; i++) {
        struct session *session = postbox->slots[i];
        if (session != NULL) {
            postbox_tell(postbox, session, message);
            session->reply_by_us = at_us;
            speak(postbox, session, at_us);
        }
    }
}

bool postbox_is_silent(const struct postbox *postbox)
{
    for (uint32_t i = 0; i < postbox->slot_count; i++) {
        if (postbox->slots[i] != NULL && postbox->slots[i]->unsent != NULL) {
            return false;
        }
    }
    return true;
}
