/*
 * Recall: the entries of the ledger, applied once more. Checks that each follows from those before
 * it, seals it again to see that it is what was written, and leaves sessions to the peers.
 */
#include "book_internal.h"

#include <string.h>

static int recall_balance(struct book *book, const struct entry_balance *balance)
{
    if (balance->principal.size == 0 || balance->principal.size > TENDER_NAME_MAX) {
        return TENDER_EPROTOCOL;
    }
    uint32_t number = account_open(&book->accounts, balance->principal);
    if (number == 0) {
        return TENDER_ELIMIT;
    }
    struct account *account = &book->accounts.items[number];
    account->available_micro += balance->available_micro;
    account->reserved_micro += balance->reserved_micro;
    account->spent_micro += balance->spent_micro;
    account->earned_micro += balance->earned_micro; /* in one shard after the other */
    book->accounts.issued_micro +=
        balance->available_micro + balance->reserved_micro + balance->spent_micro;
    return 0;
}

/* What a contractor offered counts when it says so again; that it did so is known. */
static int recall_enrolled(struct book *book, const struct entry *entry)
{
    const struct entry_enrolled *enrolled = &entry->enrolled;
    if (enrolled->contractor.size == 0 || enrolled->contractor.size > TENDER_NAME_MAX ||
        enrolled->principal.size == 0 || enrolled->skills.count > TENDER_SKILLS_MAX) {
        return TENDER_EPROTOCOL;
    }
    uint32_t number = roster_open(&book->roster, enrolled->contractor, enrolled->principal, true);
    if (number == 0) {
        return 0; /* more contractors than there is room for: it says hello again */
    }
    tender_bytes principal = account_name(&book->accounts, book->roster.peers[number].principal);
    if (!bytes_equal(principal, enrolled->principal) &&
        !roster_rename_principal(&book->roster, number, enrolled->principal)) {
        return 0;
    }
    (void)roster_offer(&book->roster, number, enrolled->skills.items,
                       (uint32_t)enrolled->skills.count, (uint32_t)enrolled->slots);
    book->roster.peers[number].houses |= shard_set(entry->shard);
    book->roster.peers[number].heartbeat_us = DEFAULT_HEARTBEAT_US;
    roster_settle(&book->roster, number);
    return 0;
}

static void recall_departed(struct book *book, const struct entry *entry)
{
    uint32_t number = roster_find(&book->roster, entry->departed.contractor);
    if (number != 0) {
        book->roster.peers[number].houses &= ~shard_set(entry->shard);
    }
}

/* What is said of roots comes in any order: accounts follow when all of it is known. */
static int settle_roots(struct book *book)
{
    bool has_room = true;
    for (uint32_t account = 1; book->has_new_roots && account <= book->accounts.used; account++) {
        bool is_used = book->accounts.items[account].name_size > 0;
        has_room = (!is_used || account_settle_root(&book->accounts, account)) && has_room;
    }
    book->has_new_roots = false;
    return has_room ? 0 : TENDER_ELIMIT;
}

static int recall_house(struct book *book, const struct entry *entry)
{
    int status = 0;
    switch (entry->kind) {
    case ENTRY_BALANCE:
        return recall_balance(book, &entry->balance);
    case ENTRY_ENROLLED:
        status = recall_enrolled(book, entry);
        break;
    case ENTRY_DEPARTED:
        recall_departed(book, entry);
        break;
    case ENTRY_RECESS:
        book_add_recess(book, &(struct recess){.shards = shard_set(entry->shard),
                                               .at_us = entry->at_us,
                                               .from_us = entry->recess.from_us,
                                               .until_us = entry->recess.until_us});
        break;
    case ENTRY_RATED:
        status = book_apply_rated(book, entry);
        break;
    case ENTRY_COUNTED:
        status = book_apply_counted(book, entry);
        break;
    case ENTRY_BARRED:
        status = book_apply_barred(book, entry);
        break;
    case ENTRY_GOALED:
        status = book_apply_goaled(book, entry);
        break;
    case ENTRY_ADMITTED:
        book->has_new_roots |= entry->admitted.parent.size > 0;
        status = keyring_apply(&book->keyring, entry);
        break;
    case ENTRY_VOUCHED:
        status = keyring_apply(&book->keyring, entry);
        break;
    case ENTRY_STOOD:
        return book_recall_stood(book, entry);
    case ENTRY_RECORDED:
        return book_recall_recorded(book, entry);
    case ENTRY_STRUCK:
        return book_recall_struck(book, entry);
    case ENTRY_REIGNED:
    case ENTRY_FUNDED:
        break;
    default:
        return TENDER_EPROTOCOL;
    }
    struct house *house = &book->houses[entry->shard];
    if (entry->number > house->number) {
        house->number = entry->number;
        house->head = entry->hash;
    }
    return status;
}

