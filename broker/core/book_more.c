/* Where the rules of book_more.h meet: a task's first step, and who may bid. */
#include "book_internal.h"

void book_begin(struct book *book, struct task *task)
{
    if (task->phase == PHASE_BLOCKED) {
        return;
    }
    if (book_waiting_hold(book, task) != TENDER_REASON_NONE) {
        book_hold(book, task, book_waiting_hold(book, task));
    } else if (book->rates.used_count == 0 || !book_assign(book, task)) {
        book_open_round(book, task, false);
    }
}

tender_reason book_judge_more(const struct book *book, const struct task *task, uint32_t peer,
                              int64_t cost_micro, bool is_close)
{
    bool has_counts = book->roster.skills[task->skill].counts != 0;
    if (book->bars.used_count != 0 && book_is_barred(book, task, peer)) {
        return TENDER_REASON_ON_HOLD;
    }
    if (task->extra != 0) {
        /* Who is gone covers nothing: that it is gone is said first. */
        if (book->roster.peers[peer].is_offered && !book_covers(book, task, peer)) {
            return TENDER_REASON_NOT_COVERED;
        }
        if (!is_close && !book_may_join(book, task, peer)) {
            return TENDER_REASON_NOT_DRAWN;
        }
        tender_reason reason = book_judge_improved(book, task, peer, cost_micro);
        if (reason != TENDER_REASON_NONE) {
            return reason;
        }
    }
    if (is_close && !book_may_owe_more(book, task, book->roster.peers[peer].principal)) {
        return TENDER_REASON_LIMIT_REACHED;
    }
    bool may_lack = has_counts || task->extra != 0;
    return is_close && may_lack ? book_judge_needs(book, task, peer) : TENDER_REASON_NONE;
}
