#include "audit.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

const char *audit_id(tender_id id)
{
    static char texts[4][TENDER_ID_TEXT_SIZE];
    static unsigned turn;
    char *text = texts[turn++ % 4];
    tender_id_format(id, text);
    return text;
}

void audit_init(struct audit *audit, struct pool *pool)
{
    memset(audit, 0, sizeof *audit);
    audit->pool = pool;
}

static size_t bucket_of(tender_id id)
{
    return ((size_t)id.bytes[14] << 8 | id.bytes[15]) % AUDIT_BUCKETS;
}

struct audit_task *audit_task_find(const struct audit *audit, tender_id id)
{
    struct audit_task *task = audit->buckets[bucket_of(id)];
    while (task != NULL && !tender_id_equal(task->id, id)) {
        task = task->next_in_bucket;
    }
    return task;
}

struct audit_contractor *audit_contractor(struct audit *audit, tender_bytes name)
{
    for (size_t i = 0; i < audit->contractor_count; i++) {
        if (bytes_equal(audit->contractors[i].name, name)) {
            return &audit->contractors[i];
        }
    }
    return NULL;
}

static struct audit_account *account_of(struct audit_accounts *accounts, struct pool *pool,
                                        tender_bytes principal)
{
    for (size_t i = 0; i < accounts->count; i++) {
        if (bytes_equal(accounts->items[i].principal, principal)) {
            return &accounts->items[i];
        }
    }
    require(accounts->count < AUDIT_ACCOUNTS, "audit", "more accounts than principals");
    struct audit_account *account = &accounts->items[accounts->count++];
    *account = (struct audit_account){.principal = pool_bytes(pool, principal)};
    return account;
}

static const char *release(struct audit_account *payer, int64_t amount)
{
    payer->reserved_micro -= amount;
    payer->available_micro += amount;
    return amount < 0 ? "a negative amount is released" : NULL;
}

static const char *pay(struct audit_accounts *accounts, struct pool *pool,
                       struct audit_account *payer, tender_bytes payee, int64_t amount)
{
    if (amount < 0) {
        return "a negative amount is paid";
    }
    payer->reserved_micro -= amount;
    payer->spent_micro += amount;
    if (amount > 0) {
        account_of(accounts, pool, payee)->earned_micro += amount;
    }
    return payer->reserved_micro < 0 ? "more is paid than is reserved" : NULL;
}

static const char *settle(struct audit_accounts *accounts, struct pool *pool,
                          const struct entry_settled *settled, tender_bytes payer)
{
    const char *wrong = pay(accounts, pool, account_of(accounts, pool, payer), settled->principal,
                            settled->paid_micro);
    if (wrong == NULL) {
        wrong = release(account_of(accounts, pool, payer), settled->released_micro);
    }
    return wrong;
}

static const char *adopt(struct audit_accounts *accounts, struct pool *pool,
                         const struct entry_adopted *adopted, tender_bytes payer)
{
    const char *wrong = pay(accounts, pool, account_of(accounts, pool, payer), adopted->principal,
                            adopted->paid_micro);
    if (wrong == NULL) {
        wrong = release(account_of(accounts, pool, payer), adopted->released_micro);
    }
    return wrong;
}

const char *audit_accounts_hear(struct audit_accounts *accounts, struct pool *pool,
                                const struct entry *entry, tender_bytes payer)
{
    struct audit_account *account;
    switch ((int)entry->kind) {
    case ENTRY_ANNOUNCED:
        account = account_of(accounts, pool, entry->announced.principal);
        account->available_micro -= entry->announced.ceiling_micro;
        account->reserved_micro += entry->announced.ceiling_micro;
        return account->available_micro < 0 ? "more is reserved than is available" : NULL;
    case ENTRY_SETTLED:
        return settle(accounts, pool, &entry->settled, payer);
    case ENTRY_COVERED:
        return pay(accounts, pool, account_of(accounts, pool, payer), entry->covered.principal,
                   entry->covered.paid_micro);
    case ENTRY_ADOPTED:
        return adopt(accounts, pool, &entry->adopted, payer);
    case ENTRY_ENDED:
        return release(account_of(accounts, pool, payer), entry->ended.released_micro);
    case ENTRY_FUNDED:
        account = account_of(accounts, pool, entry->funded.principal);
        account->available_micro += entry->funded.amount_micro;
        accounts->issued_micro += entry->funded.amount_micro;
        return account->available_micro < 0 ? "more is taken out than is available" : NULL;
    default:
        return NULL;
    }
}

