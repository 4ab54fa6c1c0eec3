/*
 * What a task may have besides the plain auction: each rule is a file of its own, and the book's
 * other files call it through the functions below. A plain task has no extra and pays one test at
 * each of them.
 */
#ifndef TENDER_BROKER_CORE_BOOK_MORE_H
#define TENDER_BROKER_CORE_BOOK_MORE_H

#include "book_internal.h"

/* book_more.c */
/* Takes the task's first step: it waits for others, is assigned, or its round opens. */
void book_begin(struct book *book, struct task *task);
/* Why a bidder or its bid is not eligible by a rule beyond the plain ones, or NONE. */
tender_reason book_judge_more(const struct book *book, const struct task *task, uint32_t peer,
                              int64_t cost_micro, bool is_close);

/* book_terms.c: the further terms of an announcement */
const char *book_bad_terms(const struct event *event); /* a field, or NULL */
const char *book_terms_text(const char *field);        /* what it must be; NULL: in its range */
void book_read_terms(struct book *book, const struct event *event, struct entry_announced *terms);
#define BOOK_DIGEST_TERMS_MAX 3072
/* Their part of what the announcement's digest is over; returns its size: 0 where none is said. */
size_t book_digest_terms(const struct message *said, uint8_t to[BOOK_DIGEST_TERMS_MAX]);
bool book_has_terms_room(struct book *book, const struct entry_announced *terms);
int book_take_extra(struct book *book, struct task *task, const struct entry_announced *announced);
/* Gives the task an extra, where it has none. Returns 0, or TENDER_ELIMIT. */
int book_need_extra(struct book *book, struct task *task);
void book_drop_extra(struct book *book, struct task *task);
/* For a cfp, and what of it an award says again. */
void book_fill_terms(struct book *book, const struct task *task, struct message *message);

/* book_static.c: posted rates */
bool book_assign(struct book *book, struct task *task);
/* The posted rate that a first round is a sample against, or 0. */
int64_t book_sampled_rate(const struct book *book, const struct task *task);
int book_apply_assigned(struct book *book, struct task *task, const struct entry *entry);
void book_hear_rate(struct book *book, const struct event *event);
int book_apply_rated(struct book *book, const struct entry *entry);

/* book_need.c: bundles and counted resources */
bool book_covers(const struct book *book, const struct task *task, uint32_t peer);
/* RESOURCE_TAKEN where the peer could not have what the task needs now, or NONE. */
tender_reason book_judge_needs(const struct book *book, const struct task *task, uint32_t peer);
/* How many commitments could have what all share of what the task needs; UINT32_MAX: any number. */
uint32_t book_free_parts(const struct book *book, const struct task *task);
/* Whether a commitment of the peer would hold anything: what its entry says. */
bool book_would_hold(const struct book *book, const struct task *task, uint32_t peer);
/* Whether the active commitment of the task takes one of the count. */
bool book_takes_count(const struct book *book, const struct task *task, const struct count *count);
void book_hold_needs(struct book *book, struct task *task);
void book_free_needs(struct book *book, struct task *task);
void book_hear_resource(struct book *book, const struct event *event);
int book_apply_counted(struct book *book, const struct entry *entry);

/* book_draw.c: who is invited where more could be than the task asks for */
/* Draws for the round that is about to open, whose number and head `opened` has. */
void book_draw(struct book *book, struct task *task, struct entry_opened *opened);
/* What an opened round's entry says of it; `round` is filled in but for the draw. */
int book_apply_drawn(struct book *book, struct task *task, const struct entry_opened *opened);
/* Whether one more may be invited, or answer uninvited. */
bool book_may_join(const struct book *book, const struct task *task, uint32_t peer);
/* Whom the last draw took. */
void book_invite_drawn(struct book *book, struct task *task);
/* A contractor that came back is offered the full rounds again that it was drawn for. */
void book_retell_drawn(struct book *book, uint32_t peer);
/* How a commitment ended counts in the record of its principal; in recall the ledger tells those.
 */
void book_note_record(struct book *book, const struct commitment *commitment,
                      tender_commitment_state ended);
int book_recall_recorded(struct book *book, const struct entry *entry);

