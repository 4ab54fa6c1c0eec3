/*
 * A loss: the ledger lacks what somebody was told it holds, because its database failed over to a
 * standby that had not everything, or was restored from an older copy. It is said in the log and in
 * tender.loss; what follows for the tasks is for their peers to find out.
 */
#ifndef TENDER_BROKER_SHELL_LOSS_H
#define TENDER_BROKER_SHELL_LOSS_H

#include "ledger.h"

/* Says it; `peer` is who was told. */
void loss_say(struct ledger *ledger, const struct ledger_loss *loss, tender_bytes peer);

/*
 * Compares the receipts that a peer brings, and says each loss. Writes what is held instead to
 * `held_out` [LEDGER_RECEIPT_SIZE * LEDGER_RECEIPTS_MAX], and returns its bytes; 0: nothing is
 * lost.
 */
size_t loss_compare(struct ledger *ledger, tender_bytes receipts, tender_bytes peer,
                    uint8_t *held_out);

#endif
