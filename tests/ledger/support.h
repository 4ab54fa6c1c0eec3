/*
 * What every test program of the ledger includes: cmocka, a house, and a database that is migrated.
 */
#ifndef TENDER_TESTS_LEDGER_SUPPORT_H
#define TENDER_TESTS_LEDGER_SUPPORT_H

#include "house.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h wants the four above before it. */
#include <cmocka.h>

/* Group setup: migrates the database of TENDER_DATABASE. */
static inline int migrate_database(void **state)
{
    (void)state;
    char error[256] = "";
    int status = ledger_migrate(getenv("TENDER_DATABASE"), NULL, NULL, error, sizeof error);
    if (status != 0) {
        fprintf(stderr, "migration: %s\n", error);
    }
    return status;
}

/* Test setup and teardown: a reign of its own, with money in the account of "acme". */
static inline int begin_house(void **state)
{
    static struct house house;
    house_open(&house, "test");
    house_fund(&house, "acme", 10000 * CREDIT);
    *state = &house;
    return house_commit(&house);
}

static inline int end_house(void **state)
{
    house_close(*state);
    return 0;
}

#define assert_sql(expected, ...) assert_string_equal(sql(__VA_ARGS__), expected)

/* Commits, and says what the ledger says where it cannot. */
static inline void assert_committed(struct house *house)
{
    int status = house_commit(house);
    if (status != 0) {
        fail_msg("%s", ledger_last_error(house->ledger));
    }
}

/* A task as SQL writes it. Valid until the fourth next call. */
static inline const char *name_of(const struct chain *chain)
{
    static char names[4][TENDER_ID_TEXT_SIZE];
    static int turn;
    char *name = names[turn++ % 4];
    tender_id_format(chain->task, name);
    return name;
}

#endif
