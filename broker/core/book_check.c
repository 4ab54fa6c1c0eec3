/*
 * The invariants of the book, each asserted, and its fingerprint. Both look at everything and are
 * for tests and for a paranoid broker.
 */
#include "book_check.h"

#include <assert.h>
#include <string.h>

static void check_bids(const struct book *book, const struct task *task)
{
    uint32_t number = book_task_number(book, task);
    uint32_t standing = 0;
    uint32_t won = 0;
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        assert(bid->task == number);
        assert(bid->peer != 0);
        assert(bid->next != 0 || task->last_bid == at);
        standing += bid->state == TENDER_BID_STANDING;
        won += bid->state == TENDER_BID_WON;
        assert(bid->state != TENDER_BID_STANDING || bid->is_counted);
    }
    if (task->phase == PHASE_WINDOW) {
        assert(standing == task->round.standing);
        assert(won == 0);
        assert(task->round.answered <= task->round.invited);
    }
    assert(task->phase != PHASE_STANDBY || won >= 1 || task->whole != 0 ||
           task->commitment.is_assigned);
    assert(task->phase != PHASE_WORK || task->bids == 0);
}

/* Whether the principal itself, not only one with its root, is out of the task. */
static bool has_failed(const struct book *book, const struct task *task, uint32_t principal)
{
    bool is_out = false;
    for (uint32_t at = task->pasts; at != 0 && !is_out; at = book->pasts[at].next) {
        is_out = book->pasts[at].is_excluded && book->pasts[at].principal == principal;
    }
    return is_out;
}

static void check_commitment(const struct book *book, const struct task *task)
{
    const struct commitment *commitment = &task->commitment;
    bool is_owned = phase_is_owned(task->phase);
    bool has_parts = task->extra != 0 && task_extra(book, task)->parts != 0;
    assert(is_owned == (commitment->state == TENDER_COMMITMENT_ACTIVE ||
                        commitment->state == TENDER_COMMITMENT_DELIVERED));
    assert((commitment->state == TENDER_COMMITMENT_DELIVERED) == (task->phase == PHASE_DELIVERED));
    assert(has_parts || is_owned == (task->state == TENDER_TASK_AWARDED ||
                                     task->state == TENDER_TASK_DELIVERED));
    if (is_owned) {
        assert(commitment->cost_micro <= commitment->price_micro);
        assert(commitment->price_micro <= task->round.ceiling_micro);
        assert(commitment->units_done <= commitment->units);
        assert(commitment->due_at_us <= task->deadline_at_us);
        assert(commitment->principal != task->account);
        assert(!has_failed(book, task, commitment->principal)); /* a sibling may: enrolled since */
    }
}

static void check_task(const struct book *book, const struct task *task)
{
    uint32_t number = book_task_number(book, task);
    assert(tender_task_state_is_terminal(task->state) == (task->phase == PHASE_ENDED));
    assert(task->paid_micro >= 0 && (task->is_husk || task->paid_micro <= task->ceiling_micro));
    assert(task->units_done >= 0 && task->units_done <= task->units);
    assert(watcher_time(&book->watcher, number) <= book_task_wake(book, task));
    assert(task->phase != PHASE_ENDED || watcher_time(&book->watcher, number) == TENDER_NEVER);
    if (task->phase != PHASE_ENDED) {
        check_bids(book, task);
        check_commitment(book, task);
    }
    if (task->extra != 0 && task->whole == 0) {
        book_check_extra(book, task);
    }
}

static void check_peer(const struct book *book, uint32_t number, uint32_t held,
                       uint32_t invitations)
{
    const struct peer *peer = &book->roster.peers[number];
    assert(peer->held == held);
    assert(peer->invitations == invitations);
    assert((peer->standing != PEER_RESTING) == roster_can_take(&book->roster, number));
    assert(!peer->is_alive || peer->is_present);
    if (peer->is_alive) {
        assert(watcher_time(&book->watcher, book->limits.task_count + number) != TENDER_NEVER);
    }
}

