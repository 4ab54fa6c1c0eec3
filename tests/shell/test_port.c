/*
 * Goal: exchanges come in and go out over real sockets, more of them than contexts at the start;
 * what is not allowed is not listened on. Method: a port and REQ sockets in one process, on ipc and
 * tcp in a directory of the test's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "port.h"
#include "probe.h"
#include "refusals.h"

#define LOAD 150 /* so few that all fit into the socket before anybody receives */

/* A listener that nng 1.5.2 let die keeps its last connections for ever; that is nng's leak. */
TENDER_API const char *__lsan_default_suppressions(void);
TENDER_API const char *__lsan_default_suppressions(void)
{
    return "leak:libnng";
}

static char directory[64];
static struct port *port;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static bool is_woken;

static void on_wake(void *context)
{
    (void)context;
    pthread_mutex_lock(&lock);
    is_woken = true;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

static void wait_for_wake(void)
{
    pthread_mutex_lock(&lock);
    while (!is_woken) {
        pthread_cond_wait(&woken, &lock);
    }
    is_woken = false;
    pthread_mutex_unlock(&lock);
}

static int set_up(void **state)
{
    struct port_options options = {
        .exchange_count = LOAD + 8,
        .spare_count = 4,
        .gate = {.connection_count = 6, .address_count = 4, .hello_us = 3600 * INT64_C(1000000)},
        .on_wake = on_wake};
    (void)state;
    is_woken = false;
    snprintf(directory, sizeof(directory), "/tmp/tender-port-XXXXXX");
    assert_non_null(mkdtemp(directory));
    return port_open(&options, &port);
}

static int tear_down(void **state)
{
    char path[80];
    (void)state;
    port_close(port);
    snprintf(path, sizeof(path), "%s/a.ipc", directory);
    (void)unlink(path);
    (void)rmdir(directory);
    return 0;
}

static void listen_on(const char *url)
{
    char why[256] = "";
    int status = port_listen(port, url, why, sizeof(why));
    if (status != 0) {
        fail_msg("%s: %s", url, why);
    }
}

static const char *ipc_url(void)
{
    static char url[96];
    snprintf(url, sizeof(url), "ipc://%s/a.ipc", directory);
    return url;
}

/* REQ contexts that each have one request open. */
struct load {
    nng_socket socket;
    nng_ctx contexts[LOAD];
    nng_aio *aios[LOAD];
};

static void load_open(struct load *load, const char *url, int count)
{
    assert_int_equal(nng_req0_open(&load->socket), 0);
    assert_int_equal(nng_dial(load->socket, url, NULL, 0), 0);
    for (int i = 0; i < count; i++) {
        nng_msg *message = NULL;
        assert_int_equal(nng_ctx_open(&load->contexts[i], load->socket), 0);
        assert_int_equal(nng_aio_alloc(&load->aios[i], NULL, NULL), 0);
        assert_int_equal(nng_msg_alloc(&message, 0), 0);
        assert_int_equal(nng_msg_append_u32(message, (uint32_t)i), 0);
        nng_aio_set_msg(load->aios[i], message);
        nng_ctx_send(load->contexts[i], load->aios[i]);
        nng_aio_wait(load->aios[i]);
        assert_int_equal(nng_aio_result(load->aios[i]), 0);
        nng_ctx_recv(load->contexts[i], load->aios[i]);
    }
}

/* Waits for all replies, which must be the requests' own numbers. */
static void load_finish(struct load *load, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t number = 0;
        nng_aio_wait(load->aios[i]);
        assert_int_equal(nng_aio_result(load->aios[i]), 0);
        nng_msg *message = nng_aio_get_msg(load->aios[i]);
        assert_int_equal(nng_msg_trim_u32(message, &number), 0);
        assert_int_equal(number, i);
        nng_msg_free(message);
        nng_aio_free(load->aios[i]);
    }
    nng_close(load->socket);
}

/* Collects until `count` exchanges are parked. */
static void park(struct exchange **parked, int count)
{
    for (int found = 0; found < count;) {
        wait_for_wake();
        for (struct exchange *one = port_collect(port); one != NULL; one = one->next) {
            parked[found++] = one;
        }
    }
}

static void answer_all(struct exchange **parked, int count)
{
    for (int i = 0; i < count; i++) {
        nng_msg *reply = parked[i]->message;
        parked[i]->message = NULL;
        port_reply(port, parked[i], reply);
    }
}

