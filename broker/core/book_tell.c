/* Tells: what peers are told of decisions. All but a cfp and a welcome are promises. */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

struct message *book_tell(struct book *book, tender_bytes to, tender_performative performative,
                          tender_id conversation)
{
    struct effects *effects = book->effects;
    assert(effects->tell_count < effects->tell_capacity);
    struct tell *tell = &effects->tells[effects->tell_count++];
    memset(tell, 0, sizeof *tell);
    tell->to = to;
    tell->is_promise = true;
    tell->message.performative = performative;
    tell->message.conversation = conversation;
    return &tell->message;
}

void book_let_wait(struct book *book)
{
    book->effects->tells[book->effects->tell_count - 1].can_wait = true;
}

struct message *book_tell_peer(struct book *book, uint32_t peer, tender_performative performative,
                               tender_id conversation)
{
    if (peer == 0 || !book->roster.peers[peer].is_present) {
        return NULL;
    }
    return book_tell(book, peer_name(&book->roster, peer), performative, conversation);
}

struct message *book_reply(struct book *book, const struct event *event,
                           tender_performative performative, tender_id conversation)
{
    struct message *message =
        book_tell(book, book_keep(book, event->peer), performative, conversation);
    book->effects->tells[book->effects->tell_count - 1].request = event->request;
    return message;
}

static void set_field(struct message *message, const char *field)
{
    if (field != NULL) {
        tender_bytes text = {field, strlen(field)};
        message_set(message, FIELD, field, text);
    }
}

static tender_id conversation_of(const struct event *event)
{
    return event->message != NULL ? event->message->conversation : (tender_id){{0}};
}

void book_refuse(struct book *book, const struct event *event, tender_reason reason,
                 const char *field)
{
    struct message *message = book_reply(book, event, TENDER_REFUSE, conversation_of(event));
    const char *terms = reason == TENDER_REASON_OUT_OF_RANGE ? book_terms_text(field) : NULL;
    const char *sentence = terms != NULL ? terms : tender_reason_text(reason);
    message_set(message, REASON, reason, (int64_t)reason);
    if (sentence != NULL) {
        tender_bytes text = {sentence, strlen(sentence)};
        message_set(message, TEXT, text, text);
    }
    if (event->message != NULL && message_has(event->message, MESSAGE_KEY)) {
        message_set(message, KEY, key, book_keep(book, event->message->key));
    }
    set_field(message, field);
}

void book_not_understood(struct book *book, const struct event *event, tender_reason reason,
                         const char *field)
{
    const struct message *said = event->message;
    struct message *message =
        book_reply(book, event, TENDER_NOT_UNDERSTOOD, conversation_of(event));
    message_set(message, REASON, reason, (int64_t)reason);
    set_field(message, field);
    if (message_has(said, MESSAGE_ROUND)) {
        message_set(message, ROUND, round, said->round);
    }
    if (message_has(said, MESSAGE_PART)) {
        message_set(message, PART, part, said->part);
    }
    if (message_has(said, MESSAGE_GENERATION)) {
        message_set(message, GENERATION, generation, said->generation);
    }
}

void book_turn_down(struct book *book, const struct event *event, tender_reason reason)
{
    /* who asks about a commitment asks as its owner */
    bool is_owners = event->message->performative == TENDER_QUERY &&
                     message_has(event->message, MESSAGE_GENERATION);
    if (is_owners) {
        book_not_understood(book, event, reason, "generation");
        return;
    }
    switch (event->message->performative) {
    case TENDER_CANCEL:
    case TENDER_CLOSE:
    case TENDER_RELEASE:
    case TENDER_QUERY:
    case TENDER_ACCEPT:
    case TENDER_REJECT:
    case TENDER_ADOPT:
    case TENDER_BELIEVE:
    case TENDER_HOLD:
        book_refuse(book, event, reason, NULL);
        break;
    default:
        book_not_understood(book, event, reason, NULL);
        break;
    }
}

void book_tell_cfp(struct book *book, struct task *task, uint32_t peer)
{
    struct message *message = book_tell_peer(book, peer, TENDER_CFP, task->id);
    if (message == NULL) {
        return;
    }
    book->effects->tells[book->effects->tell_count - 1].is_promise = false;
    message_set(message, ROUND, round, (int64_t)task->round.number);
    message_set(message, DIGEST, digest, task->round.digest);
    message_set(message, SKILL, skill, skill_name(&book->roster, task->skill));
    message_set(message, UNITS, units, task->round.units);
    message_set(message, CEILING, ceiling_micro, task->round.ceiling_micro);
    message_set(message, CLOSES_AT, closes_at_us, task->round.closes_at_us);
    message_set(message, DUE, due_us, task->round.due_us);
    message_set(message, ACK, ack_us, task->ack_us);
    message_set(message, KILL_FEE, kill_fee_ppm, task->kill_fee_ppm);
    message_set(message, PARTIAL, partial, (int64_t)task->partial);
    if (task->heartbeat_us != 0) {
        message_set(message, HEARTBEAT, heartbeat_us, task->heartbeat_us);
    }
    if (task->content_size > 0) {
        tender_bytes content = {task->content, task->content_size};
        message_set(message, CONTENT, content, content);
    }
    if (task->extra != 0) {
        book_fill_terms(book, task, message);
        book_fill_lead(book, task, peer, message);
    }
}

