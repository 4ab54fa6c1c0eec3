/* Invariants and fingerprint of what plain tasks have not: extras, rates, counts, holds, goals. */
#include "book_check.h"

#include <assert.h>

/* What parts promise is what their task has promised. */
static void check_parts(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    int64_t units = 0;
    int64_t price_micro = 0;
    uint32_t part = 0;
    for (uint32_t at = extra->parts; at != 0; at = book->tasks[at].part_next) {
        const struct task *sister = &book->tasks[at];
        assert(phase_is_owned(sister->phase));
        assert(sister->whole == book_task_number(book, task));
        assert(sister->part > part && sister->part <= extra->part_last);
        part = sister->part;
        units += sister->commitment.units;
        price_micro += sister->commitment.price_micro;
    }
    assert(units == extra->promised_units);
    assert(price_micro == extra->promised_micro);
    assert(extra->parts == 0 || task->state == TENDER_TASK_AWARDED);
    assert(extra->parts != 0 || task->phase != PHASE_PARTS);
    assert(task->split == 0);
}

/* A goal's tasks hang in its list, and those that its belief holds for are counted. */
static void check_goals(const struct book *book)
{
    for (uint32_t number = 1; number <= book->goals.used; number++) {
        const struct goal *goal = pool_at(&book->goals, number);
        uint32_t count = 0;
        uint32_t older = 0;
        for (uint32_t at = goal->account != 0 ? goal->tasks : 0; at != 0;) {
            const struct task *task = &book->tasks[at];
            const struct extra *extra = task_extra(book, task);
            assert(extra->goal == number && task->account == goal->account);
            count++;
            older += goal->believed_at_us != 0 && task->announced_at_us <= goal->believed_at_us;
            at = extra->goal_next;
        }
        assert(goal->account == 0 || (count == goal->task_count && older == goal->older_count));
    }
}

/* What waits does so for what has not ended, and is counted. */
static void check_links(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    uint32_t pending = 0;
    assert(task->phase == PHASE_BLOCKED || extra->waits == 0);
    for (uint32_t at = extra->waits; at != 0;) {
        const struct link *link = pool_at(&book->links, at);
        assert(link->prerequisite == 0 || link->state == 0);
        assert(link->prerequisite == 0 || book->tasks[link->prerequisite].phase != PHASE_ENDED);
        pending += link->state == 0;
        at = link->next_wait;
    }
    assert(pending == extra->waiting_for);
}

/* Leads are of one auction, one for each root; who holds a task waits for something. */
static void check_course(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    assert(extra->improved <= extra->improve);
    assert((extra->leads != 0) == (extra->improved > 0));
    assert(extra->leads == 0 || task->phase == PHASE_WINDOW);
    assert(extra->hold == TENDER_REASON_NONE || task->phase != PHASE_HELD);
    for (uint32_t at = extra->leads; at != 0;) {
        const struct lead *lead = pool_at(&book->leads, at);
        at = lead->next;
        for (uint32_t other = at; other != 0;) {
            const struct lead *next = pool_at(&book->leads, other);
            assert(next->root != lead->root);
            other = next->next;
        }
    }
}

void book_check_extra(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    assert(task->phase != PHASE_ENDED);
    check_links(book, task);
    check_course(book, task);
    assert(extra->promised_units >= 0 && extra->promised_micro >= 0);
    assert(task_left(book, task) >= 0);
    bool is_owned = task->whole == 0 && phase_is_owned(task->phase);
    int64_t price_micro = is_owned ? task->commitment.price_micro : 0;
    assert(task->paid_micro + extra->promised_micro + price_micro <= task->ceiling_micro);
    check_parts(book, task);
}

static void put_terms(crypto_hash_sha256_state *state, const struct book *book,
                      const struct extra *extra)
{
    for (uint32_t i = 0; i < extra->need_count; i++) {
        sum_put_name(state, skill_name(&book->roster, extra->needs[i]));
    }
    sum_put_bytes(state, extra->evidence, extra->evidence_size);
    sum_put_bytes(state, extra->tier, extra->tier_size);
    sum_put(state, extra->accept_us);
    sum_put(state, (int64_t)extra->split_max);
    sum_put(state, extra->is_cover_all);
    sum_put(state, (int64_t)extra->improve);
    sum_put(state, extra->is_lead_only);
    sum_put(state, (int64_t)extra->invite_max);
    sum_put(state, extra->newcomers_ppm);
}

