/*
 * Acceptance: a completion brings the evidence that its task requires, and where the client is to
 * decide on it, it is delivered and waits. Until then nobody is told the content: the client sees
 * the evidence and a sample that nobody chose, so it cannot reject and keep the work.
 */
#include "book_internal.h"
#include "draw.h"

#include <assert.h>
#include <string.h>

#define SAMPLE_MAX   1024 /* bytes told of a result before it is accepted, and */
#define SAMPLE_SHARE 16   /* at most this part of it, but a byte */

/* The value of NAME in lines NAME=VALUE is not empty. */
static bool has_value(tender_bytes evidence, tender_bytes name)
{
    const char *line = evidence.data;
    size_t left = evidence.size;
    while (left > 0) {
        const char *end = memchr(line, '\n', left);
        size_t size = end != NULL ? (size_t)(end - line) : left;
        if (size > name.size + 1 && line[name.size] == '=' &&
            memcmp(line, name.data, name.size) == 0) {
            return true;
        }
        size_t step = end != NULL ? size + 1 : size;
        line += step;
        left -= step;
    }
    return false;
}

/* A result is content, or the digest and size of what is kept elsewhere. */
static bool has_result(const struct message *said)
{
    return (message_has(said, MESSAGE_CONTENT) && said->content.size > 0) ||
           (message_has(said, MESSAGE_DIGEST) && message_has(said, MESSAGE_SIZE) && said->size > 0);
}

bool book_has_evidence(struct book *book, const struct task *task, const struct message *said,
                       const char **field_out)
{
    static const tender_bytes result = {"result", 6};
    const struct extra *extra = task_extra(book, task);
    tender_bytes evidence =
        message_has(said, MESSAGE_EVIDENCE) ? said->evidence : (tender_bytes){NULL, 0};
    const char *name = extra->evidence;
    size_t left = extra->evidence_size;
    while (left > 0) {
        const char *end = memchr(name, ',', left);
        tender_bytes one = {name, end != NULL ? (size_t)(end - name) : left};
        bool is_there = bytes_equal(one, result) ? has_result(said) : has_value(evidence, one);
        if (!is_there) {
            char text[TENDER_SKILL_MAX + 1] = {0};
            assert(one.size <= TENDER_SKILL_MAX);
            memcpy(text, one.data, one.size);
            *field_out = book_keep(book, (tender_bytes){text, one.size + 1}).data;
            return false;
        }
        size_t step = one.size + (end != NULL ? 1 : 0);
        name += step;
        left -= step;
    }
    return true;
}

bool book_is_gated(const struct book *book, const struct task *task)
{
    return task->extra != 0 && task_extra(book, task)->accept_us > 0;
}

bool book_is_withheld(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    return extra != NULL && (extra->accept_us > 0 || extra->evidence_size > 0);
}

int64_t book_shown_units(const struct book *book, const struct task *task,
                         const struct ending *ending)
{
    const struct extra *extra = task_extra(book, task);
    if (ending->is_decided) {
        return ending->accepted;
    }
    bool is_shown = extra->accept_us == 0 && (extra->evidence_size == 0 || ending->has_evidence);
    return is_shown ? ending->units_done : 0;
}

static const struct delivery *delivery_of(const struct book *book, const struct task *task)
{
    return pool_at(&book->deliveries, task->commitment.delivery);
}

/* Where the sample lies: drawn by the head of the chain just before the delivery. */
static void draw_sample(const struct book *book, const struct task *task, struct delivery *delivery)
{
    const struct task *whole = task_whole(book, task);
    size_t share = delivery->content_size / SAMPLE_SHARE;
    if (delivery->content_size == 0 || delivery->is_elsewhere) {
        return;
    }
    uint32_t numbers[2] = {task->part, task->commitment.generation};
    struct draw_seed seed = draw_seed("tender/evidence/v1", whole->id, numbers, 2, &whole->head);
    tender_digest digest = draw_for(&seed, (tender_bytes){NULL, 0});
    uint64_t draw = draw_number(&digest, 0);
    share = share < 1 ? 1 : share;
    delivery->sample_size = share < SAMPLE_MAX ? share : SAMPLE_MAX;
    delivery->sample_at = (size_t)(draw % (delivery->content_size - delivery->sample_size + 1));
}

