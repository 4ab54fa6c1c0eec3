/*
 * Sessions: who says hello, what contractors offer, who falls silent or leaves, and how a
 * contractor that can take work again is offered the open rounds it has not seen.
 */
#include "book_internal.h"

#include <string.h>

static void note_enrolled(struct book *book, uint32_t number)
{
    struct peer *peer = &book->roster.peers[number];
    tender_bytes skills[TENDER_SKILLS_MAX];
    for (uint32_t i = 0; i < peer->skill_count; i++) {
        uint32_t skill = book->roster.offers[peer->offers + i].skill;
        skills[i] = skill_name(&book->roster, skill);
    }
    struct entry *entry = book_note_house(book, book_seat(book), ENTRY_ENROLLED);
    tender_bytes list = book_keep_aligned(book, skills, peer->skill_count * sizeof skills[0]);
    entry->enrolled = (struct entry_enrolled){
        .contractor = peer_name(&book->roster, number),
        .principal = account_name(&book->accounts, peer->principal),
        .slots = peer->slots,
        .skills = {peer->skill_count, list.data},
    };
    book_record(book, NULL, entry);
    peer->houses |= shard_set(entry->shard);
}

static void note_departed(struct book *book, uint32_t number, tender_reason reason)
{
    struct peer *peer = &book->roster.peers[number];
    while (peer->houses != 0) {
        struct entry *entry = book_note_house(book, shard_take(&peer->houses), ENTRY_DEPARTED);
        entry->departed = (struct entry_departed){
            .contractor = book_keep(book, peer_name(&book->roster, number)),
            .reason = reason,
        };
        book_record(book, NULL, entry);
    }
}

void book_touch_peer(struct book *book, uint32_t number)
{
    struct peer *peer = &book->roster.peers[number];
    bool was_alive = peer->is_alive;
    roster_hear(&book->roster, number, book->now_us);
    if (!was_alive && peer->is_alive && peer->is_offered && peer->houses == 0) {
        note_enrolled(book, number);
    }
    book_arm_peer(book, number);
}

/* A contractor that spoke is invited again, however many cfps it left unanswered. */
void book_speak_up(struct book *book, uint32_t number)
{
    struct peer *peer = &book->roster.peers[number];
    if (peer->unanswered > 0) {
        peer->unanswered = 0;
        roster_update(&book->roster, number);
    }
}

void book_silence(struct book *book, uint32_t number)
{
    roster_silence(&book->roster, number);
    note_departed(book, number, TENDER_REASON_HEARTBEAT_MISSED);
    roster_settle(&book->roster, number);
}

void book_hear_left(struct book *book, uint32_t number, tender_reason reason)
{
    if (number == 0) {
        return;
    }
    book_unfollow_peer(book, number);
    note_departed(book, number, reason);
    watcher_set(&book->watcher, book->limits.task_count + number, TENDER_NEVER, 0);
    roster_leave(&book->roster, number);
}

/* What may have been lost with the last session: awards not acknowledged, and orders to stop. */
static void tell_again(struct book *book, uint32_t number)
{
    uint32_t told = 0;
    uint32_t at = book->roster.peers[number].awards;
    for (; at != 0 && told < RETOLD_MAX; at = book->tasks[at].commitment.owner_next) {
        if (!book->tasks[at].commitment.is_acknowledged) {
            book_tell_award(book, book_task(book, at));
            told++;
        }
    }
    at = book->roster.peers[number].pasts;
    for (; at != 0 && told < RETOLD_MAX; at = book->pasts[at].peer_next) {
        const struct past *past = &book->pasts[at];
        if (past->reason == TENDER_REASON_NOT_ACKNOWLEDGED ||
            past->state == TENDER_COMMITMENT_LAPSED || past->state == TENDER_COMMITMENT_CANCELLED) {
            book_tell_stop(book, book_task(book, past->task), past);
            told++;
        }
    }
}

/* The record for a name, or 0 when another principal has it or there is no room. */
static uint32_t admit(struct book *book, const struct event *event, tender_reason *reason_out)
{
    uint32_t number = roster_find(&book->roster, event->peer);
    *reason_out = TENDER_REASON_LIMIT_REACHED;
    if (number == 0) {
        return roster_open(&book->roster, event->peer, event->principal, false);
    }
    const struct peer *peer = &book->roster.peers[number];
    if (bytes_equal(account_name(&book->accounts, peer->principal), event->principal)) {
        return number;
    }
    if (peer->is_present || peer->references > 0) {
        *reason_out = TENDER_REASON_NAME_TAKEN;
        return 0;
    }
    return roster_rename_principal(&book->roster, number, event->principal) ? number : 0;
}

