/*
 * The book: opens and closes it, and hands each event to the file that hears it. The mechanism is
 * in the book_*.c beside this one; records are book_store.c's.
 */
#include "book_internal.h"

#include <stdlib.h>
#include <string.h>

static bool limits_are_valid(const struct book_limits *limits)
{
    return limits->task_count > 0 && limits->task_count < UINT32_MAX / 4 &&
           limits->contractor_count > 0 && limits->client_count > 0 && limits->account_count > 0 &&
           limits->skill_count > 0 && limits->bid_count > 0 && limits->bid_count < UINT32_MAX / 4 &&
           limits->content_bytes > 0 && limits->invitations_max > 0 && limits->unanswered_max > 0 &&
           limits->deadlines_per_tick > 0 && limits->keep_ended_us > 0 &&
           limits->shard_count <= SHARDS_MAX;
}

static int allocate(struct book *book)
{
    const struct book_limits *limits = &book->limits;
    uint32_t peers = limits->contractor_count + limits->client_count;
    book->past_count = limits->task_count * 2 + 1024;
    book->follow_count = peers * 2 + 1024;
    book->tasks = calloc((size_t)limits->task_count + 1, sizeof *book->tasks);
    book->waiting = calloc((size_t)limits->task_count + 1, sizeof *book->waiting);
    book->bids = calloc((size_t)limits->bid_count * 2 + 1, sizeof *book->bids);
    book->nodes.items = calloc((size_t)limits->bid_count * 4 + BOOK_LEVELS, sizeof(tender_digest));
    book->pasts = calloc((size_t)book->past_count + 1, sizeof *book->pasts);
    book->follows = calloc((size_t)book->follow_count + 1, sizeof *book->follows);
    if (book->tasks == NULL || book->waiting == NULL || book->bids == NULL || book->pasts == NULL ||
        book->follows == NULL || book->nodes.items == NULL) {
        return TENDER_ENOMEM;
    }
    if (pool_open(&book->extras, limits->task_count, sizeof(struct extra)) != 0 ||
        pool_open(&book->links, LINKS_MAX(limits->task_count), sizeof(struct link)) != 0 ||
        pool_open(&book->goals, GOALS_MAX(limits->task_count), sizeof(struct goal)) != 0 ||
        pool_open(&book->deliveries, limits->task_count, sizeof(struct delivery)) != 0 ||
        pool_open(&book->counts, COUNTS_MAX, sizeof(struct count)) != 0 ||
        pool_open(&book->bars, BARS_MAX, sizeof(struct bar)) != 0 ||
        pool_open(&book->rates, RATES_MAX, sizeof(struct rate)) != 0 ||
        pool_open(&book->leads, LEADS_MAX(limits->bid_count), sizeof(struct lead)) != 0 ||
        pool_open(&book->split_offers, limits->bid_count, sizeof(struct split_offer)) != 0 ||
        pool_open(&book->strikes, SHEETS_MAX, sizeof(struct strikes)) != 0 ||
        table_init(&book->goal_by_name, GOALS_MAX(limits->task_count)) != 0 ||
        table_init(&book->rate_by_name, RATES_MAX) != 0 ||
        table_init(&book->strikes_by_pair, SHEETS_MAX) != 0) {
        return TENDER_ENOMEM;
    }
    if (accounts_init(&book->accounts, limits->account_count, limits->shard_count,
                      &book->keyring) != 0 ||
        roster_init(&book->roster, &book->accounts, limits->contractor_count, limits->client_count,
                    limits->skill_count, limits->invitations_max, limits->unanswered_max) != 0 ||
        keyring_init(&book->keyring, limits->account_count, peers) != 0 ||
        arena_init(&book->arena, limits->content_bytes) != 0 ||
        watcher_init(&book->watcher, limits->task_count + peers) != 0 ||
        table_init(&book->task_by_id, limits->task_count) != 0 ||
        table_init(&book->task_by_key, limits->task_count) != 0 ||
        table_init(&book->bid_by_pair, limits->bid_count * 2) != 0 ||
        filter_init(&book->keys, limits->task_count) != 0) {
        return TENDER_ENOMEM;
    }
    return 0;
}

