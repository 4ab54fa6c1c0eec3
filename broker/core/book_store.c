/* The records of the book: tasks, bids, what is left of commitments, followers, and their indexes.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

struct task *book_task(struct book *book, uint32_t task)
{
    return &book->tasks[task];
}

uint32_t book_task_number(const struct book *book, const struct task *task)
{
    return (uint32_t)(task - book->tasks);
}

tender_bytes task_client(const struct task *task)
{
    return (tender_bytes){task->client, task->client_size};
}

tender_bytes task_key(const struct task *task)
{
    return (tender_bytes){task->key, task->key_size};
}

tender_bytes task_fallback(const struct task *task)
{
    return (tender_bytes){task->fallback_contractor, task->fallback_contractor_size};
}

static uint64_t hash_id(tender_id id)
{
    return table_hash(3, id.bytes, sizeof id.bytes);
}

static bool has_id(const void *context, uint32_t object, const void *key)
{
    const struct book *book = context;
    return memcmp(&book->tasks[object].id, key, sizeof(tender_id)) == 0;
}

uint32_t book_find_task(const struct book *book, tender_id id)
{
    return table_find(&book->task_by_id, hash_id(id), has_id, &id, book);
}

struct key_name {
    uint32_t account;
    tender_bytes key;
};

static uint64_t hash_key(uint32_t account, tender_bytes key)
{
    return table_hash((uint64_t)account << 8 | 4, key.data, key.size);
}

static bool has_key(const void *context, uint32_t object, const void *key)
{
    const struct book *book = context;
    const struct key_name *name = key;
    const struct task *task = &book->tasks[object];
    return task->account == name->account && bytes_equal(task_key(task), name->key);
}

uint32_t book_find_key(const struct book *book, uint32_t account, tender_bytes key)
{
    struct key_name name = {account, key};
    return table_find(&book->task_by_key, hash_key(account, key), has_key, &name, book);
}

static uint64_t hash_of_key(tender_bytes principal, tender_bytes key)
{
    return table_hash(table_hash(5, principal.data, principal.size), key.data, key.size);
}

bool book_may_know_key(const struct book *book, tender_bytes principal, tender_bytes key)
{
    return book->has_past || filter_may_hold(&book->keys, hash_of_key(principal, key));
}

void book_remember_key(struct book *book, tender_bytes principal, tender_bytes key)
{
    filter_add(&book->keys, hash_of_key(principal, key));
}

/* Under a key the index holds the newest task; the ones it replaced hang behind it. */
void book_index_key(struct book *book, struct task *task)
{
    uint64_t hash = hash_key(task->account, task_key(task));
    uint32_t older = book_find_key(book, task->account, task_key(task));
    book_remember_key(book, account_name(&book->accounts, task->account), task_key(task));
    if (older != 0) {
        table_remove(&book->task_by_key, hash, older);
        task->older = older;
    }
    table_insert(&book->task_by_key, hash, book_task_number(book, task));
}

static void unindex_key(struct book *book, struct task *task)
{
    uint32_t number = book_task_number(book, task);
    uint64_t hash = hash_key(task->account, task_key(task));
    uint32_t newest = book_find_key(book, task->account, task_key(task));
    if (newest == number) {
        table_remove(&book->task_by_key, hash, number);
        if (task->older != 0) {
            table_insert(&book->task_by_key, hash, task->older);
        }
        return;
    }
    while (book->tasks[newest].older != number) {
        newest = book->tasks[newest].older;
        assert(newest != 0);
    }
    book->tasks[newest].older = task->older;
}

bool book_may_forget(const struct book *book, int64_t at_us)
{
    const struct task *oldest = &book->tasks[book->ended_first];
    bool is_committed = book->committed_us == 0 || oldest->entered_at_us < book->committed_us;
    return book->ended_first != 0 && !oldest->is_dirty && is_committed && at_us <= book->now_us;
}

/* Ended tasks make room as soon as the ledger is known to answer for them. */
static void evict_ended(struct book *book)
{
    if (book->committed_us != 0 && book_may_forget(book, book->now_us)) {
        book_forget_task(book, book_task(book, book->ended_first));
    }
}

