/*
 * Contractors of the load: bid by chance, take awards, work for a while, deliver, deliver less,
 * fail, decline or fall silent. What they took is in their journal; a process that follows another
 * under the same names reads it, and finishes that work.
 */
#include "load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US    INT64_C(1000000)
#define HEARTBEAT_MS 1000
#define SLOTS        200

struct contractor {
    struct peer peer; /* first */
    tender_contractor *handle;
    struct diary diary;
    char name[32];
    uint64_t chance;
    struct facts *facts;
};

/* Work that is under way: `step` of it is done at the next call. */
struct work {
    struct contractor *contractor;
    tender_commitment commitment;
    int64_t units;
    enum step { STEP_HALF, STEP_ALL, STEP_LESS, STEP_FAIL } step;
};

static struct {
    struct load_options options;
    struct contractor *contractors;
} all;

/* Writes down what is said, before it is said. */
static void say(struct contractor *contractor, const char *kind, tender_commitment what,
                int64_t units)
{
    facts_say(contractor->facts,
              &(struct fact){kind, what.task, what.part, what.generation, units});
    diary_write(&contractor->diary, "%s %s %" PRIu32 " %" PRIu32 " %" PRId64, kind,
                text_of(what.task), what.part, what.generation, units);
}

static void unsay(struct contractor *contractor, int status)
{
    if (status != 0) {
        facts_unsay(contractor->facts);
        diary_write(&contractor->diary, "unsaid %s",
                    tender_contractor_last_error(contractor->handle));
    }
}

static void work_later(struct work next, int64_t delay_us);

static void work_on(void *context)
{
    struct work work = *(struct work *)context;
    struct contractor *contractor = work.contractor;
    tender_bytes result = {contractor->name, strlen(contractor->name)};
    int64_t half = work.units / 2;
    free(context);
    switch (work.step) {
    case STEP_HALF:
        say(contractor, "progress", work.commitment, half);
        unsay(contractor,
              tender_inform_progress(contractor->handle, work.commitment, half, result));
        work.step = STEP_ALL;
        work_later(work, SECOND_US / 20);
        return;
    case STEP_ALL:
    case STEP_LESS:
        half = work.step == STEP_LESS ? half : work.units;
        say(contractor, "done", work.commitment, half);
        unsay(contractor, tender_inform_done(contractor->handle, work.commitment, half, result));
        return;
    case STEP_FAIL:
        say(contractor, "failed", work.commitment, half);
        unsay(contractor, tender_failure(contractor->handle, work.commitment, half,
                                         TENDER_REASON_INTERNAL_ERROR, NULL, result));
        return;
    }
}

static void work_later(struct work next, int64_t delay_us)
{
    struct work *work = load_take(1, sizeof *work);
    *work = next;
    load_later(delay_us, work_on, work);
}

/* Of a hundred awards 2 are forgotten, 2 given back, 3 fail, 3 end short, 10 report in between. */
static void on_award(struct contractor *contractor, const tender_award *award)
{
    uint32_t dice = chance_below(&contractor->chance, 100);
    const tender_commitment commitment = award->commitment;
    diary_write(&contractor->diary,
                "award %s %" PRIu32 " %" PRIu32 " %" PRId64 " %" PRId64 " %" PRId64,
                text_of(commitment.task), commitment.part, commitment.generation, award->units,
                award->price_micro, award->round);
    if (dice < 2) {
        diary_write(&contractor->diary, "forget %s %" PRIu32 " %" PRIu32, text_of(commitment.task),
                    commitment.part, commitment.generation);
        return;
    }
    if (dice < 4) {
        say(contractor, "failed", commitment, 0);
        unsay(contractor, tender_failure(contractor->handle, commitment, 0, TENDER_REASON_UNABLE,
                                         NULL, (tender_bytes){NULL, 0}));
        return;
    }
    enum step step = dice < 7    ? STEP_FAIL
                     : dice < 10 ? STEP_LESS
                     : dice < 20 ? STEP_HALF
                                 : STEP_ALL;
    work_later((struct work){contractor, commitment, award->units, step},
               chance_below(&contractor->chance, dice < 30 ? 1000000 : 50000));
}

