/*
 * Goal: a trace, or a table of tiers, is read within its limits or refused with a sentence; what
 * was read is written and read again to the same. Method: the first byte chooses which.
 */
#include "fuzz.h"

#include "replay_tiers.h"
#include "replay_trace.h"

static FILE *open_bytes(const void *bytes, size_t size)
{
    FILE *file = fmemopen((void *)(uintptr_t)bytes, size, "r");
    expect(file != NULL);
    return file;
}

static void check_why(const char *why)
{
    expect(why[0] != '\0' && strlen(why) < VALUE_WHY_MAX && strchr(why, '\n') == NULL);
}

static void check_rows(const struct trace *trace)
{
    expect(trace->count > 0 && trace->rows[0].after_us == 0);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_row *row = &trace->rows[i];
        expect(i == 0 || row->after_us >= row[-1].after_us);
        expect(row->context_tokens >= 0 && row->context_tokens <= TRACE_TOKENS_MAX);
        expect(row->generated_tokens >= 0 && row->generated_tokens <= TRACE_TOKENS_MAX);
    }
}

static void read_trace(struct input input)
{
    char why[VALUE_WHY_MAX] = "";
    size_t limit = input_byte(&input);
    struct trace trace;
    FILE *file = open_bytes(input.data, input.size);
    int status = trace_read(file, limit, &trace, why);
    fclose(file);
    if (status != 0) {
        expect(status == TENDER_EINVAL);
        check_why(why);
    } else {
        char *text = NULL;
        size_t size = 0;
        struct trace again;
        FILE *out = open_memstream(&text, &size);
        expect(out != NULL);
        trace_write(&trace, out);
        fclose(out);
        check_rows(&trace);
        expect(limit == 0 || trace.count <= limit);
        file = open_bytes(text, size);
        expect(trace_read(file, 0, &again, why) == 0);
        fclose(file);
        expect(again.count == trace.count);
        expect(memcmp(again.rows, trace.rows, trace.count * sizeof trace.rows[0]) == 0);
        trace_release(&again);
        free(text);
    }
    trace_release(&trace);
}

static void read_tiers(struct input input)
{
    static struct tiers tiers;
    static struct tiers again;
    char why[VALUE_WHY_MAX] = "";
    FILE *file = open_bytes(input.data, input.size);
    int status = tiers_read(file, &tiers, why);
    fclose(file);
    if (status != 0) {
        expect(status == TENDER_EINVAL);
        check_why(why);
        return;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    expect(out != NULL);
    tiers_write(&tiers, out);
    fclose(out);
    file = open_bytes(text, size);
    expect(tiers_read(file, &again, why) == 0);
    fclose(file);
    free(text);
    expect(again.count == tiers.count);
    for (size_t i = 0; i < tiers.count; i++) {
        const struct tier *one = &tiers.items[i];
        const struct tier *other = &again.items[i];
        expect(strcmp(one->name, other->name) == 0);
        expect(strcmp(one->principal, other->principal) == 0);
        expect(one->price_micro == other->price_micro && one->slots == other->slots);
        expect(one->tokens_per_second == other->tokens_per_second && one->queue == other->queue);
        (void)tier_estimate(one, 1000, 100000000);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    uint8_t choice = input_byte(&input);
    if (input.size < 2) {
        return 0; /* fmemopen has no file of no bytes */
    }
    if (choice % 2 == 0) {
        read_trace(input);
    } else {
        read_tiers(input);
    }
    return 0;
}