struct task *book_take_task(struct book *book)
{
    uint32_t number = 0;
    if (book->free_task == 0 && book->tasks_used == book->limits.task_count) {
        evict_ended(book);
    }
    if (book->free_task != 0) {
        number = book->free_task;
        book->free_task = book->tasks[number].next;
    } else if (book->tasks_used < book->limits.task_count) {
        number = ++book->tasks_used;
    } else {
        return NULL;
    }
    struct task *task = &book->tasks[number];
    memset(task, 0, sizeof *task);
    return task;
}

struct task *book_create_task(struct book *book, tender_id id)
{
    struct task *task = book_take_task(book);
    if (task != NULL) {
        task->id = id;
        table_insert(&book->task_by_id, hash_id(id), book_task_number(book, task));
    }
    return task;
}

bool book_has_task_room(struct book *book, uint32_t count)
{
    uint32_t tasks = book->limits.task_count - book->tasks_used;
    uint32_t pasts = book->past_count - book->pasts_used;
    for (uint32_t at = book->free_past; at != 0 && pasts < count; at = book->pasts[at].next) {
        pasts++;
    }
    for (uint32_t at = book->free_task; at != 0 && tasks < count; at = book->tasks[at].next) {
        tasks++;
    }
    for (; tasks < count && book->committed_us != 0 && book_may_forget(book, book->now_us);
         tasks++) {
        book_forget_task(book, book_task(book, book->ended_first));
    }
    return tasks >= count && pasts >= count;
}

static void drop_pasts(struct book *book, struct task *task)
{
    for (uint32_t number = task->pasts; number != 0;) {
        struct past *past = &book->pasts[number];
        uint32_t next = past->next;
        struct peer *peer = &book->roster.peers[past->peer];
        if (past->peer_previous != 0) {
            book->pasts[past->peer_previous].peer_next = past->peer_next;
        } else {
            peer->pasts = past->peer_next;
        }
        if (past->peer_next != 0) {
            book->pasts[past->peer_next].peer_previous = past->peer_previous;
        }
        account_drop(&book->accounts, past->principal);
        roster_drop(&book->roster, past->peer);
        past->next = book->free_past;
        book->free_past = number;
        number = next;
    }
    task->pasts = 0;
}

void book_append_ended(struct book *book, struct task *task, int64_t at_us)
{
    uint32_t number = book_task_number(book, task);
    task->phase = PHASE_ENDED;
    task->ended_at_us = at_us;
    task->next = 0;
    if (book->ended_last != 0) {
        book->tasks[book->ended_last].next = number;
    } else {
        book->ended_first = number;
    }
    book->ended_last = number;
}

/* Takes the front of the list of ended tasks, or, in a recall that failed, any other task. */
void book_forget_task(struct book *book, struct task *task)
{
    uint32_t number = book_task_number(book, task);
    assert(task->phase == PHASE_ENDED || task->phase == PHASE_FREE);
    if (book->ended_first == number) {
        book->ended_first = task->next;
        book->ended_last = book->ended_first == 0 ? 0 : book->ended_last;
    }
    assert(task->bids == 0 && task->follows == 0);
    if (task->is_husk && task->entered_at_us > book->returned_us) {
        book->returned_us = task->entered_at_us;
    }
    drop_pasts(book, task);
    if (task->account != 0) {
        if (!task->is_husk) {
            unindex_key(book, task);
            roster_skill_drop(&book->roster, task->skill);
        }
        account_drop(&book->accounts, task->account);
    }
    table_remove(&book->task_by_id, hash_id(task->id), number);
    task->phase = PHASE_FREE;
    task->next = book->free_task;
    book->free_task = number;
}

static bool has_pair(const void *context, uint32_t object, const void *key)
{
    const struct book *book = context;
    const struct bid *pair = key;
    return book->bids[object].task == pair->task && book->bids[object].peer == pair->peer;
}