/* I14: the chain has no gap and every hash is that of its entry and of all before it. */
static void chain_hear(struct audit_chain *chain, const struct entry *entry)
{
    require(entry->number == chain->number + 1, "I14",
            "entry %" PRIu64 " of %s follows number %" PRIu64, entry->number, audit_id(entry->task),
            chain->number);
    tender_digest hash = oracle_chain(entry, &chain->hash);
    require(memcmp(hash.bytes, entry->hash.bytes, sizeof hash.bytes) == 0, "I14",
            "the hash of entry %" PRIu64 " (%s) of %s is not that of its text", entry->number,
            entry_kind_name(entry->kind), audit_id(entry->task));
    require(entry->at_us >= chain->at_us, "I18", "stamps of %s go back at entry %" PRIu64,
            audit_id(entry->task), entry->number);
    *chain = (struct audit_chain){entry->number, hash, entry->at_us};
}

static void enrolled(struct audit *audit, const struct entry_enrolled *said)
{
    struct audit_contractor *contractor = audit_contractor(audit, said->contractor);
    if (contractor == NULL) {
        require(audit->contractor_count < AUDIT_CONTRACTORS, "audit", "too many contractors");
        contractor = &audit->contractors[audit->contractor_count++];
        *contractor =
            (struct audit_contractor){.name = pool_bytes(audit->pool, said->contractor),
                                      .principal = pool_bytes(audit->pool, said->principal)};
    }
    require(bytes_equal(contractor->principal, said->principal), "enrolment",
            "a contractor changed its principal");
    contractor->slots = said->slots;
}

static void move(int64_t *instant_us, const struct entry_recess *recess)
{
    if (*instant_us != 0 && *instant_us >= recess->from_us && *instant_us < recess->until_us) {
        *instant_us = recess->until_us;
    }
}

/* rules.md, Recess: closes, validities, ack_by, due and deadlines in between move to its end. */
static void recess(struct audit *audit, const struct entry_recess *said, int64_t at_us)
{
    audit->recesses = pool_grow(audit->pool, audit->recesses, audit->recess_count,
                                &audit->recess_capacity, sizeof *audit->recesses);
    audit->recesses[audit->recess_count++] = (struct audit_recess){said->from_us, at_us};
    for (struct audit_task *task = audit->tasks; task != NULL; task = task->next) {
        if (task->state == AUDIT_OVER) {
            continue;
        }
        move(&task->deadline_us, said);
        move(&task->closes_at_us, said);
        for (size_t i = 0; i < task->answer_count; i++) {
            move(&task->answers[i].bid.valid_until_us, said);
        }
        for (size_t i = 0; i < task->bid_count; i++) {
            move(&task->bids[i].valid_until_us, said);
        }
        for (size_t i = 0; i < task->award_count; i++) {
            if (task->awards[i].state == TENDER_COMMITMENT_ACTIVE) {
                move(&task->awards[i].due_at_us, said);
                move(&task->awards[i].ack_by_us, said);
            } else if (task->awards[i].state == TENDER_COMMITMENT_DELIVERED) {
                move(&task->awards[i].accept_by_us, said);
            }
        }
    }
}

static void house_hear(struct audit *audit, const struct entry *entry)
{
    chain_hear(&audit->house, entry);
    switch ((int)entry->kind) {
    case ENTRY_ENROLLED:
        enrolled(audit, &entry->enrolled);
        break;
    case ENTRY_RECESS:
        recess(audit, &entry->recess, entry->at_us);
        break;
    case ENTRY_ADMITTED:
        audit_admitted(audit, &entry->admitted);
        break;
    case ENTRY_RATED:
        audit_rated(audit, entry);
        break;
    case ENTRY_COUNTED:
        audit_counted(audit, entry);
        break;
    case ENTRY_BARRED:
        audit_barred(audit, entry);
        break;
    case ENTRY_GOALED:
        audit_goaled(audit, entry);
        break;
    default:
        require(entry->kind == ENTRY_DEPARTED || entry->kind == ENTRY_FUNDED ||
                    entry->kind == ENTRY_REIGNED || entry->kind == ENTRY_VOUCHED,
                "I9", "the house has an entry %s", entry_kind_name(entry->kind));
    }
}

