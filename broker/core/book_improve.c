/*
 * Improving bids: before its sealed round a task may have rounds after which each bidder learns its
 * place and may ask for less.
 */
#include "book_internal.h"

bool book_close_improving(struct book *book, struct task *task, uint32_t bid_count,
                          uint32_t counting)
{
    (void)book;
    (void)task;
    (void)bid_count;
    (void)counting;
    return false;
}

tender_reason book_judge_improved(const struct book *book, const struct task *task, uint32_t peer,
                                  int64_t cost_micro)
{
    (void)book;
    (void)task;
    (void)peer;
    (void)cost_micro;
    return TENDER_REASON_NONE;
}

void book_drop_leads(struct book *book, struct extra *extra)
{
    (void)book;
    (void)extra;
}

void book_fill_lead(const struct book *book, const struct task *task, uint32_t peer,
                    struct message *message)
{
    (void)book;
    (void)task;
    (void)peer;
    (void)message;
}
