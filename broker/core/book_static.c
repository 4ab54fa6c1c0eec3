/*
 * The static rule: cheap work is assigned at once, at a posted rate, to the principal with the
 * fewest commitments. A sampled share is auctioned all the same.
 */
#include "book_internal.h"

bool book_assign(struct book *book, struct task *task)
{
    (void)book;
    (void)task;
    return false;
}

int64_t book_sampled_rate(const struct book *book, const struct task *task)
{
    (void)book;
    (void)task;
    return 0;
}

int book_apply_assigned(struct book *book, struct task *task, const struct entry *entry)
{
    (void)book;
    (void)task;
    (void)entry;
    return TENDER_EPROTOCOL;
}

void book_hear_rate(struct book *book, const struct event *event)
{
    book_refuse(book, event, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
}

int book_apply_rated(struct book *book, const struct entry *entry)
{
    (void)book;
    (void)entry;
    return TENDER_EPROTOCOL;
}