void book_tell_award(struct book *book, struct task *task)
{
    const struct commitment *commitment = &task->commitment;
    struct message *message =
        book_tell_peer(book, commitment->peer, TENDER_ACCEPT_PROPOSAL, task->id);
    if (message == NULL) {
        return;
    }
    message_set(message, ROUND, round, (int64_t)task->round.number);
    message_set(message, PART, part, (int64_t)task->part);
    message_set(message, GENERATION, generation, (int64_t)commitment->generation);
    message_set(message, UNITS, units, commitment->units);
    message_set(message, PRICE, price_micro, commitment->price_micro);
    message_set(message, DUE_AT, due_at_us, commitment->due_at_us);
    message_set(message, ACK_BY, ack_by_us, commitment->ack_by_us);
    message_set(message, SKILL, skill, skill_name(&book->roster, task->skill));
    if (task->content_size > 0) {
        tender_bytes content = {task->content, task->content_size};
        message_set(message, CONTENT, content, content);
    }
    if (task->extra != 0) {
        book_fill_terms(book, task, message);
    }
    book_fill_proof(book, task_whole(book, task), commitment->peer, message);
}

struct message *book_tell_reject(struct book *book, const struct task *task, uint32_t peer,
                                 uint32_t round, tender_reason reason, uint32_t rank,
                                 int64_t price_micro)
{
    struct message *message = book_tell_peer(book, peer, TENDER_REJECT_PROPOSAL, task->id);
    if (message == NULL) {
        return NULL;
    }
    message_set(message, ROUND, round, (int64_t)round);
    message_set(message, REASON, reason, (int64_t)reason);
    if (rank != 0) {
        message_set(message, RANK, rank, (int64_t)rank);
        book_let_wait(book);
    }
    if (price_micro != 0) {
        message_set(message, PRICE, price_micro, price_micro);
    }
    return message;
}

void book_tell_closed(struct book *book, const struct task *task, const struct bid *bid,
                      tender_reason reason, uint32_t rank, int64_t price_micro)
{
    struct message *message =
        book_tell_reject(book, task, bid->peer, task->round.number, reason, rank, price_micro);
    if (message != NULL) {
        book_fill_proof(book, task, bid->peer, message);
    }
}

void book_fill_past(struct message *message, const struct past *past)
{
    message_set(message, PART, part, (int64_t)past->part);
    message_set(message, GENERATION, generation, (int64_t)past->generation);
    message_set(message, REASON, reason, (int64_t)past->reason);
    message_set(message, UNITS_DONE, units_done, past->units_done);
    message_set(message, PAID, paid_micro, past->paid_micro);
}

void book_fill_commitment(const struct book *book, const struct task *task, struct message *message)
{
    const struct commitment *commitment = &task->commitment;
    message_set(message, PART, part, (int64_t)task->part);
    message_set(message, GENERATION, generation, (int64_t)commitment->generation);
    message_set(message, STATE, state, (int64_t)commitment->state);
    message_set(message, REASON, reason, (int64_t)TENDER_REASON_NONE);
    message_set(message, UNITS, units, commitment->units);
    message_set(message, UNITS_DONE, units_done, commitment->units_done);
    message_set(message, PAID, paid_micro, 0);
    message_set(message, PRICE, price_micro, commitment->price_micro);
    message_set(message, DUE_AT, due_at_us, commitment->due_at_us);
    if (task->phase == PHASE_DELIVERED) {
        const struct delivery *delivery = pool_at(&book->deliveries, commitment->delivery);
        message_set(message, CLOSES_AT, closes_at_us, delivery->accept_by_us);
    }
}

void book_tell_stop(struct book *book, const struct task *task, const struct past *past)
{
    struct message *message = book_tell_peer(book, past->peer, TENDER_CANCEL, task->id);
    if (message != NULL) {
        book_fill_past(message, past);
    }
}

void book_tell_settled(struct book *book, const struct task *task, const struct past *past)
{
    struct message *message = book_tell_peer(book, past->peer, TENDER_INFORM, task->id);
    if (message != NULL) {
        book_fill_past(message, past);
        message_set(message, STATE, state, (int64_t)past->state);
        book_let_wait(book);
    }
}