/* Commitments and invitations, counted from the other side. */
static void check_peers(const struct book *book)
{
    for (uint32_t number = 1; number <= book->roster.peers_used; number++) {
        uint32_t held = 0;
        uint32_t invitations = 0;
        if (!book->roster.peers[number].is_used) {
            continue;
        }
        for (uint32_t at = book->roster.peers[number].awards; at != 0;
             at = book->tasks[at].commitment.owner_next) {
            assert(book->tasks[at].commitment.state == TENDER_COMMITMENT_ACTIVE);
            assert(book->tasks[at].commitment.peer == number);
            held++;
        }
        for (uint32_t at = 1; at <= book->tasks_used; at++) {
            const struct task *task = &book->tasks[at];
            bool has_bids = task->phase != PHASE_FREE && task->bids != 0;
            const struct bid *bid =
                has_bids ? book_find_bid((struct book *)(uintptr_t)book, task, number) : NULL;
            invitations += bid != NULL && bid->is_counted;
        }
        check_peer(book, number, held, invitations);
    }
}

/* What open tasks hold is what their accounts have reserved. */
static void check_money(const struct book *book)
{
    int64_t issued = 0;
    int64_t spent = 0;
    int64_t answers = 0;
    for (uint32_t account = 1; account <= book->accounts.used; account++) {
        const struct account *item = &book->accounts.items[account];
        int64_t reserved = 0;
        uint32_t tasks = 0;
        if (item->name_size == 0) {
            continue;
        }
        for (uint32_t at = 1; at <= book->tasks_used; at++) {
            const struct task *task = &book->tasks[at];
            bool is_open =
                task->phase != PHASE_FREE && task->phase != PHASE_ENDED && task->whole == 0;
            if (is_open && task->account == account) {
                reserved += task->ceiling_micro - task->paid_micro;
                tasks++;
            }
        }
        assert(item->reserved_micro == reserved);
        assert(item->own.tasks == tasks);
        assert(item->available_micro >= 0);
        assert(item->spent_micro >= 0);
        assert(item->earned_micro >= 0);
        answers += item->own.answers;
        issued += item->available_micro + item->reserved_micro + item->spent_micro;
        spent += item->spent_micro - item->earned_micro;
    }
    assert(issued == book->accounts.issued_micro);
    assert(answers == book->bids_held);
    assert(spent == 0);
}

void book_check(const struct book *book)
{
    uint64_t open = 0;
    for (uint32_t number = 1; number <= book->tasks_used; number++) {
        const struct task *task = &book->tasks[number];
        if (task->phase != PHASE_FREE) {
            check_task(book, task);
            open += task->phase != PHASE_ENDED && task->whole == 0;
        }
    }
    assert(open == book->tasks_open);
    check_peers(book);
    check_money(book);
    book_check_facts(book);
}

void sum_add(struct sum *sum, crypto_hash_sha256_state *state)
{
    uint64_t words[4];
    crypto_hash_sha256_final(state, (unsigned char *)words);
    for (int i = 0; i < 4; i++) {
        sum->words[i] += words[i];
    }
}

void sum_begin(crypto_hash_sha256_state *state, char label)
{
    crypto_hash_sha256_init(state);
    crypto_hash_sha256_update(state, (const unsigned char *)&label, 1);
}

void sum_put(crypto_hash_sha256_state *state, int64_t value)
{
    crypto_hash_sha256_update(state, (const unsigned char *)&value, sizeof value);
}

void sum_put_bytes(crypto_hash_sha256_state *state, const void *data, size_t size)
{
    sum_put(state, (int64_t)size);
    crypto_hash_sha256_update(state, data, size);
}

void sum_put_name(crypto_hash_sha256_state *state, tender_bytes name)
{
    sum_put_bytes(state, name.data, name.size);
}

