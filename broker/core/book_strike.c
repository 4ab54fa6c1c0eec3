/*
 * Quarantine: which ends of tasks strike a contractor, and the hold that follows from too many. The
 * rule itself is in quarantine.h. Sheets are memory: after a restart the ledger tells what of the
 * last day they would have said. The hold is an entry.
 */
#include "book_internal.h"
#include "draw.h"

#include <assert.h>
#include <string.h>

static tender_bytes sheet_contractor(const struct strikes *strikes)
{
    return (tender_bytes){strikes->contractor, strikes->contractor_size};
}

static tender_bytes sheet_skill(const struct strikes *strikes)
{
    return (tender_bytes){strikes->skill, strikes->skill_size};
}

struct pair {
    uint32_t shard;
    tender_bytes contractor;
    tender_bytes skill;
};

static uint64_t hash_pair(const struct pair *pair)
{
    return table_hash(
        table_hash(6 + ((uint64_t)pair->shard << 8), pair->contractor.data, pair->contractor.size),
        pair->skill.data, pair->skill.size);
}

static bool has_pair(const void *context, uint32_t object, const void *key)
{
    const struct book *book = context;
    const struct pair *pair = key;
    const struct strikes *strikes = pool_at(&book->strikes, object);
    return strikes->shard == pair->shard &&
           bytes_equal(sheet_contractor(strikes), pair->contractor) &&
           bytes_equal(sheet_skill(strikes), pair->skill);
}

static uint32_t find_sheet(const struct book *book, const struct pair *pair)
{
    return table_find(&book->strikes_by_pair, hash_pair(pair), has_pair, pair, book);
}

static void drop_sheet(struct book *book, uint32_t number)
{
    struct strikes *strikes = pool_at(&book->strikes, number);
    struct pair pair = {strikes->shard, sheet_contractor(strikes), sheet_skill(strikes)};
    table_remove(&book->strikes_by_pair, hash_pair(&pair), number);
    book->ripe_count -= strikes->is_ripe ? 1u : 0u;
    strikes->contractor_size = 0;
    strikes->is_ripe = false;
    pool_give(&book->strikes, number);
}

/* Makes room of what no longer counts. */
static void drop_old_sheets(struct book *book)
{
    for (uint32_t number = 1; number <= book->strikes.used; number++) {
        const struct strikes *strikes = pool_at(&book->strikes, number);
        if (strikes->contractor_size > 0 && quarantine_is_over(&strikes->sheet, book->now_us)) {
            drop_sheet(book, number);
        }
    }
}

/* Found or made; NULL where there is no room for one more, which then is not counted. */
static struct strikes *open_sheet(struct book *book, const struct pair *pair)
{
    uint32_t number = find_sheet(book, pair);
    if (number != 0) {
        return pool_at(&book->strikes, number);
    }
    if (!pool_has_room(&book->strikes, 1)) {
        drop_old_sheets(book);
    }
    number = pool_new(&book->strikes);
    if (number == 0) {
        return NULL;
    }
    struct strikes *strikes = pool_at(&book->strikes, number);
    strikes->shard = pair->shard;
    memcpy(strikes->contractor, pair->contractor.data, pair->contractor.size);
    memcpy(strikes->skill, pair->skill.data, pair->skill.size);
    strikes->contractor_size = (uint8_t)pair->contractor.size;
    strikes->skill_size = (uint8_t)pair->skill.size;
    table_insert(&book->strikes_by_pair, hash_pair(pair), number);
    return strikes;
}

static void note_kept(struct book *book, const struct task *task, const struct past *past)
{
    struct pair pair = {book_shard(book, task), peer_name(&book->roster, past->peer),
                        skill_name(&book->roster, task->skill)};
    uint32_t number = find_sheet(book, &pair);
    if (number != 0) {
        struct strikes *strikes = pool_at(&book->strikes, number);
        quarantine_keep(&strikes->sheet);
        if (quarantine_is_over(&strikes->sheet, book->now_us)) {
            drop_sheet(book, number);
        }
    }
}

/* With this strike a quarantine may have become due. */
static void ripen(struct book *book, struct strikes *strikes)
{
    bool is_due = quarantine_is_due(&strikes->sheet, book->now_us) > 0;
    book->ripe_count += is_due && !strikes->is_ripe ? 1u : 0u;
    strikes->is_ripe |= is_due;
}

