/*
 * Goal: ledger before voice. No promise, and no `heard`, reaches a peer before the batch that holds
 * what it rests on has committed; what promises nothing does not wait.
 * Method: a journal over a postbox with a fake port, and a ledger that commits when the test says
 * so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "fake_port.h"
#include "journal.h"

#define SECOND   INT64_C(1000000)
#define START_US (1000 * SECOND)

/* The ledger of the tests. */
struct ledger {
    uint64_t batch;
    bool is_busy;
    uint32_t appended;
    uint32_t answered;
    uint32_t submitted;
    int next_status;
};

int ledger_append(struct ledger *ledger, const struct entry *entry)
{
    (void)entry;
    ledger->appended++;
    return ledger->next_status;
}

int ledger_answer(struct ledger *ledger, uint64_t request, const struct message *message)
{
    (void)request;
    (void)message;
    ledger->answered++;
    return ledger->next_status;
}

uint64_t ledger_batch(const struct ledger *ledger)
{
    return ledger->batch;
}

size_t ledger_receipts(const struct ledger *ledger, uint8_t *receipts_out)
{
    memset(receipts_out, 0, LEDGER_RECEIPT_SIZE);
    receipts_out[17] = (uint8_t)(ledger->batch - 1);
    return LEDGER_RECEIPT_SIZE;
}

bool ledger_is_busy(const struct ledger *ledger)
{
    return ledger->is_busy;
}

int ledger_submit(struct ledger *ledger, int64_t stamp_us)
{
    (void)stamp_us;
    ledger->is_busy = true;
    ledger->submitted++;
    ledger->batch++;
    return ledger->next_status;
}

static struct ledger ledger;
static struct postbox *postbox;
static struct journal *journal;
static struct session *session;

static tender_bytes text(const char *value)
{
    return (tender_bytes){.data = value, .size = strlen(value)};
}

static void on_left(void *context, struct session *ended)
{
    (void)context;
    (void)ended;
}

static void speak(void)
{
    (void)postbox_speak(postbox, START_US, UINT32_MAX, on_left, NULL);
}

static int set_up(void **state)
{
    struct postbox_options options = {FAKE_ALLOWANCE, .session_count = 4, .outbox_size = 1 << 20,
                                      .heartbeat_us = 3600 * SECOND, .session_us = 60 * SECOND};
    struct message hello = {.performative = TENDER_HELLO};
    (void)state;
    fake_port_reset();
    ledger = (struct ledger){.batch = 5};
    int status = postbox_open(&options, &postbox);
    status = status == 0 ? journal_open(postbox, &journal) : status;
    assert_int_equal(status, 0);
    journal_begin(journal, &ledger);
    session = postbox_arrive(postbox, fake_request(1, 7, 1, 0, &hello, 1), START_US);
    assert_non_null(session);
    session_shift(session);
    session->taken = 1;
    return postbox_name(postbox, session, text("kiln-2"), text("potter"), text("potter"));
}

static int tear_down(void **state)
{
    (void)state;
    journal_close(journal);
    postbox_close(postbox);
    return 0;
}

static struct tell tell(bool is_promise, tender_performative performative)
{
    return (struct tell){
        .to = text("kiln-2"), .is_promise = is_promise, .message = {.performative = performative}};
}

/* An event that writes `entry_count` entries and says one thing. */
static void take(size_t entry_count, struct tell said)
{
    static struct entry entries[4];
    struct effects effects = {
        .entries = entries, .entry_count = entry_count, .tells = &said, .tell_count = 1};
    assert_int_equal(journal_take(journal, &effects), 0);
}

static void commit(void)
{
    ledger.is_busy = false;
    journal_committed(journal, ledger.batch - 1);
    journal_release(journal, START_US);
}

static void submit(int expected)
{
    assert_int_equal(journal_submit(journal, START_US, false), expected);
}

static void promise_waits_for_its_batch(void **state)
{
    (void)state;
    take(1, tell(true, TENDER_ACCEPT_PROPOSAL));
    speak();
    assert_int_equal(fake_port.reply_count, 0);
    submit(1);
    speak();
    assert_int_equal(fake_port.reply_count, 0);
    commit();
    speak();
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].messages[0].performative, TENDER_ACCEPT_PROPOSAL);
}

static void cfp_leaves_before_the_commit(void **state)
{
    (void)state;
    take(2, tell(false, TENDER_CFP));
    speak();
    assert_int_equal(fake_port.reply_count, 1);
    assert_int_equal(fake_port.replies[0].messages[0].performative, TENDER_CFP);
}

