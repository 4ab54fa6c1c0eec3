/*
 * An auditor who reads the ledger, entry by entry in the order of commits, and knows the rules. It
 * shares nothing with the core: it holds its own tasks, accounts and slots, recomputes every chain,
 * ranking, price and payment, and ends the simulation at the first entry that breaks a rule.
 */
#ifndef TENDER_TESTS_SIMULATE_AUDIT_H
#define TENDER_TESTS_SIMULATE_AUDIT_H

#include "entry.h"
#include "oracle.h"
#include "pool.h"

#define AUDIT_ACCOUNTS    16
#define AUDIT_CONTRACTORS 16
#define AUDIT_BIDS        32   /* answers kept for one round */
#define AUDIT_AWARDS      64   /* commitments of one task */
#define AUDIT_BUCKETS     1024 /* of the index of tasks */
#define AUDIT_KINDS       40

/*
 * What each file more_ITEM.c remembers of a task, or of all that there is: its own struct, taken
 * from the audit's pool when it is needed first, or NULL.
 */
struct audit_more {
    void *rate;
    void *need;
    void *draw;
    void *split;
    void *goal;
    void *accept;
    void *adopt;
    void *improve;
    void *bar;
};

struct audit_account {
    tender_bytes principal;
    int64_t available_micro;
    int64_t reserved_micro;
    int64_t spent_micro;
    int64_t earned_micro;
};

/* All money there is. Copied as a whole to look at what is not committed yet. */
struct audit_accounts {
    struct audit_account items[AUDIT_ACCOUNTS];
    size_t count;
    int64_t issued_micro;
};

struct audit_contractor {
    tender_bytes name;
    tender_bytes principal;
    int64_t slots;
    int64_t held;
};

/* A principal that was enrolled below another one. */
struct audit_kin {
    tender_bytes principal;
    tender_bytes parent;
};

enum audit_state {
    AUDIT_NEW,
    AUDIT_BLOCKED, /* waits for other tasks */
    AUDIT_WAITING, /* open without a round: before the first, in backoff, after a commitment */
    AUDIT_BIDDING,
    AUDIT_AWARDED,
    AUDIT_HELD,
    AUDIT_OVER
};

/* An answer of the round that is open or was last. */
struct audit_answer {
    struct oracle_bid bid;
    tender_bid_state state;
    uint64_t number; /* of its entry */
};

struct audit_award {
    int64_t part; /* of a split task; 0: all of a round */
    int64_t generation;
    int64_t at_us;
    tender_bytes contractor;
    tender_bytes principal;
    int64_t cost_micro;
    int64_t price_micro;
    int64_t units;
    int64_t units_done;
    int64_t due_at_us; /* recesses applied */
    int64_t ack_by_us;
    int64_t paid_micro;
    bool is_acknowledged;
    bool is_fallback;
    bool is_assigned; /* without a bid */
    bool is_covered;
    const void *choice;    /* of a part: what more_split.c made it by */
    int64_t accept_by_us;  /* while delivered; recesses applied */
    const void *delivered; /* what more_accept.c knows of it */
    int64_t late_units;    /* most that a late result has, and the entry that has it */
    uint64_t late_number;
    int64_t adopted_units;
    int64_t adopted_before_micro; /* by the task, when this one ended */
    tender_commitment_state state;
    tender_reason reason;
};

/* The ends of the chain of a task, or of the house. */
struct audit_chain {
    uint64_t number;
    tender_digest hash;
    int64_t at_us;
};

struct audit_task {
    struct audit_task *next_in_bucket;
    struct audit_task *next;
    tender_id id;
    struct audit_chain chain;
    tender_digest hash_before; /* of the chain before its newest entry */
    enum audit_state state;
    struct entry_announced terms; /* texts copied */
    int64_t announced_at_us;
    int64_t deadline_us; /* recesses applied */
    int64_t rounds_max;
    int64_t uncounted; /* rounds that are not one of them */
    /* the round that is open or was last */
    int64_t round;
    int64_t round_units;
    int64_t round_ceiling_micro;
    int64_t round_due_us;
    int64_t closes_at_us; /* recesses applied */
    size_t round_kin;     /* parents that were known when it opened */
    bool is_fallback_round;
    bool is_cancelled; /* the round ended without a decision: the task has to end */
    tender_digest head;
    tender_digest round_digest; /* hash of its entry */
    int64_t round_writer;       /* reign in which it was written */
    struct audit_answer answers[AUDIT_BIDS];
    size_t answer_count;
    /* who was eligible at its close, best first: indexes into `bids` */
    struct oracle_bid bids[AUDIT_BIDS];
    size_t bid_count;
    size_t order[AUDIT_BIDS];
    size_t order_count;
    size_t position;
    int64_t reopens_at_us; /* earliest instant of the next round */
    /* commitments */
    struct audit_award awards[AUDIT_AWARDS];
    size_t award_count;
    tender_bytes out[AUDIT_ACCOUNTS]; /* principals out of the task */
    size_t out_count;
    int64_t units_done; /* accepted */
    int64_t paid_micro;
    int64_t adopted_micro; /* the part of it that late results were paid */
    int64_t released_micro;
    tender_task_state end_state;
    tender_reason end_reason;
    int64_t ended_at_us;
    struct audit_more more;
};

