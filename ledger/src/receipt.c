/*
 * Receipts: which batch of which reign is held, as peers are told it, and whether what they bring
 * is still so. A database that failed over to a standby which had not everything has lost commits,
 * and only those who were told of them can say so.
 */
#include "private.h"

#include <string.h>

static void pack(uint8_t *receipt_out, int32_t shard, int64_t reign, uint32_t mark, uint64_t batch)
{
    column_write_integer(receipt_out, (uint64_t)shard, 2);
    column_write_integer(receipt_out + 2, (uint64_t)reign, 4);
    column_write_integer(receipt_out + 6, mark, 4);
    column_write_integer(receipt_out + 10, batch, 8);
}

void ledger_loss_pack(const struct ledger_loss *loss, uint8_t *receipt_out)
{
    pack(receipt_out, loss->shard, loss->reign, loss->mark, loss->held);
}

size_t ledger_receipts(const struct ledger *ledger, uint8_t *receipts_out)
{
    size_t size = 0;
    for (uint64_t left = ledger->shards; left != 0;) {
        uint32_t shard = shard_take(&left);
        const struct holding *holding = &ledger->holdings[shard];
        pack(receipts_out + size, (int32_t)shard, holding->reign, holding->mark, holding->batch);
        size += LEDGER_RECEIPT_SIZE;
    }
    return size;
}

/* The last batch of a reign that is held; 0 where the ledger does not know the reign. */
static uint64_t held_of(const struct holding *holding, int64_t reign, uint32_t mark)
{
    const struct reign_begin *reigns = holding->reigns;
    for (size_t i = 0; i < holding->reign_count; i++) {
        if (reigns[i].reign == reign && reigns[i].mark == mark) {
            return i == 0 ? holding->batch : reigns[i - 1].batch;
        }
    }
    bool is_older =
        holding->reign_count == REIGNS_MAX && reign < reigns[holding->reign_count - 1].reign;
    return is_older ? UINT64_MAX : 0;
}

size_t ledger_judge(const struct ledger *ledger, tender_bytes receipts,
                    struct ledger_loss *losses_out)
{
    size_t count = receipts.size / LEDGER_RECEIPT_SIZE;
    size_t losses = 0;
    for (size_t i = 0; i < count && i < LEDGER_RECEIPTS_MAX; i++) {
        const char *receipt = (const char *)receipts.data + i * LEDGER_RECEIPT_SIZE;
        struct ledger_loss loss = {.shard = (uint16_t)column_read_integer(receipt, 2),
                                   .reign = (uint32_t)column_read_integer(receipt + 2, 4),
                                   .mark = (uint32_t)column_read_integer(receipt + 6, 4),
                                   .told = (uint64_t)column_read_integer(receipt + 10, 8)};
        bool is_held = loss.shard < SHARDS_MAX && shard_is_in(ledger->shards, (uint32_t)loss.shard);
        loss.held =
            is_held ? held_of(&ledger->holdings[loss.shard], loss.reign, loss.mark) : loss.told;
        if (loss.told > loss.held && loss.told <= INT64_MAX) {
            losses_out[losses++] = loss;
        }
    }
    return losses;
}

struct ledger_loss ledger_lost(const struct ledger *ledger)
{
    return ledger->lost;
}

void ledger_note_loss(struct ledger *ledger, const struct ledger_loss *loss, tender_bytes peer)
{
    if (ledger->loss_count == LOSSES_MAX) {
        return;
    }
    struct noted_loss *noted = &ledger->losses[ledger->loss_count++];
    noted->loss = *loss;
    noted->peer_size = peer.size < sizeof noted->peer ? peer.size : sizeof noted->peer;
    memcpy(noted->peer, peer.data, noted->peer_size);
}