static void many_parked_exchanges_are_all_answered(void **state)
{
    static struct load load;
    static struct exchange *parked[LOAD];
    (void)state;
    listen_on(ipc_url());
    assert_int_equal(port_start(port), 0);
    load_open(&load, ipc_url(), LOAD);
    park(parked, LOAD);
    assert_int_equal(port_parked(port), LOAD);
    answer_all(parked, LOAD);
    load_finish(&load, LOAD);
    assert_int_equal(port_parked(port), 0);
}

static void paused_port_receives_again_when_resumed(void **state)
{
    static struct load load;
    static struct load more;
    struct exchange *parked[8];
    (void)state;
    listen_on("tcp://127.0.0.1:0");
    assert_null(strstr(port_url(port, 0), ":0"));
    assert_int_equal(port_start(port), 0);
    load_open(&load, port_url(port, 0), 4);
    park(parked, 4);
    port_pause(port, true);
    answer_all(parked, 4);
    load_finish(&load, 4);
    port_pause(port, false);
    load_open(&more, port_url(port, 0), 8);
    park(parked, 8);
    answer_all(parked, 8);
    load_finish(&more, 8);
}

static void assert_refused(const char *url, const char *part)
{
    char why[256] = "";
    if (port_listen(port, url, why, sizeof(why)) == 0) {
        fail_msg("%s was not refused", url);
    }
    if (strstr(why, part) == NULL) {
        fail_msg("'%s' is not in '%s'", part, why);
    }
}

static void addresses_open_to_others_are_refused(void **state)
{
    char url[96];
    (void)state;
    assert_refused("tcp://0.0.0.0:7480", "loopback");
    assert_refused("tcp://192.0.2.1:7480", "loopback");
    assert_refused("ws://127.0.0.1:7480/x", "not spoken");
    assert_refused("inproc://x", "not spoken");
    assert_refused("nonsense", "no address");
    assert_refused("ipc:///tmp/tender.ipc", "closed to others");
    assert_refused("ipc://relative.ipc", "absolute path");
    assert_int_equal(chmod(directory, 0755), 0);
    assert_refused(ipc_url(), "mode 0700");
    assert_int_equal(chmod(directory, 0700), 0);
    listen_on(ipc_url());
    snprintf(url, sizeof(url), "ipc://%s/missing/deeper/a.ipc", directory);
    assert_refused(url, "No such file");
}

/* Steps a probe by stamps of its own until nothing runs; returns how many listeners it opened
 * again. */
static uint32_t probe_once(struct probe *probe, int64_t *at_us)
{
    uint32_t reopened = probe_step(probe, *at_us, INT64_C(5000000));
    while (probe->next_step_us != TENDER_NEVER) {
        struct timespec pause = {.tv_nsec =
                                     1000000}; /* lets nng's threads run; nothing rests on it */
        nanosleep(&pause, NULL);
        *at_us += 10000;
        reopened += probe_step(probe, *at_us, INT64_C(5000000));
    }
    *at_us = probe->next_us;
    return reopened;
}

static void break_off(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/a.ipc", directory);
    (void)connect(descriptor, (struct sockaddr *)&address, sizeof(address));
    close(descriptor);
}

static void listener_that_a_broken_connection_stopped_is_opened_again(void **state)
{
    static struct load load;
    struct exchange *parked[1];
    struct probe probe;
    int64_t at_us = 1000;
    (void)state;
    listen_on(ipc_url());
    listen_on("tcp://127.0.0.1:0");
    assert_int_equal(port_start(port), 0);
    probe_init(&probe, port, at_us);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(probe_once(&probe, &at_us), 0); /* probing itself does no harm */
        assert_false(probe_is_stuck(&probe, at_us));
    }
    for (int i = 0; i < 8; i++) {
        break_off();
    }
    (void)probe_once(&probe, &at_us); /* from nng 1.6 on it lives, and none is opened again */
    assert_int_equal(probe_once(&probe, &at_us), 0);
    load_open(&load, ipc_url(), 1);
    park(parked, 1);
    answer_all(parked, 1);
    load_finish(&load, 1);
    probe_release(&probe);
}

