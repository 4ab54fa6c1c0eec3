/*
 * tender rate set and rate list: the rate card. Setting goes through the ledger's inbox, where the
 * database says who may act as an operator.
 */
#include "commands.h"

#include "inbox.h"

#include <inttypes.h>
#include <stdio.h>

/* "0.02" of 20000. */
static void write_share(int64_t ppm, char text[24])
{
    snprintf(text, 24, "%" PRId64 ".%06" PRId64, ppm / TENDER_PPM, ppm % TENDER_PPM);
}

int run_rate_set(const struct arguments *arguments)
{
    static const char sql[] =
        "select tender.set_rate($1, $2::numeric, $3::numeric, $4, $5::numeric)";
    char rate[VALUE_MICRO_MAX];
    char threshold[VALUE_MICRO_MAX];
    char share[24];
    value_write_credits(operand(arguments, 1)->number, rate);
    value_write_credits(argument_number(arguments, "threshold"), threshold);
    write_share(argument_number(arguments, "share"), share);
    const char *parameters[] = {operand(arguments, 0)->text, rate, threshold,
                                argument_text(arguments, "tier"), share};
    return inbox_request(arguments, sql, 5, parameters);
}

int run_rate_list(const struct arguments *arguments)
{
    return database_show(arguments, "rate", OUTPUT_LIST,
                         "select skill, tier, rate, threshold, share, set_by, set_at "
                         "from tender.rate order by skill, tier nulls first",
                         0, NULL);
}
