/*
 * What the book's own files share: the book, and the steps between its records (book_records.h).
 *
 * Every change of a task that must survive a restart is an entry: a step computes it, book_record
 * seals it and book_apply changes the task by it. Recall applies the same entries by the same
 * function, so what is recalled cannot differ from what was heard. Sessions, liveness, invitations
 * and the calendar follow from memory and are rebuilt.
 */
#ifndef TENDER_BROKER_CORE_BOOK_INTERNAL_H
#define TENDER_BROKER_CORE_BOOK_INTERNAL_H

#include "account.h"
#include "arena.h"
#include "auction.h"
#include "book.h"
#include "book_records.h"
#include "bytes.h"
#include "commitment.h"
#include "filter.h"
#include "keyring.h"
#include "pool.h"
#include "roster.h"
#include "split.h"
#include "waiting.h"
#include "watcher.h"

#define DEFAULT_HEARTBEAT_US 5000000
#define FORGET_LAG_US        5000000 /* a question to the ledger may take so long */
#define FORGET_RETRY_US      1000000 /* until the ledger is thought to have caught up */
#define RECESSES_MAX         4096    /* kept; older ones are over for every open task */
#define FOLLOWERS_MAX        64      /* of one task */
#define PARTS_MAX            64      /* of one task, under way at one time */
#define LATE_RESULTS_MAX     4       /* late results kept for one commitment */
#define PUMP_INVITATIONS_MAX 64      /* cfps to contractors that freed up, in one event */
#define PUMP_LOOKS_MAX       1024    /* open rounds looked at for them, in one event */
#define RETOLD_MAX           1024    /* awards and cancellations said again in one event */
#define QUEUED_ANSWERS_MAX   1024    /* unrecorded answers held before they are written */
#define QUEUED_TEXT_MAX      131072  /* bytes of their prose */

#define SUSPEND_US INT64_C(600000000) /* a goal waits for its client's word for so long */

#define LINKS_MAX(tasks) ((tasks)*2 + 1024)
#define GOALS_MAX(tasks) ((tasks) / 2 + 1024)
#define COUNTS_MAX       4096
#define BARS_MAX         1024
#define HOLD_US          INT64_C(86400000000) /* where a hold states no end */
#define SHEETS_MAX       8192
#define LEADS_MAX(bids)  ((bids)*2 + 1024)
#define RATES_MAX        4096

/* As many as book_draw.c looks at. */
#define BOOK_CANDIDATES_MAX (TENDER_INVITE_MAX * 8 + 64 + 2048)

/* Whom a draw looked at and could invite, in its order. */
struct candidate {
    uint32_t peer;
    bool is_taken;
    uint64_t key; /* orders those that were found by other means than a draw */
};

/* The end of the chain of a shard's house. */
struct house {
    uint64_t number;
    tender_digest head;
};

/* The texts of a task's further terms, kept once for all who are told of them in one event. */
struct told_terms {
    tender_id task; /* nil: none yet */
    struct message_texts needs;
    tender_bytes evidence;
    tender_bytes tier;
    tender_bytes goal;
};

struct book {
    struct book_limits limits;
    int64_t now_us;
    int64_t last_entry_us; /* stamp of the last entry about a task */
    bool is_recalling;
    bool has_new_roots; /* recalled, and not yet those of accounts */
    struct effects *effects;
    const struct event *event;
    struct told_terms told;

    struct accounts accounts;
    struct keyring keyring;
    struct roster roster;
    struct arena arena;
    struct watcher watcher; /* objects: tasks, then peers behind them */

