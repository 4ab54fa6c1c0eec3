/*
 * The static rule: cheap work is assigned at once, at a posted rate, to the root principal with the
 * fewest commitments. A sampled share is auctioned all the same. A task is assigned at most once:
 * what is left of it is auctioned.
 */
#include "book_internal.h"
#include "draw.h"
#include "wire.h"

#include <assert.h>
#include <string.h>

#define DEFAULT_SHARE_PPM 20000

struct rate_name {
    uint32_t shard;
    tender_bytes skill;
    tender_bytes tier;
};

static uint64_t hash_rate(const struct rate_name *name)
{
    uint64_t hash =
        table_hash(6 + ((uint64_t)name->shard << 8), name->skill.data, name->skill.size);
    return table_hash(hash, name->tier.data, name->tier.size);
}

static bool has_rate_name(const void *context, uint32_t object, const void *key)
{
    const struct book *book = context;
    const struct rate_name *name = key;
    const struct rate *rate = pool_at(&book->rates, object);
    return rate->shard == name->shard &&
           bytes_equal((tender_bytes){rate->skill, rate->skill_size}, name->skill) &&
           bytes_equal((tender_bytes){rate->tier, rate->tier_size}, name->tier);
}

static uint32_t find_rate(const struct book *book, const struct rate_name *name)
{
    return table_find(&book->rate_by_name, hash_rate(name), has_rate_name, name, book);
}

/* The rate that counts for the task and what it makes of it, or NULL where it is auctioned. */
static const struct rate *posted_for(const struct book *book, const struct task *task,
                                     int64_t *price_out)
{
    const struct extra *extra = task_extra(book, task);
    struct rate_name name = {
        book_shard(book, task), skill_name(&book->roster, task->skill), {NULL, 0}};
    if (extra != NULL) {
        name.tier = (tender_bytes){extra->tier, extra->tier_size};
    }
    uint32_t number = find_rate(book, &name);
    bool is_auction = extra != NULL && (extra->split_max > 0 || extra->improve > 0);
    if (number == 0 || is_auction || task->round.number > 0) {
        return NULL;
    }
    const struct rate *rate = pool_at(&book->rates, number);
    __int128 price = (__int128)rate->rate_micro * task->units;
    if (price > rate->threshold_micro || price > task->ceiling_micro) {
        return NULL;
    }
    *price_out = (int64_t)price;
    return rate;
}

/* The draw for the task's next round. */
static tender_digest draw(const struct task *task, const char *label, tender_bytes name)
{
    uint32_t round = task->round.number + 1;
    struct draw_seed seed = draw_seed(label, task->id, &round, 1, &task->head);
    return draw_for(&seed, name);
}

static bool is_sample(const struct task *task, const struct rate *rate)
{
    tender_digest digest = draw(task, "tender/sample/v1", (tender_bytes){NULL, 0});
    return draw_number(&digest, 0) % (uint64_t)TENDER_PPM < (uint64_t)rate->share_ppm;
}

int64_t book_sampled_rate(const struct book *book, const struct task *task)
{
    int64_t price = 0;
    const struct rate *rate = posted_for(book, task, &price);
    return rate != NULL && is_sample(task, rate) ? rate->rate_micro : 0;
}

/* Whether `left` is assigned rather than `right`: both may be. */
static bool goes_before(const struct book *book, const struct task *task, uint32_t left,
                        uint32_t right)
{
    const struct peer *peers = book->roster.peers;
    const struct account *accounts = book->accounts.items;
    uint32_t roots[2] = {book_root(book, peers[left].principal),
                         book_root(book, peers[right].principal)};
    int64_t active[2] = {accounts[roots[0]].all.active, accounts[roots[1]].all.active};
    if (active[0] != active[1]) {
        return active[0] < active[1];
    }
    if (roots[0] != roots[1]) {
        tender_digest ties[2];
        for (int i = 0; i < 2; i++) {
            ties[i] = draw(task, "tender/assign/v1", account_name(&book->accounts, roots[i]));
        }
        return memcmp(ties[0].bytes, ties[1].bytes, sizeof ties[0].bytes) < 0;
    }
    if (peers[left].held != peers[right].held) {
        return peers[left].held < peers[right].held;
    }
    tender_bytes names[2] = {peer_name(&book->roster, left), peer_name(&book->roster, right)};
    size_t common = names[0].size < names[1].size ? names[0].size : names[1].size;
    int order = memcmp(names[0].data, names[1].data, common);
    return order != 0 ? order < 0 : names[0].size < names[1].size;
}

