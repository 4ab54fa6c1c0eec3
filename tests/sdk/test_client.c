/*
 * Goal: a client announces once however often the broker forgets, hears states, reports and
 * refusals, and may share a contractor's session. Method: a scripted broker (broker.h) in the same
 * process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "broker.h"
#include "tender/client.h"

static struct broker broker;
static tender_client *self;
static const tender_id id = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};

static tender_options options_of_test(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = broker.url;
    options.name = "platform";
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    return options;
}

static int set_up(void **state)
{
    (void)state;
    broker_open(&broker);
    tender_options options = options_of_test();
    return tender_client_open(&options, &self);
}

static int tear_down(void **state)
{
    (void)state;
    tender_client_close(self);
    self = NULL;
    broker_close(&broker);
    return 0;
}

static const tender_client_event *next(tender_client_event_kind kind)
{
    const tender_client_event *event = NULL;
    assert_int_equal(tender_client_next(self, 10000, &event), 1);
    assert_int_equal(event->kind, kind);
    return event;
}

static void assert_quiet(void)
{
    const tender_client_event *event = NULL;
    assert_int_equal(tender_client_next(self, 0, &event), 0);
}

static void connect_client(void)
{
    broker_welcome(&broker);
    (void)next(TENDER_CLIENT_CONTACT);
}

static tender_task make_task(void)
{
    tender_task task = TENDER_TASK_INIT;
    task.key = "articles-de";
    task.skill = "translate.de";
    task.units = 40;
    task.ceiling_micro = 30000000;
    task.content = (tender_bytes){"articles", 8};
    return task;
}

static void announce(void)
{
    tender_task task = make_task();
    assert_int_equal(tender_announce(self, &task, NULL), 0);
    assert_quiet();
}

static void agree(void)
{
    struct message agreement = {.performative = TENDER_AGREE, .conversation = id};
    message_set(&agreement, KEY, key, ((tender_bytes){"articles-de", 11}));
    message_set(&agreement, TASK_STATE, task_state, TENDER_TASK_OPEN);
    message_set(&agreement, AT, at_us, 5);
    broker_say(&broker, &agreement, 1);
}

static void say_end(void)
{
    struct message end = {.performative = TENDER_INFORM, .conversation = id};
    message_set(&end, TASK_STATE, task_state, TENDER_TASK_DONE);
    message_set(&end, REASON, reason, TENDER_REASON_COMPLETED);
    message_set(&end, UNITS_DONE, units_done, 40);
    message_set(&end, PAID, paid_micro, 15);
    message_set(&end, RELEASED, released_micro, 7);
    message_set(&end, CONTRACTOR, contractor, ((tender_bytes){"kiln-2", 6}));
    broker_say(&broker, &end, 1);
}

static void forget_and_restart(void)
{
    broker_restart(&broker);
    broker_forget(&broker);
    broker_welcome(&broker);
}

static void a_task_from_announcement_to_end(void **state)
{
    (void)state;
    connect_client();
    announce();
    const struct message *said = broker_hear(&broker, TENDER_ANNOUNCE);
    assert_int_equal(said->units, 40);
    assert_int_equal(said->window_us, 2000000);
    assert_memory_equal(said->content.data, "articles", 8);
    assert_false(message_has(said, MESSAGE_ROUNDS)); /* the default */
    agree();
    const tender_agreement *agreed = &next(TENDER_CLIENT_AGREED)->agreed;
    assert_string_equal(agreed->key, "articles-de");
    assert_true(tender_id_equal(agreed->task, id));
    assert_int_equal(agreed->task_state, TENDER_TASK_OPEN);

    struct message done = {.performative = TENDER_INFORM_DONE, .conversation = id};
    message_set(&done, PART, part, 0);
    message_set(&done, GENERATION, generation, 1);
    message_set(&done, UNITS_DONE, units_done, 40);
    message_set(&done, CONTRACTOR, contractor, ((tender_bytes){"kiln-2", 6}));
    message_set(&done, CONTENT, content, ((tender_bytes){"Artikel", 7}));
    broker_say(&broker, &done, 1);
    const tender_report *report = &next(TENDER_CLIENT_REPORT)->report;
    assert_int_equal(report->kind, TENDER_INFORM_DONE);
    assert_string_equal(report->contractor, "kiln-2");
    assert_memory_equal(report->content.data, "Artikel", 7);
    say_end();
    const tender_task_status *status = &next(TENDER_CLIENT_STATE)->state;
    assert_int_equal(status->task_state, TENDER_TASK_DONE);
    assert_int_equal(status->paid_micro, 15);
    assert_int_equal(status->released_micro, 7);
}