/* The choice that a part was made by. */
static void put_offers(crypto_hash_sha256_state *state, const struct book *book, uint32_t first)
{
    const struct split_offer *offer = pool_at(&book->split_offers, first);
    sum_put(state, (int64_t)offer->parts);
    sum_put(state, (int64_t)offer->parts_max);
    sum_put(state, offer->units);
    sum_put(state, offer->ceiling_micro);
    for (uint32_t at = first; at != 0; at = offer->next) {
        offer = pool_at(&book->split_offers, at);
        sum_put(state, offer->unit_micro);
        sum_put(state, offer->capacity);
        sum_put(state, offer->won);
        sum_put(state, offer->price_micro);
    }
}

/* What a blocked task waits for: what is told apart is the identifier and how it ended. */
static void put_links(crypto_hash_sha256_state *state, const struct book *book,
                      const struct extra *extra)
{
    uint64_t sum = 0;
    for (uint32_t at = extra->waits; at != 0;) {
        const struct link *link = pool_at(&book->links, at);
        sum += table_hash(link->state, link->id.bytes, sizeof link->id.bytes);
        at = link->next_wait;
    }
    sum_put(state, (int64_t)sum);
    sum_put(state, (int64_t)extra->waiting_for);
    sum_put(state, (int64_t)extra->hindrance);
    sum_put(state, extra->has_own_deadline);
}

static void put_goal(crypto_hash_sha256_state *state, const struct goal *goal)
{
    sum_put_bytes(state, goal->name, goal->name_size);
    sum_put(state, (int64_t)goal->task_count);
    sum_put(state, (int64_t)goal->older_count);
    sum_put(state, (int64_t)goal_ended(goal));
    sum_put(state, goal_suspended(goal));
}

/* What each bidder of the auction under way asked for last. */
static void put_leads(crypto_hash_sha256_state *state, const struct book *book,
                      const struct extra *extra)
{
    sum_put(state, (int64_t)extra->improved);
    for (uint32_t at = extra->leads; at != 0;) {
        const struct lead *lead = pool_at(&book->leads, at);
        sum_put_name(state, peer_name(&book->roster, lead->peer));
        sum_put_name(state, account_name(&book->accounts, lead->root));
        sum_put(state, (int64_t)lead->rank);
        sum_put(state, lead->cost_micro);
        at = lead->next;
    }
}

/* What waits for the client, and the sample of it that it sees. */
static void put_delivery(crypto_hash_sha256_state *state, const struct delivery *delivery)
{
    sum_put(state, delivery->at_us);
    sum_put(state, delivery->accept_by_us);
    sum_put(state, delivery->units_done);
    sum_put(state, delivery->size);
    sum_put(state, delivery->measured_micro);
    sum_put_bytes(state, delivery->digest.bytes, sizeof delivery->digest.bytes);
    sum_put_bytes(state, delivery->content, delivery->content_size);
    sum_put_bytes(state, delivery->evidence, delivery->evidence_size);
    sum_put_bytes(state, delivery->tier, delivery->tier_size);
    sum_put(state, (int64_t)delivery->sample_at);
    sum_put(state, (int64_t)delivery->sample_size);
}

void book_put_extra(crypto_hash_sha256_state *state, const struct book *book,
                    const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    put_terms(state, book, extra);
    if (task->phase == PHASE_DELIVERED) {
        put_delivery(state, pool_at(&book->deliveries, task->commitment.delivery));
    }
    put_links(state, book, extra);
    if (extra->goal != 0) {
        put_goal(state, book_goal_of(book, task));
    }
    sum_put(state, (int64_t)extra->uncounted);
    sum_put(state, (int64_t)extra->hold);
    sum_put(state, extra->hold_until_us);
    sum_put(state, extra->is_operators);
    put_leads(state, book, extra);
    sum_put(state, (int64_t)extra->part_last);
    sum_put(state, extra->promised_units);
    sum_put(state, extra->promised_micro);
    if (task->whole != 0) {
        put_offers(state, book, task->split);
    }
}

/* Of each name as much is held as commitments that need it go on. */
static void check_counts(const struct book *book)
{
    for (uint32_t number = 1; number <= book->counts.used; number++) {
        const struct count *count = pool_at(&book->counts, number);
        uint32_t held = 0;
        for (uint32_t at = 1; count->skill != 0 && at <= book->tasks_used; at++) {
            const struct task *task = &book->tasks[at];
            held += phase_is_owned(task->phase) && task->commitment.has_held &&
                            book_takes_count(book, task, count)
                        ? 1u
                        : 0u;
        }
        assert(count->held == held);
        assert(count->held <= count->count);
    }
}