/* Of a hundred calls 3 are refused and 3 left unanswered. */
static void on_cfp(struct contractor *contractor, const tender_cfp *cfp)
{
    uint32_t dice = chance_below(&contractor->chance, 100);
    const tender_commitment what = {cfp->task, 0, (uint32_t)cfp->round};
    if (dice < 3) {
        diary_write(&contractor->diary, "ignore %s", text_of(cfp->task));
        return;
    }
    if (dice < 6) {
        say(contractor, "refuse", what, 0);
        unsay(contractor, tender_refuse(contractor->handle, cfp, TENDER_REASON_NOT_INTERESTED));
        return;
    }
    bool is_split = cfp->split_max > 0;
    int64_t limit = is_split ? cfp->ceiling_micro / cfp->units : cfp->ceiling_micro;
    tender_bid_terms terms = TENDER_BID_TERMS_INIT;
    tender_bid bid = {limit / 10 + chance_below(&contractor->chance, (uint32_t)(limit / 2 + 1)),
                      cfp->due_us, 0, NULL};
    terms.capacity = is_split ? 1 + chance_below(&contractor->chance, (uint32_t)cfp->units) : 0;
    say(contractor, "bid", what, bid.cost_micro);
    unsay(contractor, tender_propose_terms(contractor->handle, cfp, &bid, &terms));
}

static void on_settled(struct contractor *contractor, const tender_settlement *settled)
{
    diary_write(&contractor->diary, "settled %s %" PRIu32 " %" PRIu32 " %s %" PRId64 " %" PRId64,
                text_of(settled->commitment.task), settled->commitment.part,
                settled->commitment.generation, tender_commitment_state_name(settled->state),
                settled->units_done, settled->paid_micro);
}

static void hear(struct contractor *contractor, const tender_event *event)
{
    const struct diary *diary = &contractor->diary;
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        on_cfp(contractor, &event->cfp);
        break;
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        on_award(contractor, &event->accept_proposal);
        break;
    case TENDER_EVENT_REJECT_PROPOSAL:
        diary_write(diary, "rejected %s %" PRId64 " %s %" PRId64,
                    text_of(event->reject_proposal.task), event->reject_proposal.round,
                    tender_reason_name(event->reject_proposal.reason), event->reject_proposal.rank);
        break;
    case TENDER_EVENT_CANCEL:
        diary_write(diary, "cancelled %s %" PRIu32 " %" PRIu32 " %s %" PRId64 " %" PRId64,
                    text_of(event->cancel.commitment.task), event->cancel.commitment.part,
                    event->cancel.commitment.generation, tender_reason_name(event->cancel.reason),
                    event->cancel.units_done, event->cancel.paid_micro);
        break;
    case TENDER_EVENT_INFORM:
        on_settled(contractor, &event->inform);
        break;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        diary_write(diary, "complaint %s %" PRIu32 " %" PRIu32 " %s",
                    text_of(event->not_understood.task), event->not_understood.part,
                    event->not_understood.generation,
                    tender_reason_name(event->not_understood.reason));
        break;
    case TENDER_EVENT_LOST:
        diary_write(diary, "lost %s %" PRIu32 " %" PRIu32, text_of(event->lost.task),
                    event->lost.part, event->lost.generation);
        break;
    case TENDER_EVENT_DISPUTE:
        diary_write(diary, "dispute %s %s", text_of(event->dispute.task), event->dispute.claim);
        break;
    case TENDER_EVENT_CONTACT:
        diary_write(diary, "contact %d", (int)event->contact.kind);
        break;
    default:
        break;
    }
}

static void contractor_turn(struct peer *peer)
{
    struct contractor *contractor = (struct contractor *)peer;
    const tender_event *event;
    int status;
    while ((status = tender_contractor_next(contractor->handle, 0, &event)) == 1) {
        hear(contractor, event);
    }
    if (status < 0) {
        load_fail("%s: %s", contractor->name, tender_contractor_last_error(contractor->handle));
    }
}

/* What the process before this one took, and has not said the last word about. */
struct rest {
    struct taken {
        tender_commitment commitment;
        int64_t units;
    } * items;
    size_t count;
    size_t capacity;
};

static void rest_add(struct rest *rest, tender_commitment commitment, int64_t units)
{
    if (rest->count == rest->capacity) {
        rest->capacity = rest->capacity == 0 ? 64 : 2 * rest->capacity;
        rest->items = realloc(rest->items, rest->capacity * sizeof *rest->items);
        if (rest->items == NULL) {
            load_fail("out of memory");
        }
    }
    rest->items[rest->count++] = (struct taken){commitment, units};
}

