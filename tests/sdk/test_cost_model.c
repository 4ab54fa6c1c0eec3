/*
 * Goal: the cost model gives exactly what its formula says, names what is at fault, and never asks
 * less or promises sooner for more work or a longer queue. Method: cost_model.json, computed by
 * exact fractions elsewhere, and properties over signals of all magnitudes from a seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tender/cost_model.h"

#define BOOKS 50000

/* Every signal with its range. X(member, minimum, maximum) */
#define SIGNALS(X)                                                                                 \
    X(in_price_micro, 0, TENDER_COST_PRICE_MAX)                                                    \
    X(out_price_micro, 0, TENDER_COST_PRICE_MAX)                                                   \
    X(service_tokens, 1, TENDER_COST_TOKENS_MAX)                                                   \
    X(service_us, 1, TENDER_DURATION_MAX)                                                          \
    X(workers, 1, TENDER_SLOTS_MAX)                                                                \
    X(floor_micro, 0, TENDER_MONEY_MAX)                                                            \
    X(queue_max_tokens, 1, TENDER_COST_QUEUE_MAX)                                                  \
    X(surge_from_ppm, 0, TENDER_PPM - 1)                                                           \
    X(surge_max_ppm, 0, TENDER_COST_SURGE_MAX)                                                     \
    X(units, 1, TENDER_UNITS_MAX)                                                                  \
    X(in_tokens, 0, TENDER_COST_TOKENS_MAX)                                                        \
    X(out_tokens, 0, TENDER_COST_TOKENS_MAX)                                                       \
    X(queue_tokens, 0, TENDER_COST_QUEUE_MAX)

static int64_t number(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    return strtoll(text, NULL, 10);
}