int receipt_begin(struct ledger *ledger, uint32_t shard)
{
    struct holding *holding = &ledger->holdings[shard];
    struct column columns[2] = {{0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_integer(&columns[1], COLUMN_INT4, REIGNS_MAX);
    PGresult *result = ledger_execute(ledger, STATEMENT_RECALL_REIGNS, columns, 2);
    if (result == NULL) {
        return TENDER_EDATABASE;
    }
    holding->reign_count = 0;
    for (int row = 0; row < PQntuples(result) && row < REIGNS_MAX; row++) {
        holding->reigns[holding->reign_count++] =
            (struct reign_begin){.reign = cell_integer(result, row, 0),
                                 .mark = (uint32_t)cell_integer(result, row, 1),
                                 .batch = (uint64_t)cell_integer(result, row, 2)};
    }
    PQclear(result);
    if (holding->reign_count == 0 || holding->reigns[0].reign != holding->reign) {
        return ledger_fail(ledger, TENDER_EDATABASE, "the reign is over before it began");
    }
    holding->mark = holding->reigns[0].mark;
    return 0;
}

static int ask(struct ledger *ledger, uint32_t shard)
{
    const struct holding *holding = &ledger->holdings[shard];
    struct column columns[3] = {{0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, shard);
    column_set_integer(&columns[1], COLUMN_INT8, holding->reign);
    column_set_integer(&columns[2], COLUMN_INT4, (int32_t)holding->mark);
    return pipeline_queue(ledger, STATEMENT_HELD_BATCH, columns, 3);
}

int receipt_ask(struct ledger *ledger)
{
    int status = 0;
    ledger->has_lost = false;
    ledger->receipt_shards = ledger->shards;
    for (uint64_t left = ledger->shards; status == 0 && left != 0;) {
        status = ask(ledger, shard_take(&left));
    }
    return status;
}

void receipt_read(struct ledger *ledger, const PGresult *result)
{
    if (result == NULL) { /* no shard can be told for that of the error: the first stands for it */
        ledger->receipt_shards = ledger->shards;
    }
    if (ledger->receipt_shards == 0) {
        return;
    }
    uint32_t shard = shard_take(&ledger->receipt_shards); /* in their order */
    const struct holding *holding = &ledger->holdings[shard];
    uint64_t held = result == NULL ? 0 : (uint64_t)cell_integer(result, 0, 0);
    uint64_t told = holding->batch;
    if (ledger->has_lost || held >= told) {
        return;
    }
    ledger->has_lost = true;
    ledger->lost = (struct ledger_loss){.shard = (int32_t)shard,
                                        .reign = holding->reign,
                                        .mark = holding->mark,
                                        .told = told,
                                        .held = held};
    (void)ledger_fail(ledger, 0, "of reign %lld batch %llu had committed and %llu is held",
                      (long long)holding->reign, (unsigned long long)told,
                      (unsigned long long)held);
}

int receipt_note(struct ledger *ledger)
{
    const struct noted_loss *noted = &ledger->losses[0];
    struct column columns[6] = {{0}, {0}, {0}, {0}, {0}, {0}};
    column_set_integer(&columns[0], COLUMN_INT2, noted->loss.shard);
    column_set_integer(&columns[1], COLUMN_INT8, noted->loss.reign);
    column_set_integer(&columns[2], COLUMN_INT4, (int32_t)noted->loss.mark);
    column_set_integer(&columns[3], COLUMN_INT8, (int64_t)noted->loss.told);
    column_set_integer(&columns[4], COLUMN_INT8, (int64_t)noted->loss.held);
    column_begin_value(&columns[5], COLUMN_TEXT);
    column_bytes(&columns[5], (tender_bytes){noted->peer, noted->peer_size});
    return pipeline_queue(ledger, STATEMENT_NOTE_LOSS, columns, 6);
}

void receipt_noted(struct ledger *ledger)
{
    ledger->loss_count--;
    memmove(&ledger->losses[0], &ledger->losses[1], ledger->loss_count * sizeof ledger->losses[0]);
}