static void what_differs_from_the_defaults_is_said(void **state)
{
    (void)state;
    connect_client();
    tender_task task = make_task();
    task.rounds = 5;
    task.backoff_us = 0;
    task.priority = 9;
    task.partial = TENDER_PARTIAL_COVER;
    task.kill_fee_ppm = 0;
    task.close_alone = true;
    task.fallback = TENDER_FALLBACK_CONTRACTOR;
    task.contractor = "kiln-2";
    task.again = id;
    task.heartbeat_us = 100000;
    task.deadline_at_us = 7;
    assert_int_equal(tender_announce(self, &task, NULL), 0);
    const struct message *said = broker_hear(&broker, TENDER_ANNOUNCE);
    assert_int_equal(said->rounds, 5);
    assert_true(message_has(said, MESSAGE_BACKOFF));
    assert_int_equal(said->backoff_us, 0);
    assert_int_equal(said->priority, 9);
    assert_int_equal(said->partial, TENDER_PARTIAL_COVER);
    assert_true(message_has(said, MESSAGE_KILL_FEE));
    assert_int_equal(said->close_alone, 1);
    assert_int_equal(said->fallback, TENDER_FALLBACK_CONTRACTOR);
    assert_memory_equal(said->contractor.data, "kiln-2", 6);
    assert_true(tender_id_equal(said->again, id));
    assert_int_equal(said->heartbeat_us, 100000);
    assert_int_equal(said->deadline_at_us, 7);
    assert_false(message_has(said, MESSAGE_ACK));
}

static void a_key_is_made_when_none_is_given(void **state)
{
    (void)state;
    connect_client();
    tender_task task = make_task();
    task.key = NULL;
    char first[TENDER_KEY_MAX + 1];
    char second[TENDER_KEY_MAX + 1];
    assert_int_equal(tender_announce(self, &task, first), 0);
    assert_int_equal(tender_announce(self, &task, second), 0);
    assert_int_equal(strlen(first), 32);
    assert_string_not_equal(first, second);
    assert_memory_equal(broker_hear(&broker, TENDER_ANNOUNCE)->key.data, first, 32);
    assert_memory_equal(broker_hear(&broker, TENDER_ANNOUNCE)->key.data, second, 32);
}

static void L3_an_announcement_whose_answer_was_lost_is_said_again(void **state)
{
    (void)state;
    connect_client();
    announce();
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
    broker_say(&broker, NULL, 0); /* heard, and not answered */
    (void)broker_listen(&broker, 20);
    forget_and_restart();
    assert_memory_equal(broker_hear(&broker, TENDER_ANNOUNCE)->key.data, "articles-de", 11);
    agree();
    (void)next(TENDER_CLIENT_CONTACT);
    (void)next(TENDER_CLIENT_CONTACT);
    (void)next(TENDER_CLIENT_AGREED);
}

static void a_task_that_runs_is_asked_for_in_a_new_session(void **state)
{
    (void)state;
    connect_client();
    announce();
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
    agree();
    (void)next(TENDER_CLIENT_AGREED);
    assert_quiet();
    (void)broker_listen(&broker, 20);
    forget_and_restart();
    assert_true(tender_id_equal(broker_hear(&broker, TENDER_QUERY)->conversation, id));
    say_end();
    (void)next(TENDER_CLIENT_CONTACT);
    (void)next(TENDER_CLIENT_CONTACT);
    (void)next(TENDER_CLIENT_STATE);
    assert_quiet();
    (void)broker_listen(&broker, 20);
    forget_and_restart(); /* it has ended: nothing to ask for */
    (void)broker_listen(&broker, 20);
    assert_int_equal(broker.heard_start, broker.heard_end);
}

static void requests_about_a_task_are_answered(void **state)
{
    (void)state;
    connect_client();
    assert_int_equal(tender_cancel(self, id, "no longer needed"), 0);
    assert_int_equal(tender_close_round(self, id), 0);
    assert_int_equal(tender_release(self, id), 0);
    assert_int_equal(tender_query(self, id), 0);
    assert_memory_equal(broker_hear(&broker, TENDER_CANCEL)->text.data, "no longer needed", 16);
    (void)broker_hear(&broker, TENDER_CLOSE);
    (void)broker_hear(&broker, TENDER_RELEASE);
    (void)broker_hear(&broker, TENDER_QUERY);
    struct message answers[2] = {{.performative = TENDER_AGREE, .conversation = id},
                                 {.performative = TENDER_REFUSE, .conversation = id}};
    message_set(&answers[1], REASON, reason, TENDER_REASON_ANSWERS_OUTSTANDING);
    broker_say(&broker, answers, 2);
    assert_string_equal(next(TENDER_CLIENT_AGREED)->agreed.key, "");
    assert_int_equal(next(TENDER_CLIENT_REFUSED)->refused.reason,
                     TENDER_REASON_ANSWERS_OUTSTANDING);
    tender_id nil = {{0}};
    assert_int_equal(tender_query(self, nil), TENDER_EINVAL);
}

