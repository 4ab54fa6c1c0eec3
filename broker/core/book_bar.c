/* Holds: an operator's, and the quarantine of a contractor whose failures cluster on one skill. */
#include "book_internal.h"

bool book_is_barred(const struct book *book, uint32_t peer, uint32_t skill)
{
    (void)book;
    (void)peer;
    (void)skill;
    return false;
}

void book_hear_hold(struct book *book, const struct event *event)
{
    book_refuse(book, event, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
}

void book_hear_unbar(struct book *book, const struct event *event)
{
    book_refuse(book, event, TENDER_REASON_UNKNOWN_TASK, NULL);
}

void book_note_failures(struct book *book, const struct task *task)
{
    (void)book;
    (void)task;
}

void book_record_quarantines(struct book *book)
{
    (void)book;
}

int book_apply_barred(struct book *book, const struct entry *entry)
{
    (void)book;
    (void)entry;
    return TENDER_EPROTOCOL;
}

int book_recall_struck(struct book *book, const struct entry *entry)
{
    (void)book;
    (void)entry;
    return TENDER_EPROTOCOL;
}