static void add_bids(const struct book *book, const struct task *task, struct sum *sum)
{
    if (task->phase != PHASE_WINDOW && task->phase != PHASE_STANDBY) {
        return;
    }
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        crypto_hash_sha256_state state;
        if ((int)bid->recorded == 0) {
            continue;
        }
        sum_begin(&state, 'b');
        sum_put_bytes(&state, task->id.bytes, sizeof task->id.bytes);
        sum_put_name(&state, peer_name(&book->roster, bid->peer));
        sum_put_name(&state, account_name(&book->accounts, bid->root));
        sum_put(&state, (int64_t)bid->recorded);
        sum_put(&state, bid->is_queued ? 0 : (int64_t)bid->reason);
        sum_put(&state, (int64_t)bid->rank);
        sum_put(&state, bid->cost_micro);
        sum_put(&state, bid->eta_us);
        sum_put(&state, bid->valid_until_us);
        sum_put(&state, bid->capacity);
        sum_put(&state, bid->estimate_micro);
        sum_put(&state, (int64_t)bid->place);
        sum_put_bytes(&state, bid->nonce.bytes, sizeof bid->nonce.bytes);
        sum_add(sum, &state);
    }
}

static void add_pasts(const struct book *book, const struct task *task, struct sum *sum)
{
    for (uint32_t at = task->pasts; at != 0; at = book->pasts[at].next) {
        const struct past *past = &book->pasts[at];
        crypto_hash_sha256_state state;
        sum_begin(&state, 'p');
        sum_put_bytes(&state, task->id.bytes, sizeof task->id.bytes);
        sum_put_name(&state, peer_name(&book->roster, past->peer));
        sum_put_name(&state, account_name(&book->accounts, past->principal));
        sum_put(&state, (int64_t)past->part);
        sum_put(&state, (int64_t)past->generation);
        sum_put(&state, (int64_t)past->state);
        sum_put(&state, (int64_t)past->reason);
        sum_put(&state, past->units_done);
        sum_put(&state, past->price_micro);
        sum_put(&state, past->paid_micro);
        sum_put(&state, past->covered_micro);
        sum_put(&state, past->spent_micro);
        sum_put(&state, past->is_excluded);
        sum_put(&state, past->is_cover);
        sum_put(&state, past->late_units);
        sum_put(&state, (int64_t)past->late_number);
        sum_put(&state, (int64_t)past->late_count);
        sum_add(sum, &state);
    }
}

static void put_commitment(crypto_hash_sha256_state *state, const struct book *book,
                           const struct commitment *commitment)
{
    sum_put(state, (int64_t)commitment->state);
    sum_put(state, (int64_t)commitment->generation);
    if ((int)commitment->state == 0) {
        return;
    }
    sum_put_name(state, peer_name(&book->roster, commitment->peer));
    sum_put_name(state, account_name(&book->accounts, commitment->principal));
    sum_put(state, commitment->is_acknowledged);
    sum_put(state, (int64_t)commitment->rank);
    sum_put(state, commitment->cost_micro);
    sum_put(state, commitment->price_micro);
    sum_put(state, commitment->units);
    sum_put(state, commitment->units_done);
    sum_put(state, commitment->due_at_us);
    sum_put(state, commitment->ack_by_us);
    sum_put(state, commitment->is_assigned);
    sum_put(state, commitment->has_held);
    sum_put(state, commitment->estimate_micro);
}