int book_open(const struct book_limits *limits, struct book **book_out)
{
    *book_out = NULL;
    if (!limits_are_valid(limits)) {
        return TENDER_EINVAL;
    }
    struct book *book = calloc(1, sizeof *book);
    if (book == NULL) {
        return TENDER_ENOMEM;
    }
    book->limits = *limits;
    if (limits->shard_count == 0) {
        book->limits.shard_count = 1;
    }
    if (limits->shards == 0) {
        book->limits.shards = shard_all(book->limits.shard_count);
    }
    int status = allocate(book);
    if (status != 0) {
        book_close(book);
        return status;
    }
    *book_out = book;
    return 0;
}

void book_close(struct book *book)
{
    if (book == NULL) {
        return;
    }
    free(book->tasks);
    free(book->waiting);
    free(book->bids);
    free(book->nodes.items);
    free(book->pasts);
    free(book->follows);
    accounts_release(&book->accounts);
    keyring_release(&book->keyring);
    roster_release(&book->roster);
    arena_release(&book->arena);
    watcher_release(&book->watcher);
    table_release(&book->task_by_id);
    table_release(&book->task_by_key);
    table_release(&book->bid_by_pair);
    filter_release(&book->keys);
    struct pool *pools[] = {&book->extras,       &book->links,  &book->goals, &book->deliveries,
                            &book->counts,       &book->bars,   &book->rates, &book->leads,
                            &book->split_offers, &book->strikes};
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
        pool_close(pools[i]);
    }
    table_release(&book->goal_by_name);
    table_release(&book->rate_by_name);
    table_release(&book->strikes_by_pair);
    free(book);
}

/* The session that speaks; made where it is not known yet. The inbox speaks for none. */
static uint32_t find_speaker(struct book *book, const struct event *event)
{
    uint32_t peer = roster_find(&book->roster, event->peer);
    if (event->request != 0) {
        return peer;
    }
    if (peer == 0) {
        peer = roster_open(&book->roster, event->peer, event->principal, false);
        if (peer == 0) {
            return 0;
        }
        book->roster.peers[peer].heartbeat_us = DEFAULT_HEARTBEAT_US;
    }
    if (!book->roster.peers[peer].is_present) {
        roster_arrive(&book->roster, peer, book->now_us);
    }
    book_touch_peer(book, peer);
    book_speak_up(book, peer);
    return peer;
}

