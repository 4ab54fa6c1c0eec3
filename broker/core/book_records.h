/*
 * The records of the book: tasks with their rounds, bids and commitments, what plain tasks have
 * not, and the facts of the house. What holds them and changes them is in book_internal.h.
 *
 * Records are numbered from 1 in their tables; 0 is none.
 */
#ifndef TENDER_BROKER_CORE_BOOK_RECORDS_H
#define TENDER_BROKER_CORE_BOOK_RECORDS_H

#include "entry.h"
#include "quarantine.h"
#include "shard.h"

/* Where in its life a task is; finer than its state. */
enum phase {
    PHASE_FREE,
    PHASE_IDLE,    /* open without a round: until the next step, or the deadline */
    PHASE_BACKOFF, /* open, the next round opens at reopens_at_us */
    PHASE_WINDOW,  /* open, bids are taken */
    PHASE_STANDBY, /* awarded, not acknowledged: losing bids stand */
    PHASE_WORK,    /* awarded and acknowledged */
    PHASE_HELD,
    PHASE_BLOCKED,   /* waits for other tasks */
    PHASE_DELIVERED, /* waits for the client */
    PHASE_PARTS,     /* nothing to announce; parts are under way */
    PHASE_ENDED
};

/* Whether a commitment is held: what it is must be known before what may be done with it. */
static inline bool phase_is_owned(enum phase phase)
{
    return phase == PHASE_STANDBY || phase == PHASE_WORK || phase == PHASE_DELIVERED;
}

/*
 * An invitation and the answer to it.
 *
 * state     as heard, 0: not answered; `recorded` and `recorded_reason`: as in the ledger
 * text      prose, in the arena until it is recorded
 */
struct bid {
    uint32_t task;
    uint32_t peer;
    uint32_t root;        /* account of its root principal when it was heard */
    uint32_t next;        /* in the task's list */
    uint32_t next_queued; /* in the task's list of unrecorded answers */
    tender_bid_state state;
    tender_reason reason;
    tender_bid_state recorded;
    uint32_t rank;
    bool is_queued;
    bool is_counted; /* among its peer's invitations */
    int64_t cost_micro;
    int64_t eta_us;
    int64_t valid_until_us;
    int64_t capacity; /* of a split round: units, and cost_micro is per unit */
    int64_t estimate_micro;
    bool is_receipted; /* its bidder was told its place, in this memory */
    uint32_t place;    /* in the book of the round, from 1; 0: not in it */
    tender_id nonce;   /* all zero: none */
    const char *text;
    uint32_t text_size;
};

#define BOOK_LEVELS 33 /* of the tree over the bids of a round, at most */

/* That tree over the first `count` bids: all nodes, level by level from the leaves up. */
struct nodes {
    tender_digest *items;
    tender_id task;
    uint32_t round;
    uint32_t count;
};

/* What is left of a commitment that ended while its task goes on. */
struct past {
    uint32_t next; /* in the task's list, newest first */
    uint32_t task;
    uint32_t peer;
    uint32_t peer_next; /* in the list of its owner */
    uint32_t peer_previous;
    uint32_t principal;
    uint32_t part;
    uint32_t generation;
    tender_commitment_state state;
    tender_reason reason;
    int64_t units;
    int64_t units_done; /* accepted */
    int64_t price_micro;
    int64_t paid_micro;
    int64_t covered_micro; /* pro rata, to be settled when the rest has ended */
    int64_t spent_micro;   /* what the task had paid when it ended, this one included */
    bool is_excluded;
    bool is_cover; /* not settled yet */
    bool is_assigned;
    uint32_t late_count;
    int64_t late_units;   /* most that its results have, and */
    uint64_t late_number; /* the entry that has them */
};

/* The current award; state 0: there was none yet. */
struct commitment {
    tender_commitment_state state;
    uint32_t peer;
    uint32_t principal;
    uint32_t generation;
    uint32_t past; /* reserved for its end */
    uint32_t owner_next;
    uint32_t owner_previous;
    bool is_acknowledged;
    bool is_assigned; /* without a bid */
    bool has_held;    /* counted resources of the task are held for it */
    uint32_t delivery;
    uint32_t rank;
    int64_t cost_micro;
    int64_t price_micro;
    int64_t estimate_micro;
    int64_t units;
    int64_t units_done;
    int64_t awarded_at_us;
    int64_t due_at_us;
    int64_t ack_by_us;
};

