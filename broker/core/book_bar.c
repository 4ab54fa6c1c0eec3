/*
 * Holds on contractors, principals and skills: nothing new for whom a hold names, until its end or
 * a release. Each is an entry of the house, and so is its end, so that what holds never depends on
 * the time at which it is looked at. Holds on tasks are book_hold.c's.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

static tender_bytes bar_contractor(const struct bar *bar)
{
    return (tender_bytes){bar->contractor, bar->contractor_size};
}

static tender_bytes bar_principal(const struct bar *bar)
{
    return (tender_bytes){bar->principal, bar->principal_size};
}

static tender_bytes bar_skill(const struct bar *bar)
{
    return (tender_bytes){bar->skill, bar->skill_size};
}

/* What a hold does not name it does not ask for. */
static bool asks_for(tender_bytes named, tender_bytes name)
{
    return named.size == 0 || bytes_equal(named, name);
}

static bool is_of_peer(const struct book *book, const struct bar *bar, uint32_t peer)
{
    uint32_t principal = book->roster.peers[peer].principal;
    return asks_for(bar_contractor(bar), peer_name(&book->roster, peer)) &&
           asks_for(bar_principal(bar), account_name(&book->accounts, principal));
}

static bool is_of_task(const struct book *book, const struct bar *bar, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    bool is_of = asks_for(bar_skill(bar), skill_name(&book->roster, task->skill));
    for (uint32_t i = 0; extra != NULL && !is_of && i < extra->need_count; i++) {
        is_of = asks_for(bar_skill(bar), skill_name(&book->roster, extra->needs[i]));
    }
    return is_of;
}

/* The next hold behind `number`, or 0. */
static uint32_t next_bar(const struct book *book, uint32_t number)
{
    while (++number <= book->bars.used) {
        const struct bar *bar = pool_at(&book->bars, number);
        if (bar->until_us != 0) {
            return number;
        }
    }
    return 0;
}

/* Most peers are on no hold: that is looked for once after each change of holds. */
static bool may_be_barred(const struct book *book, uint32_t number)
{
    struct peer *peer = &book->roster.peers[number];
    if (peer->bars_at != book->bar_changes) {
        uint32_t at = next_bar(book, 0);
        while (at != 0 && !is_of_peer(book, pool_at(&book->bars, at), number)) {
            at = next_bar(book, at);
        }
        peer->is_barred = at != 0;
        peer->bars_at = book->bar_changes;
    }
    return peer->is_barred;
}

bool book_is_barred(const struct book *book, const struct task *task, uint32_t peer)
{
    if (!may_be_barred(book, peer)) {
        return false;
    }
    for (uint32_t at = next_bar(book, 0); at != 0; at = next_bar(book, at)) {
        const struct bar *bar = pool_at(&book->bars, at);
        if (bar->until_us > book->now_us && bar->shard == book_shard(book, task) &&
            is_of_peer(book, bar, peer) && is_of_task(book, bar, task)) {
            return true;
        }
    }
    return false;
}

static uint32_t find_bar(const struct book *book, uint32_t shard, const struct entry_barred *barred)
{
    uint32_t at = next_bar(book, 0);
    for (; at != 0; at = next_bar(book, at)) {
        const struct bar *bar = pool_at(&book->bars, at);
        if (bar->shard == shard && bytes_equal(bar_contractor(bar), barred->contractor) &&
            bytes_equal(bar_principal(bar), barred->principal) &&
            bytes_equal(bar_skill(bar), barred->skill)) {
            break;
        }
    }
    return at;
}

static uint8_t copy_name(char *to, tender_bytes name)
{
    if (name.size > 0) {
        memcpy(to, name.data, name.size);
    }
    return (uint8_t)name.size;
}

int book_apply_barred(struct book *book, const struct entry *entry)
{
    const struct entry_barred *barred = &entry->barred;
    uint32_t number = find_bar(book, entry->shard, barred);
    if (barred->contractor.size > TENDER_NAME_MAX || barred->principal.size > TENDER_NAME_MAX ||
        barred->skill.size > TENDER_SKILL_MAX) {
        return TENDER_EPROTOCOL;
    }
    book->bar_changes++;
    if (barred->until_us == 0) {
        if (number != 0) {
            ((struct bar *)pool_at(&book->bars, number))->until_us = 0;
            pool_give(&book->bars, number);
        }
        return 0;
    }
    number = number != 0 ? number : pool_new(&book->bars);
    if (number == 0) {
        return TENDER_ELIMIT;
    }
    struct bar *bar = pool_at(&book->bars, number);
    bar->shard = entry->shard;
    bar->contractor_size = copy_name(bar->contractor, barred->contractor);
    bar->principal_size = copy_name(bar->principal, barred->principal);
    bar->skill_size = copy_name(bar->skill, barred->skill);
    bar->reason = barred->reason;
    bar->until_us = barred->until_us;
    return 0;
}

/* Whom the hold concerned is offered the open rounds that it was passed over for. */
static void look_again(struct book *book, const struct bar *bar)
{
    uint32_t only = roster_find(&book->roster, bar_contractor(bar));
    uint32_t first = bar->contractor_size == 0 ? 1 : only;
    uint32_t last = bar->contractor_size == 0 ? book->roster.peers_used : only;
    for (uint32_t number = first; number != 0 && number <= last; number++) {
        const struct peer *peer = &book->roster.peers[number];
        if (peer->is_used && peer->is_contractor && peer->is_present &&
            is_of_peer(book, bar, number)) {
            roster_forget_seen(&book->roster, number);
        }
    }
}

