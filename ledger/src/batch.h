/*
 * A batch: the entries appended since the last one, and what they do to the tables, as rows in
 * memory until they become calls of statements.
 *
 * A part of a task has one row here, into which everything is folded that happens to it in this
 * batch; so has an account. Each statement then touches a row of the database once.
 */
#ifndef TENDER_LEDGER_SRC_BATCH_H
#define TENDER_LEDGER_SRC_BATCH_H

#include "../entry/entry.h"
#include "../entry/tree.h"
#include "column.h"
#include "fresh.h"
#include "statements.h"

/* Growing array; items move, so rows are named by index across calls. */
struct rows {
    void *items;
    size_t item_size;
    size_t count;
    size_t capacity;
};

/* Open-addressed map from a hash to row numbers; the caller compares. */
struct lookup_slot {
    uint64_t hash;
    uint32_t value; /* row number + 1; 0: free */
};
struct lookup {
    struct lookup_slot *slots;
    size_t capacity; /* a power of two */
    size_t count;
};

/*
 * An entry that lies in the row of what it begins or ends, and not in one of its own; number 0:
 * none. Its stamp and, but for the second entry of a task, its kind follow from the row.
 */
struct kept_entry {
    int64_t number;
    int64_t at_us;
    enum entry_kind kind;
    tender_bytes body;
    tender_bytes content;
    tender_digest hash;
};

/*
 * A part of a task. Times are 0 for null.
 *
 * is_new      announced in this batch: the terms at the end are set, and its payer is known here
 * is_fresh    new, and gets no row yet (fresh.h)
 * lacks_row   of an earlier batch, and gets its row in this one; `total_units`, `ceiling_micro` and
 *             `principal` are set
 * has_more    new, and other tables have terms or parts of it
 * award       number of its row in `awards` + 1, while what was awarded in this batch is active
 * generation  the commitment of an earlier batch that ended in this one; 0: none did
 * settlement  the entry that ended that
 * first       of a new task: its announcement, and the entry after it where that is kept too
 */
struct part_row {
    tender_id task;
    int64_t part;
    bool is_new;
    bool is_fresh;
    bool lacks_row;
    bool has_more;
    bool is_changed;
    size_t award;
    tender_task_state state; /* 0: as it is */
    tender_reason reason;
    int64_t round;              /* 0: as it is */
    int64_t acknowledged_at_us; /* of the commitment of an earlier batch */
    int64_t reported;           /* units of that commitment; -1: as they are */
    int64_t units;              /* accepted in this batch */
    int64_t paid_micro;         /* in this batch */
    int64_t ended_at_us;        /* the task's end */
    int64_t released_micro;
    int64_t generation;
    int64_t commitment_ended_at_us;
    tender_commitment_state ended_state;
    tender_reason ended_reason;
    int64_t ended_units;
    int64_t ended_paid_micro;
    int64_t ended_fee_micro;
    struct kept_entry settlement;
    struct kept_entry first;
    struct kept_entry second;
    int64_t announced_at_us;
    tender_partial partial;
    int64_t total_units;
    int64_t ceiling_micro;
    tender_id again;
    tender_bytes client;
    tender_bytes principal;
    tender_bytes skill;
    tender_bytes key;
    tender_digest body_digest;
};

/*
 * A commitment that was awarded in this batch, and perhaps ended in it.
 *
 * payer  where the award is the first that the hot table has of its task, with what its row says
 *        besides; else NULL
 */
struct award_row {
    tender_id task;
    int64_t part;
    int64_t generation;
    int64_t round;
    tender_bytes owner;
    tender_bytes principal;
    int64_t units;
    int64_t units_done;
    int64_t price_micro;
    int64_t awarded_at_us;
    int64_t due_at_us;
    int64_t acknowledged_at_us;
    int64_t ended_at_us; /* 0: is active */
    tender_commitment_state state;
    tender_reason reason;
    int64_t paid_micro;
    int64_t fee_micro;
    struct kept_entry settlement;
    tender_bytes payer;
    int64_t total_units;
    int64_t ceiling_micro;
};

