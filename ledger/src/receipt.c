/*
 * Receipts: which batch of which reign is held, as peers are told it, and whether what they bring
 * is still so. A database that failed over to a standby which had not everything has lost commits,
 * and only those who were told of them can say so.
 */
#include "private.h"

#include <stdio.h>
#include <string.h>

static uint64_t last_committed(const struct ledger *ledger)
{
    return (ledger->sending != NULL ? ledger->sending : ledger->filling)->number - 1;
}

static void write_integer(uint8_t *at, size_t size, uint64_t value)
{
    for (size_t i = size; i-- > 0; value >>= 8) {
        at[i] = (uint8_t)value;
    }
}

static uint64_t read_integer(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static void pack(uint8_t *receipt_out, int32_t shard, int64_t reign, uint32_t mark, uint64_t batch)
{
    write_integer(receipt_out, 2, (uint64_t)shard);
    write_integer(receipt_out + 2, 4, (uint64_t)reign);
    write_integer(receipt_out + 6, 4, mark);
    write_integer(receipt_out + 10, 8, batch);
}

void ledger_loss_pack(const struct ledger_loss *loss, uint8_t *receipt_out)
{
    pack(receipt_out, loss->shard, loss->reign, loss->mark, loss->held);
}

size_t ledger_receipts(const struct ledger *ledger, uint8_t *receipts_out)
{
    if (ledger->reign == 0) {
        return 0;
    }
    pack(receipts_out, LEDGER_SHARD, ledger->reign, ledger->mark, last_committed(ledger));
    return LEDGER_RECEIPT_SIZE;
}

/* The last batch of a reign that is held; 0 where the ledger does not know the reign. */
static uint64_t held_of(const struct ledger *ledger, int64_t reign, uint32_t mark)
{
    const struct reign_begin *reigns = ledger->reigns;
    for (size_t i = 0; i < ledger->reign_count; i++) {
        if (reigns[i].reign == reign && reigns[i].mark == mark) {
            return i == 0 ? last_committed(ledger) : reigns[i - 1].batch;
        }
    }
    bool is_older =
        ledger->reign_count == REIGNS_MAX && reign < reigns[ledger->reign_count - 1].reign;
    return is_older ? UINT64_MAX : 0;
}

size_t ledger_judge(const struct ledger *ledger, tender_bytes receipts,
                    struct ledger_loss *losses_out)
{
    size_t count = receipts.size / LEDGER_RECEIPT_SIZE;
    size_t losses = 0;
    for (size_t i = 0; i < count && i < LEDGER_RECEIPTS_MAX && ledger->reign != 0; i++) {
        const uint8_t *receipt = (const uint8_t *)receipts.data + i * LEDGER_RECEIPT_SIZE;
        struct ledger_loss loss = {.shard = (int32_t)read_integer(receipt, 2),
                                   .reign = (int64_t)read_integer(receipt + 2, 4),
                                   .mark = (uint32_t)read_integer(receipt + 6, 4),
                                   .told = read_integer(receipt + 10, 8)};
        loss.held = held_of(ledger, loss.reign, loss.mark);
        if (loss.shard == LEDGER_SHARD && loss.told > loss.held && loss.told <= INT64_MAX) {
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

int receipt_begin(struct ledger *ledger)
{
    struct column columns[2] = {{0}, {0}};
    column_begin_value(&columns[0], COLUMN_INT2);
    column_integer(&columns[0], LEDGER_SHARD);
    column_begin_value(&columns[1], COLUMN_INT4);
    column_integer(&columns[1], REIGNS_MAX);
    PGresult *result = ledger_execute(ledger, STATEMENT_RECALL_REIGNS, columns, 2);
    column_release(&columns[0]);
    column_release(&columns[1]);
    if (result == NULL) {
        return TENDER_EDATABASE;
    }
    ledger->reign_count = 0;
    for (int row = 0; row < PQntuples(result) && row < REIGNS_MAX; row++) {
        ledger->reigns[ledger->reign_count++] = (struct reign_begin){
            .reign = column_read_integer(PQgetvalue(result, row, 0), 8),
            .mark = (uint32_t)column_read_integer(PQgetvalue(result, row, 1), 4),
            .batch = (uint64_t)column_read_integer(PQgetvalue(result, row, 2), 8)};
    }
    PQclear(result);
    if (ledger->reign_count == 0 || ledger->reigns[0].reign != ledger->reign) {
        return ledger_fail(ledger, TENDER_EDATABASE, "the reign is over before it began");
    }
    ledger->mark = ledger->reigns[0].mark;
    return 0;
}

int receipt_ask(struct ledger *ledger)
{
    ledger->has_lost = false;
    if (ledger->reign == 0) {
        return 0;
    }
    struct column columns[3] = {{0}, {0}, {0}};
    column_begin_value(&columns[0], COLUMN_INT2);
    column_integer(&columns[0], LEDGER_SHARD);
    column_begin_value(&columns[1], COLUMN_INT8);
    column_integer(&columns[1], ledger->reign);
    column_begin_value(&columns[2], COLUMN_INT4);
    column_integer(&columns[2], (int32_t)ledger->mark);
    bool is_sent = true;
    for (size_t i = 0; i < 3; i++) {
        is_sent = column_end(&columns[i]) == 0 && is_sent;
    }
    is_sent = is_sent && pipeline_call(ledger, STATEMENT_HELD_BATCH, columns, 3);
    for (size_t i = 0; i < 3; i++) {
        column_release(&columns[i]);
    }
    return is_sent ? 0 : TENDER_EDATABASE;
}

void receipt_read(struct ledger *ledger, const PGresult *result)
{
    uint64_t held = result == NULL ? 0 : (uint64_t)column_read_integer(PQgetvalue(result, 0, 0), 8);
    uint64_t told = last_committed(ledger);
    if (ledger->has_lost || held >= told) {
        return;
    }
    ledger->has_lost = true;
    ledger->lost = (struct ledger_loss){.shard = LEDGER_SHARD,
                                        .reign = ledger->reign,
                                        .mark = ledger->mark,
                                        .told = told,
                                        .held = held};
    (void)ledger_fail(ledger, 0, "of reign %lld batch %llu had committed and %llu is held",
                      (long long)ledger->reign, (unsigned long long)told, (unsigned long long)held);
}

int receipt_note(struct ledger *ledger)
{
    const struct noted_loss *noted = &ledger->losses[0];
    const int64_t values[] = {noted->loss.shard, noted->loss.reign, (int32_t)noted->loss.mark,
                              (int64_t)noted->loss.told, (int64_t)noted->loss.held};
    static const enum column_type types[] = {COLUMN_INT2, COLUMN_INT8, COLUMN_INT4, COLUMN_INT8,
                                             COLUMN_INT8};
    struct column columns[6] = {{0}, {0}, {0}, {0}, {0}, {0}};
    int status = 0;
    for (size_t i = 0; i < 5; i++) {
        column_begin_value(&columns[i], types[i]);
        column_integer(&columns[i], values[i]);
    }
    column_begin_value(&columns[5], COLUMN_TEXT);
    column_bytes(&columns[5], (tender_bytes){noted->peer, noted->peer_size});
    for (size_t i = 0; i < 6; i++) {
        int ended = column_end(&columns[i]);
        status = status == 0 ? ended : status;
    }
    if (status == 0 && !pipeline_call(ledger, STATEMENT_NOTE_LOSS, columns, 6)) {
        status = TENDER_EDATABASE;
    }
    for (size_t i = 0; i < 6; i++) {
        column_release(&columns[i]);
    }
    return status;
}

void receipt_noted(struct ledger *ledger)
{
    ledger->loss_count--;
    memmove(&ledger->losses[0], &ledger->losses[1], ledger->loss_count * sizeof ledger->losses[0]);
}