/* Holds and sheets that are in use are as many as their pools say; due ones are counted. */
static void check_holds(const struct book *book)
{
    uint32_t bars = 0;
    uint32_t sheets = 0;
    uint32_t ripe = 0;
    for (uint32_t number = 1; number <= book->bars.used; number++) {
        const struct bar *bar = pool_at(&book->bars, number);
        bars += bar->until_us != 0;
    }
    for (uint32_t number = 1; number <= book->strikes.used; number++) {
        const struct strikes *strikes = pool_at(&book->strikes, number);
        sheets += strikes->contractor_size > 0;
        ripe += strikes->is_ripe;
        assert(strikes->contractor_size == 0 || strikes->sheet.count > 0);
    }
    assert(bars == book->bars.used_count);
    assert(sheets == book->strikes.used_count);
    assert(ripe == book->ripe_count);
}

void book_check_facts(const struct book *book)
{
    check_holds(book);
    check_counts(book);
    check_goals(book);
}

static void add_rates(const struct book *book, struct sum *sum)
{
    for (uint32_t number = 1; number <= book->rates.used; number++) {
        const struct rate *rate = pool_at(&book->rates, number);
        crypto_hash_sha256_state state;
        if (rate->skill_size == 0) {
            continue;
        }
        sum_begin(&state, 'r');
        sum_put(&state, (int64_t)rate->shard);
        sum_put_bytes(&state, rate->skill, rate->skill_size);
        sum_put_bytes(&state, rate->tier, rate->tier_size);
        sum_put(&state, rate->rate_micro);
        sum_put(&state, rate->threshold_micro);
        sum_put(&state, rate->share_ppm);
        sum_add(sum, &state);
    }
}

static void add_counts(const struct book *book, struct sum *sum)
{
    for (uint32_t number = 1; number <= book->counts.used; number++) {
        const struct count *count = pool_at(&book->counts, number);
        crypto_hash_sha256_state state;
        if (count->skill == 0) {
            continue;
        }
        sum_begin(&state, 'c');
        sum_put(&state, (int64_t)count->shard);
        sum_put_name(&state, skill_name(&book->roster, count->skill));
        sum_put_bytes(&state, count->contractor, count->contractor_size);
        sum_put(&state, (int64_t)count->count);
        sum_put(&state, (int64_t)count->held);
        sum_add(sum, &state);
    }
}

static void add_bars(const struct book *book, struct sum *sum)
{
    for (uint32_t number = 1; number <= book->bars.used; number++) {
        const struct bar *bar = pool_at(&book->bars, number);
        crypto_hash_sha256_state state;
        if (bar->until_us == 0) {
            continue;
        }
        sum_begin(&state, 'o');
        sum_put(&state, (int64_t)bar->shard);
        sum_put_bytes(&state, bar->contractor, bar->contractor_size);
        sum_put_bytes(&state, bar->principal, bar->principal_size);
        sum_put_bytes(&state, bar->skill, bar->skill_size);
        sum_put(&state, (int64_t)bar->reason);
        sum_put(&state, bar->until_us);
        sum_add(sum, &state);
    }
}

static void add_principals(const struct book *book, struct sum *sum)
{
    for (uint32_t number = 1; number <= book->keyring.principals.used; number++) {
        const struct keyring_principal *principal = pool_at(&book->keyring.principals, number);
        crypto_hash_sha256_state state;
        sum_begin(&state, 'q');
        sum_put_bytes(&state, principal->name, principal->name_size);
        sum_put_bytes(&state, principal->parent, principal->parent_size);
        sum_put_bytes(&state, principal->key.bytes, sizeof principal->key.bytes);
        sum_put(&state, principal->is_revoked);
        sum_put(&state, principal->said_at_us);
        sum_add(sum, &state);
    }
}

static void add_agents(const struct book *book, struct sum *sum)
{
    for (uint32_t number = 1; number <= book->keyring.agents.used; number++) {
        const struct keyring_agent *agent = pool_at(&book->keyring.agents, number);
        crypto_hash_sha256_state state;
        sum_begin(&state, 'v');
        sum_put_bytes(&state, agent->name, agent->name_size);
        sum_put_bytes(&state, agent->principal, agent->principal_size);
        sum_put_bytes(&state, agent->key.bytes, sizeof agent->key.bytes);
        sum_put(&state, agent->is_revoked);
        sum_put(&state, agent->said_at_us);
        for (uint32_t at = agent->grants; at != 0;) {
            const struct keyring_grant *grant = pool_at(&book->keyring.grants, at);
            sum_put_bytes(&state, grant->skill, grant->skill_size);
            at = grant->next;
        }
        sum_add(sum, &state);
    }
}

void book_add_facts(const struct book *book, struct sum *sum)
{
    add_principals(book, sum);
    add_agents(book, sum);
    add_bars(book, sum);
    add_rates(book, sum);
    add_counts(book, sum);
}