struct bid *book_find_bid(struct book *book, const struct task *task, uint32_t peer)
{
    struct bid pair = {.task = book_task_number(book, task), .peer = peer};
    uint32_t number =
        table_find(&book->bid_by_pair, table_hash_pair(pair.task, peer), has_pair, &pair, book);
    return number == 0 ? NULL : &book->bids[number];
}

bool book_has_bid_room(const struct book *book)
{
    uint32_t limit = book->limits.bid_count;
    return book->bids_held < (book->is_recalling ? limit * 2 : limit);
}

struct bid *book_create_bid(struct book *book, struct task *task, uint32_t peer)
{
    if (!book_has_bid_room(book)) {
        return NULL;
    }
    uint32_t number = book->free_bid;
    if (number != 0) {
        book->free_bid = book->bids[number].next;
    } else {
        number = ++book->bids_used;
    }
    book->bids_held++;
    struct bid *bid = &book->bids[number];
    memset(bid, 0, sizeof *bid);
    bid->task = book_task_number(book, task);
    bid->peer = peer;
    if (task->last_bid != 0) {
        book->bids[task->last_bid].next = number;
    } else {
        task->bids = number;
    }
    task->last_bid = number;
    table_insert(&book->bid_by_pair, table_hash_pair(bid->task, peer), number);
    roster_refer(&book->roster, peer);
    uint32_t principal = book->roster.peers[peer].principal;
    account_count(&book->accounts, principal, &(struct account_counts){.answers = 1});
    bid->root = book_root(book, principal);
    account_refer(&book->accounts, bid->root);
    return bid;
}

void book_set_bid_root(struct book *book, struct bid *bid, uint32_t root)
{
    account_refer(&book->accounts, root);
    account_drop(&book->accounts, bid->root);
    bid->root = root;
}

bool book_may_answer_more(const struct book *book, uint32_t peer)
{
    uint32_t most = book->limits.principal_answers;
    uint32_t principal = book->roster.peers[peer].principal;
    return most == 0 || account_counted(&book->accounts, principal)->answers < most;
}

bool book_is_own(const struct book *book, const struct task *task, uint32_t principal)
{
    return book_root(book, principal) == book_root(book, task->account);
}

void book_owe(struct book *book, const struct task *task, int sign)
{
    const struct commitment *commitment = &task->commitment;
    account_owe(&book->accounts, commitment->principal, book_shard(book, task),
                &(struct account_debt){sign, sign * commitment->price_micro});
}

/* A shard's part of `whole`: those of all shards together are the whole. */
static int64_t part_of(int64_t whole, uint32_t shard, uint32_t shard_count)
{
    if (shard_count == 1) {
        return whole;
    }
    __int128 total = whole;
    return (int64_t)(total * (shard + 1) / shard_count - total * shard / shard_count);
}

bool book_may_owe_more(const struct book *book, const struct task *task, uint32_t principal)
{
    const struct book_limits *limits = &book->limits;
    if (limits->principal_awards == 0 && limits->principal_exposure_micro == 0) {
        return true;
    }
    uint32_t shard = book_shard(book, task);
    struct account_debt debt = account_owed(&book->accounts, principal, shard);
    int64_t most = part_of(limits->principal_awards, shard, limits->shard_count);
    int64_t most_micro = part_of(limits->principal_exposure_micro, shard, limits->shard_count);
    int64_t price_micro =
        task->round.number != 0 ? task->round.ceiling_micro : task->ceiling_micro; /* at most */
    return (limits->principal_awards == 0 || debt.count < most) &&
           (limits->principal_exposure_micro == 0 || price_micro <= most_micro - debt.price_micro);
}

void book_uncount(struct book *book, struct bid *bid)
{
    if (bid->is_counted) {
        bid->is_counted = false;
        assert(book->roster.peers[bid->peer].invitations > 0);
        book->roster.peers[bid->peer].invitations--;
        roster_update(&book->roster, bid->peer);
    }
}