/* Sets what `object` states, and nothing else; a name that is no signal fails. */
static void read_signals(const json_t *object, tender_cost_signals *signals)
{
    size_t known = 0;
#define X(member, minimum, maximum)                                                                \
    if (json_object_get(object, #member) != NULL) {                                                \
        signals->member = number(object, #member);                                                 \
        known++;                                                                                   \
    }
    SIGNALS(X)
#undef X
    assert_int_equal(known, json_object_size(object));
}

static int status_of(const char *error)
{
    return strcmp(error, "out-of-range") == 0 ? TENDER_EINVAL
           : strcmp(error, "limit") == 0      ? TENDER_ELIMIT
                                              : 0;
}

static void vectors_are_answered_exactly(void **state)
{
    (void)state;
    json_t *root = json_load_file(VECTORS_FILE, 0, NULL);
    json_t *vectors = json_object_get(root, "vectors");
    assert_true(json_array_size(vectors) > 200);
    size_t index;
    json_t *vector;
    json_array_foreach(vectors, index, vector)
    {
        tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
        tender_cost_estimate estimate;
        read_signals(json_object_get(root, "defaults"), &signals);
        read_signals(json_object_get(vector, "signals"), &signals);
        const json_t *answer = json_object_get(vector, "answer");
        const char *error = json_string_value(json_object_get(answer, "error"));
        const char *field = json_string_value(json_object_get(answer, "field"));
        int status = tender_cost_model(&signals, &estimate);
        if (status != status_of(error) || strcmp(estimate.field, field) != 0 ||
            estimate.cost_micro != number(answer, "cost_micro") ||
            estimate.eta_us != number(answer, "eta_us") ||
            estimate.surge_ppm != number(answer, "surge_ppm")) {
            fail_msg("%s: %d %s cost %" PRId64 " eta %" PRId64 " surge %" PRId64,
                     json_string_value(json_object_get(vector, "name")), status, estimate.field,
                     estimate.cost_micro, estimate.eta_us, estimate.surge_ppm);
        }
    }
    json_decref(root);
}

static void the_defaults_are_those_of_the_vectors(void **state)
{
    (void)state;
    json_t *root = json_load_file(VECTORS_FILE, 0, NULL);
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
    tender_cost_signals stated = TENDER_COST_SIGNALS_INIT;
    read_signals(json_object_get(root, "defaults"), &stated);
    assert_int_equal(signals.service_tokens, 0);
    signals.service_tokens = stated.service_tokens;
    assert_memory_equal(&signals, &stated, sizeof signals);
    json_decref(root);
}

static void a_structure_of_another_size_is_refused(void **state)
{
    (void)state;
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
    tender_cost_estimate estimate;
    signals.service_tokens = 1;
    signals.size--;
    assert_int_equal(tender_cost_model(&signals, &estimate), TENDER_EINVAL);
    assert_string_equal(estimate.field, "size");
    signals.size += 9; /* of a later version, whose new members this one does not know */
    assert_int_equal(tender_cost_model(&signals, &estimate), 0);
    assert_string_equal(estimate.field, "");
    assert_int_equal(tender_cost_model(NULL, &estimate), TENDER_EINVAL);
    assert_string_equal(estimate.field, "size");
    assert_int_equal(tender_cost_model(&signals, NULL), TENDER_EINVAL);
}

static void the_service_rate_has_no_default(void **state)
{
    (void)state;
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
    tender_cost_estimate estimate;
    assert_int_equal(tender_cost_model(&signals, &estimate), TENDER_EINVAL);
    assert_string_equal(estimate.field, "service_tokens");
}

/* SplitMix64 (Steele, Lea, Flood 2014): the same draws everywhere. */
static uint64_t draw(uint64_t *seed)
{
    uint64_t mixed = *seed += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* Of any magnitude: one of 1 to 60 bits, then within the range. */
static int64_t draw_within(uint64_t *seed, int64_t minimum, int64_t maximum)
{
    int64_t drawn = (int64_t)(draw(seed) >> (4 + draw(seed) % 60));
    return drawn < minimum ? minimum : drawn > maximum ? maximum : drawn;
}

static tender_cost_signals draw_signals(uint64_t *seed)
{
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
#define X(member, minimum, maximum) signals.member = draw_within(seed, minimum, maximum);
    SIGNALS(X)
#undef X
    return signals;
}

static tender_cost_estimate estimate_of(const tender_cost_signals *signals)
{
    tender_cost_estimate estimate;
    assert_int_not_equal(tender_cost_model(signals, &estimate), TENDER_EINVAL);
    return estimate;
}

static int64_t drawn_above(uint64_t *seed, int64_t value, int64_t maximum)
{
    return value + (int64_t)(draw(seed) % (uint64_t)(maximum - value + 1));
}

static void check_raised(uint64_t seed, const char *member, const tender_cost_estimate *less,
                         const tender_cost_estimate *more, bool is_later)
{
    if (more->cost_micro < less->cost_micro || (is_later && more->eta_us < less->eta_us)) {
        fail_msg("seed %#" PRIx64 ": more %s costs %" PRId64 " after %" PRId64 " and takes %" PRId64
                 " after %" PRId64,
                 seed, member, more->cost_micro, less->cost_micro, more->eta_us, less->eta_us);
    }
}

static void more_is_never_cheaper_or_sooner(void **state)
{
    (void)state;
    uint64_t seed = 0x7e4de5;
    for (int i = 0; i < BOOKS; i++) {
        uint64_t began = seed;
        tender_cost_signals signals = draw_signals(&seed);
        tender_cost_estimate less = estimate_of(&signals);
        tender_cost_signals raised;
        tender_cost_estimate more;
#define RAISE(member, maximum, is_later)                                                           \
    raised = signals;                                                                              \
    raised.member = i % 2 == 0 && signals.member < (maximum)                                       \
                        ? signals.member + 1                                                       \
                        : drawn_above(&seed, signals.member, maximum);                             \
    more = estimate_of(&raised);                                                                   \
    check_raised(began, #member, &less, &more, is_later);
        RAISE(units, TENDER_UNITS_MAX, true)
        RAISE(in_tokens, TENDER_COST_TOKENS_MAX, true)
        RAISE(out_tokens, TENDER_COST_TOKENS_MAX, true)
        RAISE(queue_tokens, TENDER_COST_QUEUE_MAX, true)
        RAISE(service_us, TENDER_DURATION_MAX, true)
        RAISE(in_price_micro, TENDER_COST_PRICE_MAX, false)
        RAISE(out_price_micro, TENDER_COST_PRICE_MAX, false)
        RAISE(floor_micro, TENDER_MONEY_MAX, false)
        RAISE(surge_max_ppm, TENDER_COST_SURGE_MAX, false)
#undef RAISE
    }
}

static void a_faster_service_is_never_later(void **state)
{
    (void)state;
    uint64_t seed = 0xfa57;
    for (int i = 0; i < BOOKS; i++) {
        tender_cost_signals signals = draw_signals(&seed);
        tender_cost_estimate slow = estimate_of(&signals);
        tender_cost_signals faster = signals;
        faster.workers = drawn_above(&seed, signals.workers, TENDER_SLOTS_MAX);
        faster.service_tokens = drawn_above(&seed, signals.service_tokens, TENDER_COST_TOKENS_MAX);
        tender_cost_estimate fast = estimate_of(&faster);
        assert_true(fast.eta_us <= slow.eta_us);
        assert_int_equal(fast.cost_micro, slow.cost_micro);
    }
}

/* What is returned with 0 is a bid: within the ranges of tender_propose, never below the floor. */
static void an_estimate_can_be_bid(void **state)
{
    (void)state;
    uint64_t seed = 0xb1d;
    int bids = 0;
    for (int i = 0; i < BOOKS; i++) {
        tender_cost_signals signals = draw_signals(&seed);
        tender_cost_estimate estimate;
        int status = tender_cost_model(&signals, &estimate);
        bool is_bid = estimate.cost_micro <= TENDER_MONEY_MAX && estimate.eta_us >= 1 &&
                      estimate.eta_us <= TENDER_DURATION_MAX;
        assert_int_equal(status, is_bid ? 0 : TENDER_ELIMIT);
        assert_int_equal(is_bid, estimate.field[0] == '\0');
        assert_true(estimate.cost_micro >= signals.floor_micro);
        assert_in_range(estimate.surge_ppm, 0, signals.surge_max_ppm);
        bids += is_bid;
    }
    assert_in_range(bids, BOOKS / 10, BOOKS - BOOKS / 10); /* both kinds were tried */
}

/* Without surge, floor and queue: by multiplication, where the model divides. */
static void nothing_is_understated_nor_a_step_too_high(void **state)
{
    (void)state;
    uint64_t seed = 0xce11;
    for (int i = 0; i < BOOKS; i++) {
        tender_cost_signals signals = draw_signals(&seed);
        signals.surge_max_ppm = signals.floor_micro = signals.queue_tokens = 0;
        tender_cost_estimate estimate = estimate_of(&signals);
        __int128 price = ((__int128)signals.in_tokens * signals.in_price_micro +
                          (__int128)signals.out_tokens * signals.out_price_micro) *
                         signals.units;
        __int128 time =
            ((__int128)signals.in_tokens + signals.out_tokens) * signals.units * signals.service_us;
        assert_true((__int128)(estimate.cost_micro - 1) * TENDER_PPM < price || price == 0);
        assert_true((__int128)(estimate.eta_us - 1) * signals.service_tokens < time || time == 0);
        if (estimate.cost_micro <= TENDER_MONEY_MAX) {
            assert_true((__int128)estimate.cost_micro * TENDER_PPM >= price);
        }
        if (estimate.eta_us <= TENDER_DURATION_MAX) {
            assert_true((__int128)estimate.eta_us * signals.service_tokens >= time);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_answered_exactly),
        cmocka_unit_test(the_defaults_are_those_of_the_vectors),
        cmocka_unit_test(a_structure_of_another_size_is_refused),
        cmocka_unit_test(the_service_rate_has_no_default),
        cmocka_unit_test(more_is_never_cheaper_or_sooner),
        cmocka_unit_test(a_faster_service_is_never_later),
        cmocka_unit_test(an_estimate_can_be_bid),
        cmocka_unit_test(nothing_is_understated_nor_a_step_too_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
