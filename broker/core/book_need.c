/*
 * Bundles and counted resources: who covers all that a task names, and what its commitment holds of
 * things that there are only so many of. A commitment takes one of every count, of every name of
 * its task, that all share or that is its owner's own.
 */
#include "book_internal.h"

#include <assert.h>
#include <string.h>

/* The task's skill, then its needs; 0 behind the last. */
static uint32_t name_at(const struct book *book, const struct task *task, uint32_t index)
{
    const struct extra *extra = task_extra(book, task);
    if (index == 0) {
        return task->skill;
    }
    return extra != NULL && index <= extra->need_count ? extra->needs[index - 1] : 0;
}

bool book_covers(const struct book *book, const struct task *task, uint32_t peer)
{
    uint32_t index = 0;
    uint32_t name = task->skill;
    while (name != 0 && roster_offers(&book->roster, peer, name)) {
        name = name_at(book, task, ++index);
    }
    return name == 0;
}

static tender_bytes contractor_of(const struct count *count)
{
    return (tender_bytes){count->contractor, count->contractor_size};
}

/* The counts that a commitment of `owner` takes one of, each once. */
struct walk {
    const struct book *book;
    const struct task *task;
    tender_bytes owner;
    uint32_t index; /* of the next name */
    uint32_t next;  /* count of the name before it */
};

static struct count *next_count(struct walk *walk)
{
    for (;;) {
        while (walk->next == 0) {
            uint32_t name = name_at(walk->book, walk->task, walk->index++);
            if (name == 0) {
                return NULL;
            }
            walk->next = walk->book->roster.skills[name].counts;
        }
        struct count *count = pool_at(&walk->book->counts, walk->next);
        walk->next = count->next;
        bool is_own = count->contractor_size == 0 || bytes_equal(contractor_of(count), walk->owner);
        if (is_own && count->shard == book_shard(walk->book, walk->task)) {
            return count;
        }
    }
}

static struct walk begin_walk(const struct book *book, const struct task *task, uint32_t owner)
{
    return (struct walk){.book = book, .task = task, .owner = peer_name(&book->roster, owner)};
}

tender_reason book_judge_needs(const struct book *book, const struct task *task, uint32_t peer)
{
    struct walk walk = begin_walk(book, task, peer);
    const struct count *count = next_count(&walk);
    while (count != NULL && count->held < count->count) {
        count = next_count(&walk);
    }
    return count == NULL ? TENDER_REASON_NONE : TENDER_REASON_RESOURCE_TAKEN;
}

uint32_t book_free_parts(const struct book *book, const struct task *task)
{
    struct walk walk = {.book = book, .task = task}; /* what all share */
    uint32_t parts = UINT32_MAX;
    for (const struct count *count = next_count(&walk); count != NULL; count = next_count(&walk)) {
        uint32_t left = count->held < count->count ? count->count - count->held : 0;
        parts = left < parts ? left : parts;
    }
    return parts;
}

bool book_would_hold(const struct book *book, const struct task *task, uint32_t peer)
{
    struct walk walk = begin_walk(book, task, peer);
    return next_count(&walk) != NULL;
}

/* In recall, where the counts are those of today, more may be held for a moment than there are. */
void book_hold_needs(struct book *book, struct task *task)
{
    struct walk walk = begin_walk(book, task, task->commitment.peer);
    for (struct count *count = next_count(&walk); count != NULL; count = next_count(&walk)) {
        assert(book->is_recalling || count->held < count->count);
        count->held++;
    }
}

void book_free_needs(struct book *book, struct task *task)
{
    struct walk walk = begin_walk(book, task, task->commitment.peer);
    for (struct count *count = next_count(&walk); count != NULL; count = next_count(&walk)) {
        assert(count->held > 0);
        count->held--;
    }
}

static struct count *find_count(const struct book *book, uint32_t shard, uint32_t name,
                                tender_bytes contractor)
{
    uint32_t at = name == 0 ? 0 : book->roster.skills[name].counts;
    while (at != 0) {
        struct count *count = pool_at(&book->counts, at);
        if (count->shard == shard && bytes_equal(contractor_of(count), contractor)) {
            return count;
        }
        at = count->next;
    }
    return NULL;
}

static bool needs_name(const struct book *book, const struct task *task, uint32_t name)
{
    uint32_t index = 0;
    uint32_t own = name_at(book, task, index);
    while (own != 0 && own != name) {
        own = name_at(book, task, ++index);
    }
    return own == name;
}

static bool takes(const struct book *book, const struct task *task, uint32_t name,
                  tender_bytes contractor)
{
    return needs_name(book, task, name) &&
           (contractor.size == 0 ||
            bytes_equal(peer_name(&book->roster, task->commitment.peer), contractor));
}

bool book_takes_count(const struct book *book, const struct task *task, const struct count *count)
{
    return book_shard(book, task) == count->shard &&
           takes(book, task, count->skill, contractor_of(count));
}