void book_hear_hello(struct book *book, const struct event *event)
{
    tender_reason reason;
    uint32_t number = admit(book, event, &reason);
    if (number == 0) {
        book_refuse(book, event, reason, "name");
        return;
    }
    const struct message *said = event->message;
    struct peer *peer = &book->roster.peers[number];
    peer->heartbeat_us = message_has(said, MESSAGE_HEARTBEAT) && said->heartbeat_us > 0
                             ? said->heartbeat_us
                             : DEFAULT_HEARTBEAT_US;
    book_unfollow_peer(book, number);
    roster_arrive(&book->roster, number, book->now_us);
    watcher_set(&book->watcher, book->limits.task_count + number, TENDER_NEVER, 0);
    book_arm_peer(book, number);
    struct message *welcome = book_tell_peer(book, number, TENDER_WELCOME, (tender_id){{0}});
    message_set(welcome, AT, at_us, book->now_us);
    message_set(welcome, HEARTBEAT, heartbeat_us, peer->heartbeat_us);
    book->effects->tells[book->effects->tell_count - 1].is_promise = false;
    tell_again(book, number);
}

void book_hear_offer(struct book *book, const struct event *event, uint32_t number)
{
    const struct message *said = event->message;
    if (number == 0 || !roster_promote(&book->roster, number)) {
        book_refuse(book, event, TENDER_REASON_LIMIT_REACHED, "skills");
        return;
    }
    if (!book_may_offer(book, number, said)) {
        book_refuse(book, event, TENDER_REASON_SKILL_NOT_GRANTED, "skills");
        return;
    }
    uint32_t count =
        said->skills.count < TENDER_SKILLS_MAX ? said->skills.count : TENDER_SKILLS_MAX;
    bool is_changed =
        roster_offer(&book->roster, number, said->skills.items, count, (uint32_t)said->slots);
    if (is_changed || book->roster.peers[number].houses == 0) {
        note_enrolled(book, number);
    }
    roster_serve(&book->roster, number);
    roster_forget_seen(&book->roster, number);
    book_retell_drawn(book, number);
    book_arm_peer(book, number);
    struct message *agree = book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
    message_set(agree, AT, at_us, book->now_us);
}

void book_narrow_offer(struct book *book, uint32_t number)
{
    struct peer *peer = &book->roster.peers[number];
    tender_bytes skills[TENDER_SKILLS_MAX];
    uint32_t count = 0;
    if (number == 0 || !peer->is_offered) {
        return;
    }
    for (uint32_t i = 0; i < peer->skill_count; i++) {
        uint32_t skill = book->roster.offers[peer->offers + i].skill;
        skills[count] = skill_name(&book->roster, skill);
        count += keyring_grants(&book->keyring, peer_name(&book->roster, number), skills[count]);
    }
    if (count == peer->skill_count) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) { /* the roster may move the names of skills */
        skills[i] = book_keep(book, skills[i]);
    }
    (void)roster_offer(&book->roster, number, skills, count, peer->slots);
    roster_update(&book->roster, number);
    if (peer->houses != 0) {
        note_enrolled(book, number);
    }
}

/* The first open round, by priority and age, that the contractor was not offered yet, or 0. */
static uint32_t next_round(struct book *book, const struct peer *peer, struct offer **offer_out)
{
    for (uint32_t priority = ROSTER_PRIORITIES; priority-- > 0;) {
        for (uint32_t i = 0; i < peer->skill_count; i++) {
            struct offer *offer = &book->roster.offers[peer->offers + i];
            const struct skill *skill = &book->roster.skills[offer->skill];
            if (skill->waiting_count[priority] == 0) {
                continue;
            }
            uint32_t task =
                waiting_after(book->waiting, skill->waiting, priority, offer->seen[priority]);
            if (task != 0) {
                *offer_out = offer;
                return task;
            }
        }
    }
    return 0;
}

/* Offers one round. Returns whether a cfp left. */
static bool offer_round(struct book *book, struct task *task, uint32_t number)
{
    struct bid *bid = book_find_bid(book, task, number);
    if (bid == NULL) {
        return book_may_be_invited(book, task, number) && book_invite(book, task, number);
    }
    if ((int)bid->state != 0) {
        return false;
    }
    if (!bid->is_counted) { /* drawn before the restart */
        bid->is_counted = true;
        book->roster.peers[number].invitations++;
        roster_update(&book->roster, number);
    }
    book_tell_cfp(book, task, number);
    return true;
}

/*
 * Contractors that freed up or came are offered what waits, a bounded number in one event; while
 * some are left, book_next_deadline asks for another.
 */
void book_pump(struct book *book)
{
    uint32_t invitations = 0;
    for (uint32_t looks = 0; looks < PUMP_LOOKS_MAX && invitations < PUMP_INVITATIONS_MAX;
         looks++) {
        uint32_t number = book->roster.behind.first;
        if (number == 0 || !book_has_bid_room(book)) {
            return;
        }
        struct offer *offer = NULL;
        uint32_t task = next_round(book, &book->roster.peers[number], &offer);
        if (task == 0) {
            roster_caught_up(&book->roster, number);
            continue;
        }
        offer->seen[book->waiting[task].priority] = book->waiting[task].sequence;
        invitations += offer_round(book, book_task(book, task), number) ? 1u : 0u;
    }
}