void book_fill_state(const struct book *book, const struct task *task, struct message *message)
{
    const struct commitment *commitment = &task->commitment;
    bool is_part = task->whole != 0; /* then all but the state is the part's */
    message_set(message, TASK_STATE, task_state, (int64_t)task_whole(book, task)->state);
    message_set(message, ROUND, round, (int64_t)task->round.number);
    message_set(message, UNITS, units, is_part ? commitment->units : task->units);
    message_set(message, UNITS_DONE, units_done,
                is_part ? commitment->units_done : task->units_done);
    message_set(message, PAID, paid_micro, is_part ? 0 : task->paid_micro);
    message_set(message, AT, at_us, book->now_us);
    tender_reason reason = task->reason;
    if ((int)commitment->state != 0) {
        message_set(message, STATE, state, (int64_t)commitment->state);
        message_set(message, PART, part, (int64_t)task->part);
        message_set(message, GENERATION, generation, (int64_t)commitment->generation);
        message_set(message, PRICE, price_micro, commitment->price_micro);
        message_set(message, CONTRACTOR, contractor, peer_name(&book->roster, commitment->peer));
        if (phase_is_owned(task->phase)) {
            message_set(message, DUE_AT, due_at_us, commitment->due_at_us);
        } else if (reason == TENDER_REASON_NONE && task->pasts != 0) {
            reason = book->pasts[task->pasts].reason;
        }
    }
    message_set(message, REASON, reason, (int64_t)reason);
    if (task->phase == PHASE_ENDED && !task->is_husk) {
        message_set(message, RELEASED, released_micro, task->ceiling_micro - task->paid_micro);
    }
}

/* Where the task goes on, the news may wait: whoever has to act hears it otherwise. */
static void tell_state_to(struct book *book, const struct task *task, uint32_t peer)
{
    struct message *message = book_tell_peer(book, peer, TENDER_INFORM, task->id);
    if (message == NULL) {
        return;
    }
    book_fill_state(book, task, message);
    if (task->phase == PHASE_STANDBY || task->phase == PHASE_WORK) {
        book_let_wait(book);
    }
}

void book_tell_state(struct book *book, struct task *task)
{
    tell_state_to(book, task, roster_find(&book->roster, task_client(task)));
    uint32_t at = task_whole(book, task)->follows;
    for (; at != 0; at = book->follows[at].task_next) {
        tell_state_to(book, task, book->follows[at].peer);
    }
    if (task->phase == PHASE_ENDED) {
        book_unfollow_task(book, task);
    }
}

static void fill_part_ended(const struct book *book, const struct task *task,
                            const struct past *past, struct message *message)
{
    book_fill_past(message, past);
    message_set(message, TASK_STATE, task_state, (int64_t)task->state);
    message_set(message, ROUND, round, (int64_t)task->round.number);
    message_set(message, STATE, state, (int64_t)past->state);
    message_set(message, UNITS, units, past->units);
    message_set(message, PRICE, price_micro, past->price_micro);
    message_set(message, CONTRACTOR, contractor, peer_name(&book->roster, past->peer));
    message_set(message, AT, at_us, book->now_us);
}

void book_tell_part_ended(struct book *book, struct task *task, const struct past *past)
{
    uint32_t client = roster_find(&book->roster, task_client(task));
    struct message *message = book_tell_peer(book, client, TENDER_INFORM, task->id);
    if (message != NULL) {
        fill_part_ended(book, task, past, message);
    }
    for (uint32_t at = task->follows; at != 0; at = book->follows[at].task_next) {
        message = book_tell_peer(book, book->follows[at].peer, TENDER_INFORM, task->id);
        if (message != NULL) {
            fill_part_ended(book, task, past, message);
        }
    }
}

static void fill_report(struct book *book, const struct task *task, const struct message *said,
                        tender_bytes text, tender_bytes content, struct message *message)
{
    const struct commitment *commitment = &task->commitment;
    message_set(message, PART, part, (int64_t)task->part);
    message_set(message, GENERATION, generation, (int64_t)commitment->generation);
    message_set(message, ROUND, round, (int64_t)task->round.number);
    message_set(message, UNITS_DONE, units_done, said->units_done);
    message_set(message, CONTRACTOR, contractor, peer_name(&book->roster, commitment->peer));
    if (said->performative == TENDER_FAILURE) {
        message_set(message, REASON, reason, said->reason);
    }
    if (text.size > 0) {
        message_set(message, TEXT, text, text);
    }
    if (content.size > 0) {
        message_set(message, CONTENT, content, content);
    }
    if (message_has(said, MESSAGE_EVIDENCE)) {
        message_set(message, EVIDENCE, evidence, book_keep(book, said->evidence));
    }
    if (message_has(said, MESSAGE_SIZE) && message_has(said, MESSAGE_DIGEST)) {
        message_set(message, SIZE, size, said->size);
        message_set(message, DIGEST, digest, said->digest);
    }
}

void book_pass_on(struct book *book, struct task *task, const struct message *said,
                  tender_bytes text, tender_bytes content)
{
    uint32_t client = roster_find(&book->roster, task_client(task));
    struct message *message = book_tell_peer(book, client, said->performative, task->id);
    if (message != NULL) {
        fill_report(book, task, said, text, content, message);
    }
    uint32_t at = task_whole(book, task)->follows;
    for (; at != 0; at = book->follows[at].task_next) {
        message = book_tell_peer(book, book->follows[at].peer, said->performative, task->id);
        if (message != NULL) {
            fill_report(book, task, said, text, content, message);
        }
    }
}
