/*
 * The book: every task that has not ended, its round, bids and commitments, every contractor and
 * every account, and the one function that changes them.
 *
 * The book hears events and answers with entries and tells; after a restart it recalls the same
 * entries. It is pure: no clock, socket, database or log; it allocates in book_open and nowhere
 * else.
 */
#ifndef TENDER_BROKER_CORE_BOOK_H
#define TENDER_BROKER_CORE_BOOK_H

#include "effect.h"
#include "event.h"

/*
 * Sizes, and the settings that the mechanism leaves to the operator.
 *
 * A full table refuses with limit-reached and disturbs nothing that it holds.
 */
struct book_limits {
    uint32_t task_count; /* tasks not ended, plus those kept after their end */
    uint32_t contractor_count;
    uint32_t client_count; /* peers that are no contractors */
    uint32_t account_count;
    uint32_t skill_count;
    uint32_t bid_count;       /* answers held, over all open rounds */
    uint64_t content_bytes;   /* payloads held */
    uint32_t invitations_max; /* cfps that one contractor has unanswered or standing bids on */
    uint32_t unanswered_max;  /* k: cfps left unanswered until a contractor is no longer invited */
    uint32_t deadlines_per_tick; /* bound on what one TICK does; the rest stays due */
    int64_t keep_ended_us;       /* how long an ended task is kept to answer from memory */
    uint32_t invite_max;         /* of a task that states none; 0: all are invited */
    int64_t newcomers_ppm;       /* the same: newcomers among those that are drawn */
    uint32_t principal_tasks;    /* tasks of one root that have not ended; 0: no fewer than all */
    uint32_t principal_answers;  /* answers held, over the agents of one root; 0: the same */
    /* what a principal may owe at a time, over all shards, each of which has its part; 0: anything
     */
    uint32_t principal_awards;        /* active commitments of its agents */
    int64_t principal_exposure_micro; /* the sum of their prices */
    uint32_t principal_announcements; /* new tasks a second for one root; 0: any number */
    uint32_t shard_count;             /* of the ledger; 0: one */
    uint64_t shards;                  /* set of those that this book holds; 0: all */
};

struct book;

/* Returns 0, TENDER_ENOMEM, or TENDER_EINVAL for a limit of zero. */
TENDER_MUST_CHECK int book_open(const struct book_limits *limits, struct book **book_out);
void book_close(struct book *book);

/*
 * Hears one event; `effects` is cleared and receives what follows from it. A TICK handles at most
 * `deadlines_per_tick` deadlines: book_next_deadline then still lies at or before its stamp.
 */
void book_hear(struct book *book, const struct event *event, struct effects *effects);

/*
 * Whether the shell must ask the ledger before this event is heard: it names a key or a task that
 * the book does not hold. `body_digest_out` receives what the ledger shall compare for a key.
 */
bool book_wants_prior(const struct book *book, const struct event *event,
                      tender_digest *body_digest_out);

/*
 * Whether what the ledger was asked at `asked_us` may be behind: an ended task came back into the
 * book since then, had a report added to its chain, and was forgotten again. Then it is asked anew.
 */
bool book_is_stale(const struct book *book, int64_t asked_us);

/*
 * The same for the tasks that an announcement waits for: whether one of them is neither in the book
 * nor told by event->after_states, and which. To be asked when the announcement is known to be new.
 */
bool book_wants_after(const struct book *book, const struct event *event, uint32_t *index_out);

/* What is to be told of one of them, as the ledger knows it. */
enum after_state book_after_state(const struct prior *prior, tender_bytes principal);

/*
 * Recalls one entry: balances first, then the house chain's reigned, recess and enrolled entries in
 * order, then all entries of each task that has not ended, in the order of their numbers; so shard
 * by shard.
 *
 * Returns 0, TENDER_ELIMIT when the book is too small, or TENDER_EPROTOCOL for an entry that does
 * not follow from those before it.
 */
TENDER_MUST_CHECK int book_recall(struct book *book, const struct entry *entry);

/* The end of the chain of a shard's house as the ledger has it: not all entries before it are
 * recalled. */
void book_recall_head(struct book *book, uint32_t shard, uint64_t number,
                      const tender_digest *hash);

/*
 * Optional, after the entries: every key that the ledger holds, of ended tasks too, and then the
 * end of them. From then on book_wants_prior asks only for keys that may have been announced
 * before; a book that was given none of them asks for every announcement, but in the first reign.
 */
void book_recall_key(struct book *book, tender_bytes principal, tender_bytes key);
void book_recall_keys_end(struct book *book);

/*
 * Once, after recall and before the first event: re-tells what is owed and may be lost with the
 * last broker (awards not acknowledged, cancellations). Peers are told when they say hello again.
 */
void book_resume(struct book *book, int64_t at_us, struct effects *effects);

/* When the book wants a TICK: an instant in µs, at or before the last stamp when one is overdue, or
 * TENDER_NEVER. */
int64_t book_next_deadline(const struct book *book);

/* Asserts every invariant. Slow; for tests and for `tenderd --paranoid`. */
void book_check(const struct book *book);

/*
 * A digest over all that entries determine (tasks, rounds, bids, commitments, accounts, chains),
 * and not over sessions and liveness: equal in a book that heard and in one that recalled what was
 * heard.
 */
tender_digest book_fingerprint(const struct book *book);

/*
 * Whether `key` (32 bytes, public, Ed25519) may open a session as the agent `name` of `principal`:
 * NONE, or UNKNOWN_PRINCIPAL, UNKNOWN_KEY, REVOKED, or NAME_TAKEN where the agent is enrolled for
 * another principal.
 */
tender_reason book_may(const struct book *book, tender_bytes principal, tender_bytes name,
                       const uint8_t key[32]);
/* The root of the principals below which it is enrolled; valid until the book hears again. */
tender_bytes book_root_name(const struct book *book, tender_bytes principal);
/* Rises when what book_may answers may have changed: then it is asked again of every session. */
uint64_t book_key_changes(const struct book *book);

/* Counters for logs and metrics. */
struct book_counts {
    uint64_t tasks_open;
    uint64_t rounds_open;
    uint64_t commitments_active;
    uint64_t contractors_live;
    uint64_t deadlines;
};
struct book_counts book_count(const struct book *book);

#endif
