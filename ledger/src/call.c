/*
 * Makes executions of statements.
 */
#include "call.h"

#include <stdlib.h>
#include <string.h>

struct call *call_begin(struct batch *batch, enum statement statement, int64_t shard)
{
    if (batch->call_count == batch->call_capacity) {
        size_t capacity = batch->call_capacity == 0 ? 12 : batch->call_capacity * 2;
        struct call *calls = realloc(batch->calls, capacity * sizeof *calls);
        if (calls == NULL) {
            return NULL;
        }
        memset(calls + batch->call_capacity, 0, (capacity - batch->call_capacity) * sizeof *calls);
        batch->calls = calls;
        batch->call_capacity = capacity;
    }
    struct call *call = &batch->calls[batch->call_count++];
    call->statement = statement;
    call->column_count = 1;
    column_begin_value(&call->columns[0], COLUMN_INT2);
    column_integer(&call->columns[0], shard);
    return call;
}

struct column *call_array(struct call *call, enum column_type type)
{
    struct column *column = &call->columns[call->column_count++];
    column_begin_array(column, type);
    return column;
}

struct column *call_value(struct call *call, enum column_type type)
{
    struct column *column = &call->columns[call->column_count++];
    column_begin_value(column, type);
    return column;
}

int call_end(struct call *call)
{
    int status = 0;
    for (uint32_t i = 0; i < call->column_count; i++) {
        int ended = column_end(&call->columns[i]);
        status = status == 0 ? ended : status;
    }
    return status;
}

int call_end_or_drop(struct batch *batch, struct call *call)
{
    if (call->columns[1].count == 0) {
        batch->call_count--;
        return 0;
    }
    return call_end(call);
}
