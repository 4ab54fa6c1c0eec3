/*
 * Losses: see loss.h.
 */
#include "loss.h"

#include <string.h>

#include "log.h"

void loss_find(struct losses *losses, const struct ledger_loss *loss, tender_bytes peer)
{
    if (losses->count == LOSS_UNSAID_MAX) {
        return;
    }
    struct unsaid *unsaid = &losses->items[losses->count++];
    unsaid->loss = *loss;
    unsaid->peer_size = peer.size < sizeof unsaid->peer ? peer.size : sizeof unsaid->peer;
    memcpy(unsaid->peer, peer.data, unsaid->peer_size);
}

static void say(struct ledger *ledger, const struct ledger_loss *loss, tender_bytes peer)
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

void loss_say(struct losses *losses, struct ledger *ledger)
{
    for (size_t i = 0; i < losses->count; i++) {
        const struct unsaid *unsaid = &losses->items[i];
        say(ledger, &unsaid->loss, (tender_bytes){unsaid->peer, unsaid->peer_size});
    }
    losses->count = 0;
}

size_t loss_compare(struct losses *losses, const struct ledger *ledger, tender_bytes receipts,
                    tender_bytes peer, uint8_t *held_out)
{
    struct ledger_loss found[LEDGER_RECEIPTS_MAX];
    size_t count = ledger_judge(ledger, receipts, found);
    for (size_t i = 0; i < count; i++) {
        loss_find(losses, &found[i], peer);
        ledger_loss_pack(&found[i], held_out + i * LEDGER_RECEIPT_SIZE);
    }
    return count * LEDGER_RECEIPT_SIZE;
}