static void promise_of_the_next_batch_does_not_leave_with_this_one(void **state)
{
    (void)state;
    take(1, tell(true, TENDER_AGREE));
    submit(1);
    take(1, tell(true, TENDER_ACCEPT_PROPOSAL));
    submit(0); /* one batch at a time */
    commit();
    speak();
    assert_int_equal(fake_port.replies[0].count, 1);
    assert_int_equal(fake_port.replies[0].messages[0].performative, TENDER_AGREE);
    submit(1);
    commit();
    assert_true(session->unsent != NULL);
}

static void promise_without_entries_waits_for_what_it_rests_on(void **state)
{
    (void)state;
    take(1, tell(false, TENDER_CFP));
    submit(1);
    take(0, tell(true, TENDER_INFORM)); /* the answer to a query about what is in flight */
    speak();
    assert_int_equal(fake_port.replies[0].count, 1);
    commit();
    assert_non_null(session->unsent);
    take(0, tell(true, TENDER_INFORM)); /* nothing is in flight any more */
    assert_int_equal(session->said, 3);
}

static void heard_waits_for_the_batch_of_the_turn(void **state)
{
    (void)state;
    take(1, tell(false, TENDER_CFP));
    assert_int_equal(journal_mark(journal, session, START_US), 0);
    assert_int_equal(session->heard, 0);
    submit(1);
    session->taken = 2;
    take(1, tell(false, TENDER_CFP));
    assert_int_equal(journal_mark(journal, session, START_US), 0);
    commit();
    assert_int_equal(session->heard, 1);
    submit(1);
    commit();
    assert_int_equal(session->heard, 2);
    session->taken = 3; /* a message from which nothing follows */
    assert_int_equal(journal_mark(journal, session, START_US), 0);
    assert_int_equal(session->heard, 3);
}

static void answer_to_the_inbox_rides_in_the_batch(void **state)
{
    struct tell said = tell(true, TENDER_AGREE);
    (void)state;
    said.request = 9;
    take(0, said);
    assert_int_equal(ledger.answered, 1);
    assert_int_equal(session->said, 0);
    submit(1);
    assert_false(journal_is_drained(journal));
    commit();
    assert_true(journal_is_drained(journal));
}

static void nothing_is_submitted_when_nothing_waits(void **state)
{
    (void)state;
    submit(0);
    assert_int_equal(journal_submit(journal, START_US, true), 1);
    assert_int_equal(ledger.submitted, 1);
}

static void session_that_ended_meanwhile_is_told_nothing(void **state)
{
    (void)state;
    take(1, tell(true, TENDER_ACCEPT_PROPOSAL));
    assert_int_equal(journal_mark(journal, session, START_US), 0);
    submit(1);
    postbox_end(postbox, session, NULL);
    commit();
    speak();
    assert_int_equal(fake_port.replies[0].count, 0);
}

static void failure_of_the_ledger_is_handed_on(void **state)
{
    struct entry entries[1] = {{.number = 1}};
    struct effects effects = {.entries = entries, .entry_count = 1};
    (void)state;
    ledger.next_status = TENDER_ENOMEM;
    assert_int_equal(journal_take(journal, &effects), TENDER_ENOMEM);
    assert_int_equal(journal_submit(journal, START_US, false), TENDER_ENOMEM);
}

static void new_reign_forgets_what_was_held(void **state)
{
    (void)state;
    take(1, tell(true, TENDER_ACCEPT_PROPOSAL));
    submit(1);
    take(1, tell(true, TENDER_AGREE));
    journal_begin(journal, &ledger);
    commit();
    speak();
    assert_int_equal(fake_port.reply_count, 0);
    assert_true(journal_is_drained(journal));
}

/* Facts that nobody is told of: the batches behind them are not taken for full ones. */
static void batch_of_facts_alone_is_followed_by_none(void **state)
{
    struct effects effects = {.entries = &(struct entry){.number = 1}, .entry_count = 1};
    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(journal_take(journal, &effects), 0);
        assert_int_equal(journal_submit(journal, START_US, false), 1);
        commit();
        assert_int_equal(journal_submit(journal, START_US, false), 0);
        assert_true(journal_is_drained(journal));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(batch_of_facts_alone_is_followed_by_none),
        TEST(promise_waits_for_its_batch),
        TEST(cfp_leaves_before_the_commit),
        TEST(promise_of_the_next_batch_does_not_leave_with_this_one),
        TEST(promise_without_entries_waits_for_what_it_rests_on),
        TEST(heard_waits_for_the_batch_of_the_turn),
        TEST(answer_to_the_inbox_rides_in_the_batch),
        TEST(nothing_is_submitted_when_nothing_waits),
        TEST(session_that_ended_meanwhile_is_told_nothing),
        TEST(failure_of_the_ledger_is_handed_on),
        TEST(new_reign_forgets_what_was_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
