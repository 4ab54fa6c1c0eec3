/*
 * The cost model: ranges, then the formula of cost_model.h in 128 bits. Nothing here knows sessions
 * or messages.
 */
#include "tender/cost_model.h"

typedef __int128 wide;

#define MICRO ((wide)TENDER_PPM) /* also the tokens that a price is for */

/* Of what is not negative. */
static wide divide_up(wide dividend, wide divisor)
{
    return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

/* At most one above `limit`, which says that it is beyond. */
static int64_t bounded(wide value, int64_t limit)
{
    return value > limit ? limit + 1 : (int64_t)value;
}

/* The first member that is out of its range, or "". */
static const char *field_at_fault(const tender_cost_signals *signals)
{
    const struct {
        const char *name;
        int64_t value;
        int64_t minimum;
        int64_t maximum;
    } rows[] = {
        {"in_price_micro", signals->in_price_micro, 0, TENDER_COST_PRICE_MAX},
        {"out_price_micro", signals->out_price_micro, 0, TENDER_COST_PRICE_MAX},
        {"service_tokens", signals->service_tokens, 1, TENDER_COST_TOKENS_MAX},
        {"service_us", signals->service_us, 1, TENDER_DURATION_MAX},
        {"workers", signals->workers, 1, TENDER_SLOTS_MAX},
        {"floor_micro", signals->floor_micro, 0, TENDER_MONEY_MAX},
        {"queue_max_tokens", signals->queue_max_tokens, signals->surge_max_ppm == 0 ? 0 : 1,
         TENDER_COST_QUEUE_MAX},
        {"surge_from_ppm", signals->surge_from_ppm, 0, TENDER_PPM - 1},
        {"surge_max_ppm", signals->surge_max_ppm, 0, TENDER_COST_SURGE_MAX},
        {"units", signals->units, 1, TENDER_UNITS_MAX},
        {"in_tokens", signals->in_tokens, 0, TENDER_COST_TOKENS_MAX},
        {"out_tokens", signals->out_tokens, 0, TENDER_COST_TOKENS_MAX},
        {"queue_tokens", signals->queue_tokens, 0, TENDER_COST_QUEUE_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value < rows[i].minimum || rows[i].value > rows[i].maximum) {
            return rows[i].name;
        }
    }
    return "";
}

static int64_t surge_of(const tender_cost_signals *signals)
{
    wide full = signals->queue_max_tokens;
    wide over = signals->queue_tokens * MICRO - signals->surge_from_ppm * full;
    if (signals->surge_max_ppm == 0 || over <= 0) {
        return 0;
    }
    wide surge = divide_up(signals->surge_max_ppm * over, (MICRO - signals->surge_from_ppm) * full);
    return surge < signals->surge_max_ppm ? (int64_t)surge : signals->surge_max_ppm;
}

static int64_t cost_of(const tender_cost_signals *signals, int64_t surge_ppm)
{
    wide unit = (wide)signals->in_tokens * signals->in_price_micro +
                (wide)signals->out_tokens * signals->out_price_micro;
    /* What is beyond the limit already stays beyond, and its product within 128 bits. */
    int64_t work = bounded(divide_up(signals->units * unit, MICRO), TENDER_MONEY_MAX);
    int64_t cost = bounded(divide_up(work * (MICRO + surge_ppm), MICRO), TENDER_MONEY_MAX);
    return cost > signals->floor_micro ? cost : signals->floor_micro;
}

static int64_t eta_of(const tender_cost_signals *signals)
{
    wide tokens = (wide)signals->units * (signals->in_tokens + signals->out_tokens);
    wide wait_us = divide_up((wide)signals->queue_tokens * signals->service_us,
                             (wide)signals->service_tokens * signals->workers);
    wide work_us = divide_up(tokens * signals->service_us, signals->service_tokens);
    int64_t eta_us = bounded(wait_us + work_us, TENDER_DURATION_MAX);
    return eta_us > 0 ? eta_us : 1;
}

int tender_cost_model(const tender_cost_signals *signals, tender_cost_estimate *estimate_out)
{
    if (estimate_out == NULL) {
        return TENDER_EINVAL;
    }
    bool is_whole = signals != NULL && signals->size >= sizeof *signals;
    *estimate_out = (tender_cost_estimate){.field = is_whole ? field_at_fault(signals) : "size"};
    if (estimate_out->field[0] != '\0') {
        return TENDER_EINVAL;
    }
    estimate_out->surge_ppm = surge_of(signals);
    estimate_out->cost_micro = cost_of(signals, estimate_out->surge_ppm);
    estimate_out->eta_us = eta_of(signals);
    if (estimate_out->cost_micro > TENDER_MONEY_MAX) {
        estimate_out->field = "cost_micro";
    } else if (estimate_out->eta_us > TENDER_DURATION_MAX) {
        estimate_out->field = "eta_us";
    }
    return estimate_out->field[0] == '\0' ? 0 : TENDER_ELIMIT;
}
