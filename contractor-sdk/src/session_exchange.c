/*
 * The exchange of a session: builds requests, takes replies apart, and repeats what was not heard
 * when a connection or the broker's memory of the session was lost. See session.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "session.h"

/* Bytes that the messages of one exchange may have. */
#define EXCHANGE_BYTES_MAX (TENDER_FRAME_MAX - WIRE_HEADER_SIZE)
/* The same beside a proof. */
#define PROVING_BYTES_MAX (PROOF_FRAME_MAX - WIRE_HEADER_SIZE - SESSION_STEP_MAX - 3)
/* More than this waiting for the program, and no more is asked for. */
#define INBOX_BYTES_MAX ((size_t)64 << 20)

void session_fail(struct session *session, int status, const char *format, ...)
{
    va_list arguments;
    if (session->status != 0) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(session->failure.text, sizeof session->failure.text, format, arguments);
    va_end(arguments);
    session->status = status;
    struct view *views[] = {session->contractor, session->client};
    for (size_t i = 0; i < 2; i++) {
        if (views[i] != NULL) {
            inbox_fail(&views[i]->inbox);
        }
    }
    (void)pthread_cond_broadcast(&session->changed);
}

/* Builds the exchange of what is not on its way, up to `limit` bytes, with a tail where it has a
 * size; NULL when memory is out. */
static nng_msg *build_request(struct session *session, size_t limit, tender_bytes tail)
{
    struct wire_header header = {
        .version = WIRE_VERSION, .heard = session->heard, .has_tail = tail.size > 0, .tail = tail};
    memcpy(header.session, session->id, sizeof header.session);
    uint64_t sent = session->outbox.sent;
    size_t sent_bytes = session->outbox.sent_bytes;
    tender_bytes body = outbox_take(&session->outbox, limit, &header.first, &header.count);
    uint8_t head[WIRE_HEADER_SIZE];
    uint8_t end[SESSION_STEP_MAX + 3];
    int size = wire_pack_header(&header, head, sizeof head);
    int more = header.has_tail ? wire_pack_tail(&header, end, sizeof end) : 0;
    nng_msg *request = NULL;
    if (size < 0 || more < 0 ||
        nng_msg_alloc(&request, (size_t)size + body.size + (size_t)more) != 0) {
        session->outbox.sent = sent;
        session->outbox.sent_bytes = sent_bytes;
        return NULL;
    }
    memcpy(nng_msg_body(request), head, (size_t)size);
    memcpy((uint8_t *)nng_msg_body(request) + size, body.data, body.size);
    memcpy((uint8_t *)nng_msg_body(request) + size + body.size, end, (size_t)more);
    return request;
}

/* The request that proves the connection comes before all others. */
static nng_msg *next_request(struct session *session, struct lane *lane)
{
    uint8_t tail[SESSION_STEP_MAX];
    size_t size = 0;
    enum proof_state state = session->proof;
    const struct lane *other = &session->channel->lanes[lane == &session->channel->lanes[0]];
    lane->step = PROOF_NONE;
    if (state == PROOF_NONE && lane_is_in_flight(other) && other->step == PROOF_ASKED) {
        session->proof = PROOF_ASKED; /* of the connection that is awaited */
        return NULL;
    }
    if (state == PROOF_TAKEN) {
        return build_request(session, EXCHANGE_BYTES_MAX, (tender_bytes){NULL, 0});
    }
    if (!session_next_step(session, tail, &size)) {
        return NULL;
    }
    size_t limit = size == PROOF_SIZE ? PROVING_BYTES_MAX : 0;
    nng_msg *request = build_request(session, limit, (tender_bytes){tail, size});
    lane->step = session->proof;
    session->proof = request == NULL ? state : session->proof;
    return request;
}

static void send_request(struct session *session, struct lane *lane)
{
    if (session->proof == PROOF_ASKED || session->proof == PROOF_GIVEN ||
        (session->proof == PROOF_NONE && session->wants_dialing)) {
        return; /* an answer is awaited, or another connection */
    }
    nng_msg *request = next_request(session, lane);
    if (request == NULL) {
        pacer_arm(&session->paced, clock_us() + SESSION_CORK_US);
        return;
    }
    lane->state = LANE_SENDING;
    lane->epoch = session->epoch;
    lane->since_us = clock_us();
    nng_aio_set_msg(lane->aio, request);
    nng_ctx_send(lane->context, lane->aio);
}

