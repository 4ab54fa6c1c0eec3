/*
 * Goal: whatever the cells of a result hold, it is read within its bytes or refused with a
 * sentence, and what is handed out is whole. Method: the bytes fill results of the shapes that the
 * schema gives, which stand for what the server answers to recall, to questions and to polls of the
 * inbox.
 */
#include "fuzz.h"

#include "private.h"

#define COLUMNS_MAX 20
#define CELL_MAX    300
#define ROWS_MAX    8

static struct input source;
static int rows_left;     /* so that pages of a recall come to an end */
static const char *asked; /* the shape of the answer to what was sent last; NULL: it was read */

/*
 * Columns of what is read: u uuid, h hash, t timestamptz, 1 bool, i an integer of any size, n the
 * same or null, b bytes or text.
 */
static const struct shape {
    const char *function;
    const char *columns;
} shapes[] = {
    {"recall_reigns", "iii"},        {"recall_balances", "biiii"},   {"recall_house", "uitibbh"},
    {"recall_records", "bii"},       {"recall_strikes", "bbbti"},    {"recall_head", "ih"},
    {"recall_keys", "bb"},           {"recall_tasks", "uitibbh"},    {"recall_after", "uuii"},
    {"lookup", "iuunnbbnnnnnbnhnn"}, {"pending_requests", "tbbb1b"},
};

static const char *shape_of(const char *text)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strstr(text, shapes[i].function) != NULL) {
            return shapes[i].columns;
        }
    }
    return "i";
}

static int take_size(struct input *input, char column)
{
    static const int integers[] = {8, 4, 2};
    uint8_t choice = column == 'b' || column == 'i' || column == 'n' ? input_byte(input) : 0;
    switch (column) {
    case 'u':
        return 16;
    case 'h':
        return 32;
    case 't':
        return 8;
    case '1':
        return 1;
    case 'i':
        return integers[choice % 3];
    case 'n':
        return choice % 4 == 3 ? -1 : integers[choice % 4];
    default:
        return choice; /* texts and bytes */
    }
}

static PGresult *take_result(struct input *input, const char *shape)
{
    static char name[] = "c";
    PGresAttDesc columns[COLUMNS_MAX];
    int column_count = (int)strlen(shape);
    int row_count = input_byte(input) % ROWS_MAX;
    PGresult *result = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    for (int i = 0; i < column_count; i++) {
        columns[i] = (PGresAttDesc){.name = name, .format = 1};
    }
    expect(result != NULL && PQsetResultAttrs(result, column_count, columns) == 1);
    for (int row = 0; row < row_count && rows_left > 0; row++, rows_left--) {
        for (int i = 0; i < column_count; i++) {
            int size = take_size(input, shape[i]);
            char cell[CELL_MAX] = {0};
            struct input taken = input_take(input, size < 0 ? 0 : (size_t)size);
            if (taken.size > 0) {
                memcpy(cell, taken.data, taken.size);
            }
            expect(PQsetvalue(result, row, i, size < 0 ? NULL : cell, size) == 1);
        }
    }
    return result;
}

int __wrap_PQsendQueryParams(PGconn *connection, const char *command, int count, const Oid *types,
                             const char *const *values, const int *lengths, const int *formats,
                             int format);
int __wrap_PQsendQueryParams(PGconn *connection, const char *command, int count, const Oid *types,
                             const char *const *values, const int *lengths, const int *formats,
                             int format)
{
    (void)connection;
    (void)count;
    (void)types;
    (void)values;
    (void)lengths;
    (void)formats;
    (void)format;
    asked = shape_of(command);
    return 1;
}

PGresult *__wrap_PQgetResult(PGconn *connection);
PGresult *__wrap_PQgetResult(PGconn *connection)
{
    const char *shape = asked;
    (void)connection;
    asked = NULL;
    return shape == NULL ? NULL : take_result(&source, shape);
}

/* Reads every byte, so that one beyond its cell is seen. */
static void touch(tender_bytes bytes)
{
    static volatile uint8_t sum;
    for (size_t i = 0; i < bytes.size; i++) {
        sum = (uint8_t)(sum + ((const uint8_t *)bytes.data)[i]);
    }
}

static int on_entry(void *context, const struct entry *entry)
{
    (void)context;
    expect(entry_kind_name(entry->kind) != NULL);
    touch(entry->content);
    touch(entry->body);
    return 0;
}

static void on_head(void *context, uint32_t shard, uint64_t number, const tender_digest *hash)
{
    (void)context;
    (void)shard;
    (void)number;
    touch((tender_bytes){hash->bytes, sizeof hash->bytes});
}

static void on_key(void *context, tender_bytes principal, tender_bytes key)
{
    (void)context;
    touch(principal);
    touch(key);
}

static void on_prior(void *context, uint64_t cookie, const struct ledger_prior *prior)
{
    (void)context;
    (void)cookie;
    touch(prior->client);
    touch(prior->principal);
    touch(prior->contractor);
}

static void on_request(void *context, const struct ledger_request *request)
{
    (void)context;
    touch(request->peer);
    touch(request->principal);
    expect((request->message.present & request->message.faulty) == 0);
}

/* Answers to `count` questions that are on their way. */
static void read_lookup(struct ledger *ledger, struct input *input)
{
    struct query *queries[3];
    size_t count = input_byte(input) % 4;
    ledger->queries_end = &ledger->queries;
    for (size_t i = 0; i < count; i++) {
        queries[i] = calloc(1, sizeof *queries[i]);
        expect(queries[i] != NULL);
        queries[i]->is_key = i % 2 == 0;
        *ledger->queries_end = queries[i];
        ledger->queries_end = &queries[i]->next;
    }
    ledger->asked_count = count;
    PGresult *result = take_result(input, shape_of("lookup"));
    lookup_read(ledger, result);
    PQclear(result);
    lookup_finish(ledger);
    expect(ledger->queries == NULL && ledger->asked_count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct ledger ledger = {.handlers = {.on_prior = on_prior, .on_request = on_request},
                            .shard_count = 1,
                            .poll_shards = 1};
    int status = 0;
    uint8_t choice = input_byte(&input);
    rows_left = 64;
    asked = NULL;
    source = input;
    if (choice % 4 == 0) {
        status = ledger_recall(&ledger, 0, on_entry, on_head, NULL);
    } else if (choice % 4 == 1) {
        status = ledger_recall_keys(&ledger, 0, 4, on_key, NULL);
    } else if (choice % 4 == 2) {
        read_lookup(&ledger, &input);
    } else {
        PGresult *result = take_result(&input, shape_of("pending_requests"));
        inbox_read(&ledger, result);
        PQclear(result);
        free(ledger.held);
    }
    expect(status >= 0 || ledger_last_error(&ledger)[0] != '\0');
    return 0;
}