/* Content and evidence lie in the arena already, but in recall. */
static int take_bytes(struct book *book, struct delivery *delivery, const struct entry *entry)
{
    delivery->content = entry->content.data;
    delivery->evidence = entry->delivered.evidence.data;
    if (!book->is_recalling) {
        return 0;
    }
    delivery->content = arena_copy(&book->arena, entry->content);
    delivery->evidence = arena_copy(&book->arena, entry->delivered.evidence);
    bool is_missing = (entry->content.size > 0 && delivery->content == NULL) ||
                      (entry->delivered.evidence.size > 0 && delivery->evidence == NULL);
    return is_missing ? TENDER_ELIMIT : 0;
}

static int fill_delivery(struct book *book, struct task *task, const struct entry *entry,
                         struct delivery *delivery)
{
    const struct entry_delivered *fact = &entry->delivered;
    static const tender_digest none;
    if (entry->content.size != (size_t)fact->content_size || fact->tier.size > TENDER_SKILL_MAX) {
        return TENDER_EPROTOCOL;
    }
    delivery->at_us = entry->at_us;
    delivery->accept_by_us = book_moved(book, task, entry->at_us, fact->accept_by_us);
    delivery->units_done = fact->units_done;
    delivery->size = fact->size;
    delivery->digest = fact->digest;
    delivery->is_elsewhere = memcmp(&fact->digest, &none, sizeof none) != 0;
    delivery->measured_micro = fact->measured_micro;
    delivery->content_digest = fact->content_digest;
    delivery->content_size = entry->content.size;
    delivery->evidence_size = (uint32_t)fact->evidence.size;
    delivery->tier_size = (uint8_t)fact->tier.size;
    if (fact->tier.size > 0) {
        memcpy(delivery->tier, fact->tier.data, fact->tier.size);
    }
    draw_sample(book, task, delivery);
    return take_bytes(book, delivery, entry);
}

/* The slot is free from here on: the owner has nothing left to do. */
int book_apply_delivered(struct book *book, struct task *task, const struct entry *entry)
{
    struct commitment *commitment = &task->commitment;
    bool is_work = task->phase == PHASE_STANDBY || task->phase == PHASE_WORK;
    if (!is_work || entry->delivered.generation != (int64_t)commitment->generation ||
        entry->delivered.units_done != commitment->units) {
        return TENDER_EPROTOCOL;
    }
    uint32_t number = pool_new(&book->deliveries);
    if (number == 0) {
        return TENDER_ELIMIT;
    }
    if (entry->delivered.acknowledged != 0) {
        book_take_acknowledgement(book, task);
    }
    commitment->delivery = number;
    commitment->units_done = entry->delivered.units_done;
    commitment_move(&commitment->state, COMMITMENT_DELIVER);
    task_move(&task->state, TASK_DELIVER);
    task->phase = PHASE_DELIVERED;
    book_unlink_award(book, task);
    return fill_delivery(book, task, entry, pool_at(&book->deliveries, number));
}

void book_drop_delivery(struct book *book, struct commitment *commitment)
{
    const struct delivery *delivery = pool_at(&book->deliveries, commitment->delivery);
    arena_drop(&book->arena, delivery->content);
    arena_drop(&book->arena, delivery->evidence);
    pool_give(&book->deliveries, commitment->delivery);
    commitment->delivery = 0;
}

static tender_bytes evidence_of(const struct delivery *delivery)
{
    return (tender_bytes){delivery->evidence, delivery->evidence_size};
}

/* What the client is told of a delivery; all of its content only once it has taken it. */
static void fill_told(struct book *book, const struct task *task, bool is_taken,
                      struct message *message)
{
    const struct delivery *delivery = delivery_of(book, task);
    const char *content = delivery->content;
    tender_bytes told = {content, delivery->content_size};
    if (!is_taken) {
        told = (tender_bytes){content + delivery->sample_at, delivery->sample_size};
        int64_t left_us = delivery->accept_by_us - book->now_us;
        message_set(message, ACCEPT, accept_us, left_us > 0 ? left_us : 0);
    }
    message_set(message, PART, part, (int64_t)task->part);
    message_set(message, GENERATION, generation, (int64_t)task->commitment.generation);
    message_set(message, ROUND, round, (int64_t)task->round.number);
    message_set(message, UNITS_DONE, units_done, delivery->units_done);
    message_set(message, CONTRACTOR, contractor, peer_name(&book->roster, task->commitment.peer));
    if (delivery->evidence_size > 0) {
        message_set(message, EVIDENCE, evidence, book_keep(book, evidence_of(delivery)));
    }
    if (delivery->is_elsewhere) {
        message_set(message, DIGEST, digest, delivery->digest);
        message_set(message, SIZE, size, delivery->size);
    } else if (delivery->content_size > 0) {
        message_set(message, DIGEST, digest, delivery->content_digest);
        message_set(message, SIZE, size, (int64_t)delivery->content_size);
    }
    if (told.size > 0) {
        message_set(message, CONTENT, content, book_keep(book, told));
    }
}

