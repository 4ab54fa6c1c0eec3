/*
 * Effects as one line: entries as `kind:detail`, tells as `>peer performative(detail)`, in order.
 * Money is in credits without trailing zeros.
 */
#include "stage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
    char *text;
    size_t size;
    size_t capacity;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line->text + line->size, line->capacity - line->size, format, arguments);
    va_end(arguments);
    line->size += size > 0 ? (size_t)size : 0;
    line->size = line->size < line->capacity ? line->size : line->capacity - 1;
}

static void put_credits(struct line *line, int64_t micro)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64 ".%06" PRId64, micro / TENDER_MICRO_PER_CREDIT,
             micro % TENDER_MICRO_PER_CREDIT);
    size_t size = strlen(text);
    while (text[size - 1] == '0') {
        size--;
    }
    size -= text[size - 1] == '.' ? 1u : 0u;
    put(line, "%.*s", (int)size, text);
}

#define TEXT(bytes) (int)(bytes).size, (const char *)(bytes).data

static void put_answers(struct line *line, const struct entry_answers *answers)
{
    for (size_t i = 0; i < answers->count; i++) {
        const struct entry_answer *answer = &answers->items[i];
        put(line, "%s%.*s%s%.*s=%s", i == 0 ? ":" : ",", TEXT(answer->contractor),
            answer->root.size > 0 ? "^" : "", TEXT(answer->root),
            tender_bid_state_name(answer->state));
        if (answer->reason != TENDER_REASON_NONE) {
            put(line, "(%s)", tender_reason_name(answer->reason));
        }
    }
}

static void put_ranks(struct line *line, const struct entry_ranks *ranks)
{
    for (size_t i = 0; i < ranks->count; i++) {
        const struct entry_rank *rank = &ranks->items[i];
        put(line, "%s%.*s=%" PRId64 "/%s", i == 0 ? "[" : ",", TEXT(rank->contractor), rank->rank,
            tender_reason_name(rank->reason));
    }
    put(line, "%s", ranks->count > 0 ? "]" : "");
}

/* Of the part of a split award that is meant, where one is. */
static void put_number(struct line *line, int64_t part)
{
    if (part > 0) {
        put(line, "#%" PRId64, part);
    }
}

/* A part of a split award has a number: `#2.1`, its generation behind the dot. */
static void put_award(struct line *line, const struct entry_awarded *awarded)
{
    put(line, ":%.*s@", TEXT(awarded->contractor));
    put_credits(line, awarded->price_micro);
    if (awarded->part > 0) {
        put(line, "#%" PRId64 ".%" PRId64 "/%" PRId64, awarded->part, awarded->generation,
            awarded->units);
    } else {
        put(line, "#%" PRId64, awarded->generation);
    }
    put(line, "%s", awarded->held != 0 ? "/held" : "");
    put_ranks(line, &awarded->ranks);
}

static void put_settled(struct line *line, const struct entry_settled *settled)
{
    put_number(line, settled->part);
    put(line, ":%s(%s)/%" PRId64 "/", tender_commitment_state_name(settled->state),
        tender_reason_name(settled->reason), settled->units_done);
    put_credits(line, settled->paid_micro);
    if (settled->reported != 0) {
        put(line, "/of=%" PRId64, settled->reported);
    }
    put(line, "%s", settled->freed != 0 ? "/freed" : "");
    if (settled->measured_micro != 0) {
        put(line, "/measured=");
        put_credits(line, settled->measured_micro);
        put(line, ",bid=");
        put_credits(line, settled->bid_micro);
        put(line, ",estimate=");
        put_credits(line, settled->estimate_micro);
        put(line, "%s%.*s", settled->tier.size > 0 ? "," : "", TEXT(settled->tier));
    }
    if (settled->fee_micro != 0) {
        put(line, "/fee=");
        put_credits(line, settled->fee_micro);
    }
    if ((int)settled->task_state != 0) {
        put(line, "/%s(%s)/", tender_task_state_name(settled->task_state),
            tender_reason_name(settled->task_reason));
        put_credits(line, settled->released_micro);
    }
}