/* The contractor that the task is assigned to, or 0: nobody can take it now. */
static uint32_t choose(const struct book *book, const struct task *task)
{
    const struct roster *roster = &book->roster;
    uint32_t best = 0;
    for (uint32_t at = roster->skills[task->skill].offers; at != 0; at = roster->offers[at].next) {
        uint32_t peer = roster->offers[at].peer;
        if (roster_can_take(roster, peer) && book_may_work(book, task, peer) &&
            book_judge_needs(book, task, peer) == TENDER_REASON_NONE &&
            (best == 0 || goes_before(book, task, peer, best))) {
            best = peer;
        }
    }
    return best;
}

bool book_assign(struct book *book, struct task *task)
{
    int64_t price = 0;
    const struct rate *rate = posted_for(book, task, &price);
    if (rate == NULL || is_sample(task, rate) || !book_can_award(book, task)) {
        return false;
    }
    uint32_t peer = choose(book, task);
    if (peer == 0) {
        return false;
    }
    uint32_t principal = book->roster.peers[peer].principal;
    int64_t due_at = least(book->now_us + task->due_us, task->deadline_at_us);
    struct entry *entry = book_note(book, task, ENTRY_ASSIGNED);
    entry->assigned = (struct entry_assigned){
        .round = (int64_t)task->round.number + 1,
        .generation = (int64_t)task->commitment.generation + 1,
        .contractor = peer_name(&book->roster, peer),
        .principal = account_name(&book->accounts, principal),
        .rate_micro = rate->rate_micro,
        .price_micro = price,
        .units = task->units,
        .ceiling_micro = task->ceiling_micro,
        .due_at_us = due_at,
        .ack_by_us = least(book->now_us + task->ack_us, due_at),
        .head = task->head,
        .held = book_would_hold(book, task, peer),
    };
    book_record(book, task, entry);
    book_tell_award(book, task);
    book_tell_state(book, task);
    return true;
}

static bool assigned_is_valid(const struct task *task, const struct entry_assigned *assigned)
{
    return task->phase == PHASE_IDLE && assigned->part == 0 &&
           assigned->round == (int64_t)task->round.number + 1 &&
           assigned->generation == (int64_t)task->commitment.generation + 1 &&
           assigned->units == task->units && assigned->price_micro >= 0 &&
           assigned->price_micro <= assigned->ceiling_micro;
}

int book_apply_assigned(struct book *book, struct task *task, const struct entry *entry)
{
    const struct entry_assigned *assigned = &entry->assigned;
    if (!assigned_is_valid(task, assigned)) {
        return TENDER_EPROTOCOL;
    }
    uint32_t peer = book_named_peer(book, assigned->contractor, assigned->principal);
    uint32_t past = peer == 0 ? 0 : book_take_past(book);
    if (past == 0) {
        return TENDER_ELIMIT;
    }
    book_clear_bids(book, task);
    task->was_assigned = true;
    task->round = (struct round){
        .number = (uint32_t)assigned->round,
        .units = assigned->units,
        .ceiling_micro = assigned->ceiling_micro,
        .head = assigned->head,
        .digest = entry->hash,
        .rate_micro = assigned->rate_micro,
    };
    task->commitment = (struct commitment){
        .peer = peer,
        .principal = book->roster.peers[peer].principal,
        .generation = (uint32_t)assigned->generation,
        .past = past,
        .is_assigned = true,
        .has_held = assigned->held != 0,
        .cost_micro = assigned->price_micro,
        .price_micro = assigned->price_micro,
        .units = assigned->units,
        .awarded_at_us = entry->at_us,
        .due_at_us = book_moved(book, task, entry->at_us, assigned->due_at_us),
        .ack_by_us = book_moved(book, task, entry->at_us, assigned->ack_by_us),
    };
    commitment_move(&task->commitment.state, COMMITMENT_AWARD);
    book_link_award(book, task);
    if (task->commitment.has_held) {
        book_hold_needs(book, task);
    }
    task_move(&task->state, TASK_AWARD);
    task->phase = PHASE_STANDBY;
    return 0;
}