void book_bar(struct book *book, uint32_t shard, const struct entry_barred *barred)
{
    uint32_t number = find_bar(book, shard, barred);
    struct bar before = {0};
    if (number != 0) {
        before = *(struct bar *)pool_at(&book->bars, number);
    }
    struct entry *entry = book_note_house(book, shard, ENTRY_BARRED);
    entry->barred = (struct entry_barred){
        .contractor = book_keep(book, barred->contractor),
        .principal = book_keep(book, barred->principal),
        .skill = book_keep(book, barred->skill),
        .reason = barred->reason,
        .text = book_keep(book, barred->text),
        .by = book_keep(book, barred->by),
        .until_us = barred->until_us,
    };
    book_record(book, NULL, entry);
    int status = book_apply_barred(book, entry);
    assert(status == 0);
    (void)status;
    if (barred->until_us == 0 && number != 0) {
        look_again(book, &before);
    }
}

int64_t book_bar_until(const struct book *book, uint32_t shard, const struct entry_barred *barred)
{
    uint32_t number = find_bar(book, shard, barred);
    return number == 0 ? 0 : ((const struct bar *)pool_at(&book->bars, number))->until_us;
}

int64_t book_bars_end(const struct book *book)
{
    int64_t end_us = TENDER_NEVER;
    for (uint32_t at = next_bar(book, 0); at != 0; at = next_bar(book, at)) {
        const struct bar *bar = pool_at(&book->bars, at);
        end_us = bar->until_us < end_us ? bar->until_us : end_us;
    }
    return end_us;
}

void book_end_bars(struct book *book)
{
    static const tender_bytes author = {"tenderd", 7};
    for (uint32_t at = next_bar(book, 0); at != 0; at = next_bar(book, at)) {
        const struct bar bar = *(struct bar *)pool_at(&book->bars, at);
        if (bar.until_us <= book->now_us && book_has_room(book)) {
            struct entry_barred over = {
                .contractor = bar_contractor(&bar),
                .principal = bar_principal(&bar),
                .skill = bar_skill(&bar),
                .reason = bar.reason,
                .by = author,
            };
            book_bar(book, bar.shard, &over);
        }
    }
}

static tender_bytes named(const struct message *said, enum message_field field, tender_bytes name)
{
    return message_has(said, field) ? name : (tender_bytes){NULL, 0};
}

/* Whom the message names; false after refusing. */
static bool read_subject(struct book *book, const struct event *event,
                         struct entry_barred *barred_out)
{
    const struct message *said = event->message;
    *barred_out = (struct entry_barred){
        .contractor = named(said, MESSAGE_CONTRACTOR, said->contractor),
        .principal = named(said, MESSAGE_PRINCIPAL, said->principal),
        .skill = named(said, MESSAGE_SKILL, said->skill),
        .text = named(said, MESSAGE_TEXT, said->text),
        .by = event->peer,
    };
    if (!event->is_operator) {
        book_refuse(book, event, TENDER_REASON_NOT_YOURS, NULL);
        return false;
    }
    const char *field = NULL;
    field = barred_out->skill.size > TENDER_SKILL_MAX ? "skill" : field;
    field = barred_out->principal.size > TENDER_NAME_MAX ? "principal" : field;
    bool has_any =
        barred_out->contractor.size + barred_out->principal.size + barred_out->skill.size > 0;
    field = barred_out->contractor.size > TENDER_NAME_MAX || !has_any ? "contractor" : field;
    if (field != NULL) {
        book_refuse(book, event, TENDER_REASON_MALFORMED, field);
    }
    return field == NULL;
}

bool book_read_hold(struct book *book, const struct event *event, int64_t *until_us_out)
{
    const struct message *said = event->message;
    tender_reason reason = (tender_reason)said->reason;
    if (reason == TENDER_REASON_NONE || tender_reason_name(reason) == NULL) {
        book_refuse(book, event, TENDER_REASON_OUT_OF_RANGE, "reason");
        return false;
    }
    *until_us_out =
        message_has(said, MESSAGE_DEADLINE) ? said->deadline_at_us : book->now_us + HOLD_US;
    if (*until_us_out <= book->now_us || *until_us_out > TENDER_INSTANT_MAX) {
        book_refuse(book, event, TENDER_REASON_OUT_OF_RANGE, "deadline_at_us");
        return false;
    }
    return true;
}

void book_hear_hold(struct book *book, const struct event *event)
{
    struct entry_barred barred;
    int64_t until_us = 0;
    if (!tender_id_is_nil(event->message->conversation)) {
        book_hear_hold_task(book, event);
        return;
    }
    if (!read_subject(book, event, &barred) || !book_read_hold(book, event, &until_us)) {
        return;
    }
    if (find_bar(book, event->shard, &barred) == 0 && !pool_has_room(&book->bars, 1)) {
        book_refuse(book, event, TENDER_REASON_LIMIT_REACHED, NULL);
        return;
    }
    barred.reason = (tender_reason)event->message->reason;
    barred.until_us = until_us;
    book_bar(book, event->shard, &barred);
    (void)book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
}

void book_hear_unbar(struct book *book, const struct event *event)
{
    struct entry_barred barred;
    if (!read_subject(book, event, &barred)) {
        return;
    }
    uint32_t number = find_bar(book, event->shard, &barred);
    if (number == 0) {
        book_refuse(book, event, TENDER_REASON_NOT_HELD, NULL);
        return;
    }
    barred.reason = ((const struct bar *)pool_at(&book->bars, number))->reason;
    book_bar(book, event->shard, &barred);
    (void)book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
}