static void put_adopted(struct line *line, const struct entry_adopted *adopted)
{
    put(line, ":%" PRId64 "/", adopted->units);
    put_credits(line, adopted->paid_micro);
    if ((int)adopted->task_state != 0) {
        put(line, "/%s(%s)/", tender_task_state_name(adopted->task_state),
            tender_reason_name(adopted->task_reason));
        put_credits(line, adopted->released_micro);
    }
}

/* Of the house: posted rates, counts, holds and beliefs about goals. */
static void put_house(struct line *line, const struct entry *entry)
{
    switch ((int)entry->kind) {
    case ENTRY_RATED:
        put(line, ":%.*s%s%.*s@", TEXT(entry->rated.skill), entry->rated.tier.size > 0 ? "/" : "",
            TEXT(entry->rated.tier));
        put_credits(line, entry->rated.rate_micro);
        break;
    case ENTRY_COUNTED:
        put(line, ":%.*s%s%.*s=%" PRId64, TEXT(entry->counted.resource),
            entry->counted.contractor.size > 0 ? "/" : "", TEXT(entry->counted.contractor),
            entry->counted.count);
        break;
    case ENTRY_BARRED:
        put(line, ":%.*s/%.*s/%.*s(%s)%s", TEXT(entry->barred.contractor),
            TEXT(entry->barred.principal), TEXT(entry->barred.skill),
            tender_reason_name(entry->barred.reason), entry->barred.until_us == 0 ? "/over" : "");
        break;
    case ENTRY_GOALED:
        put(line, ":%.*s(%s)%s", TEXT(entry->goaled.goal), tender_reason_name(entry->goaled.belief),
            entry->goaled.until_us != 0 ? "/suspended" : "");
        break;
    case ENTRY_ADMITTED:
        put(line, ":%.*s/%.*s#%u%s", TEXT(entry->admitted.principal), TEXT(entry->admitted.parent),
            entry->admitted.key.bytes[0], entry->admitted.revoked != 0 ? "/revoked" : "");
        break;
    case ENTRY_VOUCHED:
        put(line, ":%.*s/%.*s#%u+%zu%s", TEXT(entry->vouched.agent), TEXT(entry->vouched.principal),
            entry->vouched.key.bytes[0], entry->vouched.skills.count,
            entry->vouched.revoked != 0 ? "/revoked" : "");
        break;
    default:
        break;
    }
}

/* Of a task, beyond the plain auction. */
static void put_more(struct line *line, const struct entry *entry)
{
    switch ((int)entry->kind) {
    case ENTRY_ASSIGNED:
        put(line, ":%.*s@", TEXT(entry->assigned.contractor));
        put_credits(line, entry->assigned.price_micro);
        put(line, "#%" PRId64 "%s", entry->assigned.generation,
            entry->assigned.held != 0 ? "/held" : "");
        break;
    case ENTRY_DELIVERED:
        put(line, ":%" PRId64, entry->delivered.units_done);
        break;
    case ENTRY_ADOPTED:
        put_adopted(line, &entry->adopted);
        break;
    case ENTRY_BELIEVED:
        put(line, ":%.*s(%s)", TEXT(entry->believed.by),
            tender_reason_name(entry->believed.belief));
        break;
    default:
        put_house(line, entry);
        break;
    }
}

static void put_drawn(struct line *line, const struct entry_texts *drawn)
{
    for (size_t i = 0; i < drawn->count; i++) {
        put(line, "%s%.*s", i == 0 ? "/drawn=" : ",", TEXT(drawn->items[i]));
    }
}