/* A field outside its range, or NULL. */
static const char *bad_rate(const struct message *said)
{
    if (!message_has(said, MESSAGE_SKILL) ||
        !tender_skill_is_valid(said->skill.data, said->skill.size)) {
        return "skill";
    }
    if (!message_has(said, MESSAGE_PRICE) ||
        !message_field_allows(MESSAGE_PRICE, said->price_micro)) {
        return "price_micro";
    }
    if (!message_has(said, MESSAGE_CEILING) ||
        !message_field_allows(MESSAGE_CEILING, said->ceiling_micro)) {
        return "ceiling_micro";
    }
    if (message_has(said, MESSAGE_TIER) &&
        !tender_skill_is_valid(said->tier.data, said->tier.size)) {
        return "tier";
    }
    bool is_bad_share =
        message_has(said, MESSAGE_SHARE) && !message_field_allows(MESSAGE_SHARE, said->share_ppm);
    return is_bad_share ? "share_ppm" : NULL;
}

void book_hear_rate(struct book *book, const struct event *event)
{
    const struct message *said = event->message;
    const char *field = bad_rate(said);
    if (!event->is_operator || field != NULL) {
        tender_reason reason =
            event->is_operator ? TENDER_REASON_OUT_OF_RANGE : TENDER_REASON_NOT_YOURS;
        book_refuse(book, event, reason, event->is_operator ? field : NULL);
        return;
    }
    tender_bytes tier = message_has(said, MESSAGE_TIER) ? said->tier : (tender_bytes){NULL, 0};
    struct rate_name name = {event->shard, said->skill, tier};
    if (said->price_micro > 0 && find_rate(book, &name) == 0 && !pool_has_room(&book->rates, 1)) {
        book_refuse(book, event, TENDER_REASON_LIMIT_REACHED, NULL);
        return;
    }
    struct entry *entry = book_note_house(book, event->shard, ENTRY_RATED);
    entry->rated = (struct entry_rated){
        .skill = book_keep(book, said->skill),
        .tier = book_keep(book, tier),
        .rate_micro = said->price_micro,
        .threshold_micro = said->ceiling_micro,
        .share_ppm = message_has(said, MESSAGE_SHARE) ? said->share_ppm : DEFAULT_SHARE_PPM,
        .by = book_keep(book, event->peer),
    };
    book_record(book, NULL, entry);
    int status = book_apply_rated(book, entry);
    assert(status == 0);
    (void)status;
    (void)book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
}

static void drop_rate(struct book *book, uint32_t number, const struct rate_name *name)
{
    if (number != 0) {
        table_remove(&book->rate_by_name, hash_rate(name), number);
        pool_give(&book->rates, number);
    }
}

int book_apply_rated(struct book *book, const struct entry *entry)
{
    const struct entry_rated *rated = &entry->rated;
    struct rate_name name = {entry->shard, rated->skill, rated->tier};
    if (rated->skill.size == 0 || rated->skill.size > TENDER_SKILL_MAX ||
        rated->tier.size > TENDER_SKILL_MAX || rated->rate_micro < 0) {
        return TENDER_EPROTOCOL;
    }
    uint32_t number = find_rate(book, &name);
    if (rated->rate_micro == 0) {
        drop_rate(book, number, &name);
        return 0;
    }
    bool is_new = number == 0;
    number = is_new ? pool_new(&book->rates) : number;
    if (number == 0) {
        return TENDER_ELIMIT;
    }
    struct rate *rate = pool_at(&book->rates, number);
    rate->shard = entry->shard;
    rate->skill_size = (uint8_t)rated->skill.size;
    memcpy(rate->skill, rated->skill.data, rated->skill.size);
    rate->tier_size = (uint8_t)rated->tier.size;
    if (rated->tier.size > 0) {
        memcpy(rate->tier, rated->tier.data, rated->tier.size);
    }
    rate->rate_micro = rated->rate_micro;
    rate->threshold_micro = rated->threshold_micro;
    rate->share_ppm = rated->share_ppm;
    if (is_new) {
        table_insert(&book->rate_by_name, hash_rate(&name), number);
    }
    return 0;
}