/* Whether the entry, sealed again behind the chain, has the hash that the ledger holds. */
static bool is_genuine(struct book *book, const struct task *task, const struct entry *entry)
{
    struct entry again = *entry;
    return entry->number == task->number + 1 &&
           entry_seal(&again, &task->head, book->body, sizeof book->body) >= 0 &&
           memcmp(&again.hash, &entry->hash, sizeof again.hash) == 0;
}

static int recall_task(struct book *book, const struct entry *entry)
{
    uint32_t number = book_find_task(book, entry->task);
    struct task *task = number != 0 ? book_task(book, number) : NULL;
    if (task == NULL) {
        if (entry->kind != ENTRY_ANNOUNCED) {
            return TENDER_EPROTOCOL;
        }
        task = book_create_task(book, entry->task);
        if (task == NULL) {
            return TENDER_ELIMIT;
        }
    }
    int status = is_genuine(book, task, entry) ? book_apply(book, task, entry) : TENDER_EPROTOCOL;
    if (status == 0) {
        book_arm_task(book, task);
        book->last_entry_us =
            entry->at_us > book->last_entry_us ? entry->at_us : book->last_entry_us;
    }
    return status;
}

int book_recall(struct book *book, const struct entry *entry)
{
    if (!shard_is_in(book->limits.shards, entry->shard)) {
        return TENDER_EPROTOCOL;
    }
    if (entry->at_us > book->now_us) {
        book->now_us = entry->at_us;
    }
    bool is_first_reign = entry->kind == ENTRY_REIGNED && entry->reigned.reign <= 1;
    book->has_past |= !is_first_reign;
    book->is_recalling = true;
    bool is_house = tender_id_is_nil(entry->task);
    int status = is_house ? 0 : settle_roots(book);
    if (status == 0) {
        status = is_house ? recall_house(book, entry) : recall_task(book, entry);
    }
    book->is_recalling = false;
    return status;
}

void book_recall_head(struct book *book, uint32_t shard, uint64_t number, const tender_digest *hash)
{
    book->houses[shard] = (struct house){number, *hash};
    book->has_past |= number > 0;
}

void book_recall_key(struct book *book, tender_bytes principal, tender_bytes key)
{
    book_remember_key(book, principal, key);
}

void book_recall_keys_end(struct book *book)
{
    book->has_past = false;
}

/*
 * Nobody has said hello yet, so nothing is told: what is owed is told to each peer when it does. A
 * contractor that the ledger holds as present and that does not come back departs after a while,
 * and a task that was left between two steps takes the next one.
 */
void book_resume(struct book *book, int64_t at_us, struct effects *effects)
{
    effects_clear(effects);
    (void)settle_roots(book); /* whose root finds no room stays its own */
    book->now_us = at_us > book->now_us ? at_us : book->now_us;
    book->heard_floor_us =
        book->now_us > book->heard_floor_us ? book->now_us : book->heard_floor_us;
    book->effects = effects;
    book->told = (struct told_terms){0};
    for (uint32_t number = 1; number <= book->roster.peers_used; number++) {
        book_arm_peer(book, number);
    }
    book_resume_goals(book);
    for (uint32_t number = 1; number <= book->tasks_used && book_has_room(book); number++) {
        struct task *task = book_task(book, number);
        if (task->phase == PHASE_IDLE) {
            book_clear_bids(book, task);
        }
        if (task->phase == PHASE_BLOCKED) {
            book_resume_links(book, task);
        }
        bool fits = task->window_us < task->deadline_at_us - book->now_us;
        if (task->phase == PHASE_IDLE && task->round.number == 0 && fits) {
            book_begin(book, task); /* else it waits for its deadline */
        }
        if (task->phase != PHASE_FREE && task->phase != PHASE_ENDED) {
            book_arm_task(book, task);
        }
    }
    book->effects = NULL;
}
