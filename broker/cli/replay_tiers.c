#include "replay_tiers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The columns after the name; the name is quoted in messages. */
static const struct column {
    const char *name;
    struct value_rule rule;
} columns[] = {
    {"name", {VALUE_NAME, 0, 0, NULL}},
    {"principal", {VALUE_NAME, 0, 0, NULL}},
    {"price", {VALUE_CREDITS, 0, INT64_C(1000000000000), NULL}},
    {"tokens/s", {VALUE_COUNT, 1, 100000000, NULL}},
    {"slots", {VALUE_COUNT, 1, 32767, NULL}},
    {"queue", {VALUE_COUNT, 0, 32768, NULL}},
};
#define COLUMN_COUNT_ (sizeof(columns) / sizeof(columns[0]))

void tiers_default(struct tiers *tiers_out)
{
    *tiers_out = (struct tiers){3,
                                {{"small", "kestrel", 200000, 500, 6, 12},
                                 {"medium", "heron", 600000, 250, 12, 24},
                                 {"large", "albatross", 2000000, 150, 40, 80}}};
}

static int read_tier(char *line, size_t number, struct tier *tier, char *why)
{
    struct value values[COLUMN_COUNT_];
    char *rest = NULL;
    char reason[VALUE_WHY_MAX];
    for (size_t i = 0; i < COLUMN_COUNT_; i++) {
        const char *word = strtok_r(i == 0 ? line : NULL, " \t\r\n", &rest);
        if (word == NULL) {
            snprintf(why, VALUE_WHY_MAX,
                     "line %zu: %s is missing; a tier has name, principal, "
                     "price, tokens/s, slots, queue",
                     number, columns[i].name);
            return TENDER_EINVAL;
        }
        if (value_read(&columns[i].rule, word, &values[i], reason) < 0) {
            snprintf(why, VALUE_WHY_MAX, "line %zu: %s: %.380s", number, columns[i].name, reason);
            return TENDER_EINVAL;
        }
    }
    if (strtok_r(NULL, " \t\r\n", &rest) != NULL) {
        snprintf(why, VALUE_WHY_MAX, "line %zu has more than six columns", number);
        return TENDER_EINVAL;
    }
    *tier = (struct tier){.price_micro = values[2].number,
                          .tokens_per_second = values[3].number,
                          .slots = values[4].number,
                          .queue = values[5].number};
    snprintf(tier->name, sizeof(tier->name), "%s", values[0].text);
    snprintf(tier->principal, sizeof(tier->principal), "%s", values[1].text);
    return 0;
}

static bool is_name_new(const struct tiers *tiers, const char *name)
{
    for (size_t i = 0; i < tiers->count; i++) {
        if (strcmp(tiers->items[i].name, name) == 0) {
            return false;
        }
    }
    return true;
}

int tiers_read(FILE *file, struct tiers *tiers_out, char *why)
{
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    *tiers_out = (struct tiers){0};
    for (size_t number = 1; status == 0 && getline(&line, &capacity, file) >= 0; number++) {
        struct tier tier;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        status = read_tier(line, number, &tier, why);
        if (status == 0 && (tiers_out->count == TIERS_MAX || !is_name_new(tiers_out, tier.name))) {
            snprintf(why, VALUE_WHY_MAX, "line %zu: %s", number,
                     tiers_out->count == TIERS_MAX ? "more than 16 tiers" : "the name comes twice");
            status = TENDER_EINVAL;
        }
        if (status == 0) {
            tiers_out->items[tiers_out->count++] = tier;
        }
    }
    free(line);
    if (status == 0 && tiers_out->count == 0) {
        snprintf(why, VALUE_WHY_MAX, "the table has no tiers");
        status = TENDER_EINVAL;
    }
    return status;
}

void tiers_write(const struct tiers *tiers, FILE *out)
{
    fprintf(out,
            "# Contractors of tender replay. Price in credits per thousand tokens; a tier works\n"
            "# on `slots` tasks at once, each at `tokens/s`, and holds `slots` + `queue`.\n"
            "# %-14s %-16s %10s %10s %6s %6s\n",
            "name", "principal", "price", "tokens/s", "slots", "queue");
    for (size_t i = 0; i < tiers->count; i++) {
        const struct tier *tier = &tiers->items[i];
        char price[VALUE_MICRO_MAX];
        value_write_credits(tier->price_micro, price);
        fprintf(out, "%-16s %-16s %10s %10" PRId64 " %6" PRId64 " %6" PRId64 "\n", tier->name,
                tier->principal, price, tier->tokens_per_second, tier->slots, tier->queue);
    }
}

tender_cost_estimate tier_estimate(const struct tier *tier, int64_t tokens, int64_t queue_tokens)
{
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
    signals.out_price_micro = tier->price_micro * 1000; /* of a million tokens */
    signals.service_tokens = tier->tokens_per_second;
    signals.workers = tier->slots;
    signals.units = tokens;
    signals.out_tokens = 1;
    signals.queue_tokens = queue_tokens;
    tender_cost_estimate estimate;
    int status = tender_cost_model(&signals, &estimate);
    assert(status != TENDER_EINVAL);
    return estimate;
}