static void a_delivery_is_seen_decided_on_and_then_told(void **state)
{
    (void)state;
    connect_client();
    struct message done = {.performative = TENDER_INFORM_DONE, .conversation = id};
    message_set(&done, PART, part, 2);
    message_set(&done, GENERATION, generation, 3);
    message_set(&done, UNITS_DONE, units_done, 40);
    message_set(&done, EVIDENCE, evidence, ((tender_bytes){"words=7", 7}));
    message_set(&done, DIGEST, digest, ((tender_digest){{9}}));
    message_set(&done, SIZE, size, 7);
    message_set(&done, ACCEPT, accept_us, 60000000);
    message_set(&done, CONTENT, content, ((tender_bytes){"t", 1}));
    broker_say(&broker, &done, 1);
    const tender_report *report = &next(TENDER_CLIENT_REPORT)->report;
    tender_commitment commitment = report->commitment;
    assert_string_equal(report->evidence, "words=7");
    assert_int_equal(report->digest.bytes[0], 9);
    assert_int_equal(report->result_size, 7);
    assert_int_equal(report->accept_us, 60000000);
    assert_int_equal(report->content.size, 1);
    assert_int_equal(tender_accept(self, commitment, -1), 0);
    const struct message *said = broker_hear(&broker, TENDER_ACCEPT);
    assert_int_equal(said->part, 2);
    assert_int_equal(said->generation, 3);
    assert_false(message_has(said, MESSAGE_UNITS_DONE));
    assert_int_equal(tender_reject(self, commitment, TENDER_REASON_QUALITY_CHECK, "holes", 30), 0);
    said = broker_hear(&broker, TENDER_REJECT);
    assert_int_equal(said->reason, TENDER_REASON_QUALITY_CHECK);
    assert_int_equal(said->units_done, 30);
    assert_memory_equal(said->text.data, "holes", 5);
    struct message told = done;
    told.present &= ~MESSAGE_BIT(MESSAGE_ACCEPT);
    broker_say(&broker, &told, 1);
    assert_int_equal(next(TENDER_CLIENT_REPORT)->report.accept_us, -1);
    assert_int_equal(tender_reject(self, commitment, 9999, NULL, 0), TENDER_EINVAL);
    commitment.generation = 0;
    assert_int_equal(tender_accept(self, commitment, -1), TENDER_EINVAL);
}

static void a_late_result_is_told_of_and_adopted(void **state)
{
    (void)state;
    connect_client();
    struct message late = {.performative = TENDER_INFORM, .conversation = id};
    message_set(&late, PART, part, 0);
    message_set(&late, GENERATION, generation, 1);
    message_set(&late, CONTRACTOR, contractor, ((tender_bytes){"kiln-2", 6}));
    message_set(&late, STATE, state, TENDER_COMMITMENT_LAPSED);
    message_set(&late, REASON, reason, TENDER_REASON_STALE_GENERATION);
    message_set(&late, UNITS_DONE, units_done, 28);
    message_set(&late, SIZE, size, 5000);
    broker_say(&broker, &late, 1);
    const tender_late_result *result = &next(TENDER_CLIENT_LATE)->late;
    assert_string_equal(result->contractor, "kiln-2");
    assert_int_equal(result->state, TENDER_COMMITMENT_LAPSED);
    assert_int_equal(result->units_done, 28);
    assert_int_equal(result->result_size, 5000);
    assert_int_equal(tender_adopt(self, result->commitment), 0);
    assert_int_equal(broker_hear(&broker, TENDER_ADOPT)->generation, 1);
    struct message agreed = {.performative = TENDER_AGREE, .conversation = id};
    broker_say(&broker, &agreed, 1);
    (void)next(TENDER_CLIENT_AGREED);
    assert_quiet();
    (void)broker_listen(&broker, 20);
    forget_and_restart(); /* it is answered: nothing is said again */
    (void)broker_listen(&broker, 20);
    assert_int_equal(broker.heard_start, broker.heard_end);
}

