/*
 * Held tells and marks, by batch: see journal.h.
 */
#include "journal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "failpoint.h"
#include "log.h"
#include "refusals.h"

/* A packed promise for a session, or, without a message, a mark of what it was heard to say. */
struct held {
    struct session_ref to;
    struct outgoing *outgoing;
    uint64_t heard;
};

/* What waits for one batch, in order. */
struct held_batch {
    uint64_t batch;
    int64_t stamp_us; /* at which it was sent */
    bool has_facts;   /* entries or answers: something may not be said before it commits */
    size_t count;
    size_t capacity;
    struct held *items;
};

struct journal {
    struct postbox *postbox;
    struct ledger *ledger;
    struct held_batch filling;
    struct held_batch in_flight;
    struct held_batch committed; /* what may go, and has not gone yet */
    bool is_in_flight;
    int64_t committed_us;
    struct journal_counts counts;
};

int journal_open(struct postbox *postbox, struct journal **journal_out)
{
    struct journal *journal = calloc(1, sizeof(*journal));
    if (journal == NULL) {
        return TENDER_ENOMEM;
    }
    journal->postbox = postbox;
    *journal_out = journal;
    return 0;
}

static void forget(struct held_batch *held)
{
    for (size_t i = 0; i < held->count; i++) {
        free(held->items[i].outgoing);
    }
    held->count = 0;
    held->has_facts = false;
}

void journal_close(struct journal *journal)
{
    if (journal == NULL) {
        return;
    }
    forget(&journal->filling);
    forget(&journal->in_flight);
    forget(&journal->committed);
    free(journal->filling.items);
    free(journal->in_flight.items);
    free(journal->committed.items);
    free(journal);
}

/* Whatever peers are told from now on is held up to there. */
static void renew_receipts(struct journal *journal)
{
    uint8_t receipts[LEDGER_RECEIPT_SIZE * LEDGER_RECEIPTS_MAX];
    size_t size = journal->ledger == NULL ? 0 : ledger_receipts(journal->ledger, receipts);
    postbox_receipts(journal->postbox, (tender_bytes){receipts, size});
}

void journal_begin(struct journal *journal, struct ledger *ledger)
{
    forget(&journal->filling);
    forget(&journal->in_flight);
    forget(&journal->committed);
    journal->is_in_flight = false;
    journal->committed_us = 1;
    journal->ledger = ledger;
    renew_receipts(journal);
}

/*
 * The batch that must commit before what follows from the book's present state may be said, or
 * NULL: then everything the book knows is in the ledger.
 */
static struct held_batch *gate(struct journal *journal)
{
    if (journal->filling.has_facts) {
        return &journal->filling;
    }
    return journal->is_in_flight && journal->in_flight.has_facts ? &journal->in_flight : NULL;
}

static int hold(struct held_batch *batch, struct session_ref to, struct outgoing *outgoing,
                uint64_t heard)
{
    if (batch->count == batch->capacity) {
        size_t capacity = batch->capacity == 0 ? 256 : 2 * batch->capacity;
        struct held *items = realloc(batch->items, capacity * sizeof(*items));
        if (items == NULL) {
            return TENDER_ENOMEM;
        }
        batch->items = items;
        batch->capacity = capacity;
    }
    batch->items[batch->count++] = (struct held){.to = to, .outgoing = outgoing, .heard = heard};
    return 0;
}

/* Packs one tell and sends or holds it. A peer without a session is told when it says hello again.
 */
static int take_tell(struct journal *journal, const struct tell *tell)
{
    struct session *session = postbox_find(journal->postbox, tell->to);
    if (session == NULL) {
        return 0;
    }
    struct outgoing *outgoing = postbox_pack(journal->postbox, &tell->message);
    if (outgoing == NULL) {
        return TENDER_ENOMEM;
    }
    outgoing->can_wait = tell->can_wait;
    struct held_batch *batch = tell->is_promise ? gate(journal) : NULL;
    if (batch == NULL) {
        postbox_put(journal->postbox, session, outgoing);
        failpoint(TELL_PASSED);
        return 0;
    }
    journal->counts.promises++;
    int status = hold(batch, session->ref, outgoing, 0);
    failpoint(PROMISE_HELD);
    if (status != 0) {
        free(outgoing);
    }
    return status;
}

