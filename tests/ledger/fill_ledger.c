/*
 * Fills the ledger of TENDER_DATABASE with tasks of the past, by the same way that a broker writes
 * them: each is announced, awarded, done and paid.
 *
 *   fill_ledger TASKS FROM UNTIL [PRINCIPAL]
 *
 * They are PRINCIPAL's, else acme's, and in its shard, spread evenly from FROM days ago until UNTIL
 * days ago.
 *
 * Prints how many rows the tables of history have then.
 */
#include "house.h"

#include <stdio.h>
#include <stdlib.h>

#define AT_ONCE 500
#define DAY_US  (86400 * INT64_C(1000000))

/* A batch has the whole life of some tasks. */
static void live(struct house *house, int count, long *number)
{
    for (int i = 0; i < count; i++) {
        struct chain chain = {0};
        char key[32];
        snprintf(key, sizeof key, "past-%ld", (*number)++);
        house_announce(house, &chain, key, 30 * CREDIT, 40);
        house_open_round(house, &chain, 1, 30 * CREDIT, 40);
        house_answer(house, &chain, 1);
        house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
        house_fulfil(house, &chain, 1, 40, 15 * CREDIT, 30 * CREDIT);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: fill_ledger TASKS FROM UNTIL [PRINCIPAL]\n");
        return 2;
    }
    house_payer = argc == 5 ? argv[4] : house_payer;
    uint32_t shards = (uint32_t)strtoul(sql("select shards from tender_ledger.ledger"), NULL, 10);
    house_shard = shard_of_principal(text(house_payer), shards);
    long tasks = atol(argv[1]);
    long number = 0;
    double from = atof(argv[2]) * (double)DAY_US;
    double until = atof(argv[3]) * (double)DAY_US;
    struct house house;
    house_open(&house, "past");
    int64_t clock_us = house.reign.clock_us;
    house_age_us = (int64_t)from;
    house.now_us = clock_us - house_age_us;
    house_fund(&house, house_payer, tasks * 30 * CREDIT);
    while (number < tasks) {
        double share = (double)number / (double)tasks;
        house_age_us = (int64_t)(from + (until - from) * share);
        house.now_us = clock_us - house_age_us;
        live(&house, tasks - number < AT_ONCE ? (int)(tasks - number) : AT_ONCE, &number);
        if (house_commit(&house) != 0) {
            house_give_up(&house, "a batch");
        }
    }
    house_close(&house);
    printf("%s\n", sql("select (select count(*) from tender_ledger.entry_row) + "
                       "(select count(*) from tender_ledger.task) + "
                       "(select count(*) from tender_ledger.ending) + "
                       "(select count(*) from tender_ledger.task_key)"));
    return 0;
}