/* The round is over: its invitations and bids go. */
void book_clear_bids(struct book *book, struct task *task)
{
    assert(task->queued == 0);
    for (uint32_t number = task->bids; number != 0;) {
        struct bid *bid = &book->bids[number];
        uint32_t next = bid->next;
        book_uncount(book, bid);
        table_remove(&book->bid_by_pair, table_hash_pair(bid->task, bid->peer), number);
        account_count(&book->accounts, book->roster.peers[bid->peer].principal,
                      &(struct account_counts){.answers = -1});
        account_drop(&book->accounts, bid->root);
        roster_drop(&book->roster, bid->peer);
        bid->next = book->free_bid;
        book->free_bid = number;
        book->bids_held--;
        number = next;
    }
    task->bids = 0;
    task->last_bid = 0;
}

uint32_t book_take_past(struct book *book)
{
    uint32_t number = book->free_past;
    if (number != 0) {
        book->free_past = book->pasts[number].next;
    } else if (book->pasts_used < book->past_count) {
        number = ++book->pasts_used;
    }
    return number;
}

struct past *book_find_past(struct book *book, const struct task *task, uint32_t part,
                            uint32_t generation)
{
    for (uint32_t number = task->pasts; number != 0; number = book->pasts[number].next) {
        if (book->pasts[number].generation == generation && book->pasts[number].part == part) {
            return &book->pasts[number];
        }
    }
    return NULL;
}

bool book_is_excluded(const struct book *book, const struct task *task, uint32_t principal)
{
    for (uint32_t number = task->pasts; number != 0; number = book->pasts[number].next) {
        const struct past *past = &book->pasts[number];
        if (past->is_excluded && book_root(book, past->principal) == book_root(book, principal)) {
            return true;
        }
    }
    return false;
}

bool book_has_covers(const struct book *book, const struct task *task)
{
    for (uint32_t number = task->pasts; number != 0; number = book->pasts[number].next) {
        if (book->pasts[number].is_cover) {
            return true;
        }
    }
    return false;
}

void book_follow(struct book *book, struct task *task, uint32_t peer)
{
    uint32_t followers = 0;
    for (uint32_t at = task->follows; at != 0; at = book->follows[at].task_next) {
        if (book->follows[at].peer == peer || ++followers == FOLLOWERS_MAX) {
            return;
        }
    }
    uint32_t number = book->free_follow;
    if (number != 0) {
        book->free_follow = book->follows[number].task_next;
    } else if (book->follows_used < book->follow_count) {
        number = ++book->follows_used;
    } else {
        return; /* it asks again */
    }
    struct peer *record = &book->roster.peers[peer];
    book->follows[number] = (struct follow){.task = book_task_number(book, task),
                                            .peer = peer,
                                            .task_next = task->follows,
                                            .peer_next = record->follows};
    task->follows = number;
    record->follows = number;
}

static void unlink_follow(struct book *book, uint32_t number, bool from_task)
{
    uint32_t *link = from_task ? &book->tasks[book->follows[number].task].follows
                               : &book->roster.peers[book->follows[number].peer].follows;
    while (*link != number) {
        assert(*link != 0);
        link = from_task ? &book->follows[*link].task_next : &book->follows[*link].peer_next;
    }
    *link = from_task ? book->follows[number].task_next : book->follows[number].peer_next;
}

void book_unfollow_task(struct book *book, struct task *task)
{
    while (task->follows != 0) {
        uint32_t number = task->follows;
        uint32_t peer = book->follows[number].peer;
        task->follows = book->follows[number].task_next;
        unlink_follow(book, number, false);
        book->follows[number].task_next = book->free_follow;
        book->free_follow = number;
        roster_settle(&book->roster, peer);
    }
}

void book_unfollow_peer(struct book *book, uint32_t peer)
{
    while (book->roster.peers[peer].follows != 0) {
        uint32_t number = book->roster.peers[peer].follows;
        book->roster.peers[peer].follows = book->follows[number].peer_next;
        unlink_follow(book, number, true);
        book->follows[number].task_next = book->free_follow;
        book->free_follow = number;
    }
}