/* book_split.c: parts */
/* Whether the round is closed by it. */
bool book_close_split(struct book *book, struct task *task, uint32_t bid_count, uint32_t counting);
/* Whether a bid says a capacity, where it has to. */
bool book_has_capacity(const struct book *book, const struct task *task,
                       const struct message *said);
/* What a part is paid for `units` of its units, fewer than all or not. */
int64_t book_part_worth(struct book *book, const struct task *part, int64_t units);
/* The record of a part that is under way; 0 is the task itself. Or NULL. */
struct task *book_find_part(struct book *book, struct task *whole, int64_t part);
void book_settle_part(struct book *book, struct task *part, const struct ending *ending);
/* To whoever asks for the state of a split task: each part that goes on. */
void book_answer_parts(struct book *book, const struct event *event, const struct task *whole);
/* Ends what goes on of a split task, and the task where nothing of it awaits the client's decision.
 */
void book_stop_parts(struct book *book, struct task *whole, tender_reason reason,
                     tender_bytes text);

/* book_part.c: the records of parts, and what entries do to them */
/* The part whose course the entry changes; 0: that of the task itself. */
int64_t book_part_of(const struct entry *entry);
int book_apply_part(struct book *book, struct task *whole, const struct entry *entry);
/* The choice that the part was made by, as split_choose left it; returns how many bids. */
uint32_t book_read_offers(struct book *book, const struct task *part,
                          struct split_terms *terms_out);

/* book_after.c: tasks that wait for others */
/* Why the announcement may not wait for what it names; sets `blocked` and its deadline, or NONE. */
tender_reason book_judge_after(struct book *book, const struct event *event,
                               struct entry_announced *terms, const char **field_out);
bool book_has_after_room(const struct book *book, const struct entry_announced *terms);
int book_take_links(struct book *book, struct task *task, const struct entry_announced *announced);
void book_drop_links(struct book *book, struct task *task);
/* Whether a blocked task went on or ended by it. */
bool book_unblock(struct book *book, struct task *task);
/* Whether a blocked task is to go on, or to end, at once. */
bool book_may_unblock(const struct book *book, const struct task *task);
/* Links to tasks that were recalled behind the task are made. */
void book_resume_links(struct book *book, struct task *task);
/* The task has ended: those that wait for it are looked at next. */
void book_release_dependents(struct book *book, struct task *task);
int book_apply_unblocked(struct book *book, struct task *task, const struct entry *entry);
int book_recall_stood(struct book *book, const struct entry *entry);

/* book_goal.c: goals and beliefs */
tender_reason book_judge_goal(const struct book *book, const struct entry_announced *terms,
                              const char **field_out);
bool book_has_goal_room(const struct book *book, const struct entry_announced *terms);
/* The goal of an account by its name, and that of a task; or NULL. */
struct goal *book_find_goal(const struct book *book, uint32_t account, tender_bytes name);
struct goal *book_goal_of(const struct book *book, const struct task *task);
int book_join_goal(struct book *book, struct task *task, tender_bytes goal);
void book_leave_goal(struct book *book, struct task *task);
/* Whether nothing of the task's goal may be awarded now. */
bool book_goal_bars(const struct book *book, const struct task *task);
/* The belief of its client that ended a goal, or NONE; and the same of a task's. */
tender_reason goal_ended(const struct goal *goal);
tender_reason book_goal_ended(const struct book *book, const struct task *task);
/* Until when awards of a goal wait for its client, which may be over; 0: they do not. */
int64_t goal_suspended(const struct goal *goal);
int64_t book_goal_suspended(const struct book *book, const struct task *task);
bool book_close_suspended(struct book *book, struct task *task, uint32_t bid_count);
/* After a recall: forgets goals without tasks, and goes on with those that are to be stopped. */
void book_resume_goals(struct book *book);
void book_stop_some(struct book *book);
int book_apply_goaled(struct book *book, const struct entry *entry);

/* book_believe.c */
void book_hear_believe(struct book *book, const struct event *event, uint32_t peer);
void book_hear_goal_query(struct book *book, const struct event *event);
int book_apply_believed(struct book *book, struct task *task, const struct entry *entry);

/* book_accept.c: evidence, and deliveries that the client decides on */
/* Whether a report brings what the task requires; else the name that is missing. */
bool book_has_evidence(struct book *book, const struct task *task, const struct message *said,
                       const char **field_out);