int journal_take(struct journal *journal, const struct effects *effects)
{
    int status = 0;
    assert(journal->committed.count == 0); /* nothing overtakes it */
    failpoint(EVENT_DECIDED);
    for (size_t i = 0; status == 0 && i < effects->entry_count; i++) {
        status = ledger_append(journal->ledger, &effects->entries[i]);
        journal->filling.has_facts = true;
        failpoint(ENTRY_APPENDED);
    }
    failpoint(EVENT_APPENDED);
    journal->counts.entries += effects->entry_count;
    for (size_t i = 0; status == 0 && i < effects->tell_count; i++) {
        const struct tell *tell = &effects->tells[i];
        if (tell->message.reason == TENDER_REASON_LIMIT_REACHED) {
            refusals_count(REFUSAL_BOOK);
        }
        if (tell->request != 0) {
            status = ledger_answer(journal->ledger, tell->request, &tell->message);
            journal->filling.has_facts = true;
        } else {
            status = take_tell(journal, tell);
        }
    }
    return status;
}

int journal_mark(struct journal *journal, struct session *session, int64_t at_us)
{
    struct held_batch *batch = gate(journal);
    if (batch == NULL) {
        postbox_heard(journal->postbox, session, session->taken, at_us);
        return 0;
    }
    return hold(batch, session->ref, NULL, session->taken);
}

void journal_committed(struct journal *journal, uint64_t batch)
{
    if (!journal->is_in_flight || batch < journal->in_flight.batch) {
        return; /* of a reign before this one */
    }
    assert(journal->committed.count == 0);
    struct held_batch empty = journal->committed;
    journal->committed = journal->in_flight;
    journal->in_flight = empty;
    journal->is_in_flight = false;
    journal->committed_us = journal->committed.stamp_us;
    failpoint(COMMIT_TOLD);
    renew_receipts(journal);
}

void journal_release(struct journal *journal, int64_t at_us)
{
    struct held_batch *held = &journal->committed;
    if (held->count == 0) {
        held->has_facts = false; /* it is filled again before long */
        return;
    }
    for (size_t i = 0; i < held->count; i++) {
        struct session *session = postbox_resolve(journal->postbox, held->items[i].to);
        struct outgoing *outgoing = held->items[i].outgoing;
        held->items[i].outgoing = NULL;
        if (session == NULL) {
            free(outgoing);
        } else if (outgoing != NULL) {
            postbox_put(journal->postbox, session, outgoing);
            failpoint(PROMISE_RELEASED);
        } else {
            postbox_heard(journal->postbox, session, held->items[i].heard, at_us);
            failpoint(HEARD_MARKED);
        }
    }
    forget(held);
    failpoint(COMMIT_RELEASED);
}

int journal_submit(struct journal *journal, int64_t at_us, bool is_forced)
{
    bool is_wanted = journal->filling.has_facts || is_forced;
    if (!is_wanted || journal->is_in_flight || ledger_is_busy(journal->ledger)) {
        return 0;
    }
    failpoint(BATCH_BEFORE);
    uint64_t batch = ledger_batch(journal->ledger);
    int status = ledger_submit(journal->ledger, at_us);
    if (status != 0) {
        return status;
    }
    assert(journal->in_flight.count == 0);
    journal->counts.batches += journal->filling.has_facts;
    struct held_batch empty = journal->in_flight;
    journal->in_flight = journal->filling;
    journal->in_flight.batch = batch;
    journal->in_flight.stamp_us = at_us;
    journal->filling = empty;
    journal->is_in_flight = true;
    return 1;
}

bool journal_is_waiting(const struct journal *journal)
{
    return journal->is_in_flight && journal->in_flight.has_facts;
}

bool journal_is_drained(const struct journal *journal)
{
    return !journal->filling.has_facts && !journal->is_in_flight;
}

int64_t journal_committed_us(const struct journal *journal)
{
    return journal->committed_us;
}

struct journal_counts journal_count(const struct journal *journal)
{
    return journal->counts;
}