    struct task *tasks;
    struct waiting_node *waiting; /* one for each task */
    struct bid *bids;
    struct past *pasts;
    struct follow *follows;
    struct table task_by_id;
    struct table task_by_key;
    struct table bid_by_pair;
    struct filter keys; /* announced in this memory, or recalled */
    bool has_past;      /* the ledger may hold keys that are not among them */
    uint32_t tasks_used, free_task;
    uint32_t bids_used, free_bid;
    uint32_t bids_held; /* at most bid_count, but in recall, where tasks come one after the other */
    uint32_t pasts_used, free_past, past_count;
    uint32_t follows_used, free_follow, follow_count;
    uint32_t ended_first, ended_last; /* in the order of their end */
    uint32_t dirty_first, dirty_last;
    uint32_t queued_count;
    size_t queued_text;
    int64_t committed_us; /* as event.h says, FORGET_LAG_US ago or more; 0: not known */
    int64_t sampled_us;   /* the next value of committed_us, taken at sampled_at_us */
    int64_t sampled_at_us;
    int64_t returned_us;     /* last entry of ended tasks that came back and were forgotten */
    int64_t forgets_from_us; /* not to be asked about forgetting before */
    uint64_t sequence;       /* of opened rounds */

    struct house houses[SHARDS_MAX]; /* one for each shard */

    struct recess recesses[RECESSES_MAX]; /* a ring */
    uint32_t recess_first, recess_count;
    int64_t heard_floor_us; /* nobody is held silent before this: resume, or the last recess */

    /* scratch for closing a round */
    struct auction_bid auction[AUCTION_BIDS_MAX];
    uint32_t auction_bids[AUCTION_BIDS_MAX];
    uint32_t auction_order[AUCTION_BIDS_MAX];
    struct entry_rank ranks[AUCTION_BIDS_MAX];
    struct split_bid split_bids[SPLIT_BIDS_MAX];
    struct split_scratch split;
    struct entry_answer answers[ENTRY_ANSWERS_MAX];
    struct nodes nodes; /* of the book of a round */
    /* scratch for a draw */
    struct candidate candidates[BOOK_CANDIDATES_MAX];
    uint32_t candidate_count;
    uint64_t draws;            /* so far: marks whom the newest one looked at */
    char body[ENTRY_BODY_MAX]; /* of a recalled entry, written again */

    /* what plain tasks have not */
    struct pool extras, links, goals, deliveries, counts, bars, rates, leads, split_offers, strikes;
    struct table goal_by_name;
    struct table rate_by_name;
    struct table strikes_by_pair;
    uint64_t bar_changes; /* so far */
    uint64_t beliefs;     /* about goals, so far */
    uint32_t ripe_count;  /* quarantines that are due */
    uint32_t stopping;    /* first goal with tasks to be stopped */

    uint64_t tasks_open;
    uint64_t rounds_open;
    uint64_t commitments_active;
};

/* book.c: records and effects */
struct task *book_task(struct book *book, uint32_t task);
uint32_t book_task_number(const struct book *book, const struct task *task);
uint32_t book_find_task(const struct book *book, tender_id id);
uint32_t book_find_key(const struct book *book, uint32_t account, tender_bytes key);
struct task *book_create_task(struct book *book, tender_id id); /* NULL when full */
/* A record that is in no index, or NULL. */
struct task *book_take_task(struct book *book);
/* Whether `count` more tasks, and as many ends of commitments, find room. */
bool book_has_task_room(struct book *book, uint32_t count);
/* Whether a task may have been announced under the key. */
bool book_may_know_key(const struct book *book, tender_bytes principal, tender_bytes key);
void book_remember_key(struct book *book, tender_bytes principal, tender_bytes key);
void book_index_key(struct book *book, struct task *task);
void book_forget_task(struct book *book, struct task *task);
/* Whether the ledger answers for the oldest ended task, which may be forgotten from `at_us` on. */
bool book_may_forget(const struct book *book, int64_t at_us);
/* Puts an ended task behind the others, to be forgotten in their order. */
void book_append_ended(struct book *book, struct task *task, int64_t at_us);
struct bid *book_find_bid(struct book *book, const struct task *task, uint32_t peer);
struct bid *book_create_bid(struct book *book, struct task *task, uint32_t peer); /* or NULL */
/* What is heard or recalled of the root behind the bid; until then it is that of its invitation. */
void book_set_bid_root(struct book *book, struct bid *bid, uint32_t root);
bool book_has_bid_room(const struct book *book);
/* Whether the principal of the peer may have one more answer held. */
bool book_may_answer_more(const struct book *book, uint32_t peer);
/* Counts the task's commitment among what its owner's principal owes (1), or no more (-1). */
void book_owe(struct book *book, const struct task *task, int sign);
/* Whether the principal may owe one more, at the most that the task's round can cost. */
bool book_may_owe_more(const struct book *book, const struct task *task, uint32_t principal);
void book_clear_bids(struct book *book, struct task *task);
void book_uncount(struct book *book, struct bid *bid);
uint32_t book_take_past(struct book *book); /* or 0 */
struct past *book_find_past(struct book *book, const struct task *task, uint32_t part,
                            uint32_t generation);
