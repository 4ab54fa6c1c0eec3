/*
 * The invariants of the book, each asserted, and its fingerprint. Both look at everything and are
 * for tests and for a paranoid broker.
 */
#include "book_internal.h"

#include <sodium.h>

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
    assert(task->phase != PHASE_STANDBY || won >= 1);
    assert(task->phase != PHASE_WORK || task->bids == 0);
}

static void check_commitment(const struct book *book, const struct task *task)
{
    const struct commitment *commitment = &task->commitment;
    bool is_active = commitment->state == TENDER_COMMITMENT_ACTIVE;
    bool is_awarded = task->state == TENDER_TASK_AWARDED;
    assert(is_active == is_awarded);
    assert(is_active == (task->phase == PHASE_STANDBY || task->phase == PHASE_WORK));
    if (is_active) {
        assert(commitment->cost_micro <= commitment->price_micro);
        assert(commitment->price_micro <= task->round.ceiling_micro);
        assert(commitment->units_done <= commitment->units);
        assert(commitment->due_at_us <= task->deadline_at_us);
        assert(commitment->principal != task->account);
        assert(!book_is_excluded(book, task, commitment->principal));
    }
}

static void check_task(const struct book *book, const struct task *task)
{
    uint32_t number = book_task_number(book, task);
    assert(tender_task_state_is_terminal(task->state) == (task->phase == PHASE_ENDED));
    assert(task->paid_micro >= 0 && (task->is_husk || task->paid_micro <= task->ceiling_micro));
    assert(task->units_done >= 0 && task->units_done <= task->units);
    assert(watcher_time(&book->watcher, number) == TENDER_NEVER
               ? task->phase == PHASE_ENDED
               : task->phase != PHASE_ENDED &&
                     watcher_time(&book->watcher, number) <= book_task_wake(book, task));
    if (task->phase != PHASE_ENDED) {
        check_bids(book, task);
        check_commitment(book, task);
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
    for (uint32_t account = 1; account <= book->accounts.used; account++) {
        const struct account *item = &book->accounts.items[account];
        int64_t reserved = 0;
        if (item->name_size == 0) {
            continue;
        }
        for (uint32_t at = 1; at <= book->tasks_used; at++) {
            const struct task *task = &book->tasks[at];
            bool is_open = task->phase != PHASE_FREE && task->phase != PHASE_ENDED;
            if (is_open && task->account == account) {
                reserved += task->ceiling_micro - task->paid_micro;
            }
        }
        assert(item->reserved_micro == reserved);
        assert(item->available_micro >= 0);
        assert(item->spent_micro >= 0);
        assert(item->earned_micro >= 0);
        issued += item->available_micro + item->reserved_micro + item->spent_micro;
        spent += item->spent_micro - item->earned_micro;
    }
    assert(issued == book->accounts.issued_micro);
    assert(spent == 0);
}

void book_check(const struct book *book)
{
    uint64_t open = 0;
    for (uint32_t number = 1; number <= book->tasks_used; number++) {
        const struct task *task = &book->tasks[number];
        if (task->phase != PHASE_FREE) {
            check_task(book, task);
            open += task->phase != PHASE_ENDED;
        }
    }
    assert(open == book->tasks_open);
    check_peers(book);
    check_money(book);
}

/* The sum of the digests of all records: whatever their order in memory, it is the same. */
struct sum {
    uint64_t words[4];
};

static void add(struct sum *sum, crypto_hash_sha256_state *state)
{
    uint64_t words[4];
    crypto_hash_sha256_final(state, (unsigned char *)words);
    for (int i = 0; i < 4; i++) {
        sum->words[i] += words[i];
    }
}

static void begin(crypto_hash_sha256_state *state, char label)
{
    crypto_hash_sha256_init(state);
    crypto_hash_sha256_update(state, (const unsigned char *)&label, 1);
}

static void put(crypto_hash_sha256_state *state, int64_t value)
{
    crypto_hash_sha256_update(state, (const unsigned char *)&value, sizeof value);
}

static void put_bytes(crypto_hash_sha256_state *state, const void *data, size_t size)
{
    put(state, (int64_t)size);
    crypto_hash_sha256_update(state, data, size);
}

static void put_name(crypto_hash_sha256_state *state, tender_bytes name)
{
    put_bytes(state, name.data, name.size);
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
        begin(&state, 'b');
        put_bytes(&state, task->id.bytes, sizeof task->id.bytes);
        put_name(&state, peer_name(&book->roster, bid->peer));
        put(&state, (int64_t)bid->recorded);
        put(&state, bid->is_queued ? 0 : (int64_t)bid->reason);
        put(&state, (int64_t)bid->rank);
        put(&state, bid->cost_micro);
        put(&state, bid->eta_us);
        put(&state, bid->valid_until_us);
        add(sum, &state);
    }
}

