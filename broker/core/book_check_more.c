/* Invariants and fingerprint of what plain tasks have not: extras, rates, counts, holds, goals. */
#include "book_check.h"

#include <assert.h>

void book_check_extra(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    assert(task->phase != PHASE_ENDED);
    assert(extra->promised_units >= 0 && extra->promised_micro >= 0);
    assert(task_left(book, task) >= 0);
    assert(task->paid_micro + extra->promised_micro <= task->ceiling_micro);
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

void book_put_extra(crypto_hash_sha256_state *state, const struct book *book,
                    const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    put_terms(state, book, extra);
    put_links(state, book, extra);
    if (extra->goal != 0) {
        put_goal(state, book_goal_of(book, task));
    }
    sum_put(state, (int64_t)extra->uncounted);
    sum_put(state, (int64_t)extra->hold);
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

void book_check_facts(const struct book *book)
{
    check_counts(book);
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
        sum_put_name(&state, skill_name(&book->roster, count->skill));
        sum_put_bytes(&state, count->contractor, count->contractor_size);
        sum_put(&state, (int64_t)count->count);
        sum_put(&state, (int64_t)count->held);
        sum_add(sum, &state);
    }
}

void book_add_facts(const struct book *book, struct sum *sum)
{
    add_rates(book, sum);
    add_counts(book, sum);
}
