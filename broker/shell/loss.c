/*
 * Losses: see loss.h.
 */
#include "loss.h"

#include "log.h"

void loss_say(struct ledger *ledger, const struct ledger_loss *loss, tender_bytes peer)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_ERROR, "commits-lost");
    log_int(&line, "shard", loss->shard);
    log_int(&line, "reign", loss->reign);
    log_int(&line, "told_batch", (int64_t)loss->told);
    log_int(&line, "held_batch", (int64_t)loss->held);
    log_int(&line, "batches", (int64_t)(loss->told - loss->held));
    log_text(&line, "told", peer);
    log_end(&line);
    ledger_note_loss(ledger, loss, peer);
}

size_t loss_compare(struct ledger *ledger, tender_bytes receipts, tender_bytes peer,
                    uint8_t *held_out)
{
    struct ledger_loss losses[LEDGER_RECEIPTS_MAX];
    size_t count = ledger_judge(ledger, receipts, losses);
    for (size_t i = 0; i < count; i++) {
        loss_say(ledger, &losses[i], peer);
        ledger_loss_pack(&losses[i], held_out + i * LEDGER_RECEIPT_SIZE);
    }
    return count * LEDGER_RECEIPT_SIZE;
}