/* The current round; number 0: there was none yet. */
struct round {
    uint32_t number;
    bool is_fallback;
    bool is_drawn;      /* who is invited was drawn, and */
    bool is_full;       /* as many as it invites: nobody who comes later is offered it */
    int64_t rate_micro; /* posted, where the round is a sample against it */
    int64_t units;
    int64_t ceiling_micro;
    int64_t closes_at_us;
    int64_t due_us;
    tender_digest head;
    tender_digest digest;
    uint32_t invited; /* in this memory */
    uint32_t answered;
    uint32_t standing;
    uint32_t booked;         /* bids in its book */
    bool has_book;           /* one of them has a nonce */
    uint32_t first_root;     /* of those invited, and */
    bool has_two_principals; /* with roots that differ */
    bool is_recalled; /* who was invited before the restart is not known: it runs its window */
};

struct task {
    tender_id id;
    enum phase phase;
    tender_task_state state;
    tender_reason reason;
    /* terms */
    char client[TENDER_NAME_MAX];
    char key[TENDER_KEY_MAX];
    char fallback_contractor[TENDER_NAME_MAX];
    uint8_t client_size;
    uint8_t key_size;
    uint8_t fallback_contractor_size;
    uint8_t priority;
    bool is_close_alone;
    tender_partial partial;
    tender_fallback fallback;
    uint32_t account;
    uint32_t skill;
    uint32_t rounds;
    tender_digest body_digest;
    tender_id again;
    int64_t announced_at_us;
    int64_t units;
    int64_t ceiling_micro;
    int64_t window_us;
    int64_t due_us;
    int64_t deadline_at_us;
    int64_t backoff_us;
    int64_t ack_us;
    int64_t heartbeat_us;
    int64_t kill_fee_ppm;
    const void *content;
    size_t content_size;
    tender_digest content_digest;
    /* chain */
    uint64_t number;
    tender_digest head;
    /* course */
    int64_t units_done;
    int64_t paid_micro;
    int64_t reopens_at_us;
    int64_t ended_at_us;
    int64_t entered_at_us; /* stamp of its last entry */
    struct round round;
    struct commitment commitment;
    uint32_t bids; /* first and last of the round */
    uint32_t last_bid;
    uint32_t queued; /* first and last unrecorded answer */
    uint32_t last_queued;
    uint32_t pasts;
    uint32_t follows;
    uint32_t older; /* task under the same key that this one replaces, while in the book */
    uint32_t next;  /* in the list of free or ended tasks */
    uint32_t next_dirty;
    bool is_dirty;       /* in the list of tasks that may have unrecorded answers */
    bool is_husk;        /* an ended task known from the ledger alone */
    bool was_assigned;   /* one of its rounds was none: an assignment */
    uint32_t extra;      /* what a plain task has not; 0: nothing */
    uint32_t dependents; /* first link of a task that waits for this one */
    uint32_t whole;      /* of a part: the task that it is a part of, and its number */
    uint32_t part;
    uint32_t part_next;
    uint32_t split; /* of a part: the first offer of the choice that made it */
};

/*
 * What a plain task has not: its further terms, and the course that they take. All of it follows
 * from entries, but the numbers in links.
 */
struct extra {
    uint32_t next_free;
    /* terms */
    uint32_t needs[TENDER_NEEDS_MAX]; /* skills and resources besides the task's skill */
    uint32_t need_count;
    uint32_t goal;
    uint32_t goal_next;
    uint32_t goal_previous;
    uint32_t evidence_size;
    uint32_t tier_size;
    char evidence[TENDER_EVIDENCE_MAX]; /* names, joined by commas */
    char tier[TENDER_SKILL_MAX];
    int64_t accept_us;
    int64_t newcomers_ppm;
    uint32_t split_max;
    uint32_t improve;
    uint32_t invite_max;
    bool is_cover_all;
    bool is_lead_only;
    /* course */
    bool has_own_deadline;   /* the client stated it: it runs while the task is blocked */
    uint32_t uncounted;      /* rounds that are not one of `rounds` */
    uint32_t improved;       /* improving rounds of the auction under way */
    uint32_t leads;          /* what each bidder asked for last */
    uint32_t waits;          /* first link to a task that must be done first */
    uint32_t waiting_for;    /* of them not ended */
    tender_reason hindrance; /* why one of them can no longer be done, or NONE */
    tender_reason hold;      /* what is left after the commitment is held, or NONE */
    bool is_operators;       /* an operator holds it, now or later: only such a one releases it */
    int64_t hold_until_us;   /* the end of `hold` */
    uint32_t parts;
    uint32_t part_last;
    int64_t promised_units; /* of parts under way */
    int64_t promised_micro;
};

