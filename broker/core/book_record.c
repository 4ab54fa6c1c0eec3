/*
 * How a decision becomes an entry: sealed into the chain of its task or of the house, kept in the
 * effects of the event, and applied. Also recesses, which move what entries promised.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

/*
 * What the largest single decision needs: a round of AUCTION_BIDS_MAX bids and its follow-ups, or
 * the end of a task of PARTS_MAX parts, each of which all who follow it hear of.
 */
#define DECISION_ENTRIES 512
#define DECISION_TELLS   4608
#define DECISION_BYTES   ((size_t)6 << 20)

bool book_has_room(const struct book *book)
{
    const struct effects *effects = book->effects;
    size_t tells = AUCTION_BIDS_MAX + DECISION_TELLS + (size_t)book->limits.contractor_count +
                   (size_t)book->limits.client_count;
    return effects->entry_capacity - effects->entry_count >= DECISION_ENTRIES &&
           effects->tell_capacity - effects->tell_count >= tells &&
           effects->byte_capacity - effects->byte_count >= DECISION_BYTES;
}

tender_bytes book_keep(struct book *book, tender_bytes bytes)
{
    struct effects *effects = book->effects;
    if (bytes.size == 0) {
        return (tender_bytes){NULL, 0};
    }
    assert(effects->byte_capacity - effects->byte_count >= bytes.size);
    char *copy = effects->bytes + effects->byte_count;
    effects->byte_count += bytes.size;
    return (tender_bytes){memcpy(copy, bytes.data, bytes.size), bytes.size};
}

tender_bytes book_keep_aligned(struct book *book, const void *items, size_t size)
{
    book->effects->byte_count = (book->effects->byte_count + 15) & ~(size_t)15;
    return book_keep(book, (tender_bytes){items, size});
}

void book_attach(struct book *book, struct entry *entry, tender_bytes content, int64_t *size_out,
                 tender_digest *digest_out)
{
    if (content.size > 0) {
        const char *start = book->effects->bytes;
        const char *data = content.data;
        bool is_kept = data >= start && data < start + book->effects->byte_capacity;
        entry->content = is_kept ? content : book_keep(book, content);
        *size_out = (int64_t)content.size;
        *digest_out = entry_digest(content);
    }
}

struct entry *book_note(struct book *book, struct task *task, enum entry_kind kind)
{
    struct effects *effects = book->effects;
    assert(effects->entry_count < effects->entry_capacity);
    struct entry *entry = &effects->entries[effects->entry_count++];
    memset(entry, 0, sizeof *entry);
    entry->kind = kind;
    entry->at_us = book->now_us;
    if (task != NULL) {
        const struct task *chained = task->whole != 0 ? &book->tasks[task->whole] : task;
        entry->task = chained->id;
        entry->number = chained->number + 1;
        entry->shard = book_shard(book, chained);
    }
    return entry;
}

struct entry *book_note_house(struct book *book, uint32_t shard, enum entry_kind kind)
{
    struct entry *entry = book_note(book, NULL, kind);
    assert(shard_is_in(book->limits.shards, shard));
    entry->shard = shard;
    entry->number = book->houses[shard].number + 1;
    return entry;
}

uint32_t book_shard(const struct book *book, const struct task *task)
{
    return shard_of_task(task_whole(book, task)->id, book->limits.shard_count);
}

uint32_t book_seat(const struct book *book)
{
    return shard_first(book->limits.shards);
}

void book_record(struct book *book, struct task *task, struct entry *entry)
{
    struct effects *effects = book->effects;
    struct task *part = NULL;
    if (task != NULL && task->whole != 0) {
        part = task;
        task = &book->tasks[task->whole];
    }
    struct house *house = &book->houses[entry->shard];
    const tender_digest *previous = task != NULL ? &task->head : &house->head;
    int size = entry_seal(entry, previous, effects->bytes + effects->byte_count,
                          effects->byte_capacity - effects->byte_count);
    assert(size >= 0);
    effects->byte_count += (size_t)size;
    if (task == NULL) {
        house->number = entry->number;
        house->head = entry->hash;
        return;
    }
    book->last_entry_us = entry->at_us;
    int status = book_apply(book, task, entry);
    assert(status == 0);
    (void)status;
    book_arm_task(book, task);
    if (part != NULL) {
        book_arm_task(book, part);
    }
}

/* In the order of their stamps: recall brings them shard by shard. */
void book_add_recess(struct book *book, const struct recess *recess)
{
    if (book->recess_count == RECESSES_MAX) {
        book->recess_first = (book->recess_first + 1) % RECESSES_MAX;
        book->recess_count--;
    }
    uint32_t at = book->recess_count++;
    for (; at > 0; at--) {
        const struct recess *before = &book->recesses[(book->recess_first + at - 1) % RECESSES_MAX];
        if (before->at_us <= recess->at_us) {
            break;
        }
        book->recesses[(book->recess_first + at) % RECESSES_MAX] = *before;
    }
    book->recesses[(book->recess_first + at) % RECESSES_MAX] = *recess;
    if (recess->until_us > book->heard_floor_us) {
        book->heard_floor_us = recess->until_us;
    }
}

int64_t book_moved(const struct book *book, const struct task *task, int64_t set_at_us,
                   int64_t deadline_us)
{
    uint32_t shard = book_shard(book, task);
    uint32_t first = book->recess_count;
    while (first > 0 &&
           book->recesses[(book->recess_first + first - 1) % RECESSES_MAX].at_us > set_at_us) {
        first--;
    }
    for (uint32_t i = first; i < book->recess_count; i++) {
        const struct recess *recess = &book->recesses[(book->recess_first + i) % RECESSES_MAX];
        if (shard_is_in(recess->shards, shard) && deadline_us >= recess->from_us &&
            deadline_us < recess->until_us) {
            deadline_us = recess->until_us;
        }
    }
    return deadline_us;
}
