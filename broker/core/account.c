/* Accounts and their movements, as account.h says. */
#include "account.h"

#include "bytes.h"
#include "shard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int accounts_init(struct accounts *accounts, uint32_t capacity, uint32_t shard_count,
                  const struct keyring *keyring)
{
    memset(accounts, 0, sizeof *accounts);
    accounts->keyring = keyring;
    accounts->shard_count = shard_count > 0 ? shard_count : 1;
    accounts->capacity = capacity;
    accounts->items = calloc((size_t)capacity + 1, sizeof *accounts->items);
    accounts->debts =
        calloc(((size_t)capacity + 1) * accounts->shard_count, sizeof *accounts->debts);
    if (accounts->items == NULL || accounts->debts == NULL) {
        return TENDER_ENOMEM;
    }
    return table_init(&accounts->by_name, capacity);
}

void accounts_release(struct accounts *accounts)
{
    free(accounts->items);
    free(accounts->debts);
    accounts->items = NULL;
    accounts->debts = NULL;
    table_release(&accounts->by_name);
}

static bool has_name(const void *context, uint32_t object, const void *key)
{
    const struct accounts *accounts = context;
    const tender_bytes *name = key;
    const struct account *account = &accounts->items[object];
    return account->name_size == name->size && memcmp(account->name, name->data, name->size) == 0;
}

uint32_t account_find(const struct accounts *accounts, tender_bytes name)
{
    return table_find(&accounts->by_name, table_hash(0, name.data, name.size), has_name, &name,
                      accounts);
}

static void add_counts(struct account_counts *counts, const struct account_counts *change, int sign)
{
    counts->active += sign * change->active;
    counts->ended += sign * change->ended;
    counts->fulfilled += sign * change->fulfilled;
    counts->tasks += sign * change->tasks;
    counts->answers += sign * change->answers;
    assert(counts->active >= 0 && counts->ended >= counts->fulfilled && counts->fulfilled >= 0);
    assert(counts->tasks >= 0 && counts->answers >= 0);
}

static void add_debt(struct account_debt *debt, const struct account_debt *change, int sign)
{
    debt->count += sign * change->count;
    debt->price_micro += sign * change->price_micro;
    assert(debt->count >= 0 && debt->price_micro >= 0);
}

static struct account_debts *debts_of(const struct accounts *accounts, uint32_t account,
                                      uint32_t shard)
{
    assert(account <= accounts->capacity && shard < accounts->shard_count);
    return &accounts->debts[(size_t)account * accounts->shard_count + shard];
}

bool account_has_room(const struct accounts *accounts, tender_bytes name)
{
    if (account_find(accounts, name) != 0) {
        return true;
    }
    tender_bytes root = keyring_root(accounts->keyring, name);
    bool is_root = bytes_equal(root, name);
    uint32_t more = is_root || account_find(accounts, root) != 0 ? 1 : 2;
    uint32_t room = accounts->capacity - accounts->used;
    uint32_t free = accounts->free;
    for (; free != 0 && room < more; free = accounts->items[free].next_free) {
        room++;
    }
    return room >= more;
}

/* An account that nothing was counted of yet, and without its root; 0 when the table is full. */
static uint32_t make(struct accounts *accounts, tender_bytes name)
{
    uint32_t number = 0;
    assert(name.size > 0 && name.size <= TENDER_NAME_MAX);
    if (accounts->free != 0) {
        number = accounts->free;
        accounts->free = accounts->items[number].next_free;
    } else if (accounts->used < accounts->capacity) {
        number = ++accounts->used;
    } else {
        return 0;
    }
    struct account *account = &accounts->items[number];
    memset(account, 0, sizeof *account);
    memcpy(account->name, name.data, name.size);
    account->name_size = (uint8_t)name.size;
    account->shard = (uint8_t)shard_of_principal(name, accounts->shard_count);
    account->root = number;
    table_insert(&accounts->by_name, table_hash(0, name.data, name.size), number);
    return number;
}

/* Takes what was counted of the account out of its root's sums (sign -1), or puts it in. */
static void add_to_root(struct accounts *accounts, uint32_t number, int sign)
{
    const struct account *account = &accounts->items[number];
    struct account_counts own = account->own;
    add_counts(&accounts->items[account->root].all, &own, sign);
    for (uint32_t shard = 0; shard < accounts->shard_count; shard++) {
        struct account_debt debt = debts_of(accounts, number, shard)->own;
        add_debt(&debts_of(accounts, account->root, shard)->all, &debt, sign);
    }
}

