/*
 * Hearing: takes the messages of frames to the book, in order, and what follows to the journal.
 * Where the book needs what the ledger knows of a key or a task, the frame waits until the ledger
 * has answered; its other questions are asked meanwhile. Owns the book while it is open; knows
 * neither sockets nor clocks.
 */
#ifndef TENDER_BROKER_SHELL_HEARING_H
#define TENDER_BROKER_SHELL_HEARING_H

#include "book.h"
#include "config.h"
#include "fair.h"
#include "identifier.h"
#include "journal.h"
#include "loss.h"

/*
 * at_us    the stamp of this turn; set by the daemon
 * status   0, or the first failure after which book and ledger no longer agree
 * said     messages that peers have said, for the pace and the log
 * key_changes  of the book's, after which the sessions' keys were judged last
 * heard    events heard in this turn that a TICK must follow
 * book     NULL while the broker only stands by: then who reigns answers, at its address, or nobody
 * shards   set of those that the book holds; seats [shard_count] say who holds the others
 */
struct hearing {
    const struct config *config;
    struct postbox *postbox;
    struct journal *journal;
    struct ledger *ledger;
    struct book *book;
    struct effects effects;
    struct lookups lookups;
    struct identifier_source identifiers;
    struct wire_reader *reader;
    struct frame *inbox;
    struct frame **inbox_last;
    struct session_ref *spoken; /* sessions that took messages in this turn */
    size_t spoken_count;
    struct session_ref *answered; /* sessions that waited for the ledger, and were answered */
    size_t answered_count;
    int64_t at_us;
    int status;
    uint64_t said;
    uint64_t key_changes;
    uint32_t heard;
    uint32_t shard_count;
    uint64_t shards;
    struct seat seats[SHARDS_MAX];
    struct losses losses;
};

/* The book's limits as the configuration has them. */
struct book_limits hearing_limits(const struct config *config);

/* Prepares; postbox and journal are borrowed. Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int hearing_open(struct hearing *hearing, const struct config *config,
                                   struct postbox *postbox, struct journal *journal);
void hearing_close(struct hearing *hearing);

/* Begins with an empty book of a set of the ledger's shards, and forgets questions and inbox.
 * Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int hearing_begin(struct hearing *hearing, struct ledger *ledger,
                                    uint64_t shards);

/* Ends with the book, and forgets questions and inbox: the broker stands by. */
void hearing_rest(struct hearing *hearing);

/* Something returned `status`; the first failure stays. */
void hearing_note(struct hearing *hearing, int status);

/* Hears one event that is no message. */
void hearing_event(struct hearing *hearing, const struct event *event);

/* Takes what book_resume says. */
void hearing_resume(struct hearing *hearing);

/* Hears what a session has said, as far as it can be heard now. */
void hearing_session(struct hearing *hearing, struct session *session);

/* A request of SQL came in; it is heard by hearing_inbox. */
void hearing_request(struct hearing *hearing, const struct ledger_request *request);
void hearing_inbox(struct hearing *hearing);

/* The ledger has answered a question: only notes it, so that the ledger may call it. The ledger
 * asks again by itself after its connection was lost. */
void hearing_answer(struct hearing *hearing, uint64_t cookie, const struct ledger_prior *prior);
/* Hears whoever waited for an answer that has come. */
void hearing_answered(struct hearing *hearing);

/* The end of a turn: lets time pass in the book, and marks what was heard. */
void hearing_tick(struct hearing *hearing);

/* A session has ended; the book learns of it. */
void hearing_left(struct hearing *hearing, const struct session *session);

#endif