static void add_pasts(const struct book *book, const struct task *task, struct sum *sum)
{
    for (uint32_t at = task->pasts; at != 0; at = book->pasts[at].next) {
        const struct past *past = &book->pasts[at];
        crypto_hash_sha256_state state;
        begin(&state, 'p');
        put_bytes(&state, task->id.bytes, sizeof task->id.bytes);
        put_name(&state, peer_name(&book->roster, past->peer));
        put_name(&state, account_name(&book->accounts, past->principal));
        put(&state, (int64_t)past->generation);
        put(&state, (int64_t)past->state);
        put(&state, (int64_t)past->reason);
        put(&state, past->units_done);
        put(&state, past->price_micro);
        put(&state, past->paid_micro);
        put(&state, past->covered_micro);
        put(&state, past->spent_micro);
        put(&state, past->is_excluded);
        put(&state, past->is_cover);
        put(&state, (int64_t)past->late_count);
        add(sum, &state);
    }
}

static void put_commitment(crypto_hash_sha256_state *state, const struct book *book,
                           const struct commitment *commitment)
{
    put(state, (int64_t)commitment->state);
    put(state, (int64_t)commitment->generation);
    if ((int)commitment->state == 0) {
        return;
    }
    put_name(state, peer_name(&book->roster, commitment->peer));
    put_name(state, account_name(&book->accounts, commitment->principal));
    put(state, commitment->is_acknowledged);
    put(state, (int64_t)commitment->rank);
    put(state, commitment->cost_micro);
    put(state, commitment->price_micro);
    put(state, commitment->units);
    put(state, commitment->units_done);
    put(state, commitment->due_at_us);
    put(state, commitment->ack_by_us);
}

static void put_terms(crypto_hash_sha256_state *state, const struct book *book,
                      const struct task *task)
{
    put_name(state, task_client(task));
    put_name(state, task_key(task));
    put_name(state, task_fallback(task));
    put_name(state, account_name(&book->accounts, task->account));
    put_name(state, skill_name(&book->roster, task->skill));
    put_bytes(state, task->body_digest.bytes, sizeof task->body_digest.bytes);
    put_bytes(state, task->again.bytes, sizeof task->again.bytes);
    put_bytes(state, task->content_digest.bytes, sizeof task->content_digest.bytes);
    put(state, (int64_t)task->partial);
    put(state, (int64_t)task->fallback);
    put(state, (int64_t)task->rounds);
    put(state, (int64_t)task->priority);
    put(state, task->is_close_alone);
    put(state, task->units);
    put(state, task->ceiling_micro);
    put(state, task->window_us);
    put(state, task->due_us);
    put(state, task->deadline_at_us);
    put(state, task->backoff_us);
    put(state, task->ack_us);
    put(state, task->heartbeat_us);
    put(state, task->kill_fee_ppm);
}

static void add_task(const struct book *book, const struct task *task, struct sum *sum)
{
    crypto_hash_sha256_state state;
    begin(&state, 't');
    put_bytes(&state, task->id.bytes, sizeof task->id.bytes);
    put(&state, (int64_t)task->number);
    put_bytes(&state, task->head.bytes, sizeof task->head.bytes);
    put(&state, (int64_t)task->phase);
    put(&state, (int64_t)task->state);
    put(&state, (int64_t)task->reason);
    put(&state, task->units_done);
    put(&state, task->paid_micro);
    put(&state, task->reopens_at_us);
    put(&state, (int64_t)task->round.number);
    put(&state, task->round.is_fallback);
    put(&state, task->round.units);
    put(&state, task->round.ceiling_micro);
    put(&state, task->round.closes_at_us);
    put(&state, task->round.due_us);
    put_bytes(&state, task->round.digest.bytes, sizeof task->round.digest.bytes);
    put_terms(&state, book, task);
    put_commitment(&state, book, &task->commitment);
    add(sum, &state);
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
    begin(&state, 'a');
    put_bytes(&state, account->name, account->name_size);
    put(&state, account->available_micro);
    put(&state, account->reserved_micro);
    put(&state, account->spent_micro);
    put(&state, account->earned_micro);
    add(sum, &state);
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
    crypto_hash_sha256_state state;
    begin(&state, 'h');
    put(&state, (int64_t)book->house_number);
    put_bytes(&state, book->house_head.bytes, sizeof book->house_head.bytes);
    add(&sum, &state);
    tender_digest digest;
    memcpy(digest.bytes, sum.words, sizeof digest.bytes);
    return digest;
}