static void put_entry(struct line *line, const struct entry *entry)
{
    put(line, "%s%s", line->size == 0 ? "" : " ", entry_kind_name(entry->kind));
    switch ((int)entry->kind) {
    case ENTRY_OPENED:
        put(line, ":%" PRId64 "/%" PRId64 "/", entry->opened.round, entry->opened.units);
        put_credits(line, entry->opened.ceiling_micro);
        put_drawn(line, &entry->opened.drawn);
        if (entry->opened.rate_micro != 0) {
            put(line, "/sample@");
            put_credits(line, entry->opened.rate_micro);
        }
        break;
    case ENTRY_ANSWERED:
        put_answers(line, &entry->answered.answers);
        break;
    case ENTRY_AWARDED:
        put_award(line, &entry->awarded);
        break;
    case ENTRY_CLOSED:
        put(line, ":%s", tender_reason_name(entry->closed.reason));
        put_ranks(line, &entry->closed.ranks);
        break;
    case ENTRY_ACKNOWLEDGED:
        put_number(line, entry->acknowledged.part);
        break;
    case ENTRY_PROGRESSED:
        put_number(line, entry->progressed.part);
        put(line, ":%" PRId64, entry->progressed.units_done);
        break;
    case ENTRY_SETTLED:
        put_settled(line, &entry->settled);
        break;
    case ENTRY_COVERED:
        put(line, ":");
        put_credits(line, entry->covered.paid_micro);
        break;
    case ENTRY_LATE:
        put(line, ":%s", tender_reason_name(entry->late.reason));
        break;
    case ENTRY_HELD:
        put(line, ":%s%s", tender_reason_name(entry->held.reason),
            entry->held.later != 0 ? "/later" : "");
        break;
    case ENTRY_ENDED:
        put(line, ":%s(%s)/", tender_task_state_name(entry->ended.state),
            tender_reason_name(entry->ended.reason));
        put_credits(line, entry->ended.released_micro);
        break;
    default:
        put_more(line, entry);
        break;
    }
}

static void put_part(struct line *line, const struct message *message)
{
    put_number(line, message_has(message, MESSAGE_PART) ? message->part : 0);
}

static void put_inform(struct line *line, const struct message *message)
{
    const char *separator = "";
    put(line, "(");
    if (message_has(message, MESSAGE_TASK_STATE)) {
        put(line, "%s", tender_task_state_name((tender_task_state)message->task_state));
        separator = ",";
    }
    if (message_has(message, MESSAGE_STATE)) {
        put(line, "%s%s", separator,
            tender_commitment_state_name((tender_commitment_state)message->state));
        put_part(line, message);
    }
    if (message_has(message, MESSAGE_GOAL)) {
        put(line, "%s%s", separator, tender_reason_name((tender_reason)message->reason));
    }
    put(line, ")");
}

static void put_tell(struct line *line, const struct tell *tell)
{
    const struct message *message = &tell->message;
    put(line, "%s>%.*s %s", line->size == 0 ? "" : " ", TEXT(tell->to),
        tender_performative_name(message->performative));
    switch (message->performative) {
    case TENDER_CFP:
        put(line, "(%" PRId64, message->round);
        if (message_has(message, MESSAGE_RANK)) {
            put(line, ",rank=%" PRId64, message->rank);
        }
        put(line, ")");
        break;
    case TENDER_ACCEPT_PROPOSAL:
        put(line, "(");
        put_credits(line, message->price_micro);
        put_part(line, message);
        put(line, ")");
        break;
    case TENDER_INFORM:
        put_inform(line, message);
        break;
    case TENDER_REFUSE:
    case TENDER_REJECT_PROPOSAL:
    case TENDER_NOT_UNDERSTOOD:
    case TENDER_CANCEL:
        put(line, "(%s", tender_reason_name((tender_reason)message->reason));
        put_part(line, message);
        put(line, ")");
        break;
    default:
        break;
    }
}

void render_effects(struct stage *stage, char *text, size_t capacity)
{
    struct line line = {text, 0, capacity};
    if (text > stage->heard) {
        put(&line, stage->effects.entry_count + stage->effects.tell_count > 0 ? " " : "");
        line = (struct line){text + line.size, 0, capacity - line.size};
    }
    for (size_t i = 0; i < stage->effects.entry_count; i++) {
        put_entry(&line, &stage->effects.entries[i]);
    }
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        put_tell(&line, &stage->effects.tells[i]);
    }
}