void book_follow(struct book *book, struct task *task, uint32_t peer);
void book_unfollow_task(struct book *book, struct task *task);
void book_unfollow_peer(struct book *book, uint32_t peer);
bool book_is_excluded(const struct book *book, const struct task *task, uint32_t principal);
/* Whether the principal is the client's own, or has the same root as it. */
bool book_is_own(const struct book *book, const struct task *task, uint32_t principal);
bool book_has_covers(const struct book *book, const struct task *task);
tender_bytes task_client(const struct task *task);
tender_bytes task_key(const struct task *task);
tender_bytes task_fallback(const struct task *task);

/* book_record.c: entries */
struct entry *book_note(struct book *book, struct task *task, enum entry_kind kind);
/* The same of a shard's house. */
struct entry *book_note_house(struct book *book, uint32_t shard, enum entry_kind kind);
void book_record(struct book *book, struct task *task, struct entry *entry);
/* Copies bytes of the event to where effects may point. */
tender_bytes book_keep(struct book *book, tender_bytes bytes);
/* The same for a list of things: `size` bytes, aligned. */
tender_bytes book_keep_aligned(struct book *book, const void *items, size_t size);
void book_attach(struct book *book, struct entry *entry, tender_bytes content, int64_t *size_out,
                 tender_digest *digest_out);
/* Whether one more decision fits into the effects of this event. */
bool book_has_room(const struct book *book);
/* `deadline` as moved by the recesses heard after `set_at_us`. */
int64_t book_moved(const struct book *book, const struct task *task, int64_t set_at_us,
                   int64_t deadline_us);
void book_add_recess(struct book *book, const struct recess *recess);
/* The shard of a task or a part of one. */
uint32_t book_shard(const struct book *book, const struct task *task);
/* The shard whose house has what no shard has by itself: the first that the book holds. */
uint32_t book_seat(const struct book *book);

/* book_apply.c: what an entry changes. Returns 0, or TENDER_ELIMIT or TENDER_EPROTOCOL in recall.
 */
int book_apply(struct book *book, struct task *task, const struct entry *entry);
int book_apply_ranks(struct book *book, struct task *task, const struct entry_ranks *ranks);
int book_apply_awarded(struct book *book, struct task *task, const struct entry *entry);
int book_apply_acknowledged(struct book *book, struct task *task, const struct entry *entry);
int book_apply_progressed(struct book *book, struct task *task, const struct entry *entry);
int book_apply_settled(struct book *book, struct task *task, const struct entry *entry);
int book_apply_covered(struct book *book, struct task *task, const struct entry *entry);
int book_apply_late(struct book *book, struct task *task, const struct entry *entry);
/* The award is taken: bids that stood by are gone. */
void book_take_acknowledgement(struct book *book, struct task *task);
/* The peer an entry names; recall makes those that nobody has heard of yet. Or 0. */
uint32_t book_named_peer(struct book *book, tender_bytes contractor, tender_bytes principal);
void book_pay(struct book *book, struct task *task, uint32_t principal, int64_t amount_micro);
/* `task` is the task itself, or the part of it that is awarded or ends. */
void book_begin_commitment(struct book *book, struct task *task, const struct entry *entry,
                           const struct bid *winner, uint32_t past);