struct audit_task;

/*
 * What the ledger does not hold, and the world saw.
 *
 * heard     whether a bid with this cost was heard from the contractor, in this round, before
 *           `before_us`
 * reported  whether the contractor has said anything about this commitment
 * silent    how long before `at_us` the contractor had not been heard, in µs
 * complete  whether everybody who was sent a cfp of the present round has an answer recorded, and
 *           whether that is enough to close early: two principals, or somebody asked for it
 */
struct audit_witness {
    const void *context;
    bool (*heard)(const void *context, tender_id task, int64_t round, tender_bytes contractor,
                  int64_t cost_micro, int64_t before_us);
    bool (*reported)(const void *context, tender_id task, int64_t generation,
                     tender_bytes contractor);
    int64_t (*silent)(const void *context, tender_bytes contractor, int64_t at_us);
    bool (*complete)(const void *context, const struct audit_task *task);
};

/* Nobody listened from then until it was recorded. */
struct audit_recess {
    int64_t from_us;
    int64_t at_us;
};

struct audit {
    struct pool *pool;
    struct audit_witness witness;
    struct audit_task *tasks; /* newest first */
    size_t task_count;
    size_t tasks_over;
    struct audit_task *buckets[AUDIT_BUCKETS];
    struct audit_accounts accounts;
    struct audit_contractor contractors[AUDIT_CONTRACTORS];
    size_t contractor_count;
    struct audit_kin kin[AUDIT_ACCOUNTS]; /* in the order in which they were enrolled */
    size_t kin_count;
    struct audit_chain house;
    int64_t at_us;  /* of the newest entry */
    int64_t writer; /* reign of the batch that commits */
    struct audit_recess *recesses;
    size_t recess_count;
    size_t recess_capacity;
    uint64_t awards;
    uint64_t quarantines;
    uint64_t kinds[AUDIT_KINDS]; /* entries seen, by kind */
    struct audit_more more;
};

void audit_init(struct audit *audit, struct pool *pool);
/* Hears the next committed entry, decoded. */
void audit_hear(struct audit *audit, const struct entry *entry);
/* What must hold between entries: money adds up. */
void audit_check(const struct audit *audit);
struct audit_task *audit_task_find(const struct audit *audit, tender_id id);
struct audit_award *audit_award_find(struct audit_task *task, int64_t part, int64_t generation);
/* The newest award of that part, active or not; ends the program where there is none. */
struct audit_award *audit_award_newest(struct audit_task *task, int64_t part);
/* Whether the principal or a sibling of it is out of the task. */
bool audit_is_out(const struct audit *audit, const struct audit_task *task, tender_bytes principal);

/* more_kin.c: what entries say of parents */
void audit_admitted(struct audit *audit, const struct entry_admitted *said);
/* The root of the principal, by the first `known` of the parents. */
tender_bytes audit_root(const struct audit *audit, tender_bytes principal, size_t known);
/* Whether two have one root by all that is known. */
bool audit_are_kin(const struct audit *audit, tender_bytes left, tender_bytes right);
/* The root that a bid is recorded with: the one at its round's opening, or the one of now. */
void audit_check_root(const struct audit *audit, const struct audit_task *task,
                      const struct entry_answer *said);

/*
 * Moves the money that `entry` moves. `payer` is the principal of its task. Returns NULL, or what
 * is wrong with the movement.
 */
const char *audit_accounts_hear(struct audit_accounts *accounts, struct pool *pool,
                                const struct entry *entry, tender_bytes payer);

/* The terms of a task with texts that live in the pool. */
struct entry_announced audit_keep_terms(struct pool *pool, const struct entry_announced *said);

/* The part of audit_hear for entries of a task (audit_task.c, audit_award.c). */
void audit_task_hear(struct audit *audit, struct audit_task *task, const struct entry *entry);
/* The bids that stand, judged and ranked as the rules say, against the entry that closes a round.
 */
void audit_ranked(struct audit *audit, struct audit_task *task, const struct entry *entry,
                  const struct entry_ranks *ranks);