static void bad_tasks_name_the_field_and_its_range(void **state)
{
    (void)state;
    static char content[TENDER_CONTENT_MAX + 1];
    static char key[TENDER_KEY_MAX + 2];
    memset(key, 'k', sizeof key - 1);
    const tender_task good = make_task();
    tender_task task = good;
    task.units = 0;
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
    assert_string_equal(tender_client_last_error(self), "units is 0 and must be 1 to 1000000000");
    task = good;
    task.ceiling_micro = -1;
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
    assert_string_equal(tender_client_last_error(self),
                        "ceiling_micro is -1 and must be 0 to 1000000000000000000");
    task = good;
    task.due_us = INT64_MAX; /* W7 */
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
    assert_non_null(strstr(tender_client_last_error(self), "due_us is 9223372036854775807"));
    task = good;
    task.skill = "Translate";
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
    task = good;
    task.content = (tender_bytes){content, sizeof content};
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_ELIMIT);
    assert_string_equal(tender_client_last_error(self),
                        "content has 65537 bytes and may have 65536");
    task = good;
    task.key = key;
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_ELIMIT);
    task = good;
    task.key = "";
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
    task = good;
    task.fallback = TENDER_FALLBACK_CONTRACTOR;
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
    task = good;
    task.size = 8;
    assert_int_equal(tender_announce(self, &task, NULL), TENDER_EINVAL);
}

static void a_contractor_is_a_client_in_the_same_session(void **state)
{
    (void)state;
    tender_client_close(self);
    broker_restart(&broker);
    tender_options options = options_of_test();
    tender_contractor *contractor;
    assert_int_equal(tender_contractor_open(&options, &contractor), 0);
    assert_int_equal(tender_contractor_client(contractor, &self), 0);
    tender_client *second;
    assert_int_equal(tender_contractor_client(contractor, &second), TENDER_ESTATE);
    assert_null(second);
    connect_client();
    announce();
    (void)broker_hear(&broker, TENDER_ANNOUNCE);
    agree();
    (void)next(TENDER_CLIENT_AGREED);
    const tender_event *event;
    assert_int_equal(tender_contractor_next(contractor, 10000, &event), 1);
    assert_int_equal(event->kind, TENDER_EVENT_CONTACT);
    assert_int_equal(tender_contractor_next(contractor, 0, &event), 0);
    struct message cancel = {.performative = TENDER_CANCEL, .conversation = id};
    message_set(&cancel, GENERATION, generation, 1);
    message_set(&cancel, REASON, reason, TENDER_REASON_CANCELLED_BY_CLIENT);
    broker_say(&broker, &cancel, 1);
    assert_int_equal(tender_contractor_next(contractor, 10000, &event), 1);
    assert_int_equal(event->kind, TENDER_EVENT_CANCEL);
    assert_quiet();
    tender_client_close(self);
    self = NULL;
    tender_contractor_close(contractor);
}

static void the_descriptor_tells_when_there_is_an_event(void **state)
{
    (void)state;
    connect_client();
    struct pollfd poller = {.fd = tender_client_fd(self), .events = POLLIN};
    assert_quiet();
    assert_int_equal(poll(&poller, 1, 0), 0);
    say_end();
    assert_int_equal(poll(&poller, 1, 10000), 1);
    (void)next(TENDER_CLIENT_STATE);
    assert_int_equal(poll(&poller, 1, 0), 0);
}

static void announcing_much_needs_few_exchanges(void **state)
{
    (void)state;
    connect_client();
    tender_task task = make_task();
    task.key = NULL;
    size_t before = broker.exchange_count;
    for (int i = 0; i < 500; i++) {
        assert_int_equal(tender_announce(self, &task, NULL), 0);
    }
    for (int i = 0; i < 500; i++) {
        (void)broker_hear(&broker, TENDER_ANNOUNCE);
    }
    assert_in_range(broker.exchange_count - before, 1, 50);
}

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(a_task_from_announcement_to_end),
        claim(what_differs_from_the_defaults_is_said),
        claim(a_key_is_made_when_none_is_given),
        claim(L3_an_announcement_whose_answer_was_lost_is_said_again),
        claim(a_task_that_runs_is_asked_for_in_a_new_session),
        claim(requests_about_a_task_are_answered),
        claim(a_delivery_is_seen_decided_on_and_then_told),
        claim(a_late_result_is_told_of_and_adopted),
        claim(bad_tasks_name_the_field_and_its_range),
        claim(a_contractor_is_a_client_in_the_same_session),
        claim(the_descriptor_tells_when_there_is_an_event),
        claim(announcing_much_needs_few_exchanges),
    };
    int status = cmocka_run_group_tests_name("client", tests, NULL, NULL);
    return broker_finish(status);
}