int book_end_commitment(struct book *book, struct task *task, const struct entry *entry);
/* The commitment of the task becomes, or is no longer, one that its owner holds. */
void book_link_award(struct book *book, struct task *task);
void book_unlink_award(struct book *book, struct task *task);
void book_leave_window(struct book *book, struct task *task, enum phase phase);
void book_finish(struct book *book, struct task *task, tender_task_state state,
                 tender_reason reason, int64_t at_us);

/* book_time.c: the calendar */
int64_t book_task_wake(const struct book *book, const struct task *task);
void book_arm_task(struct book *book, struct task *task);
void book_arm_peer(struct book *book, uint32_t peer);
/* Handles what is due for the task at the book's time. */
void book_catch_up(struct book *book, struct task *task);
void book_tick(struct book *book);
bool book_is_overdue(const struct book *book);
void book_hear_recess(struct book *book, const struct event *event);

/* book_peer.c: sessions */
void book_hear_hello(struct book *book, const struct event *event);
void book_hear_offer(struct book *book, const struct event *event, uint32_t peer);
void book_hear_left(struct book *book, uint32_t peer, tender_reason reason);
/* Takes out of what the peer offers the skills that it may not offer any more; 0: nobody does. */
void book_narrow_offer(struct book *book, uint32_t peer);
void book_silence(struct book *book, uint32_t peer);
void book_touch_peer(struct book *book, uint32_t peer);
void book_speak_up(struct book *book, uint32_t peer);
void book_pump(struct book *book);

/* book_announce.c */
void book_hear_announce(struct book *book, const struct event *event);
tender_digest book_announce_digest(const struct event *event);
/*
 * rounds × (window + ack + backoff + due) after `now_us`, at most TENDER_INSTANT_MAX; each
 * improving round has a window of its own.
 */
int64_t book_default_deadline(int64_t now_us, const struct entry_announced *terms);
void book_hear_fund(struct book *book, const struct event *event);

/* book_round.c */
enum follow_up_kind {
    FOLLOW_END,
    FOLLOW_HOLD,
    FOLLOW_OPEN,
    FOLLOW_FALLBACK,
    FOLLOW_BACKOFF,
    FOLLOW_WAIT
};
/* What comes after a round or a commitment; state and reason for an end or a hold. */
struct follow_up {
    enum follow_up_kind kind;
    tender_task_state state;
    tender_reason reason;
    int64_t reopens_at_us;
};
struct follow_up book_plan(const struct book *book, const struct task *task, int64_t remaining,
                           bool had_winner, tender_reason reason);
/* Rounds that count against the task's `rounds`. */
uint32_t book_counted_rounds(const struct book *book, const struct task *task);
void book_carry_on(struct book *book, struct task *task, struct follow_up plan);
void book_open_round(struct book *book, struct task *task, bool is_fallback);
void book_close_round(struct book *book, struct task *task);
void book_close_if_answered(struct book *book, struct task *task);
/* One more that was invited: a round closes early only where two principals were. */
void book_count_principal(struct round *round, uint32_t root);
/* Whether a contractor may work on the task at all: its own tests, without the round's. */
bool book_may_work(const struct book *book, const struct task *task, uint32_t peer);
bool book_may_be_invited(const struct book *book, const struct task *task, uint32_t peer);
bool book_invite(struct book *book, struct task *task, uint32_t peer);
/* The round ends undecided: its bids that would count become ineligible for `reason`. */
void book_disqualify_rest(struct book *book, uint32_t bid_count, tender_reason reason);
/* The round closes for `reason`, its bids being disqualified, and what comes next is done. */
void book_close_without_winner(struct book *book, struct task *task, uint32_t bid_count,
                               tender_reason reason);
#define SILENT_MAX 64 /* names of those that did not answer, in the entry of a round's end */
/* Who was invited and did not answer, in the order of their invitations; for an entry. */
struct entry_texts book_list_silent(struct book *book, const struct task *task);
/* Writes how a round closed without a winner, the scratch being its ranking, and tells its bids. */
void book_note_closed(struct book *book, struct task *task, tender_reason reason,
                      uint32_t bid_count, int64_t reopens_at_us);
