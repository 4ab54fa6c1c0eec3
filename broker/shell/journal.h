/*
 * The journal: ledger before voice. It appends the entries of an event to the batch that fills,
 * holds what was promised, and what was heard, until that batch has committed, and then lets it go
 * to the postbox. What promises nothing passes at once.
 */
#ifndef TENDER_BROKER_SHELL_JOURNAL_H
#define TENDER_BROKER_SHELL_JOURNAL_H

#include "effect.h"
#include "postbox.h"

struct journal;

/* What the journal did since it was opened. */
struct journal_counts {
    uint64_t batches; /* with something in them */
    uint64_t entries;
    uint64_t promises;
};

/* Returns 0 or TENDER_ENOMEM. `postbox` is borrowed. */
TENDER_MUST_CHECK int journal_open(struct postbox *postbox, struct journal **journal_out);
void journal_close(struct journal *journal);

/* Begins with a ledger (borrowed), of which nothing is in flight; forgets all that was held. */
void journal_begin(struct journal *journal, struct ledger *ledger);

/* Takes the effects of one event. Returns 0, or TENDER_ENOMEM: book and ledger then no longer
 * agree. */
TENDER_MUST_CHECK int journal_take(struct journal *journal, const struct effects *effects);

/*
 * Holds back `heard` of a session, up to what it has taken, until all that was taken before has
 * committed. Called after the turn's last event.
 */
TENDER_MUST_CHECK int journal_mark(struct journal *journal, struct session *session, int64_t at_us);

/* A batch has committed: the next may be sent, and what waited for it may go. */
void journal_committed(struct journal *journal, uint64_t batch);

/* Lets go what waited for batches that have committed. */
void journal_release(struct journal *journal, int64_t at_us);

/*
 * Sends the filling batch if the ledger is idle and something waits in it, or if `is_forced`.
 * Returns whether it sent one (0 or 1), or what the ledger returned.
 */
TENDER_MUST_CHECK int journal_submit(struct journal *journal, int64_t at_us, bool is_forced);

/* Whether a batch is in flight that something waits for. */
bool journal_is_waiting(const struct journal *journal);

/* Whether nothing waits and nothing is in flight. */
bool journal_is_drained(const struct journal *journal);

/* All entries stamped before this are in the ledger (µs; 1: none of this reign is known to be). */
int64_t journal_committed_us(const struct journal *journal);

struct journal_counts journal_count(const struct journal *journal);

#endif