/* Decisions on what was done, beliefs, and what operators say. */
static void hear_more(struct book *book, const struct event *event, uint32_t peer)
{
    switch (event->message->performative) {
    case TENDER_ACCEPT:
        book_hear_accept(book, event);
        break;
    case TENDER_REJECT:
        book_hear_reject(book, event);
        break;
    case TENDER_BELIEVE:
        book_hear_believe(book, event, peer);
        break;
    case TENDER_ADOPT:
        book_hear_adopt(book, event);
        break;
    case TENDER_HOLD:
        book_hear_hold(book, event);
        break;
    case TENDER_RATE:
        book_hear_rate(book, event);
        break;
    case TENDER_RESOURCE:
        book_hear_resource(book, event);
        break;
    case TENDER_ENROL:
        book_hear_enrol(book, event);
        break;
    default:
        book_not_understood(book, event, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
        break;
    }
}

static void hear_message(struct book *book, const struct event *event)
{
    tender_performative performative = event->message->performative;
    if (performative == TENDER_HELLO) {
        book_hear_hello(book, event);
        return;
    }
    uint32_t peer = find_speaker(book, event);
    if (peer == 0 && event->request == 0) {
        book_refuse(book, event, TENDER_REASON_LIMIT_REACHED, "name");
        return;
    }
    switch (performative) {
    case TENDER_OFFER:
        book_hear_offer(book, event, peer);
        break;
    case TENDER_ANNOUNCE:
        book_hear_announce(book, event);
        break;
    case TENDER_PROPOSE:
        book_hear_propose(book, event, peer);
        break;
    case TENDER_REFUSE:
        book_hear_refuse(book, event, peer);
        break;
    case TENDER_WITHDRAW:
        book_hear_withdraw(book, event, peer);
        break;
    case TENDER_ACKNOWLEDGE:
        book_hear_acknowledge(book, event, peer);
        break;
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
        book_hear_report(book, event, peer);
        break;
    case TENDER_CANCEL:
        book_hear_cancel(book, event);
        break;
    case TENDER_CLOSE:
        book_hear_close(book, event);
        break;
    case TENDER_RELEASE:
        book_hear_release(book, event);
        break;
    case TENDER_QUERY:
        book_hear_query(book, event, peer);
        break;
    case TENDER_BYE:
        book_hear_left(book, peer, TENDER_REASON_NONE);
        break;
    case TENDER_NOT_UNDERSTOOD:
        break;
    default:
        hear_more(book, event, peer);
        break;
    }
}

static void hear_heard(struct book *book, const struct event *event)
{
    uint32_t peer = roster_find(&book->roster, event->peer);
    if (peer != 0) {
        book_touch_peer(book, peer);
    }
}

void book_hear(struct book *book, const struct event *event, struct effects *effects)
{
    effects_clear(effects);
    book->now_us = event->at_us > book->now_us ? event->at_us : book->now_us;
    book->effects = effects;
    book->event = event;
    book->told = (struct told_terms){0};
    uint32_t peer = 0;
    switch (event->kind) {
    case EVENT_MESSAGE:
        hear_message(book, event);
        break;
    case EVENT_HEARD:
        hear_heard(book, event);
        break;
    case EVENT_LEFT:
        peer = roster_find(&book->roster, event->peer);
        book_hear_left(book, peer, TENDER_REASON_NOT_CONNECTED);
        break;
    case EVENT_TICK:
        book_tick(book);
        break;
    case EVENT_RECESS:
        book_hear_recess(book, event);
        break;
    case EVENT_FUND:
        book_hear_fund(book, event);
        break;
    }
    book_pump(book);
    book->effects = NULL;
    book->event = NULL;
}

/* Whether the newest task under the key, or one it replaced, was announced by the same body. */
static bool knows_body(const struct book *book, uint32_t task, const tender_digest *body_digest)
{
    for (; task != 0; task = book->tasks[task].older) {
        if (memcmp(&book->tasks[task].body_digest, body_digest, sizeof *body_digest) == 0) {
            return true;
        }
    }
    return false;
}

bool book_wants_prior(const struct book *book, const struct event *event,
                      tender_digest *body_digest_out)
{
    if (event->kind != EVENT_MESSAGE) {
        return false;
    }
    const struct message *message = event->message;
    switch (message->performative) {
    case TENDER_ANNOUNCE: {
        if (!book_may_know_key(book, event->principal, message->key)) {
            return false;
        }
        *body_digest_out = book_announce_digest(event);
        uint32_t account = account_find(&book->accounts, event->principal);
        uint32_t task = account == 0 ? 0 : book_find_key(book, account, message->key);
        return !knows_body(book, task, body_digest_out);
    }
    case TENDER_ACKNOWLEDGE:
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
    case TENDER_CANCEL:
    case TENDER_CLOSE:
    case TENDER_RELEASE:
    case TENDER_QUERY:
    case TENDER_ACCEPT:
    case TENDER_REJECT:
    case TENDER_ADOPT:
    case TENDER_BELIEVE:
    case TENDER_HOLD:
        return !tender_id_is_nil(message->conversation) &&
               book_find_task(book, message->conversation) == 0;
    default:
        return false;
    }
}

bool book_is_stale(const struct book *book, int64_t asked_us)
{
    return asked_us <= book->returned_us;
}

int64_t book_next_deadline(const struct book *book)
{
    if (book_is_overdue(book)) {
        return book->now_us;
    }
    int64_t next = watcher_next(&book->watcher, NULL);
    if (book->bars.used_count != 0) {
        int64_t end_us = book_bars_end(book);
        next = end_us < next ? end_us : next;
    }
    if (book->ended_first != 0) {
        int64_t forget_at = book->tasks[book->ended_first].ended_at_us + book->limits.keep_ended_us;
        forget_at = forget_at > book->forgets_from_us ? forget_at : book->forgets_from_us;
        next = forget_at < next ? forget_at : next;
    }
    return next;
}

struct book_counts book_count(const struct book *book)
{
    return (struct book_counts){
        .tasks_open = book->tasks_open,
        .rounds_open = book->rounds_open,
        .commitments_active = book->commitments_active,
        .contractors_live = book->roster.alive,
        .deadlines = book->watcher.count,
    };
}