struct money_row {
    tender_bytes principal;
    int64_t issued_micro;
    int64_t available_micro;
    int64_t reserved_micro;
    int64_t spent_micro;
    int64_t earned_micro;
};

struct transfer_row {
    tender_id task;
    int64_t number;
    int64_t generation; /* -1: of no commitment */
    int64_t at_us;
    int64_t amount_micro;
    tender_bytes from_principal; /* empty: who pays for the task */
    tender_bytes from_bucket;
    tender_bytes to_principal;
    tender_bytes to_bucket;
};

struct contractor_row {
    tender_bytes contractor;
    tender_bytes principal;
    tender_bytes skills; /* joined by commas */
    int64_t slots;
    int64_t number;
    int64_t enrolled_at_us; /* 0: departs only */
    int64_t departed_at_us;
    tender_reason departed_reason;
};

struct recess_row {
    int64_t number;
    int64_t from_us;
    int64_t until_us;
};

/* A name that an announced task needs besides its skill. */
struct need_row {
    tender_id task;
    tender_bytes need;
};

/* How many there are of a counted name; contractor empty: of all. */
struct resource_row {
    tender_bytes resource;
    tender_bytes contractor;
    int64_t count;
};

/* A commitment that holds counted names, or held them within this batch. */
struct hold_row {
    tender_id task;
    int64_t part;
    int64_t generation;
    tender_bytes owner;
    int64_t held_at_us;
    bool is_over;
};

/* A commitment of an earlier batch that holds none any more. */
struct free_row {
    tender_id task;
    int64_t part;
    int64_t generation;
};

/* A delivery that waits for the client, or waited within this batch. */
struct delivery_row {
    tender_id task;
    int64_t part;
    int64_t generation;
    int64_t delivered_at_us;
    int64_t accept_by_us;
    int64_t units;
    int64_t size;        /* of the result; -1: it has none */
    tender_bytes digest; /* of the same; or empty */
    tender_bytes owner;
    tender_bytes evidence;
    int64_t measured_micro;
    tender_bytes tier;
    bool is_active; /* not settled in this batch */
};

/* A late result that the client took. */
struct adoption_row {
    tender_id task;
    int64_t number;
    int64_t part;
    int64_t generation;
    int64_t late;
    int64_t at_us;
    int64_t units;
    int64_t paid_micro;
    tender_bytes principal;
};

/* A posted price: a task assigned at it, or a round auctioned all the same. */
struct posted_row {
    tender_id task;
    int64_t round;
    int64_t at_us;
    int64_t rate_micro;
    int64_t units;
    bool is_sample;
};

/* What a kept commitment cost its owner, as that reports, beside what it had bid. */
struct measured_row {
    tender_id task;
    int64_t part;
    int64_t generation;
    int64_t at_us;
    tender_bytes contractor;
    tender_bytes principal;
    tender_bytes tier;
    tender_bytes evidence;
    int64_t units;
    int64_t bid_micro;
    int64_t estimate_micro; /* -1: none was said */
    int64_t measured_micro;
};

/* The goal that an announced task serves. */
struct goal_row {
    tender_id task;
    tender_bytes principal;
    tender_bytes goal;
};

/* A task that an announced one waits for. */
struct after_row {
    tender_id task;
    tender_id after;
};

/* The newest entry of the house about a subject. */
struct fact_row {
    int64_t kind;
    int64_t number;
    tender_bytes subject;
    bool is_over;
};

struct answer_row {
    int64_t request;
    tender_bytes answer; /* JSON */
};

/* Entries of one chain that follow one another also in the batch. */
struct run_row {
    tender_id task;
    int64_t number; /* of the first */
    int64_t count;
    int64_t mark; /* the first eight bytes of the hash of the last */
};

