/* Salvage: a client takes and pays a result that came too late. */
#include "book_internal.h"

void book_hear_adopt(struct book *book, const struct event *event)
{
    book_refuse(book, event, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
}

int book_apply_adopted(struct book *book, struct task *task, const struct entry *entry)
{
    (void)book;
    (void)task;
    (void)entry;
    return TENDER_EPROTOCOL;
}
