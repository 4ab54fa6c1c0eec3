/*
 * The book of a round: the tree over all bids that it recorded, each a leaf that says nothing
 * without its bidder's nonce. A bidder is told the place and the leaf of its bid when it is
 * recorded, the root when the round has closed, and with it what proves that its bid is in the
 * book and which cost set the price. A round in which nobody gave a nonce has no book.
 */
#include "bid.h"
#include "book_internal.h"
#include "tree.h"

#include <assert.h>
#include <string.h>

static const tender_id no_nonce;

/* Bytes of a proof: the way of the own bid up to the root, and the bid that set the price. */
#define PATH_BYTES_MAX  (1 + BOOK_LEVELS * 32)
#define SETTER_BYTES    (4 + 32 + 3 * 8 + 32)
#define PROOF_BYTES_MAX (2 * PATH_BYTES_MAX + SETTER_BYTES)

static bool has_nonce(const struct bid *bid)
{
    return memcmp(&bid->nonce, &no_nonce, sizeof no_nonce) != 0;
}

void book_enter_bid(struct task *task, struct bid *bid)
{
    bool is_bid = bid->recorded == TENDER_BID_STANDING || bid->recorded == TENDER_BID_INELIGIBLE;
    if (task->phase == PHASE_WINDOW && bid->place == 0 && is_bid) {
        bid->place = ++task->round.booked;
        task->round.has_book |= has_nonce(bid);
    }
}

static void commit(const struct book *book, const struct task *task, const struct bid *bid,
                   struct bid_commitment *commitment_out)
{
    const struct peer *peer = &book->roster.peers[bid->peer];
    const struct bid_terms terms = {
        .task = task->id,
        .round = task->round.number,
        .contractor = peer_name(&book->roster, bid->peer),
        .principal = account_name(&book->accounts, peer->principal),
        .cost_micro = bid->cost_micro,
        .eta_us = bid->eta_us,
        .capacity = bid->capacity,
        .nonce = bid->nonce,
    };
    bid_commit(&terms, commitment_out);
}

static void put_leaves(const struct book *book, const struct task *task, tender_digest *leaves)
{
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        if (bid->place != 0) {
            struct bid_commitment commitment;
            commit(book, task, bid, &commitment);
            leaves[bid->place - 1] = commitment.leaf;
        }
    }
}

/* Makes the nodes, unless they are made: a bid that has its place does not change any more. */
static void build(struct book *book, const struct task *task)
{
    struct nodes *nodes = &book->nodes;
    if (nodes->count == task->round.booked && nodes->round == task->round.number &&
        memcmp(&nodes->task, &task->id, sizeof task->id) == 0) {
        return;
    }
    nodes->task = task->id;
    nodes->round = task->round.number;
    nodes->count = task->round.booked;
    tender_digest *level = nodes->items;
    put_leaves(book, task, level);
    for (size_t count = nodes->count; count > 1; count = (count + 1) / 2) {
        tender_digest *above = level + count;
        for (size_t i = 0; i < count; i += 2) { /* one without a sibling goes up as it is */
            above[i / 2] = i + 1 < count ? tree_join(&level[i], &level[i + 1]) : level[i];
        }
        level = above;
    }
}

/* The last of the nodes. */
static tender_digest root(const struct nodes *nodes)
{
    const tender_digest *level = nodes->items;
    for (size_t count = nodes->count; count > 1; count = (count + 1) / 2) {
        level += count;
    }
    return *level;
}

void book_seal_round(struct book *book, const struct task *task, int64_t *bids_out,
                     tender_digest *book_out)
{
    if (task->round.has_book) {
        build(book, task);
        *bids_out = task->round.booked;
        *book_out = root(&book->nodes);
    }
}

void book_tell_receipts(struct book *book, const struct task *task)
{
    for (uint32_t at = task->bids; at != 0 && task->round.has_book; at = book->bids[at].next) {
        struct bid *bid = &book->bids[at];
        if (bid->place == 0 || bid->is_receipted || !has_nonce(bid)) {
            continue;
        }
        bid->is_receipted = true;
        struct message *message = book_tell_peer(book, bid->peer, TENDER_INFORM, task->id);
        if (message == NULL) {
            continue;
        }
        struct bid_commitment commitment;
        commit(book, task, bid, &commitment);
        message_set(message, ROUND, round, (int64_t)task->round.number);
        message_set(message, NUMBER, number, (int64_t)bid->place - 1);
        message_set(message, DIGEST, digest, commitment.leaf);
        message_set(message, AT, at_us, book->now_us);
        book_let_wait(book);
    }
}

/* What stands beside a leaf on its way up through the nodes that were built. */
static uint8_t *put_path(const struct nodes *nodes, uint32_t place, uint8_t *at)
{
    const tender_digest *level = nodes->items;
    size_t count = nodes->count;
    uint8_t *size = at++;
    *size = 0;
    for (size_t i = place - 1; count > 1; i /= 2) {
        if ((i ^ 1) < count) {
            memcpy(at, level[i ^ 1].bytes, sizeof level->bytes);
            at += sizeof level->bytes;
            ++*size;
        }
        level += count;
        count = (count + 1) / 2;
    }
    return at;
}

static uint8_t *put_setter(const struct book *book, const struct task *task,
                           const struct bid *setter, uint8_t *at)
{
    struct bid_commitment commitment;
    commit(book, task, setter, &commitment);
    at = put_big_endian(at, setter->place - 1, 4);
    memcpy(at, commitment.who.bytes, sizeof commitment.who);
    at = put_big_endian(at + sizeof commitment.who, (uint64_t)setter->cost_micro, 8);
    at = put_big_endian(at, (uint64_t)setter->eta_us, 8);
    at = put_big_endian(at, (uint64_t)setter->capacity, 8);
    memcpy(at, commitment.salt.bytes, sizeof commitment.salt);
    return put_path(&book->nodes, setter->place, at + sizeof commitment.salt);
}

/* The bid whose cost is the price of the round's last award, also where that was not taken: the
 * next of the fixed set behind it. */
static const struct bid *find_setter(const struct book *book, const struct task *task)
{
    if (task->commitment.rank == 0) {
        return NULL; /* nobody had the whole of it */
    }
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        if (book->bids[at].rank == task->commitment.rank + 1) {
            return &book->bids[at];
        }
    }
    return NULL;
}

void book_fill_proof(struct book *book, const struct task *task, uint32_t peer,
                     struct message *message)
{
    const struct bid *bid = task->round.has_book ? book_find_bid(book, task, peer) : NULL;
    if (bid == NULL || bid->place == 0 || !has_nonce(bid)) {
        return;
    }
    uint8_t bytes[PROOF_BYTES_MAX];
    build(book, task);
    uint8_t *at = put_path(&book->nodes, bid->place, bytes);
    const struct bid *setter = find_setter(book, task);
    if (setter != NULL && setter->place != 0) {
        at = put_setter(book, task, setter, at);
    }
    assert(at <= bytes + sizeof bytes);
    const tender_bytes proof = {bytes, (size_t)(at - bytes)};
    message_set(message, BOOK, book, root(&book->nodes));
    message_set(message, BIDS, bids, (int64_t)book->nodes.count);
    message_set(message, NUMBER, number, (int64_t)bid->place - 1);
    message_set(message, PROOF, proof, book_keep(book, proof));
}
