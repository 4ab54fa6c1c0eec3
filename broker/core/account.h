/*
 * Accounts: one for each principal, with what it may still promise (available), what open tasks
 * hold (reserved), what it paid (spent) and what it was paid (earned). Every movement has two
 * sides: a function takes from one bucket and gives to another. Does not know tasks.
 */
#ifndef TENDER_BROKER_CORE_ACCOUNT_H
#define TENDER_BROKER_CORE_ACCOUNT_H

#include "table.h"

/*
 * The most that all accounts together may hold, what was spent included, in micro-credits: so no
 * sum of them overflows, whoever reserves, pays or earns it.
 */
#define ACCOUNTS_ISSUED_MAX (9 * TENDER_MONEY_MAX)

/* Money in micro-credits. `references` counts who needs the account beside its balances. */
struct account {
    char name[TENDER_NAME_MAX];
    uint8_t name_size;
    uint8_t shard;
    uint32_t references;
    uint32_t next_free;
    uint32_t active;            /* commitments that its agents hold */
    uint32_t ended;             /* commitments of its agents that ended, and */
    uint32_t fulfilled;         /* those of them that were kept */
    uint32_t tasks;             /* that it pays for and that have not ended */
    uint32_t answers;           /* invitations and bids of its agents, in open rounds */
    int64_t announced_until_us; /* so far its announcements have used up what it may say */
    int64_t available_micro;
    int64_t reserved_micro;
    int64_t spent_micro;
    int64_t earned_micro;
};

/* What the agents of a principal have promised, for tasks of one shard: active commitments. */
struct account_debt {
    uint32_t count;
    int64_t price_micro; /* the sum of their prices */
};

/* items [1 … capacity]; debts [(capacity + 1) * shard_count], those of an account together */
struct accounts {
    struct account *items;
    struct account_debt *debts;
    struct table by_name;
    int64_t issued_micro; /* put into all of them, less what was taken out */
    uint32_t shard_count;
    uint32_t capacity;
    uint32_t used; /* items beyond were never used */
    uint32_t free;
};

TENDER_MUST_CHECK int accounts_init(struct accounts *accounts, uint32_t capacity,
                                    uint32_t shard_count);
void accounts_release(struct accounts *accounts);

/* Number of the principal's account, or 0. */
uint32_t account_find(const struct accounts *accounts, tender_bytes name);
/* The same, opening an empty one where there is none; 0 when the table is full. */
uint32_t account_open(struct accounts *accounts, tender_bytes name);
/* Whether account_open could open one more. */
bool account_has_room(const struct accounts *accounts);
/* An account that nobody refers to and that holds nothing is given back. */
void account_refer(struct accounts *accounts, uint32_t account);
void account_drop(struct accounts *accounts, uint32_t account);
tender_bytes account_name(const struct accounts *accounts, uint32_t account);

/* What the principal's agents have promised in one shard; lives as long as the accounts. */
struct account_debt *account_debt(const struct accounts *accounts, uint32_t account,
                                  uint32_t shard);

/*
 * The movements. Amounts are not negative, but account_fund's may be: it takes out.
 * account_reserve and account_fund return false, and move nothing, when too little is available or
 * the balance would leave its range; the others assert that the money is there.
 */
TENDER_MUST_CHECK bool account_fund(struct accounts *accounts, uint32_t account,
                                    int64_t amount_micro);
TENDER_MUST_CHECK bool account_reserve(struct account *account, int64_t amount_micro);
void account_pay(struct account *payer, struct account *payee, int64_t amount_micro);
void account_return(struct account *account, int64_t amount_micro);

#endif