/* Where the next entry of the chain that was last added to has room. */
enum entry_room {
    ROOM_NONE,
    ROOM_ROW,  /* in the row of the one before it */
    ROOM_TASK, /* in the row of its task, which has the announcement */
};

/* One execution of a statement. */
struct call {
    enum statement statement;
    uint32_t column_count;
    struct column columns[STATEMENT_PARAMETERS_MAX];
};

struct arena_block;

struct batch {
    uint64_t number;
    struct fresh *fresh; /* of its shard; borrowed */
    size_t size;         /* bytes appended */
    struct call entries; /* APPEND_ENTRIES, filled as entries come */
    size_t entry_rows;
    enum entry_room room; /* for what follows the entry named below */
    tender_id last_task;
    uint64_t last_number;
    struct tree tree;     /* over the hashes of its entries */
    int64_t newest_at_us; /* of its entries */
    struct rows runs;
    struct rows parts;
    struct rows awards;
    struct rows moneys;
    struct rows transfers;
    struct rows contractors;
    struct rows recesses;
    struct rows needs;
    struct rows resources;
    struct rows holds;
    struct rows frees;
    struct rows deliveries;
    struct rows adoptions;
    struct rows measures;
    struct rows posted;
    struct rows goals;
    struct rows afters;
    struct rows facts;
    struct rows answers;
    bool has_parts; /* rows of `parts` from 1 on are there: a task is split */
    struct lookup part_lookup;
    struct lookup money_lookup;
    struct lookup contractor_lookup;
    struct arena_block *arena; /* the newest first */
    struct arena_block *spare; /* blocks of the usual size, kept for the next batch */
    struct call *calls;        /* the other calls; those beyond `call_count` keep their memory */
    size_t call_count;
    size_t call_capacity;
    size_t step_count; /* of sealing that are done */
};

void batch_init(struct batch *batch);
void batch_release(struct batch *batch);
/* Empties it; memory is kept. */
void batch_clear(struct batch *batch);

/* Copies `bytes` for as long as the batch lives; NULL data when memory ran out. */
tender_bytes batch_keep(struct batch *batch, tender_bytes bytes);
char *batch_allocate(struct batch *batch, size_t size);

/*
 * Adds the entry as it is, but one whose place is the row that it begins or ends: those projection
 * keeps, as all else that entries do to the tables. 0 or TENDER_ENOMEM.
 */
TENDER_MUST_CHECK int batch_append(struct batch *batch, int64_t shard, const struct entry *entry);

/*
 * The row of a part, account or contractor in this batch, begun where there is none. NULL when
 * memory ran out. Valid until the next row of its kind.
 */
struct part_row *batch_part(struct batch *batch, tender_id task, int64_t part);
struct money_row *batch_money(struct batch *batch, tender_bytes principal);
struct contractor_row *batch_contractor(struct batch *batch, tender_bytes contractor);
/* The fact about a subject, begun where there is none; few come together. NULL as above. */
struct fact_row *batch_fact(struct batch *batch, int64_t kind, tender_bytes subject);
/* Copies what the ledger stores of an entry, for a row that it lies in. 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int batch_keep_entry(struct batch *batch, const struct entry *entry,
                                       struct kept_entry *kept_out);
/* One more, zeroed. NULL when memory ran out. */
void *rows_add(struct rows *rows);

/*
 * Before it is sealed: decides, as of `stamp_us`, which parts need a row of the hot table by now.
 * 0 or TENDER_ENOMEM.
 */
TENDER_MUST_CHECK int batch_sort_fresh(struct batch *batch, int64_t stamp_us);
/* Ends its entries; nothing is added any more. 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int batch_seal(struct batch *batch);
/*
 * The calls of a sealed batch, which are sent behind BEGIN_BATCH in their order; NULL after the
 * last. Each is made when it is asked for first, so that the server works on one while the next is
 * made. 0 or TENDER_ENOMEM.
 */
TENDER_MUST_CHECK int batch_call(struct batch *batch, int64_t shard, size_t index,
                                 const struct call **call_out);

#endif