static void tell_client(struct book *book, const struct task *task, bool is_taken,
                        tender_bytes text)
{
    const struct task *whole = task_whole(book, task);
    uint32_t client = roster_find(&book->roster, task_client(whole));
    struct message *message = book_tell_peer(book, client, TENDER_INFORM_DONE, whole->id);
    struct message told = {0};
    fill_told(book, task, is_taken, &told);
    if (text.size > 0) {
        message_set(&told, TEXT, text, text);
    }
    for (uint32_t at = whole->follows;; at = book->follows[at].task_next) {
        if (message != NULL) {
            told.performative = message->performative;
            told.conversation = message->conversation;
            *message = told;
        }
        if (at == 0) {
            return;
        }
        message = book_tell_peer(book, book->follows[at].peer, TENDER_INFORM_DONE, whole->id);
    }
}

void book_fill_delivery(struct book *book, const struct task *task, struct message *message)
{
    fill_told(book, task, false, message);
}

/* The owner learns that its report is recorded, and until when the client has. */
static void tell_owner(struct book *book, const struct task *task)
{
    const struct task *whole = task_whole(book, task);
    struct message *message = book_tell_peer(book, task->commitment.peer, TENDER_INFORM, whole->id);
    if (message != NULL) {
        book_fill_commitment(book, task, message);
    }
}

void book_deliver(struct book *book, struct task *task, const struct event *event)
{
    const struct message *said = event->message;
    struct report report = book_read_report(book, said);
    tender_bytes content =
        message_has(said, MESSAGE_CONTENT) ? said->content : (tender_bytes){NULL, 0};
    void *kept = arena_copy(&book->arena, content);
    void *evidence = arena_copy(&book->arena, report.evidence);
    if ((content.size > 0 && kept == NULL) || (report.evidence.size > 0 && evidence == NULL) ||
        !pool_has_room(&book->deliveries, 1)) {
        arena_drop(&book->arena, kept);
        arena_drop(&book->arena, evidence);
        book_not_understood(book, event, TENDER_REASON_LIMIT_REACHED, "content");
        return;
    }
    book_record_answers(book, task);
    if (!task->commitment.is_acknowledged) {
        book_reject_standing(book, task);
    }
    int64_t accept_by = book->now_us + task_extra(book, task)->accept_us;
    tender_bytes text =
        message_has(said, MESSAGE_TEXT) ? book_keep(book, said->text) : (tender_bytes){NULL, 0};
    struct entry *entry = book_note(book, task, ENTRY_DELIVERED);
    entry->delivered = (struct entry_delivered){
        .part = task->part,
        .generation = task->commitment.generation,
        .contractor = peer_name(&book->roster, task->commitment.peer),
        .units_done = said->units_done,
        .accept_by_us = accept_by < TENDER_INSTANT_MAX ? accept_by : TENDER_INSTANT_MAX,
        .evidence = {evidence, report.evidence.size},
        .text = text,
        .size = report.size,
        .digest = report.digest,
        .measured_micro = report.measured_micro,
        .tier = report.tier,
        .acknowledged = !task->commitment.is_acknowledged,
    };
    if (content.size > 0) {
        entry->content = (tender_bytes){kept, content.size};
        entry->delivered.content_size = (int64_t)content.size;
        entry->delivered.content_digest = entry_digest(entry->content);
    }
    book_record(book, task, entry);
    tell_client(book, task, false, text);
    tell_owner(book, task);
    book_tell_state(book, task);
}

void book_hear_delivered(struct book *book, struct task *task, const struct event *event)
{
    switch (event->message->performative) {
    case TENDER_INFORM_DONE:
        tell_owner(book, task);
        break;
    case TENDER_ACKNOWLEDGE:
        break;
    default:
        book_not_understood(book, event, TENDER_REASON_ALREADY_ENDED, "generation");
        break;
    }
}