/* Whether a commitment that would hold of it goes on; as rare as an operator's word. */
static bool is_worked_with(const struct book *book, uint32_t shard, uint32_t name,
                           tender_bytes contractor)
{
    for (uint32_t number = 1; name != 0 && number <= book->tasks_used; number++) {
        const struct task *task = &book->tasks[number];
        if (phase_is_owned(task->phase) && book_shard(book, task) == shard &&
            takes(book, task, name, contractor)) {
            return true;
        }
    }
    return false;
}

/* Why there cannot be so many, or NONE. */
static tender_reason judge_count(const struct book *book, const struct event *event, uint32_t name,
                                 tender_bytes contractor)
{
    const struct message *said = event->message;
    const struct count *known = find_count(book, event->shard, name, contractor);
    if (known != NULL) {
        return said->units_done < (int64_t)known->held ? TENDER_REASON_IN_USE : TENDER_REASON_NONE;
    }
    if (is_worked_with(book, event->shard, name, contractor)) {
        return TENDER_REASON_IN_USE;
    }
    bool has_room =
        pool_has_room(&book->counts, 1) && roster_has_skill_room(&book->roster, said->skill);
    return has_room ? TENDER_REASON_NONE : TENDER_REASON_LIMIT_REACHED;
}

void book_hear_resource(struct book *book, const struct event *event)
{
    const struct message *said = event->message;
    if (!event->is_operator) {
        book_refuse(book, event, TENDER_REASON_NOT_YOURS, NULL);
        return;
    }
    if (said->units_done < 0 || said->units_done > TENDER_UNITS_MAX) {
        book_refuse(book, event, TENDER_REASON_OUT_OF_RANGE, "units_done");
        return;
    }
    tender_bytes contractor =
        message_has(said, MESSAGE_CONTRACTOR) ? said->contractor : (tender_bytes){NULL, 0};
    uint32_t name = roster_skill_find(&book->roster, said->skill);
    const struct count *known = find_count(book, event->shard, name, contractor);
    int64_t before = known != NULL ? (int64_t)known->count : 0;
    if (said->units_done != before) {
        tender_reason reason = judge_count(book, event, name, contractor);
        if (reason != TENDER_REASON_NONE) {
            book_refuse(book, event, reason, "units_done");
            return;
        }
        struct entry *entry = book_note_house(book, event->shard, ENTRY_COUNTED);
        entry->counted = (struct entry_counted){
            .resource = book_keep(book, said->skill),
            .contractor = book_keep(book, contractor),
            .count = said->units_done,
            .by = book_keep(book, event->peer),
        };
        book_record(book, NULL, entry);
        int status = book_apply_counted(book, entry);
        assert(status == 0);
        (void)status;
    }
    struct message *agree = book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
    message_set(agree, AT, at_us, book->now_us);
}

static void drop_count(struct book *book, struct count *count)
{
    uint32_t number = pool_number(&book->counts, count);
    uint32_t skill = count->skill;
    uint32_t *link = &book->roster.skills[skill].counts;
    while (*link != number) {
        link = &((struct count *)pool_at(&book->counts, *link))->next;
    }
    *link = count->next;
    count->skill = 0;
    pool_give(&book->counts, number);
    roster_skill_drop(&book->roster, skill);
}

/* A name is referred to for as long as it is counted. */
static struct count *begin_count(struct book *book, const struct entry *entry)
{
    const struct entry_counted *fact = &entry->counted;
    uint32_t skill = roster_skill_open(&book->roster, fact->resource);
    uint32_t number = skill == 0 ? 0 : pool_new(&book->counts);
    if (number == 0) {
        return NULL;
    }
    struct count *count = pool_at(&book->counts, number);
    roster_skill_refer(&book->roster, skill);
    count->shard = entry->shard;
    count->skill = skill;
    count->next = book->roster.skills[skill].counts;
    count->contractor_size = (uint8_t)fact->contractor.size;
    if (fact->contractor.size > 0) {
        memcpy(count->contractor, fact->contractor.data, fact->contractor.size);
    }
    book->roster.skills[skill].counts = number;
    return count;
}

int book_apply_counted(struct book *book, const struct entry *entry)
{
    const struct entry_counted *fact = &entry->counted;
    if (fact->resource.size == 0 || fact->resource.size > TENDER_SKILL_MAX ||
        fact->contractor.size > TENDER_NAME_MAX || fact->count < 0 ||
        fact->count > TENDER_UNITS_MAX) {
        return TENDER_EPROTOCOL;
    }
    uint32_t name = roster_skill_find(&book->roster, fact->resource);
    struct count *count = find_count(book, entry->shard, name, fact->contractor);
    if (fact->count == 0) {
        if (count != NULL) {
            drop_count(book, count);
        }
        return 0;
    }
    count = count != NULL ? count : begin_count(book, entry);
    if (count == NULL) {
        return TENDER_ELIMIT;
    }
    count->count = (uint32_t)fact->count;
    return 0;
}