/* Whether the client is to decide on what is delivered. */
bool book_is_gated(const struct book *book, const struct task *task);
/* Whether contents are told only when they are paid: the task requires something of them. */
bool book_is_withheld(const struct book *book, const struct task *task);
void book_deliver(struct book *book, struct task *task, const struct event *event);
/* The answer to a report on a commitment that is delivered. */
void book_hear_delivered(struct book *book, struct task *task, const struct event *event);
void book_hear_accept(struct book *book, const struct event *event);
void book_hear_reject(struct book *book, const struct event *event);
void book_accept_by_silence(struct book *book, struct task *task);
int book_apply_delivered(struct book *book, struct task *task, const struct entry *entry);
void book_drop_delivery(struct book *book, struct commitment *commitment);
/* Units of an ending that were shown as the task requires; it has an extra. */
int64_t book_shown_units(const struct book *book, const struct task *task,
                         const struct ending *ending);
/* What a client is told of a delivery that waits for it. */
void book_fill_delivery(struct book *book, const struct task *task, struct message *message);

/* book_adopt.c: late results */
void book_tell_late(struct book *book, const struct task *task, const struct past *past,
                    const struct entry *entry);
void book_hear_adopt(struct book *book, const struct event *event);
int book_apply_adopted(struct book *book, struct task *task, const struct entry *entry);

/* book_improve.c: rounds of improving bids */
bool book_close_improving(struct book *book, struct task *task, uint32_t bid_count,
                          uint32_t counting);
tender_reason book_judge_improved(const struct book *book, const struct task *task, uint32_t peer,
                                  int64_t cost_micro);
void book_drop_leads(struct book *book, struct extra *extra);
/* A round closed so that another one follows, or otherwise. */
int book_apply_improving(struct book *book, struct task *task, const struct entry_ranks *ranks);
/* What the bidder learns of its place in the round before. */
void book_fill_lead(const struct book *book, const struct task *task, uint32_t peer,
                    struct message *message);

/* book_bar.c: holds on contractors, principals and skills */
bool book_is_barred(const struct book *book, const struct task *task, uint32_t peer);
void book_hear_hold(struct book *book, const struct event *event);
void book_hear_unbar(struct book *book, const struct event *event);
/* What a hold on anything must say: a reason, and an end that has not passed. False: refused. */
bool book_read_hold(struct book *book, const struct event *event, int64_t *until_us_out);
/* Writes a hold, or with `until_us` 0 its end. Texts are copied. */
void book_bar(struct book *book, uint32_t shard, const struct entry_barred *barred);
/* Until when there is a hold on the same; 0: there is none. */
int64_t book_bar_until(const struct book *book, uint32_t shard, const struct entry_barred *barred);
/* When the first of them ends, or TENDER_NEVER; and writes the ends that have come. */
int64_t book_bars_end(const struct book *book);
void book_end_bars(struct book *book);
int book_apply_barred(struct book *book, const struct entry *entry);

/* book_hold.c: holds on tasks */
void book_hear_hold_task(struct book *book, const struct event *event);
/* Why what is left of the task is held, or NONE. */
tender_reason book_waiting_hold(const struct book *book, const struct task *task);
void book_hold(struct book *book, struct task *task, tender_reason reason);
/* The task's hold has come to its end. */
void book_release_due(struct book *book, struct task *task);
int book_apply_held(struct book *book, struct task *task, const struct entry *entry);
int book_apply_released(struct book *book, struct task *task, const struct entry *entry);

/* book_keyring.c: who may speak as whom */
void book_hear_enrol(struct book *book, const struct event *event);
/* Whether the peer may offer all skills of the message. */
bool book_may_offer(const struct book *book, uint32_t peer, const struct message *said);

/* book_strike.c: quarantine */
/* The task has ended: whom it strikes, and who kept a commitment. */
void book_note_failures(struct book *book, const struct task *task);
/* Writes the quarantines that have become due. */
void book_record_quarantines(struct book *book);
int book_recall_struck(struct book *book, const struct entry *entry);

/* The account of the root principal of that account's. */
static inline uint32_t book_root(const struct book *book, uint32_t account)
{
    return book->accounts.items[account].root;
}

#endif
