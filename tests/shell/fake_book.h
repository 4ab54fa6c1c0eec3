/*
 * A book that writes down what it hears, asks the ledger for what its test says, and a ledger that
 * keeps the questions. For tests of what lies between them and the sessions.
 */
#ifndef TENDER_TESTS_SHELL_FAKE_BOOK_H
#define TENDER_TESTS_SHELL_FAKE_BOOK_H

#include "book.h"

struct book {
    struct {
        enum event_kind kind;
        tender_performative performative;
        char key[8];
        bool has_prior;
        bool is_nil_task;
        uint8_t after_states[2];
        int64_t round;
        uint64_t request;
    } heard[64];
    uint32_t count;
};

struct ledger {
    uint32_t shard_count;
};

/*
 * wants              keys, a letter each, that the book asks the ledger for
 * refuses            a hello is refused so; NONE: it is not
 * asked, cookies     [asked_count]; first letters of keys, or first bytes of tasks, that the ledger
 *                    was asked for
 * answered_requests  of the inbox
 * receipts_size      of what the last hello brought
 * verdict            whether keys may speak, which has changed so often
 */
struct fake_book {
    const char *wants;
    tender_reason refuses;
    uint32_t asked[64];
    uint32_t asked_count;
    uint64_t cookies[64];
    uint32_t answered_requests;
    int64_t returned_us; /* what was asked until then is stale */
    size_t receipts_size;
    tender_reason verdict;
    uint64_t key_changes;
};

extern struct fake_book fake_book;

void fake_book_reset(void);

#endif