static void strike(struct book *book, const struct task *task, const struct past *past)
{
    struct pair pair = {book_shard(book, task), peer_name(&book->roster, past->peer),
                        skill_name(&book->roster, task->skill)};
    struct strikes *strikes = open_sheet(book, &pair);
    if (strikes == NULL) {
        return;
    }
    uint64_t client = draw_of_name(account_name(&book->accounts, book_root(book, task->account)));
    quarantine_strike(&strikes->sheet, client, book->now_us, 0);
    ripen(book, strikes);
}

/* Of the root principals that failed the task the only one, or NULL. */
static const struct past *only_failure(const struct book *book, const struct task *task)
{
    const struct past *out = NULL;
    for (uint32_t at = task->pasts; at != 0; at = book->pasts[at].next) {
        const struct past *past = &book->pasts[at];
        if (past->is_excluded && out != NULL &&
            book_root(book, out->principal) != book_root(book, past->principal)) {
            return NULL;
        }
        out = past->is_excluded ? past : out;
    }
    return out;
}

static bool has_other_kept(const struct book *book, const struct task *task, uint32_t principal)
{
    for (uint32_t at = task->pasts; at != 0; at = book->pasts[at].next) {
        const struct past *past = &book->pasts[at];
        if (past->state == TENDER_COMMITMENT_FULFILLED &&
            book_root(book, past->principal) != book_root(book, principal)) {
            return true;
        }
    }
    return false;
}

void book_note_failures(struct book *book, const struct task *task)
{
    if (book->is_recalling) {
        return;
    }
    for (uint32_t at = task->pasts; at != 0 && book->strikes.used_count != 0;
         at = book->pasts[at].next) {
        if (book->pasts[at].state == TENDER_COMMITMENT_FULFILLED) {
            note_kept(book, task, &book->pasts[at]);
        }
    }
    const struct past *out = only_failure(book, task);
    if (out != NULL && task->state == TENDER_TASK_DONE &&
        has_other_kept(book, task, out->principal)) {
        strike(book, task, out);
    }
}

/* Unless an operator holds it for longer; a sheet that was judged begins anew. */
static void quarantine(struct book *book, uint32_t number)
{
    static const tender_bytes author = {"tenderd", 7};
    static const char sentence[] = "tasks of N clients failed here that others completed";
    char text[sizeof sentence];
    struct strikes *strikes = pool_at(&book->strikes, number);
    uint32_t clients = quarantine_is_due(&strikes->sheet, book->now_us);
    memcpy(text, sentence, sizeof sentence);
    *strchr(text, 'N') = (char)('0' + clients);
    struct entry_barred barred = {
        .contractor = sheet_contractor(strikes),
        .skill = sheet_skill(strikes),
        .reason = TENDER_REASON_QUARANTINED,
        .text = {text, sizeof sentence - 1},
        .by = author,
        .until_us = book->now_us + QUARANTINE_US,
    };
    int64_t held_until = book_bar_until(book, strikes->shard, &barred);
    bool has_room = held_until != 0 || pool_has_room(&book->bars, 1);
    if (clients > 0 && has_room && held_until < barred.until_us) {
        book_bar(book, strikes->shard, &barred);
    }
    drop_sheet(book, number);
}

void book_record_quarantines(struct book *book)
{
    for (uint32_t number = 1; book->ripe_count > 0 && number <= book->strikes.used; number++) {
        const struct strikes *strikes = pool_at(&book->strikes, number);
        if (strikes->is_ripe && book_has_room(book)) {
            quarantine(book, number);
        }
    }
}

/* A broker that ended between the last strike and the quarantine left that to the next one. */
int book_recall_struck(struct book *book, const struct entry *entry)
{
    const struct entry_struck *struck = &entry->struck;
    struct pair pair = {entry->shard, struck->contractor, struck->skill};
    if (pair.contractor.size == 0 || pair.contractor.size > TENDER_NAME_MAX ||
        pair.skill.size == 0 || pair.skill.size > TENDER_SKILL_MAX) {
        return TENDER_EPROTOCOL;
    }
    struct strikes *strikes = open_sheet(book, &pair);
    if (strikes != NULL) {
        tender_bytes client = keyring_root(&book->keyring, struck->client);
        quarantine_strike(&strikes->sheet, draw_of_name(client), entry->at_us,
                          (uint32_t)struck->kept);
        ripen(book, strikes);
    }
    return 0;
}