static bool may_park(const struct session *session)
{
    size_t waiting = 0;
    waiting += session->contractor == NULL ? 0 : session->contractor->inbox.bytes;
    waiting += session->client == NULL ? 0 : session->client->inbox.bytes;
    return waiting < INBOX_BYTES_MAX;
}

void session_pump(struct session *session)
{
    struct lane *first = &session->channel->lanes[0];
    struct lane *second = &session->channel->lanes[1];
    bool is_mute = session->is_closing || session->wants_renewal || session->is_turned_away;
    if (session->status != 0 || is_mute) {
        return;
    }
    struct lane *idle = first->state == LANE_IDLE    ? first
                        : second->state == LANE_IDLE ? second
                                                     : NULL;
    bool is_parked = lane_is_in_flight(first) || lane_is_in_flight(second) || session->is_leaving;
    if (idle != NULL && (outbox_has_unsent(&session->outbox) || (!is_parked && may_park(session)) ||
                         session->proof == PROOF_CHALLENGED)) {
        send_request(session, idle);
    }
}

void session_ask(struct session *session)
{
    for (size_t i = 0; i < 2; i++) {
        if (session->channel->lanes[i].state == LANE_IDLE) {
            send_request(session, &session->channel->lanes[i]);
            return;
        }
    }
}

bool session_is_asking(const struct session *session)
{
    return lane_is_in_flight(&session->channel->lanes[0]) ||
           lane_is_in_flight(&session->channel->lanes[1]);
}

static int new_id(uint8_t id_out[16])
{
    return getrandom(id_out, 16, 0) == 16 ? 0 : TENDER_ESYSTEM;
}

/* Whether a new session gets this message from elsewhere: from the session itself, or the client,
 * which keeps its requests until they are answered. */
static bool is_said_anew(const struct session *session, tender_performative performative)
{
    switch ((int)performative) {
    case TENDER_HELLO:
    case TENDER_OFFER:
        return true;
    case TENDER_ANNOUNCE:
    case TENDER_CANCEL:
    case TENDER_CLOSE:
    case TENDER_RELEASE:
    case TENDER_QUERY:
        return session->client != NULL;
    default:
        return false;
    }
}