void audit_round_cancelled(struct audit_task *task, const struct entry_ranks *ranks);
void audit_awarded(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_acknowledged(const struct audit *audit, struct audit_task *task,
                        const struct entry *entry);
void audit_progressed(const struct audit *audit, struct audit_task *task,
                      const struct entry *entry);
void audit_settled(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_covered(struct audit_task *task, const struct entry *entry);

/* more_split.c: parts. What is promised of the task, the close of a round that made parts (false:
 * it made none), and what a part is paid that ends short. */
int64_t audit_promised(const struct audit_task *task);
void audit_part_awarded(struct audit *audit, struct audit_task *task, const struct entry *entry);
bool audit_parts_closed(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_part_ended(struct audit_task *task, const struct audit_award *award);
int64_t audit_part_worth(const struct audit_award *award);
/* Parts have all that is left: no round waits any more. */
void audit_left_to_parts(struct audit_task *task);
/* The part whose course the entry is about, 0 where it is of the task itself. */
int64_t audit_part_of(const struct entry *entry);
/* The most that a bid may ask for. */
int64_t audit_bid_ceiling(const struct audit_task *task);

/* more_need.c: whether the contractor could not have what the task needs; and, behind an entry that
 * begins or ends a commitment, whether so many are held as there are and the entry says so. */
bool audit_lacks(struct audit *audit, const struct audit_task *task, tender_bytes contractor);
void audit_holds(struct audit *audit, const struct audit_task *task, tender_bytes contractor,
                 bool is_said);
/* How many commitments could hold at once what all share of what the task needs. */
int64_t audit_free_parts(struct audit *audit, const struct audit_task *task);

/* more_bar.c: whether a hold keeps the contractor from the task; holds on the task itself; and, at
 * its end, who failed what another completed. */
bool audit_is_held(struct audit *audit, const struct audit_task *task, tender_bytes contractor,
                   tender_bytes principal, int64_t at_us);
void audit_held(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_released(struct audit *audit, struct audit_task *task, const struct entry *entry);
/* Whether an operator's hold waits for what is left of the task. */
bool audit_must_be_held(const struct audit_task *task, int64_t at_us);
void audit_ended_for_strikes(struct audit *audit, const struct audit_task *task, int64_t at_us);

/* more_improve.c: a round that another one follows, the opening of that, the end of the auction,
 * and whether a bid is above what its principal asked for before. */
void audit_improving(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_improved(struct audit_task *task);
void audit_auction_over(struct audit_task *task, const struct entry *entry);
bool audit_not_improved(const struct audit *audit, const struct audit_task *task,
                        const struct oracle_bid *bid);

/* more_goal.c: what a task waits for and serves when it is announced; that its goal lets it be
 * awarded, or did not let a round decide; that the reason of its end was there. */
void audit_joined(struct audit *audit, struct audit_task *task);
void audit_goal_allows(struct audit *audit, const struct audit_task *task,
                       const struct entry *entry);
void audit_goal_waits(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_ended_for(struct audit *audit, const struct audit_task *task, enum audit_state before);

/* more_accept.c: whether contents are told only when they are paid; whether a report brings what
 * the task requires; what a client's decision may be; and what an ending accepts of what it
 * reports. */
bool audit_is_withheld(const struct audit_task *task);
bool audit_is_shown(const struct audit_task *task, tender_bytes evidence, size_t content,
                    int64_t size);
void audit_decided(const struct audit_task *task, const struct audit_award *award,
                   const struct entry *entry);
int64_t audit_accepted(const struct audit_task *task, const struct audit_award *award,
                       const struct entry *entry);
/* more_adopt.c: a result that may be adopted. */
void audit_came_late(struct audit_award *award, int64_t units, uint64_t number);

/* more_draw.c: what an opened round may draw, and who may bid in it. */
void audit_drawn(struct audit *audit, struct audit_task *task, const struct entry_opened *said);
void audit_drawn_close(const struct audit *audit, const struct audit_task *task);

/* Kinds beyond the plain auction, each in the file more_ITEM.c of its item. */
/* An opened round that names a rate is a sample against it, and no other is. */
void audit_sampled(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_assigned(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_delivered(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_adopted(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_believed(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_unblocked(struct audit *audit, struct audit_task *task, const struct entry *entry);
void audit_rated(struct audit *audit, const struct entry *entry);
void audit_counted(struct audit *audit, const struct entry *entry);
void audit_barred(struct audit *audit, const struct entry *entry);
void audit_goaled(struct audit *audit, const struct entry *entry);
void audit_end(struct audit *audit, struct audit_task *task, const struct entry *entry,
               tender_task_state state, tender_reason reason, int64_t released_micro);
/* I8: an owner said something about this commitment, by its generation. */
void audit_require_report(const struct audit *audit, const struct audit_task *task,
                          const struct audit_award *award);
struct audit_contractor *audit_contractor(struct audit *audit, tender_bytes name);

/* "01890a5d-…", in a buffer that the fourth call after uses again. */
const char *audit_id(tender_id id);

#endif
