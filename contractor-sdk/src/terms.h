/*
 * What a contractor remembers of the calls it was sent: awards do not repeat their content, and a
 * call that comes twice is handed out once. Under the session's lock. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_TERMS_H
#define TENDER_CONTRACTOR_SDK_SRC_TERMS_H

#include "message.h"
#include "receipt.h"
#include "table.h"

#define TERMS_MAX        8192
#define TERMS_BYTES_MAX  ((size_t)64 << 20)
#define TERMS_UNSURE_MAX 256

/* One call, found by task and round; texts in the same allocation. */
struct terms {
    struct table_node node; /* first */
    unsigned references;    /* the table's, and one for each item that borrows from it */
    bool has_bid;
    struct receipt receipt;
    tender_digest digest;
    int64_t ceiling_micro;
    int64_t closes_at_us;
    int64_t valid_until_us; /* of the bid; 0: until rejected */
    int64_t split_units;    /* of a split round: its units, else 0 */
    size_t size;
    const char *skill;
    tender_bytes content;
    char texts[];
};

/*
 * unsure  rounds whose call was forgotten though a bid was said and nothing shown of it: what is
 * bid there again may be another bid than the one that counts. The newest ones.
 */
struct terms_table {
    struct table table;
    size_t bytes;
    struct {
        tender_id task;
        int64_t round;
    } unsure[TERMS_UNSURE_MAX];
    size_t unsure_count;
};

TENDER_MUST_CHECK int terms_init(struct terms_table *terms);
void terms_release_all(struct terms_table *terms);

struct terms *terms_find(const struct terms_table *terms, tender_id task, int64_t round);
/*
 * Remembers a cfp in place of what was there, and forgets the oldest beyond the limits. The caller
 * has a reference too. NULL when memory is out.
 */
struct terms *terms_remember(struct terms_table *terms, const struct message *cfp,
                             int64_t broker_us);
/* Bids may have been lost with the end of the ledger: their receipts count no more. */
void terms_doubt(struct terms_table *terms);
/* The bid of this call is over without an answer that shows what became of it. */
void terms_leave(struct terms_table *terms, struct terms *left);
/* Whether a bid of the round was left so. */
bool terms_is_unsure(const struct terms_table *terms, tender_id task, int64_t round);
/* The table lets go of it. */
void terms_forget(struct terms_table *terms, struct terms *forgotten);
/* Gives a reference back; NULL is fine. */
void terms_unref(struct terms *terms);

#endif
