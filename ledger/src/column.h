/*
 * A parameter in PostgreSQL's binary format: an array that grows by appending, or one value.
 *
 * A column remembers that memory ran out, so a caller appends many values and checks once.
 */
#ifndef TENDER_LEDGER_SRC_COLUMN_H
#define TENDER_LEDGER_SRC_COLUMN_H

#include "tender/vocabulary.h"

/* Types by their object identifiers, which PostgreSQL never changes. */
enum column_type {
    COLUMN_BOOL = 16,
    COLUMN_BYTEA = 17,
    COLUMN_INT8 = 20,
    COLUMN_INT2 = 21,
    COLUMN_INT4 = 23,
    COLUMN_TEXT = 25,
    COLUMN_TIMESTAMPTZ = 1184,
    COLUMN_UUID = 2950,
};

struct column {
    enum column_type type;
    bool is_array;
    bool has_failed;
    uint32_t count;
    uint32_t null_count; /* of these */
    size_t size;
    size_t capacity;
    uint8_t *data;
};

/* Empties the column for an array of `type`, or for one value; memory is kept. */
void column_begin_array(struct column *column, enum column_type type);
void column_begin_value(struct column *column, enum column_type type);
/*
 * Completes arrays; one of nulls alone becomes an empty one, since unnest() fills up with nulls
 * what is shorter than the arrays beside it. Returns 0, or TENDER_ENOMEM when any append failed.
 */
TENDER_MUST_CHECK int columns_end(struct column *columns, size_t count);
void columns_release(struct column *columns, size_t count);
/* What libpq takes of columns that are complete, all in binary: arrays of `count`. */
void columns_pass(const struct column *columns, size_t count, const char **values_out,
                  int *lengths_out, int *formats_out);

/* Make the column one value. */
void column_set_integer(struct column *column, enum column_type type, int64_t value);
void column_set_text(struct column *column, const char *text);

void column_null(struct column *column);
/* An integer as the column's type; `value` fits it. */
void column_integer(struct column *column, int64_t value);
/* null below zero, which says that a value stays as it is. */
void column_integer_or_null(struct column *column, int64_t value);
void column_boolean(struct column *column, bool value);
/* µs since the Unix epoch. */
void column_time(struct column *column, int64_t at_us);
/* null for 0, which no stamp is. */
void column_time_or_null(struct column *column, int64_t at_us);
void column_id(struct column *column, tender_id id);
/* null for the nil identifier. */
void column_id_or_null(struct column *column, tender_id id);
void column_digest(struct column *column, tender_digest digest);
void column_bytes(struct column *column, tender_bytes bytes);
/* null for no bytes. */
void column_bytes_or_null(struct column *column, tender_bytes bytes);

/* Writes an integer as PostgreSQL does, big-endian. */
void column_write_integer(uint8_t *target, uint64_t value, int size);
/* Reads integers of 2, 4 or 8 bytes, and µs since the Unix epoch, from a binary result. */
int64_t column_read_integer(const char *data, int size);
int64_t column_read_time(const char *data, int size);

#endif