/* One task that another waits for. */
struct link {
    uint32_t next_free;
    uint32_t task;
    uint32_t prerequisite; /* while it is in the book */
    uint32_t next_wait;    /* of the same task */
    uint32_t next_dependent;
    uint32_t previous_dependent;
    tender_id id;  /* of the prerequisite */
    uint8_t state; /* 0: pending, 1: done, 2: ended otherwise */
};

/* The tasks of an account that go on under one name. */
struct goal {
    uint32_t next_free;
    uint32_t account;
    uint32_t tasks;
    uint32_t task_count;
    uint32_t older_count; /* tasks that were there when it was last believed something of */
    char name[TENDER_NAME_MAX];
    uint8_t name_size;
    bool is_stopping;
    tender_reason belief;
    int64_t believed_at_us;     /* 0: never */
    int64_t suspended_until_us; /* 0: the client said it, and with a belief the goal is over */
    uint32_t stop_next;         /* task to be stopped next */
    uint32_t next_stopping;
};

/* What the client is to decide on. Content and evidence lie in the arena. */
struct delivery {
    uint32_t next_free;
    uint32_t evidence_size;
    bool is_elsewhere; /* `digest` and `size` name the result; the content is what opens it */
    uint8_t tier_size;
    int64_t at_us;
    int64_t accept_by_us;
    int64_t units_done;
    int64_t size;
    int64_t measured_micro;
    tender_digest digest;
    tender_digest content_digest;
    const void *content;
    size_t content_size;
    size_t sample_at; /* in the content */
    size_t sample_size;
    const void *evidence;
    char tier[TENDER_SKILL_MAX];
};

/* How many there are of a resource; of one contractor's own, or shared by all. */
struct count {
    uint32_t next_free;
    uint32_t shard;
    uint32_t next; /* of the same name */
    uint32_t skill;
    uint32_t count;
    uint32_t held;
    char contractor[TENDER_NAME_MAX];
    uint8_t contractor_size;
};

/* A hold: nothing new for whom it names; what it leaves out it does not ask for. */
struct bar {
    uint32_t next_free;
    uint32_t shard;
    tender_reason reason;
    char contractor[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    char skill[TENDER_SKILL_MAX];
    uint8_t contractor_size;
    uint8_t principal_size;
    uint8_t skill_size;
    int64_t until_us;
};

/* What a contractor failed on one skill, as quarantine.h counts it. */
struct strikes {
    uint32_t next_free;
    uint32_t shard;
    char contractor[TENDER_NAME_MAX]; /* empty while the record is free */
    char skill[TENDER_SKILL_MAX];
    uint8_t contractor_size;
    uint8_t skill_size;
    bool is_ripe; /* a quarantine is due, and not written yet */
    struct strike_sheet sheet;
};

/* A posted price of a unit. */
struct rate {
    uint32_t next_free;
    uint32_t shard;
    char skill[TENDER_SKILL_MAX];
    char tier[TENDER_SKILL_MAX];
    uint8_t skill_size;
    uint8_t tier_size;
    int64_t rate_micro;
    int64_t threshold_micro;
    int64_t share_ppm;
};

/* What a bidder asked for in the improving round before. */
struct lead {
    uint32_t next_free;
    uint32_t next;
    uint32_t peer;
    uint32_t root; /* of its bid */
    uint32_t rank;
    int64_t cost_micro;
};

/* A bid of a split round, kept while its parts go on; the last six of the first are the round's. */
struct split_offer {
    uint32_t next_free;
    uint32_t next;
    int64_t unit_micro;
    int64_t capacity;
    int64_t won;
    int64_t price_micro;
    uint32_t parts;
    uint32_t parts_max;
    int64_t units;
    int64_t ceiling_micro;
};

/* A peer that is told how a task goes, besides its client. */
struct follow {
    uint32_t task;
    uint32_t peer;
    uint32_t task_next;
    uint32_t peer_next;
};

struct recess {
    uint64_t shards; /* in which nobody listened */
    int64_t at_us;
    int64_t from_us;
    int64_t until_us;
};

#endif