/* The task ends or stops while bids are taken: the round closes, and every bid is told so. */
void book_abandon_round(struct book *book, struct task *task, tender_reason reason);
void book_end_task(struct book *book, struct task *task, tender_task_state state,
                   tender_reason reason, tender_bytes text);

/* book_sealed.c */
/* The bid was recorded: gives it its place, where it is one and the round is open. */
void book_enter_bid(struct task *task, struct bid *bid);
/* Tells those whose bids were recorded where they stand in the book, once. */
void book_tell_receipts(struct book *book, const struct task *task);
/* How many bids the round has and the root over them; nothing where it has no book. */
void book_seal_round(struct book *book, const struct task *task, int64_t *bids_out,
                     tender_digest *book_out);
/* What proves to who gave a nonce that its bid is in the book, and what set the price. */
void book_fill_proof(struct book *book, const struct task *task, uint32_t peer,
                     struct message *message);

/* book_bid.c */
void book_hear_propose(struct book *book, const struct event *event, uint32_t peer);
void book_hear_refuse(struct book *book, const struct event *event, uint32_t peer);
void book_hear_withdraw(struct book *book, const struct event *event, uint32_t peer);
void book_record_answers(struct book *book, struct task *task);
/* Whether whoever answers so was, or could have been, invited. */
bool book_is_of_invited(tender_reason reason);
/* Those of all tasks, as far as there is room. */
void book_record_all_answers(struct book *book);

/* book_award.c */
void book_award_first(struct book *book, struct task *task, uint32_t bid_count, uint32_t counting);
/* What a winner gets: `part` 0 is the whole round. */
struct deal {
    int64_t part;
    int64_t units;
    int64_t cost_micro;
    int64_t price_micro;
    tender_bytes setter; /* whose cost is the price, or empty */
};
struct entry *book_note_award(struct book *book, struct task *task, const struct bid *winner,
                              const struct deal *deal);
/* The most that a bid of the round may ask for: of a split round for one unit. */
int64_t book_bid_ceiling(const struct book *book, const struct task *task);
/* The ranking of the scratch as a list that an entry may point to. */
struct entry_ranks book_list_ranks(struct book *book, uint32_t bid_count);
bool book_can_award(const struct book *book, const struct task *task);
/* The next bid that can take the award after a breach, or 0. */
uint32_t book_runner_up(const struct book *book, const struct task *task);
void book_award_runner_up(struct book *book, struct task *task, uint32_t bid);
void book_acknowledge(struct book *book, struct task *task);
void book_reject_standing(struct book *book, struct task *task);

/* book_work.c */
/* What a report says besides units, text and content. */
struct report {
    tender_bytes evidence; /* lines NAME=VALUE */
    tender_bytes tier;
    int64_t size; /* and digest: of a result kept elsewhere */
    tender_digest digest;
    int64_t measured_micro;
};

struct ending {
    tender_commitment_state state;
    tender_reason reason;
    tender_reason said;
    tender_bytes text;
    tender_bytes content;
    struct report report;
    int64_t units_done;
    int64_t accepted;          /* of them, where the client decided */
    bool is_decided;           /* by the client, or by its silence */
    bool has_evidence;         /* what the task requires came with it */
    bool is_acknowledged;      /* this report is the acknowledgement too */
    bool is_reported;          /* by its owner, who is answered; otherwise it is told to stop */
    tender_reason task_reason; /* of the end of the task, where the ending brings it: a cancel */
};
/* What `said` reports, kept for effects. */
struct report book_read_report(struct book *book, const struct message *said);
/* What the message says in prose, kept; empty where it says nothing. */
tender_bytes book_said_text(struct book *book, const struct message *said);
/* Units that are paid and need not be announced again. */
int64_t book_accepted_units(const struct book *book, const struct task *task,
                            const struct ending *ending);
void book_hear_acknowledge(struct book *book, const struct event *event, uint32_t peer);
void book_hear_report(struct book *book, const struct event *event, uint32_t peer);
void book_settle(struct book *book, struct task *task, const struct ending *ending);
struct entry *book_note_settled(struct book *book, struct task *task, const struct ending *ending);
void book_lapse(struct book *book, struct task *task);
int64_t book_owner_silent_at(const struct book *book, const struct task *task);

