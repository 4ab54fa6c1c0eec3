/*
 * Goal: whatever a person puts into the inbox becomes a message that the wire would take as well,
 * field by field, or a fault that is named; an answer is written as JSON that reads back. Method:
 * the first byte chooses the kind, the rest is the body of the one row that a poll brings.
 */
#include "fuzz.h"

#include "private.h"

#include "wire.h"

static struct wire_reader *reader;
static uint8_t frame[2 * TENDER_FRAME_MAX];
static bool is_written; /* the message is what ledger_answer wrote */
static struct message first;

/* Packed by the wire and read again it is the same message, and no field is at fault. */
static void check_by_wire(const struct message *message)
{
    const char *why = NULL;
    struct message read;
    struct wire_header header = {.version = WIRE_VERSION, .first = 1, .count = 1};
    int head = wire_pack_header(&header, frame, sizeof frame);
    expect(head > 0);
    int body = wire_pack_message(message, frame + head, sizeof frame - (size_t)head);
    if (body < 0) {
        expect(body == TENDER_ELIMIT);
        return;
    }
    size_t size = (size_t)(head + body);
    expect(size > TENDER_FRAME_MAX || wire_open(reader, frame, size, &header, &why) == 0);
    if (size <= TENDER_FRAME_MAX) {
        expect(wire_next(reader, &read) == 1);
        expect(read.faulty == 0 && read.present == message->present);
        expect(read.cost_micro == message->cost_micro && read.reason == message->reason);
        expect(read.content.size == message->content.size);
    }
}

static void on_request(void *context, const struct ledger_request *request)
{
    struct ledger *ledger = context;
    const struct message *message = &request->message;
    expect((message->present & message->faulty) == 0);
    expect((message->fault == 0) == (message->faulty == 0));
    if (message->faulty != 0) {
        expect(tender_reason_name(message->fault_reason) != NULL);
        return;
    }
    if (is_written) {
        expect(message->present == first.present && message->cost_micro == first.cost_micro);
        expect(tender_id_equal(message->conversation, first.conversation));
        return;
    }
    if (message->performative == 0) {
        return; /* of the house's own kinds, which no peer says */
    }
    check_by_wire(message);
    expect(ledger_answer(ledger, request->request, message) == 0);
    first = *message;
}

/* The row of a poll. */
static PGresult *make_row(const char *kind, const void *body, size_t size)
{
    static char names[6][2] = {"a", "b", "c", "d", "e", "f"};
    static const char request[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    PGresAttDesc columns[6];
    for (int i = 0; i < 6; i++) {
        columns[i] = (PGresAttDesc){.name = names[i], .format = 1};
    }
    PGresult *result = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    expect(result != NULL && PQsetResultAttrs(result, 6, columns) == 1);
    const struct {
        const void *data;
        size_t size;
    } cells[6] = {{request, 8}, {kind, strlen(kind)}, {"press", 5}, {"press-ltd", 9},
                  {"\0", 1},    {body, size}};
    for (int i = 0; i < 6; i++) {
        expect(PQsetvalue(result, 0, i, (char *)(uintptr_t)cells[i].data, (int)cells[i].size));
    }
    return result;
}

static void read_row(struct ledger *ledger, const char *kind, const void *body, size_t size)
{
    PGresult *result = make_row(kind, body, size);
    ledger->poll_shards = ledger->shards;
    inbox_read(ledger, result);
    PQclear(result);
    ledger->held_count = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    static struct ledger ledger;
    if (reader == NULL) {
        expect(wire_reader_open(&reader) == 0);
        ledger.filling = &ledger.bundles[0];
        ledger.shard_count = 1;
        ledger.shards = 1;
        ledger.handlers.on_request = on_request;
        ledger.handlers.context = &ledger;
    }
    const char *kind = tender_performative_name((tender_performative)input_byte(&input));
    kind = kind == NULL ? "fund" : kind;
    is_written = false;
    read_row(&ledger, kind, input.data, input.size);
    const struct batch *batch = ledger.filling->batches[0];
    if (batch != NULL && batch->answers.count > 0) {
        const struct answer_row *rows = batch->answers.items;
        is_written = true;
        read_row(&ledger, kind, rows[0].answer.data, rows[0].answer.size);
    }
    bundle_clear(ledger.filling);
    return 0;
}
