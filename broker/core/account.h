/*
 * Accounts: one for each principal, with what it may still promise (available), what open tasks
 * hold (reserved), what it paid (spent) and what it was paid (earned). Every movement has two
 * sides: a function takes from one bucket and gives to another. Does not know tasks.
 *
 * Each knows the account of its root principal, as the keyring has it, and counts are kept of
 * both: one owner has one cap and one record, whatever principals it divides itself into.
 */
#ifndef TENDER_BROKER_CORE_ACCOUNT_H
#define TENDER_BROKER_CORE_ACCOUNT_H

#include "keyring.h"
#include "table.h"

/*
 * The most that all accounts together may hold, what was spent included, in micro-credits: so no
 * sum of them overflows, whoever reserves, pays or earns it.
 */
#define ACCOUNTS_ISSUED_MAX (9 * TENDER_MONEY_MAX)

/* What is counted of a principal, or of all that have one root. None is negative. */
struct account_counts {
    int64_t active;    /* commitments that its agents hold */
    int64_t ended;     /* commitments of its agents that ended, and */
    int64_t fulfilled; /* those of them that were kept */
    int64_t tasks;     /* that it pays for and that have not ended */
    int64_t answers;   /* invitations and bids of its agents, in open rounds */
};

/* Money in micro-credits. `references` counts who needs the account beside its balances. */
struct account {
    char name[TENDER_NAME_MAX];
    uint8_t name_size;
    uint8_t shard;
    uint32_t references;
    uint32_t next_free;
    uint32_t root;              /* the account of its root principal: its own where it is one */
    struct account_counts own;  /* of this principal */
    struct account_counts all;  /* of all principals whose root it is */
    int64_t announced_until_us; /* of a root: so far announcements have used up what they may */
    int64_t available_micro;
    int64_t reserved_micro;
    int64_t spent_micro;
    int64_t earned_micro;
};

/* What agents have promised, for tasks of one shard: active commitments. */
struct account_debt {
    int64_t count;
    int64_t price_micro; /* the sum of their prices */
};

/* Of a principal, and of all whose root it is. */
struct account_debts {
    struct account_debt own;
    struct account_debt all;
};

/* items [1 … capacity]; debts [(capacity + 1) * shard_count], those of an account together */
struct accounts {
    struct account *items;
    struct account_debts *debts;
    const struct keyring *keyring; /* says who has which root */
    struct table by_name;
    int64_t issued_micro; /* put into all of them, less what was taken out */
    uint32_t shard_count;
    uint32_t capacity;
    uint32_t used; /* items beyond were never used */
    uint32_t free;
};

TENDER_MUST_CHECK int accounts_init(struct accounts *accounts, uint32_t capacity,
                                    uint32_t shard_count, const struct keyring *keyring);
void accounts_release(struct accounts *accounts);

/* Number of the principal's account, or 0. */
uint32_t account_find(const struct accounts *accounts, tender_bytes name);
/*
 * The same, opening an empty one where there is none, and one for its root; 0 when the table is
 * full.
 */
uint32_t account_open(struct accounts *accounts, tender_bytes name);
/* Whether account_open would find or open one. */
bool account_has_room(const struct accounts *accounts, tender_bytes name);
/* An account that nobody refers to and that holds nothing is given back. */
void account_refer(struct accounts *accounts, uint32_t account);
void account_drop(struct accounts *accounts, uint32_t account);
tender_bytes account_name(const struct accounts *accounts, uint32_t account);

/*
 * Gives the account the root that the keyring now says, with what was counted of it. Returns false,
 * and changes nothing, when there is no room for the root's account.
 */
TENDER_MUST_CHECK bool account_settle_root(struct accounts *accounts, uint32_t account);
/* Adds to what is counted of the principal, and so of its root. */
void account_count(struct accounts *accounts, uint32_t account,
                   const struct account_counts *change);
/* Adds to what the principal's agents have promised in one shard, and so to its root's. */
void account_owe(struct accounts *accounts, uint32_t account, uint32_t shard,
                 const struct account_debt *change);
/* What all agents of the principal's root have promised in one shard. */
struct account_debt account_owed(const struct accounts *accounts, uint32_t account, uint32_t shard);

/* What is counted of all principals that have the same root. */
static inline const struct account_counts *account_counted(const struct accounts *accounts,
                                                           uint32_t account)
{
    return &accounts->items[accounts->items[account].root].all;
}

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
