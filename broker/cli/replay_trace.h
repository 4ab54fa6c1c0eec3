/*
 * A trace of requests: when each came and how many tokens it had. Read from CSV, or made up from a
 * seed. Only differences of the times count.
 */
#ifndef TENDER_BROKER_CLI_REPLAY_TRACE_H
#define TENDER_BROKER_CLI_REPLAY_TRACE_H

#include "value.h"

#include <stdio.h>

#define TRACE_TOKENS_MAX INT64_C(100000000)
#define TRACE_SPAN_MAX   TENDER_DURATION_MAX /* from the first request to the last */

/* One request; `after_us` counts from the first of the trace. */
struct trace_row {
    int64_t after_us;
    int64_t context_tokens;
    int64_t generated_tokens;
};

struct trace {
    size_t count;
    size_t capacity;
    struct trace_row *rows; /* [count], in the order of their times */
};

/*
 * Reads CSV with a header that names TIMESTAMP, ContextTokens and GeneratedTokens, in any order and
 * among others; lines may end in CR LF; fractions of a second have at most nine digits. Rows out of
 * order are sorted. Stops after `limit` rows where that is not 0.
 *
 * Returns 0; TENDER_EINVAL with a sentence in `why` ([VALUE_WHY_MAX]) that names the line;
 * TENDER_ENOMEM. trace_release in each case.
 */
TENDER_MUST_CHECK int trace_read(FILE *file, size_t limit, struct trace *trace_out, char *why);

/*
 * Makes up `count` requests: the same from the same seed everywhere. They come in bursts, five and
 * a half a second on the average, and their sizes are skewed as in real conversations.
 */
TENDER_MUST_CHECK int trace_invent(size_t count, uint64_t seed, struct trace *trace_out);

/* Prints the trace as CSV. */
void trace_write(const struct trace *trace, FILE *out);
void trace_release(struct trace *trace);

#endif