/* book_client.c */
void book_hear_cancel(struct book *book, const struct event *event);
/* Ends a task for `reason`, whatever its stage: what is done is paid, with the fee of a cancel. Not
 * where it awaits the client's decision, which book_may_withdraw tells. */
bool book_may_withdraw(const struct book *book, const struct task *task);
void book_withdraw(struct book *book, struct task *task, tender_reason reason, tender_bytes text);
void book_hear_close(struct book *book, const struct event *event);
void book_hear_release(struct book *book, const struct event *event);
void book_hear_query(struct book *book, const struct event *event, uint32_t peer);
/* The task, where the event may act on it: its client's principal, or an operator; else NULL. */
struct task *book_own_task(struct book *book, const struct event *event);
/* The answer to a request about a task. */
void book_agree(struct book *book, const struct event *event, const struct task *task);
/* The task that the event names, found or made from `prior`; NULL after refusing. */
struct task *book_named_task(struct book *book, const struct event *event);

/* book_tell.c */
struct message *book_tell(struct book *book, tender_bytes to, tender_performative performative,
                          tender_id conversation);
struct message *book_reply(struct book *book, const struct event *event,
                           tender_performative performative, tender_id conversation);
/* Nobody has to act on what was told last: it may wait for something that has to leave. */
void book_let_wait(struct book *book);
/* To a peer with a session, else NULL. */
struct message *book_tell_peer(struct book *book, uint32_t peer, tender_performative performative,
                               tender_id conversation);
void book_refuse(struct book *book, const struct event *event, tender_reason reason,
                 const char *field);
/* The one for a client's request, the other for what a contractor says. */
void book_turn_down(struct book *book, const struct event *event, tender_reason reason);
void book_not_understood(struct book *book, const struct event *event, tender_reason reason,
                         const char *field);
void book_tell_cfp(struct book *book, struct task *task, uint32_t peer);
void book_tell_award(struct book *book, struct task *task);
struct message *book_tell_reject(struct book *book, const struct task *task, uint32_t peer,
                                 uint32_t round, tender_reason reason, uint32_t rank,
                                 int64_t price_micro);
/* The same when its round has closed, with the proof. */
void book_tell_closed(struct book *book, const struct task *task, const struct bid *bid,
                      tender_reason reason, uint32_t rank, int64_t price_micro);
void book_tell_stop(struct book *book, const struct task *task, const struct past *past);
void book_tell_settled(struct book *book, const struct task *task, const struct past *past);
/* To the client and the followers: the state of the task, and of its commitment. */
void book_tell_state(struct book *book, struct task *task);
/* How the current commitment of a task or part stands, for its owner. */
void book_fill_commitment(const struct book *book, const struct task *task,
                          struct message *message);
/* The same of one that has ended. */
void book_fill_past(struct message *message, const struct past *past);
/* To the same: how a part of it has ended. */
void book_tell_part_ended(struct book *book, struct task *task, const struct past *past);
void book_fill_state(const struct book *book, const struct task *task, struct message *message);
/* To the same: what the owner said. */
void book_pass_on(struct book *book, struct task *task, const struct message *said,
                  tender_bytes text, tender_bytes content);

/* The task that a part is a part of; any other is its own. */
static inline struct task *task_whole(const struct book *book, const struct task *task)
{
    return &book->tasks[task->whole != 0 ? task->whole : (uint32_t)(task - book->tasks)];
}

static inline struct extra *task_extra(const struct book *book, const struct task *task)
{
    return task->extra == 0 ? NULL : pool_at(&book->extras, task->extra);
}

/* Whether commitments of parts of the task are under way. */
static inline bool task_has_parts(const struct book *book, const struct task *task)
{
    return task->extra != 0 && task_extra(book, task)->parts != 0;
}

/* Units that are neither done nor promised by a part. */
static inline int64_t task_left(const struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    return task->units - task->units_done - (extra != NULL ? extra->promised_units : 0);
}

static inline int64_t least(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

#include "book_more.h"

#endif
