/*
 * Goal: wherever memory runs out, opening, offering, bidding and announcing fail with TENDER_ENOMEM
 * or succeed, leak nothing and can be tried again. Method: malloc and its kin are wrapped in the
 * SDK's own objects, and each allocation of an operation fails in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "broker.h"
#include "tender/client.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *pointer, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *pointer, size_t size);
char *__wrap_strdup(const char *text);

/* Allocations of this thread until one fails; negative: none does. */
static _Thread_local int left = -1;

static int fails(void)
{
    return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return fails() ? NULL : __real_realloc(pointer, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

static struct broker broker;

static tender_options options_of_test(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = broker.url;
    options.name = "kiln-2";
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    return options;
}

static int set_up(void **state)
{
    (void)state;
    broker_open(&broker);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    left = -1;
    broker_close(&broker);
    return 0;
}

/* Runs `operation` with its first, second … allocation failing until it needs no more of them. */
static int fail_each(int (*operation)(void *context), void *context)
{
    int failures = 0;
    for (;;) {
        left = failures;
        int status = operation(context);
        int unused = left;
        left = -1;
        if (unused >= 0) { /* it needed fewer */
            assert_int_equal(status, 0);
            return failures;
        }
        failures++;
        if (status != 0) {
            assert_int_equal(status, TENDER_ENOMEM);
        }
        assert_true(failures < 1000);
    }
}

static int open_contractor(void *context)
{
    tender_contractor **contractor = context;
    tender_options options = options_of_test();
    if (*contractor != NULL) {
        tender_contractor_close(*contractor);
    }
    return tender_contractor_open(&options, contractor);
}

static void opening_a_contractor(void **state)
{
    (void)state;
    tender_contractor *contractor = NULL;
    assert_true(fail_each(open_contractor, &contractor) >= 8);
    broker_welcome(&broker);
    tender_contractor_close(contractor);
}

static int open_client(void *context)
{
    tender_client **client = context;
    tender_options options = options_of_test();
    if (*client != NULL) {
        tender_client_close(*client);
    }
    return tender_client_open(&options, client);
}

static void opening_a_client(void **state)
{
    (void)state;
    tender_client *client = NULL;
    assert_true(fail_each(open_client, &client) >= 8);
    tender_client_close(client);
}

static int offer_many(void *context)
{
    for (char c = 'a'; c <= 'z'; c++) {
        char skill[80];
        memset(skill, c, TENDER_SKILL_MAX);
        skill[TENDER_SKILL_MAX] = '\0';
        int status = tender_contractor_offer(context, skill);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static void offering(void **state)
{
    (void)state;
    tender_options options = options_of_test();
    tender_contractor *contractor;
    assert_int_equal(tender_contractor_open(&options, &contractor), 0);
    assert_true(fail_each(offer_many, contractor) >= 1);
    tender_contractor_close(contractor);
}

static int propose_many(void *context)
{
    static char text[TENDER_TEXT_MAX + 1];
    memset(text, 'x', TENDER_TEXT_MAX);
    tender_cfp cfp = {.round = 1, .ceiling_micro = 1, .due_us = 1};
    tender_bid bid = {.cost_micro = 1, .eta_us = 1, .text = text};
    for (int i = 0; i < 100; i++) {
        int status = tender_propose(context, &cfp, &bid);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static void proposing(void **state)
{
    (void)state;
    tender_options options = options_of_test();
    tender_contractor *contractor;
    assert_int_equal(tender_contractor_open(&options, &contractor), 0);
    assert_true(fail_each(propose_many, contractor) >= 1);
    assert_string_equal(tender_contractor_last_error(contractor), "propose: out of memory");
    tender_contractor_close(contractor);
}

static int announce_many(void *context)
{
    static char content[TENDER_CONTENT_MAX];
    tender_task task = TENDER_TASK_INIT;
    task.skill = "a";
    task.content = (tender_bytes){content, sizeof content};
    for (int i = 0; i < 10; i++) {
        int status = tender_announce(context, &task, NULL);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static void announcing(void **state)
{
    (void)state;
    tender_options options = options_of_test();
    tender_client *client;
    assert_int_equal(tender_client_open(&options, &client), 0);
    assert_true(fail_each(announce_many, client) >= 10);
    tender_client_close(client);
}

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(opening_a_contractor), claim(opening_a_client), claim(offering), claim(proposing),
        claim(announcing),
    };
    int status = cmocka_run_group_tests_name("memory", tests, NULL, NULL);
    return broker_finish(status);
}
