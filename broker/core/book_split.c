/*
 * Split awards: a round of a cost per unit and a capacity makes several commitments. Each is a
 * part, with a task record of its own for its course; its entries are in the chain of the whole.
 */
#include "book_internal.h"

bool book_close_split(struct book *book, struct task *task, uint32_t bid_count, uint32_t counting)
{
    (void)book;
    (void)task;
    (void)bid_count;
    (void)counting;
    return false;
}

struct task *book_find_part(struct book *book, struct task *whole, int64_t part)
{
    (void)book;
    return part == 0 ? whole : NULL;
}

void book_settle_part(struct book *book, struct task *part, const struct ending *ending)
{
    (void)book;
    (void)part;
    (void)ending;
}

int book_apply_part(struct book *book, struct task *whole, const struct entry *entry)
{
    (void)book;
    (void)whole;
    (void)entry;
    return TENDER_EPROTOCOL;
}

void book_stop_parts(struct book *book, struct task *whole, tender_reason reason, tender_bytes text)
{
    (void)book;
    (void)whole;
    (void)reason;
    (void)text;
}
