/*
 * What a task costs a contractor that runs on a model, and how long it takes: a bid from signals
 * that it has anyway. Integers only, no clock, no state: the same signals give the same bid on
 * every machine and in every language (PROTOCOL.md, "What to bid"; tests/sdk/cost_model.json).
 *
 *     tokens × price, surge, floor ─▶ cost_micro
 *     queue, tokens, service rate  ─▶ eta_us
 *
 * State the true marginal cost: what you spend because you do this task and would not spend
 * otherwise. The winner is paid the lowest cost of another principal, so your own bid decides only
 * whether you win, not what you are paid. Bidding more loses tasks that would have paid more than
 * they cost you; bidding less wins tasks that pay less than they cost. In one round of a
 * second-price auction the truth is never worse, whatever the others bid;
 * broker/core/MECHANISM.md says what that rests on.
 *
 * Hence profit has no place in these signals, and neither has what is paid in any case, such as a
 * machine that is rented by the month. A wait has: what you take on now delays or displaces other
 * work of yours. The surge states that cost of delay, which grows with the tokens of this task and
 * with the queue that it joins. It is no markup: with capacity to spare, leave it at 0.
 */
#ifndef TENDER_COST_MODEL_H
#define TENDER_COST_MODEL_H

#include "tender/vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of the signals. Within them no product exceeds 2^127. */
#define TENDER_COST_TOKENS_MAX INT64_C(1000000000000)    /* tokens of a unit, or of a rate */
#define TENDER_COST_QUEUE_MAX  INT64_C(1000000000000000) /* tokens of a queue */
#define TENDER_COST_PRICE_MAX  INT64_C(1000000000000000) /* micro-credits of a million tokens */
#define TENDER_COST_SURGE_MAX  INT64_C(1000000000)       /* ppm: a thousandfold */

/*
 * What the model reads. Start from TENDER_COST_SIGNALS_INIT, which records the size of the
 * structure and sets the defaults named here; keep one for each tier, and for each call fill in
 * the last four.
 *
 * in_price_micro    for a million tokens read, and
 * out_price_micro   for a million written: 0 to TENDER_COST_PRICE_MAX; default 0. A price per
 *                   thousand tokens times 1000.
 * service_tokens    one worker serves so many tokens, read and written together: 1 to
 *                   TENDER_COST_TOKENS_MAX. Required.
 * service_us        in this time, 1 to TENDER_DURATION_MAX; default one second. Together they are
 *                   the service rate, exactly as measured. An eta is a promise: take the rate of a
 *                   slow hour, not the mean.
 * workers           that serve the queue, 1 to TENDER_SLOTS_MAX; default 1. One does the task.
 * floor_micro       the least that any task costs, 0 to TENDER_MONEY_MAX; default 0
 * queue_max_tokens  a full queue, 0 to TENDER_COST_QUEUE_MAX; at least 1 with a surge; default 0
 * surge_from_ppm    the share of a full queue above which the surge begins, 0 to 999,999; default 0
 * surge_max_ppm     what a full queue adds to the cost, as a share of it, 0 to
 *                   TENDER_COST_SURGE_MAX; a longer queue adds no more. Default 0: no surge.
 *
 * units             of the call for proposals, 1 to TENDER_UNITS_MAX; default 1
 * in_tokens         that a unit is expected to read, and
 * out_tokens        to write, 0 to TENDER_COST_TOKENS_MAX; default 0
 * queue_tokens      the length of the queue: tokens yet to be served of all that you hold or may
 *                   still be awarded, 0 to TENDER_COST_QUEUE_MAX; default 0. While fewer tasks are
 *                   ahead than you have workers, none waits, and it may be 0.
 */
typedef struct tender_cost_signals {
    size_t size;
    int64_t in_price_micro;
    int64_t out_price_micro;
    int64_t service_tokens;
    int64_t service_us;
    int64_t workers;
    int64_t floor_micro;
    int64_t queue_max_tokens;
    int64_t surge_from_ppm;
    int64_t surge_max_ppm;
    int64_t units;
    int64_t in_tokens;
    int64_t out_tokens;
    int64_t queue_tokens;
} tender_cost_signals;

#define TENDER_COST_SIGNALS_INIT                                                                   \
    {                                                                                              \
        sizeof(tender_cost_signals), 0, 0, 0, 1000000, 1, 0, 0, 0, 0, 1, 0, 0, 0                   \
    }

/*
 * What to bid.
 *
 * cost_micro  for all units
 * eta_us      from the award, at least 1
 * surge_ppm   that is in the cost: 0 to surge_max_ppm
 * field       "" or what is at fault: a member of the signals that is out of its range, or
 *             "cost_micro" or "eta_us". Static.
 */
typedef struct tender_cost_estimate {
    int64_t cost_micro;
    int64_t eta_us;
    int64_t surge_ppm;
    const char *field;
} tender_cost_estimate;

/*
 * Computes a bid's cost and eta. Each division rounds up, so neither is ever understated:
 *
 *     work  = ⌈units × (in_tokens × in_price_micro + out_tokens × out_price_micro) / 10^6⌉
 *     over  = queue_tokens × 10^6 − surge_from_ppm × queue_max_tokens
 *     surge = 0 where over ≤ 0 or surge_max_ppm = 0, else the lesser of surge_max_ppm and
 *             ⌈surge_max_ppm × over / ((10^6 − surge_from_ppm) × queue_max_tokens)⌉
 *     cost  = max(floor_micro, ⌈work × (10^6 + surge) / 10^6⌉)
 *     eta   = max(1, ⌈queue_tokens × service_us / (service_tokens × workers)⌉
 *                    + ⌈units × (in_tokens + out_tokens) × service_us / service_tokens⌉)
 *
 * More of units, tokens, prices, queue, floor or surge never makes a task cheaper, and more of
 * units, tokens or queue never makes it sooner.
 *
 * Returns 0. TENDER_EINVAL when a signal is out of its range: `field` names the first, in the order
 * of the structure ("size" where it does not start from TENDER_COST_SIGNALS_INIT), and the rest is
 * 0. TENDER_ELIMIT when the cost is above TENDER_MONEY_MAX or the eta above TENDER_DURATION_MAX,
 * more than a bid can state: `field` names it (the cost, where both are), and its value is one
 * above that limit. So it is beyond every ceiling or due, and a program that compares them, as it
 * must, refuses for the true reason without asking what was returned.
 */
TENDER_API TENDER_MUST_CHECK int tender_cost_model(const tender_cost_signals *signals,
                                                   tender_cost_estimate *estimate_out);

#ifdef __cplusplus
}
#endif

#endif