/* Copies what only the old outbox has into the new one, or to what is left for others. */
static int copy_unheard(struct session *session, const struct outbox *old)
{
    struct outbox *into = session->is_pinned ? &session->left : &session->outbox;
    for (size_t i = 0; i < old->count; i++) {
        tender_performative performative;
        tender_bytes packed = outbox_peek(old, i, &performative);
        if (is_said_anew(session, performative)) {
            continue;
        }
        int status = outbox_add_packed(into, performative, packed);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static int say_again(struct session *session, const struct outbox *old)
{
    struct view *views[] = {session->contractor, session->client};
    int status = session_say_hello(session);
    session->offers_said = 0;
    session->offers_agreed = 0;
    if (status == 0 && session->skill_count > 0) {
        status = session_say_offer(session);
    }
    if (status == 0) {
        status = copy_unheard(session, old);
    }
    for (size_t i = 0; i < 2 && status == 0; i++) {
        status = views[i] == NULL ? 0 : views[i]->renew(views[i]);
    }
    return status;
}

/*
 * A broker of several that does not know the session any more may have given shards away, and
 * others then hold what it awarded: it is offered nothing until that is known (fleet_tend.c).
 */
static void keep_slots(struct session *session)
{
    bool is_shared = session->is_pinned && session->receipt_count > 1;
    uint32_t most = session->slots > session->slots_bound ? session->slots : session->slots_bound;
    if (!is_shared || session->own_size == 0) {
        return;
    }
    session->slots_kept = most > session->slots_kept ? most : session->slots_kept;
    session->kept_us = clock_us();
    session->slots = 0;
    session->slots_bound = 0;
    memcpy(session->before, session->own, session->own_size);
    session->before_size = session->own_size;
    session->own_size = 0;
}

void session_renew(struct session *session)
{
    struct outbox old = session->outbox;
    uint8_t id[16];
    keep_slots(session);
    int status = new_id(id);
    if (status == 0) {
        status = outbox_init(&session->outbox);
    }
    if (status == 0) {
        status = say_again(session, &old);
    }
    session->wants_renewal = status != 0;
    if (status != 0) {
        if (session->outbox.bytes != old.bytes) {
            outbox_release(&session->outbox);
        }
        session->outbox = old;
        pacer_arm(&session->paced, clock_us() + SESSION_CORK_US);
        return;
    }
    outbox_release(&old);
    memcpy(session->id, id, sizeof id);
    bool is_challenged =
        session->key != NULL && (session->proof == PROOF_GIVEN || session->proof == PROOF_TAKEN);
    session->proof = is_challenged ? PROOF_CHALLENGED : session->proof;
    session->heard = 0;
    session->half_heard = 0;
    session->epoch++;
    session->is_welcomed = false;
}

/* One message outside of the numbering: what it says is the end of the session, or of this one. */
static void hear_verdict(struct session *session, const struct message *message)
{
    bool is_unknown = message->reason == TENDER_REASON_UNKNOWN_SESSION;
    if (message->reason == TENDER_REASON_ELSEWHERE && !session->is_leaving) {
        session_note_elsewhere(session, message->address);
        return;
    }
    if (message->reason == TENDER_REASON_LIMIT_REACHED && !session->is_leaving) {
        session_note_shortage(session, message->text);
        return;
    }
    bool is_refused =
        message->performative == TENDER_REFUSE || message->reason == TENDER_REASON_LIMIT_REACHED;
    if (session->is_leaving && (is_unknown || is_refused)) {
        outbox_heard(&session->outbox, session->outbox.first + session->outbox.count - 1);
    } else if (is_refused) {
        session_refuse(session, message);
    } else if (is_unknown) {
        session_renew(session);
    } else {
        session_fail(session, TENDER_EPROTOCOL, "the broker could not read a frame: %.*s",
                     (int)message->text.size,
                     message->text.size == 0 ? "" : (const char *)message->text.data);
    }
}

/* The broker answered outside of the numbering: it does not know the session, or does not want it.
 * An empty answer is that to bye. */
static void hear_unnumbered(struct session *session)
{
    struct message message;
    while (wire_next(session->reader, &message) == 1) {
        if (message.performative == TENDER_NOT_UNDERSTOOD ||
            message.performative == TENDER_REFUSE) {
            hear_verdict(session, &message);
            return;
        }
    }
}

/* Takes the messages that are new. TENDER_ENOMEM leaves the rest unheard: it is told again. */
static int hear_messages(struct session *session, const struct wire_header *header)
{
    uint64_t number = header->first;
    struct message message;
    int status;
    while ((status = wire_next(session->reader, &message)) != 0 && session->status == 0) {
        if (number > session->heard) {
            int heard = status == 1               ? session_route(session, &message)
                        : status == TENDER_ENOMEM ? status
                                                  : 0;
            if (heard != 0) {
                return heard;
            }
            session->heard = number;
        }
        number++;
    }
    return 0;
}

enum verdict { VERDICT_DONE, VERDICT_GAP, VERDICT_BROKEN };

static enum verdict hear_exchange(struct session *session, nng_msg *frame)
{
    struct wire_header header;
    const char *why;
    if (wire_open(session->reader, nng_msg_body(frame), nng_msg_len(frame), &header, &why) != 0) {
        return VERDICT_BROKEN;
    }
    if (memcmp(header.session, session->id, sizeof session->id) != 0) {
        return VERDICT_DONE; /* of a session that is over */
    }
    if (header.first == 0 && header.count == 0 && header.has_tail) {
        return session_hear_challenge(session, session->heard_step, header.tail) ? VERDICT_DONE
                                                                                 : VERDICT_BROKEN;
    }
    if (header.first == 0 || header.version != WIRE_VERSION) {
        if (session->heard_step == PROOF_ASKED) {
            session_fail(session, TENDER_EREFUSED,
                         "the broker does not prove what it is: it has no key (tenderd --key)");
        }
        hear_unnumbered(session);
        return VERDICT_DONE;
    }
    if (header.heard >= session->outbox.first + session->outbox.count) {
        return VERDICT_BROKEN; /* it heard what was not said */
    }
    outbox_heard(&session->outbox, header.heard);
    if (header.has_tail) {
        session_keep_receipts(session, header.tail);
        session->own_size =
            header.tail.size < sizeof session->own ? header.tail.size : sizeof session->own;
        memcpy(session->own, header.tail.data, session->own_size);
    }
    if (header.count > 0 && header.first > session->heard + 1) {
        return VERDICT_GAP;
    }
    if (!session->is_connected && session->is_welcomed) {
        session->is_connected = true;
        session_contact(session, TENDER_CONTACT_CONNECTED, "connected again");
    }
    return hear_messages(session, &header) == 0 ? VERDICT_DONE : VERDICT_BROKEN;
}

static enum verdict hear_frame(struct session *session, nng_msg *frame)
{
    enum verdict verdict = hear_exchange(session, frame);
    if (session->is_turned_away && session->dial_after_us == 0) {
        session_move(session);
    }
    return verdict;
}

static void drop_held(struct lane *lane)
{
    if (lane->state == LANE_HELD) {
        nng_msg_free(lane->held);
        lane->held = NULL;
        lane->state = LANE_IDLE;
    }
}

void session_lose(struct session *session, uint32_t epoch)
{
    if (epoch != session->epoch) {
        return;
    }
    session->epoch++;
    session->proof = session->key == NULL ? PROOF_TAKEN : PROOF_NONE;
    outbox_rewind(&session->outbox);
    drop_held(&session->channel->lanes[0]);
    drop_held(&session->channel->lanes[1]);
    if (session->is_connected) {
        session->is_connected = false;
        session->away_us = clock_us();
        session_contact(session, TENDER_CONTACT_LOST, "the connection to the broker was lost");
    }
    (void)pthread_cond_broadcast(&session->changed);
}

/* Redialing waits a moment, so that a broker that breaks the protocol is not asked in a circle. */
static void want_dialing(struct session *session)
{
    session->wants_dialing = true;
    pacer_arm(&session->paced, clock_us() + SESSION_CORK_US * 5);
}

/* Hears the frame of `lane`, and one that waited for it in the other. */
static void hear_reply(struct session *session, struct lane *lane, nng_msg *frame)
{
    struct lane *other = &session->channel->lanes[lane == &session->channel->lanes[0]];
    enum proof_state step = lane->step;
    lane->state = LANE_IDLE;
    session->heard_step = step;
    enum verdict verdict = hear_frame(session, frame);
    session_end_step(session, step, true);
    if (verdict == VERDICT_GAP && lane_is_in_flight(other)) {
        lane->state = LANE_HELD;
        lane->held = frame;
        return;
    }
    nng_msg_free(frame);
    if (verdict != VERDICT_DONE) {
        want_dialing(session);
        return;
    }
    if (other->state == LANE_HELD) {
        frame = other->held;
        session->heard_step = PROOF_NONE;
        other->held = NULL;
        other->state = LANE_IDLE;
        verdict = hear_frame(session, frame);
        nng_msg_free(frame);
        if (verdict != VERDICT_DONE) {
            want_dialing(session);
        }
    }
}

/*
 * After a reply. Where the program has events to look at, it will have something to say in a
 * moment: parking is left to its next call, or to the pacer if it takes longer.
 */
static void go_on(struct session *session)
{
    bool has_events = (session->contractor != NULL && session->contractor->inbox.head != NULL) ||
                      (session->client != NULL && session->client->inbox.head != NULL);
    if (has_events && !outbox_has_unsent(&session->outbox)) {
        pacer_arm(&session->paced, clock_us() + SESSION_CORK_US);
        return;
    }
    session_pump(session);
}

static void on_failure(struct session *session, struct lane *lane, int result)
{
    if (lane->state == LANE_SENDING) {
        nng_msg_free(nng_aio_get_msg(lane->aio));
    }
    lane->state = LANE_IDLE;
    session_end_step(session, lane->step, false);
    if (result == NNG_ECLOSED || session->is_closing) {
        return;
    }
    session_lose(session, lane->epoch);
    session_pump(session);
}

void session_on_lane(void *context)
{
    struct lane *lane = context;
    struct session *session = lane->session;
    session_lock(session);
    int result = nng_aio_result(lane->aio);
    if (lane->channel != session->channel) {
        channel_on_left(lane, result);
    } else if (result != 0) {
        on_failure(session, lane, result);
    } else if (lane->state == LANE_SENDING) {
        /* nng 1.5 wants receiving to begin after sending has ended. */
        lane->state = LANE_WAITING;
        lane->since_us = clock_us();
        nng_ctx_recv(lane->context, lane->aio);
    } else {
        hear_reply(session, lane, nng_aio_get_msg(lane->aio));
        (void)pthread_cond_broadcast(&session->changed);
        go_on(session);
    }
    session_unlock(session);
}