bool account_settle_root(struct accounts *accounts, uint32_t number)
{
    struct account *account = &accounts->items[number];
    tender_bytes name = keyring_root(accounts->keyring, account_name(accounts, number));
    uint32_t root = account_find(accounts, name);
    root = root != 0 ? root : make(accounts, name);
    if (root == 0 || root == account->root) {
        return root != 0;
    }
    uint32_t before = account->root;
    add_to_root(accounts, number, -1);
    account->root = root;
    add_to_root(accounts, number, 1);
    if (root != number) {
        account_refer(accounts, root);
    }
    if (before != number) {
        account_drop(accounts, before);
    }
    return true;
}

uint32_t account_open(struct accounts *accounts, tender_bytes name)
{
    uint32_t number = account_find(accounts, name);
    if (number != 0 || !account_has_room(accounts, name)) {
        return number;
    }
    number = make(accounts, name);
    bool has_root = account_settle_root(accounts, number);
    assert(has_root);
    (void)has_root;
    return number;
}

static bool is_empty(const struct account *account)
{
    return account->available_micro == 0 && account->reserved_micro == 0 &&
           account->spent_micro == 0 && account->earned_micro == 0 && account->own.ended == 0;
}

void account_refer(struct accounts *accounts, uint32_t account)
{
    assert(account != 0);
    accounts->items[account].references++;
}

void account_drop(struct accounts *accounts, uint32_t number)
{
    struct account *account = &accounts->items[number];
    assert(account->references > 0);
    account->references--;
    if (account->references > 0 || !is_empty(account)) {
        return;
    }
    table_remove(&accounts->by_name, table_hash(0, account->name, account->name_size), number);
    account->name_size = 0;
    account->next_free = accounts->free;
    accounts->free = number;
    if (account->root != number) {
        account_drop(accounts, account->root); /* a root has itself as its root: no further */
    }
}

tender_bytes account_name(const struct accounts *accounts, uint32_t account)
{
    return (tender_bytes){accounts->items[account].name, accounts->items[account].name_size};
}

void account_count(struct accounts *accounts, uint32_t number, const struct account_counts *change)
{
    struct account *account = &accounts->items[number];
    add_counts(&account->own, change, 1);
    add_counts(&accounts->items[account->root].all, change, 1);
}

void account_owe(struct accounts *accounts, uint32_t number, uint32_t shard,
                 const struct account_debt *change)
{
    add_debt(&debts_of(accounts, number, shard)->own, change, 1);
    add_debt(&debts_of(accounts, accounts->items[number].root, shard)->all, change, 1);
}

struct account_debt account_owed(const struct accounts *accounts, uint32_t number, uint32_t shard)
{
    return debts_of(accounts, accounts->items[number].root, shard)->all;
}

bool account_fund(struct accounts *accounts, uint32_t number, int64_t amount_micro)
{
    struct account *account = &accounts->items[number];
    int64_t available;
    int64_t issued;
    if (__builtin_add_overflow(account->available_micro, amount_micro, &available) ||
        __builtin_add_overflow(accounts->issued_micro, amount_micro, &issued) || available < 0 ||
        available > TENDER_MONEY_MAX || (amount_micro > 0 && issued > ACCOUNTS_ISSUED_MAX)) {
        return false;
    }
    account->available_micro = available;
    accounts->issued_micro = issued;
    return true;
}

bool account_reserve(struct account *account, int64_t amount_micro)
{
    assert(amount_micro >= 0);
    if (account->available_micro < amount_micro) {
        return false;
    }
    account->available_micro -= amount_micro;
    account->reserved_micro += amount_micro;
    return true;
}

void account_pay(struct account *payer, struct account *payee, int64_t amount_micro)
{
    assert(amount_micro >= 0);
    assert(payer->reserved_micro >= amount_micro);
    payer->reserved_micro -= amount_micro;
    payer->spent_micro += amount_micro;
    payee->earned_micro += amount_micro;
}

void account_return(struct account *account, int64_t amount_micro)
{
    assert(amount_micro >= 0);
    assert(account->reserved_micro >= amount_micro);
    account->reserved_micro -= amount_micro;
    account->available_micro += amount_micro;
}
