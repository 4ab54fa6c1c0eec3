/*
 * Builds parameters in PostgreSQL's binary format.
 */
#include "column.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Array header: dimensions, has-null, element type, then length and lower bound of the dimension.
 */
#define ARRAY_HEADER_SIZE 20
/* PostgreSQL counts from 2000-01-01. */
#define EPOCH_DIFFERENCE_US INT64_C(946684800000000)

void column_write_integer(uint8_t *target, uint64_t value, int size)
{
    for (int i = size - 1; i >= 0; i--) {
        target[i] = (uint8_t)(value & 0xff);
        value >>= 8;
    }
}

static uint8_t *column_extend(struct column *column, size_t size)
{
    if (column->size + size > column->capacity) {
        size_t capacity = column->capacity == 0 ? 1024 : column->capacity;
        while (capacity < column->size + size) {
            capacity *= 2;
        }
        uint8_t *data = realloc(column->data, capacity);
        if (data == NULL) {
            column->has_failed = true;
            return NULL;
        }
        column->data = data;
        column->capacity = capacity;
    }
    uint8_t *target = column->data + column->size;
    column->size += size;
    return target;
}

void column_begin_array(struct column *column, enum column_type type)
{
    column_begin_value(column, type);
    column->is_array = true;
    (void)column_extend(column, ARRAY_HEADER_SIZE);
}

void column_begin_value(struct column *column, enum column_type type)
{
    column->type = type;
    column->is_array = false;
    column->has_failed = false;
    column->count = 0;
    column->null_count = 0;
    column->size = 0;
}

static int column_end(struct column *column)
{
    if (column->has_failed) {
        return TENDER_ENOMEM;
    }
    if (column->is_array) {
        bool is_empty = column->null_count == column->count;
        column_write_integer(column->data, is_empty ? 0 : 1, 4);
        column_write_integer(column->data + 4, !is_empty && column->null_count > 0, 4);
        column_write_integer(column->data + 8, (uint64_t)column->type, 4);
        column_write_integer(column->data + 12, column->count, 4);
        column_write_integer(column->data + 16, 1, 4);
        if (is_empty) {
            column->size = 12;
        }
    }
    return 0;
}

int columns_end(struct column *columns, size_t count)
{
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        int ended = column_end(&columns[i]);
        status = status == 0 ? ended : status;
    }
    return status;
}

void columns_release(struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(columns[i].data);
        memset(&columns[i], 0, sizeof columns[i]);
    }
}

void columns_pass(const struct column *columns, size_t count, const char **values_out,
                  int *lengths_out, int *formats_out)
{
    for (size_t i = 0; i < count; i++) {
        /* A value of no bytes still needs an address, since NULL is null. */
        values_out[i] = columns[i].data != NULL ? (const char *)columns[i].data : "";
        lengths_out[i] = (int)columns[i].size;
        formats_out[i] = 1;
    }
}

/* Room for one value of `size` bytes, after its length where it is one of an array. */
static uint8_t *column_value(struct column *column, size_t size)
{
    size_t prefix = column->is_array ? 4 : 0;
    uint8_t *target = column_extend(column, prefix + size);
    if (target == NULL) {
        return NULL;
    }
    column->count++;
    if (prefix != 0) {
        column_write_integer(target, size, 4);
    }
    return target + prefix;
}

void column_null(struct column *column)
{
    assert(column->is_array);
    uint8_t *target = column_extend(column, 4);
    if (target != NULL) {
        memset(target, 0xff, 4);
        column->null_count++;
        column->count++;
    }
}

void column_integer(struct column *column, int64_t value)
{
    int size = column->type == COLUMN_INT2 ? 2 : column->type == COLUMN_INT4 ? 4 : 8;
    uint8_t *target = column_value(column, (size_t)size);
    if (target != NULL) {
        column_write_integer(target, (uint64_t)value, size);
    }
}

void column_set_integer(struct column *column, enum column_type type, int64_t value)
{
    column_begin_value(column, type);
    column_integer(column, value);
}

void column_integer_or_null(struct column *column, int64_t value)
{
    if (value < 0) {
        column_null(column);
    } else {
        column_integer(column, value);
    }
}

void column_boolean(struct column *column, bool value)
{
    assert(column->type == COLUMN_BOOL);
    uint8_t *target = column_value(column, 1);
    if (target != NULL) {
        *target = value;
    }
}

void column_time(struct column *column, int64_t at_us)
{
    assert(column->type == COLUMN_TIMESTAMPTZ);
    column_integer(column, at_us - EPOCH_DIFFERENCE_US);
}

void column_time_or_null(struct column *column, int64_t at_us)
{
    if (at_us == 0) {
        column_null(column);
    } else {
        column_time(column, at_us);
    }
}

void column_id(struct column *column, tender_id id)
{
    assert(column->type == COLUMN_UUID);
    uint8_t *target = column_value(column, sizeof id.bytes);
    if (target != NULL) {
        memcpy(target, id.bytes, sizeof id.bytes);
    }
}

void column_id_or_null(struct column *column, tender_id id)
{
    if (tender_id_is_nil(id)) {
        column_null(column);
    } else {
        column_id(column, id);
    }
}

void column_digest(struct column *column, tender_digest digest)
{
    column_bytes(column, (tender_bytes){digest.bytes, sizeof digest.bytes});
}

void column_bytes(struct column *column, tender_bytes bytes)
{
    uint8_t *target = column_value(column, bytes.size);
    if (target != NULL && bytes.size > 0) {
        memcpy(target, bytes.data, bytes.size);
    }
}

void column_set_text(struct column *column, const char *text)
{
    column_begin_value(column, COLUMN_TEXT);
    column_bytes(column, (tender_bytes){text, strlen(text)});
}

void column_bytes_or_null(struct column *column, tender_bytes bytes)
{
    if (bytes.size == 0) {
        column_null(column);
    } else {
        column_bytes(column, bytes);
    }
}

int64_t column_read_integer(const char *data, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) {
        value = value << 8 | (uint8_t)data[i];
    }
    if (size == 2) {
        return (int16_t)value;
    }
    return size == 4 ? (int32_t)value : (int64_t)value;
}

int64_t column_read_time(const char *data, int size)
{
    int64_t value = column_read_integer(data, size);
    int64_t at_us;
    /* PostgreSQL's infinity is the last integer: it stays the end of time. */
    return __builtin_add_overflow(value, EPOCH_DIFFERENCE_US, &at_us) ? INT64_MAX : at_us;
}