static struct entry_texts keep_texts(struct pool *pool, struct entry_texts texts)
{
    tender_bytes *items = pool_take(pool, (texts.count + 1) * sizeof *items);
    for (size_t i = 0; i < texts.count; i++) {
        items[i] = pool_bytes(pool, texts.items[i]);
    }
    return (struct entry_texts){texts.count, items};
}

struct entry_announced audit_keep_terms(struct pool *pool, const struct entry_announced *said)
{
    struct entry_announced terms = *said;
    terms.client = pool_bytes(pool, said->client);
    terms.principal = pool_bytes(pool, said->principal);
    terms.key = pool_bytes(pool, said->key);
    terms.skill = pool_bytes(pool, said->skill);
    terms.fallback_contractor = pool_bytes(pool, said->fallback_contractor);
    terms.needs = keep_texts(pool, said->needs);
    terms.goal = pool_bytes(pool, said->goal);
    terms.after = keep_texts(pool, said->after);
    terms.evidence = pool_bytes(pool, said->evidence);
    terms.tier = pool_bytes(pool, said->tier);
    return terms;
}

static struct audit_task *task_new(struct audit *audit, tender_id id)
{
    struct audit_task *task = pool_take(audit->pool, sizeof *task);
    task->id = id;
    task->next = audit->tasks;
    audit->tasks = task;
    task->next_in_bucket = audit->buckets[bucket_of(id)];
    audit->buckets[bucket_of(id)] = task;
    audit->task_count++;
    return task;
}

void audit_hear(struct audit *audit, const struct entry *entry)
{
    require(entry->at_us >= audit->at_us, "I18", "stamps go back at entry %" PRIu64 " of %s",
            entry->number, audit_id(entry->task));
    audit->at_us = entry->at_us;
    audit->kinds[entry->kind]++;
    tender_bytes payer = {NULL, 0};
    if (tender_id_is_nil(entry->task)) {
        house_hear(audit, entry);
    } else {
        struct audit_task *task = audit_task_find(audit, entry->task);
        if (task == NULL) {
            require(entry->kind == ENTRY_ANNOUNCED, "I9", "the chain of %s begins with %s",
                    audit_id(entry->task), entry_kind_name(entry->kind));
            task = task_new(audit, entry->task);
        }
        task->hash_before = task->chain.hash;
        chain_hear(&task->chain, entry);
        audit_task_hear(audit, task, entry);
        payer = task->terms.principal;
    }
    const char *wrong = audit_accounts_hear(&audit->accounts, audit->pool, entry, payer);
    require(wrong == NULL, "I12", "%s at entry %" PRIu64 " of %s", wrong, entry->number,
            audit_id(entry->task));
}

void audit_check(const struct audit *audit)
{
    int64_t sum = 0;
    int64_t spent = 0;
    int64_t earned = 0;
    for (size_t i = 0; i < audit->accounts.count; i++) {
        const struct audit_account *account = &audit->accounts.items[i];
        require(account->available_micro >= 0 && account->reserved_micro >= 0, "I12",
                "an account of %.*s is negative", (int)account->principal.size,
                (const char *)account->principal.data);
        sum += account->available_micro + account->reserved_micro + account->earned_micro;
        spent += account->spent_micro;
        earned += account->earned_micro;
    }
    require(sum == audit->accounts.issued_micro, "I12", "issued %" PRId64 ", there is %" PRId64,
            audit->accounts.issued_micro, sum);
    require(spent == earned, "I12", "spent %" PRId64 ", earned %" PRId64, spent, earned);
    int64_t reserved = 0;
    for (const struct audit_task *task = audit->tasks; task != NULL; task = task->next) {
        reserved += task->terms.ceiling_micro - task->paid_micro - task->released_micro;
    }
    for (size_t i = 0; i < audit->accounts.count; i++) {
        reserved -= audit->accounts.items[i].reserved_micro;
    }
    require(reserved == 0, "I12", "reservations of tasks and of accounts differ by %" PRId64,
            reserved);
}