static void nng_that_takes_no_connection_away_is_given_up_and_one_that_does_is_not(void **state)
{
    struct probe probe;
    int64_t at_us = 1000;
    (void)state;
    listen_on(ipc_url());
    probe_init(&probe, port, at_us);
    (void)probe_once(&probe, &at_us);
    probe.left_at_us = at_us;
    probe.left_count = 3;
    probe.removed = port_removed(port); /* as if nothing had been removed since they left */
    assert_false(probe_is_stuck(&probe, at_us + 9000000)); /* it may only be busy */
    assert_true(probe_is_stuck(&probe, at_us + 10000000));
    for (int i = 0; i < 3; i++) {
        (void)probe_once(&probe, &at_us); /* the one before is removed: that counts afresh */
    }
    assert_true(port_removed(port) > 0);
    assert_false(probe_is_stuck(&probe, at_us + 10000000) && probe.left_count >= 3);
    probe_release(&probe);
}

/* A connection that has greeted and was greeted; its descriptor. */
static int greet(void)
{
    static const uint8_t greeting[8] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
    uint8_t answer[8];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/a.ipc", directory);
    assert_int_equal(connect(descriptor, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(write(descriptor, greeting, sizeof(greeting)), sizeof(greeting));
    assert_int_equal(recv(descriptor, answer, sizeof(answer), MSG_WAITALL), sizeof(answer));
    return descriptor;
}

/* Waits until the broker closes it. */
static void await_closed(int descriptor)
{
    char byte;
    assert_int_equal(recv(descriptor, &byte, 1, 0), 0);
    close(descriptor);
}

/* Says something, so that the port knows the connection. */
static struct exchange *say(int descriptor)
{
    static const uint8_t frame[] = {1, 0, 0, 0, 0, 0, 0, 0, 8, 0x80, 0, 0, 1, 'w', 'o', 'r', 'd'};
    struct exchange *exchange = NULL;
    assert_int_equal(write(descriptor, frame, sizeof(frame)), sizeof(frame));
    while ((exchange = port_collect(port)) == NULL) {
        wait_for_wake();
    }
    return exchange;
}

/* Says something that is not answered; the connection as the port has it. */
static uint32_t say_in_vain(int descriptor)
{
    struct exchange *exchange = say(descriptor);
    uint32_t pipe = exchange->pipe;
    nng_msg_free(exchange->message);
    exchange->message = NULL;
    port_abandon(port, exchange);
    return pipe;
}

static void connections_beyond_the_limit_are_closed(void **state)
{
    int open[4];
    uint64_t met = refusals_met(REFUSAL_ADDRESS);
    (void)state;
    listen_on(ipc_url());
    assert_int_equal(port_start(port), 0);
    for (int i = 0; i < 4; i++) {
        open[i] = greet();
        (void)say_in_vain(open[i]);
    }
    assert_int_equal(port_connections(port), 4);
    await_closed(greet()); /* the fifth of this user */
    assert_int_equal(refusals_met(REFUSAL_ADDRESS), met + 1);
    for (int i = 0; i < 4; i++) {
        close(open[i]);
    }
}

static void connection_of_no_session_is_closed_in_time_and_others_stay(void **state)
{
    int64_t later_us = clock_boot_us() + 3700 * INT64_C(1000000);
    (void)state;
    listen_on(ipc_url());
    assert_int_equal(port_start(port), 0);
    int silent = greet();
    int good = greet();
    struct exchange *exchange = say(good);
    port_prove(port, exchange->pipe, 7200 * INT64_C(1000000));
    port_sweep(port, clock_boot_us());
    port_sweep(port, later_us);
    await_closed(silent);
    answer_all(&exchange, 1);
    uint8_t answer[17];
    assert_int_equal(recv(good, answer, sizeof(answer), MSG_WAITALL), sizeof(answer));
    close(good);
}

static void connection_that_says_nonsense_too_often_is_closed(void **state)
{
    (void)state;
    listen_on(ipc_url());
    assert_int_equal(port_start(port), 0);
    int descriptor = greet();
    for (int i = 0; i <= GATE_FAULTS_MAX; i++) {
        port_fault(port, say_in_vain(descriptor));
    }
    await_closed(descriptor);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(many_parked_exchanges_are_all_answered),
        TEST(paused_port_receives_again_when_resumed),
        TEST(listener_that_a_broken_connection_stopped_is_opened_again),
        TEST(nng_that_takes_no_connection_away_is_given_up_and_one_that_does_is_not),
        TEST(addresses_open_to_others_are_refused),
        TEST(connections_beyond_the_limit_are_closed),
        TEST(connection_of_no_session_is_closed_in_time_and_others_stay),
        TEST(connection_that_says_nonsense_too_often_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
