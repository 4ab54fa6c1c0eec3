/*
 * A loss: the ledger lacks what somebody was told it holds, because its database failed over to a
 * standby that had not everything, or was restored from an older copy. It is said in the log and in
 * tender.loss; what follows for the tasks is for their peers to find out.
 *
 * It is said once the lease runs, as everything is that peers are told: a broker that wakes after
 * its successor has reigned hears of batches that it does not know, and nothing of them is lost.
 */
#ifndef TENDER_BROKER_SHELL_LOSS_H
#define TENDER_BROKER_SHELL_LOSS_H

#include "ledger.h"

#define LOSS_UNSAID_MAX 16

/* Losses that are found and not said; more are left out, since the alarm is the same. */
struct losses {
    struct unsaid {
        struct ledger_loss loss;
        uint8_t peer[TENDER_NAME_MAX];
        size_t peer_size;
    } items[LOSS_UNSAID_MAX];
    size_t count;
};

/* Keeps one to be said; `peer` is who was told. */
void loss_find(struct losses *losses, const struct ledger_loss *loss, tender_bytes peer);

/* Says all of them. */
void loss_say(struct losses *losses, struct ledger *ledger);

/*
 * Compares the receipts that a peer brings, and finds each loss. Writes what is held instead to
 * `held_out` [LEDGER_RECEIPT_SIZE * LEDGER_RECEIPTS_MAX], and returns its bytes; 0: nothing is
 * lost.
 */
size_t loss_compare(struct losses *losses, const struct ledger *ledger, tender_bytes receipts,
                    tender_bytes peer, uint8_t *held_out);

#endif
