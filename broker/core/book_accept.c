/*
 * Acceptance: a completion brings the evidence that its task requires, and where the client is to
 * decide on it, it is delivered and waits.
 */
#include "book_internal.h"

bool book_has_evidence(const struct book *book, const struct task *task, const struct message *said,
                       const char **field_out)
{
    (void)book;
    (void)task;
    (void)said;
    *field_out = NULL;
    return true;
}

bool book_is_gated(const struct book *book, const struct task *task)
{
    (void)book;
    (void)task;
    return false;
}

void book_deliver(struct book *book, struct task *task, const struct event *event)
{
    (void)book;
    (void)task;
    (void)event;
}

void book_hear_delivered(struct book *book, struct task *task, const struct event *event)
{
    (void)task;
    book_not_understood(book, event, TENDER_REASON_ALREADY_ENDED, "generation");
}

void book_hear_accept(struct book *book, const struct event *event)
{
    book_refuse(book, event, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
}

void book_hear_reject(struct book *book, const struct event *event)
{
    book_refuse(book, event, TENDER_REASON_UNKNOWN_PERFORMATIVE, NULL);
}

void book_accept_by_silence(struct book *book, struct task *task)
{
    (void)book;
    (void)task;
}

int book_apply_delivered(struct book *book, struct task *task, const struct entry *entry)
{
    (void)book;
    (void)task;
    (void)entry;
    return TENDER_EPROTOCOL;
}

void book_drop_delivery(struct book *book, struct commitment *commitment)
{
    (void)book;
    (void)commitment;
}