/* The commitment ends by the client's word, or by its silence. */
static void decide(struct book *book, struct task *task, struct ending *ending)
{
    const struct delivery *delivery = delivery_of(book, task);
    bool is_taken = ending->accepted == delivery->units_done;
    ending->state = is_taken ? TENDER_COMMITMENT_FULFILLED : TENDER_COMMITMENT_FAILED;
    ending->units_done = delivery->units_done;
    ending->is_decided = true;
    ending->is_reported = true;
    ending->report = (struct report){
        .evidence = book_keep(book, evidence_of(delivery)),
        .tier = book_keep(book, (tender_bytes){delivery->tier, delivery->tier_size}),
        .measured_micro = delivery->measured_micro,
    };
    if (delivery->is_elsewhere) {
        ending->report.size = delivery->size;
        ending->report.digest = delivery->digest;
    }
    if (is_taken) {
        tell_client(book, task, true, (tender_bytes){NULL, 0});
    }
    book_settle(book, task, ending);
}

void book_accept_by_silence(struct book *book, struct task *task)
{
    struct ending ending = {
        .reason = TENDER_REASON_ACCEPTED_BY_SILENCE,
        .accepted = delivery_of(book, task)->units_done,
    };
    decide(book, task, &ending);
}

/* How a decision on a commitment that has ended already is answered: as the first one was. */
static void answer_again(struct book *book, const struct event *event, struct task *task,
                         bool is_rejection)
{
    const struct message *said = event->message;
    const struct past *past =
        book_find_past(book, task, (uint32_t)said->part, (uint32_t)said->generation);
    if (past == NULL) {
        book_refuse(book, event,
                    task->phase == PHASE_ENDED ? TENDER_REASON_ALREADY_ENDED
                                               : TENDER_REASON_NOT_DELIVERED,
                    "generation");
        return;
    }
    bool is_same = is_rejection ? past->reason == TENDER_REASON_REJECTED
                                : past->state == TENDER_COMMITMENT_FULFILLED;
    if (is_same) {
        book_agree(book, event, task);
    } else {
        book_refuse(book, event, TENDER_REASON_ALREADY_ENDED, "generation");
    }
}

/* The delivered commitment that the event decides on; NULL after answering all other cases. */
static struct task *named_delivery(struct book *book, const struct event *event,
                                   struct task **whole_out)
{
    const struct message *said = event->message;
    struct task *whole = book_own_task(book, event);
    if (whole == NULL) {
        return NULL;
    }
    *whole_out = whole;
    struct task *task = book_find_part(book, whole, said->part);
    bool is_current = task != NULL && phase_is_owned(task->phase) &&
                      said->generation == (int64_t)task->commitment.generation;
    if (is_current && task->phase == PHASE_DELIVERED &&
        book->now_us <= delivery_of(book, task)->accept_by_us) {
        return task;
    }
    if (is_current && task->phase == PHASE_DELIVERED) {
        book_accept_by_silence(book, task); /* it was due before this was heard */
        is_current = false;
    }
    if (is_current) {
        book_refuse(book, event, TENDER_REASON_NOT_DELIVERED, "generation");
    } else {
        answer_again(book, event, whole, said->performative == TENDER_REJECT);
    }
    return NULL;
}

static void hear_decision(struct book *book, const struct event *event, int64_t otherwise,
                          tender_reason said_reason)
{
    const struct message *said = event->message;
    struct task *whole = NULL;
    struct task *task = named_delivery(book, event, &whole);
    if (task == NULL) {
        return;
    }
    int64_t all = task->commitment.units;
    int64_t given = message_has(said, MESSAGE_UNITS_DONE) ? said->units_done : otherwise;
    int64_t accepted = given < 0 ? all : given;
    if (accepted > all) {
        book_refuse(book, event, TENDER_REASON_TOO_MANY_UNITS, "units_done");
        return;
    }
    bool is_all = accepted == all;
    struct ending ending = {
        .reason = is_all ? TENDER_REASON_COMPLETED : TENDER_REASON_REJECTED,
        .said = is_all ? TENDER_REASON_NONE : said_reason,
        .text = book_said_text(book, said),
        .accepted = accepted,
    };
    decide(book, task, &ending);
    book_agree(book, event, whole);
}

void book_hear_accept(struct book *book, const struct event *event)
{
    hear_decision(book, event, -1, TENDER_REASON_NONE);
}

void book_hear_reject(struct book *book, const struct event *event)
{
    tender_reason reason = (tender_reason)event->message->reason;
    bool has_reason = tender_reason_name(reason) != NULL;
    hear_decision(book, event, 0, has_reason ? reason : TENDER_REASON_OTHER);
}
