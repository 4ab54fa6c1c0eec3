/*
 * tender resource: how many there are of what tasks need. Setting goes through the ledger's inbox,
 * where the database says who may act as an operator.
 */
#include "commands.h"

#include "inbox.h"

#include <inttypes.h>
#include <stdio.h>

int run_resource_set(const struct arguments *arguments)
{
    char count[24];
    snprintf(count, sizeof(count), "%" PRId64, operand(arguments, 1)->number);
    const char *parameters[] = {operand(arguments, 0)->text, count,
                                argument_text(arguments, "contractor")};
    return inbox_request(arguments, "select tender.set_resource($1, $2::integer, $3)", 3,
                         parameters);
}

int run_resource_list(const struct arguments *arguments)
{
    return database_show(arguments, "resource", OUTPUT_LIST,
                         "select resource, contractor, count, held, free, "
                         "array_to_string(holders, ' ') as holders "
                         "from tender.resource order by resource, contractor nulls first",
                         0, NULL);
}
