/*
 * Focus: with more eligible principals than a task wants invited, a seeded draw over principals, by
 * record and with a share for newcomers.
 */
#include "book_internal.h"

void book_draw(struct book *book, struct task *task, struct entry_opened *opened)
{
    (void)book;
    (void)task;
    (void)opened;
}

int book_apply_drawn(struct book *book, struct task *task, const struct entry_opened *opened)
{
    (void)book;
    (void)task;
    return opened->drawn.count == 0 ? 0 : TENDER_EPROTOCOL;
}

bool book_may_join(const struct book *book, const struct task *task, uint32_t peer)
{
    (void)book;
    (void)task;
    (void)peer;
    return true;
}

void book_invite_drawn(struct book *book, struct task *task)
{
    (void)book;
    (void)task;
}

int book_recall_recorded(struct book *book, const struct entry *entry)
{
    (void)book;
    (void)entry;
    return TENDER_EPROTOCOL;
}