static void rest_remove(struct rest *rest, tender_commitment commitment)
{
    for (size_t i = 0; i < rest->count; i++) {
        const tender_commitment *other = &rest->items[i].commitment;
        if (memcmp(&other->task, &commitment.task, sizeof commitment.task) == 0 &&
            other->part == commitment.part && other->generation == commitment.generation) {
            rest->items[i--] = rest->items[--rest->count];
        }
    }
}

static void on_line(void *context, char *line)
{
    char kind[16];
    char id[64];
    tender_commitment commitment;
    int64_t units = 0;
    int count = sscanf(line, "%15s %63s %" SCNu32 " %" SCNu32 " %" SCNd64, kind, id,
                       &commitment.part, &commitment.generation, &units);
    if (count < 4 || tender_id_parse(id, strlen(id), &commitment.task) != 0) {
        return;
    }
    if (strcmp(kind, "award") == 0) {
        rest_remove(context, commitment);
        rest_add(context, commitment, units);
    } else if (strcmp(kind, "done") == 0 || strcmp(kind, "failed") == 0 ||
               strcmp(kind, "settled") == 0 || strcmp(kind, "forget") == 0 ||
               strcmp(kind, "cancelled") == 0 || strcmp(kind, "complaint") == 0) {
        rest_remove(context, commitment);
    }
}

static void finish_rest(struct contractor *contractor)
{
    struct rest rest = {.items = NULL};
    diary_read(all.options.directory, contractor->name, on_line, &rest);
    for (size_t i = 0; i < rest.count; i++) {
        work_later(
            (struct work){contractor, rest.items[i].commitment, rest.items[i].units, STEP_ALL},
            SECOND_US / 10);
    }
    free(rest.items);
}

static void contractor_open(struct contractor *contractor, uint32_t number)
{
    char skill[32];
    char principal[32];
    tender_options options = TENDER_OPTIONS_INIT;
    snprintf(contractor->name, sizeof contractor->name, "contractor-%" PRIu32, number);
    snprintf(principal, sizeof principal, "maker-%" PRIu32, number);
    snprintf(skill, sizeof skill, "chaos/%" PRIu32, number % all.options.skills);
    contractor->chance = all.options.seed * 104729 + number;
    options.broker_url = all.options.url;
    options.name = contractor->name;
    options.principal = principal;
    options.slots = SLOTS;
    options.heartbeat_ms = HEARTBEAT_MS;
    options.connect_timeout_ms = 0;
    if (tender_contractor_open(&options, &contractor->handle) != 0) {
        load_fail("%s: %s", contractor->name, tender_contractor_last_error(NULL));
    }
    if (tender_contractor_offer(contractor->handle, skill) != 0) {
        load_fail("%s: %s", contractor->name, tender_contractor_last_error(contractor->handle));
    }
    contractor->facts = facts_open(contractor->handle);
    finish_rest(contractor);
    diary_open(&contractor->diary, all.options.directory, contractor->name);
    contractor->peer = (struct peer){tender_contractor_fd(contractor->handle), contractor_turn};
    load_watch(&contractor->peer);
}

void contractors_open(const struct load_options *options)
{
    all.options = *options;
    all.contractors = load_take(options->contractors + 1, sizeof *all.contractors);
    for (uint32_t i = 0; i < options->contractors; i++) {
        contractor_open(&all.contractors[i], options->first + i);
    }
}

static void on_heard(void *context, const struct fact *fact)
{
    const struct contractor *contractor = context;
    diary_write(&contractor->diary, "heard %s %s %" PRIu32 " %" PRIu32 " %" PRId64, fact->kind,
                text_of(fact->task), fact->part, fact->generation, fact->units);
}

void contractors_note(void)
{
    for (uint32_t i = 0; i < all.options.contractors; i++) {
        facts_note(all.contractors[i].facts, on_heard, &all.contractors[i]);
    }
}

void contractors_close(void)
{
    for (uint32_t i = 0; i < all.options.contractors; i++) {
        tender_contractor_close(all.contractors[i].handle);
        free(all.contractors[i].facts);
    }
}
