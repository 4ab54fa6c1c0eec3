/* Accounts and their movements, as account.h says. */
#include "account.h"

#include "shard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int accounts_init(struct accounts *accounts, uint32_t capacity, uint32_t shard_count)
{
    memset(accounts, 0, sizeof *accounts);
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

bool account_has_room(const struct accounts *accounts)
{
    return accounts->free != 0 || accounts->used < accounts->capacity;
}

uint32_t account_open(struct accounts *accounts, tender_bytes name)
{
    uint32_t number = account_find(accounts, name);
    if (number != 0) {
        return number;
    }
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
    table_insert(&accounts->by_name, table_hash(0, name.data, name.size), number);
    return number;
}

static bool is_empty(const struct account *account)
{
    return account->available_micro == 0 && account->reserved_micro == 0 &&
           account->spent_micro == 0 && account->earned_micro == 0 && account->ended == 0;
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
}

tender_bytes account_name(const struct accounts *accounts, uint32_t account)
{
    return (tender_bytes){accounts->items[account].name, accounts->items[account].name_size};
}

struct account_debt *account_debt(const struct accounts *accounts, uint32_t account, uint32_t shard)
{
    assert(account <= accounts->capacity && shard < accounts->shard_count);
    return &accounts->debts[(size_t)account * accounts->shard_count + shard];
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