static void put_terms(crypto_hash_sha256_state *state, const struct book *book,
                      const struct task *task)
{
    sum_put_name(state, task_client(task));
    sum_put_name(state, task_key(task));
    sum_put_name(state, task_fallback(task));
    sum_put_name(state, account_name(&book->accounts, task->account));
    sum_put_name(state, skill_name(&book->roster, task->skill));
    sum_put_bytes(state, task->body_digest.bytes, sizeof task->body_digest.bytes);
    sum_put_bytes(state, task->again.bytes, sizeof task->again.bytes);
    sum_put_bytes(state, task->content_digest.bytes, sizeof task->content_digest.bytes);
    sum_put(state, (int64_t)task->partial);
    sum_put(state, (int64_t)task->fallback);
    sum_put(state, (int64_t)task->rounds);
    sum_put(state, (int64_t)task->priority);
    sum_put(state, task->is_close_alone);
    sum_put(state, task->units);
    sum_put(state, task->ceiling_micro);
    sum_put(state, task->window_us);
    sum_put(state, task->due_us);
    sum_put(state, task->deadline_at_us);
    sum_put(state, task->backoff_us);
    sum_put(state, task->ack_us);
    sum_put(state, task->heartbeat_us);
    sum_put(state, task->kill_fee_ppm);
}

static void add_task(const struct book *book, const struct task *task, struct sum *sum)
{
    crypto_hash_sha256_state state;
    sum_begin(&state, 't');
    sum_put_bytes(&state, task->id.bytes, sizeof task->id.bytes);
    sum_put(&state, (int64_t)task->number);
    sum_put_bytes(&state, task->head.bytes, sizeof task->head.bytes);
    sum_put(&state, (int64_t)task->phase);
    sum_put(&state, (int64_t)task->state);
    sum_put(&state, (int64_t)task->reason);
    sum_put(&state, task->units_done);
    sum_put(&state, task->paid_micro);
    sum_put(&state, task->reopens_at_us);
    sum_put(&state, (int64_t)task->round.number);
    sum_put(&state, task->round.is_fallback);
    sum_put(&state, task->round.units);
    sum_put(&state, task->round.ceiling_micro);
    sum_put(&state, task->round.closes_at_us);
    sum_put(&state, task->round.due_us);
    sum_put(&state, task->round.rate_micro);
    sum_put(&state, task->round.is_drawn);
    sum_put(&state, task->was_assigned);
    sum_put(&state, (int64_t)task->part);
    sum_put_bytes(&state, task->round.digest.bytes, sizeof task->round.digest.bytes);
    put_terms(&state, book, task);
    put_commitment(&state, book, &task->commitment);
    if (task->extra != 0) {
        book_put_extra(&state, book, task);
    }
    sum_add(sum, &state);
    add_bids(book, task, sum);
    add_pasts(book, task, sum);
}

static void add_account(const struct account *account, struct sum *sum)
{
    bool is_empty = account->available_micro == 0 && account->reserved_micro == 0 &&
                    account->spent_micro == 0 && account->earned_micro == 0;
    crypto_hash_sha256_state state;
    if (account->name_size == 0 || is_empty) {
        return;
    }
    sum_begin(&state, 'a');
    sum_put_bytes(&state, account->name, account->name_size);
    sum_put(&state, account->available_micro);
    sum_put(&state, account->reserved_micro);
    sum_put(&state, account->spent_micro);
    sum_put(&state, account->earned_micro);
    sum_add(sum, &state);
}

tender_digest book_fingerprint(const struct book *book)
{
    struct sum sum = {{0}};
    for (uint32_t number = 1; number <= book->tasks_used; number++) {
        const struct task *task = &book->tasks[number];
        if (task->phase != PHASE_FREE && task->phase != PHASE_ENDED) {
            add_task(book, task, &sum);
        }
    }
    for (uint32_t number = 1; number <= book->accounts.used; number++) {
        add_account(&book->accounts.items[number], &sum);
    }
    book_add_facts(book, &sum);
    crypto_hash_sha256_state state;
    sum_begin(&state, 'h');
    for (uint32_t shard = 0; shard < book->limits.shard_count; shard++) {
        const struct house *house = &book->houses[shard];
        sum_put(&state, (int64_t)house->number);
        sum_put_bytes(&state, house->head.bytes, sizeof house->head.bytes);
    }
    sum_add(&sum, &state);
    tender_digest digest;
    memcpy(digest.bytes, sum.words, sizeof digest.bytes);
    return digest;
}
