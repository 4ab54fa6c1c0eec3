/*
 * Migrates the database of TENDER_DATABASE: for tests that need the schema and no program.
 */
#include "ledger.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char error[512] = "";
    if (ledger_migrate(getenv("TENDER_DATABASE"), NULL, NULL, error, sizeof error) != 0) {
        fprintf(stderr, "migrate_database: %s\n", error);
        return 1;
    }
    return 0;
}
