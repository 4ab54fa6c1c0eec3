/*
 * Goal: tls+tcp listeners hold what the others do: they are opened again when they die, connections
 * that say nothing are ended also while TLS is not agreed on, and a new certificate is shown to the
 * next connection. Method: a port on loopback, REQ sockets of nng and plain ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "certificate.h"
#include "certificates.h"
#include "clock.h"
#include "port.h"
#include "probe.h"
#include "refusals.h"

#define DAY_S    86400
#define HELLO_US (3600 * INT64_C(1000000))

/* A listener that died keeps its last connections for ever; that is nng's leak. */
TENDER_API const char *__lsan_default_suppressions(void);
TENDER_API const char *__lsan_default_suppressions(void)
{
    return "leak:libnng";
}

static char directory[64];
static struct port *port;

static void on_wake(void *context)
{
    (void)context; /* the test asks by itself */
}

static void rest(void)
{
    struct timespec pause = {.tv_nsec = 1000000}; /* lets nng's threads run; nothing rests on it */
    nanosleep(&pause, NULL);
}

static const char *path_of(const char *name, const char *kind)
{
    return certificate_path(directory, name, kind);
}

static void certify(const char *name)
{
    char why[512] = "";
    nng_tls_config *config = NULL;
    int64_t until_s = 0;
    if (certificate_read(path_of(name, "pem"), path_of(name, "key"), &config, &until_s, why,
                         sizeof(why)) != 0) {
        fail_msg("%s", why);
    }
    assert_int_equal(port_certify(port, config), 0);
    nng_tls_config_free(config);
}

static int set_up(void **state)
{
    struct port_options options = {
        .exchange_count = 32,
        .spare_count = 4,
        .gate = {.connection_count = 16, .address_count = 16, .hello_us = HELLO_US},
        .on_wake = on_wake};
    char why[256] = "";
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    snprintf(directory, sizeof(directory), "/tmp/tender-port-XXXXXX");
    assert_non_null(mkdtemp(directory));
    certificate_make(directory, "one", -60, DAY_S);
    certificate_make(directory, "two", -60, DAY_S);
    assert_int_equal(port_open(&options, &port), 0);
    assert_int_equal(port_listen(port, "tls+tcp://127.0.0.1:0", why, sizeof(why)), TENDER_EREFUSED);
    assert_non_null(strstr(why, "takes a certificate"));
    certify("one");
    assert_int_equal(port_listen(port, "tls+tcp://127.0.0.1:0", why, sizeof(why)), 0);
    return port_start(port);
}

static int tear_down(void **state)
{
    (void)state;
    port_close(port);
    for (int i = 0; i < 4; i++) {
        (void)unlink(path_of(i / 2 == 0 ? "one" : "two", i % 2 == 0 ? "pem" : "key"));
    }
    return rmdir(directory);
}

/* Dials, trusting the certificate of that name. Returns nng's result; 0 leaves `socket_out` open.
 */
static int dial(const char *name, nng_socket *socket_out)
{
    nng_dialer dialer;
    nng_tls_config *config = NULL;
    assert_int_equal(nng_req0_open(socket_out), 0);
    assert_int_equal(nng_dialer_create(&dialer, *socket_out, port_url(port, 0)), 0);
    assert_int_equal(nng_tls_config_alloc(&config, NNG_TLS_MODE_CLIENT), 0);
    assert_int_equal(nng_tls_config_ca_file(config, path_of(name, "pem")), 0);
    assert_int_equal(nng_tls_config_server_name(config, "127.0.0.1"), 0);
    assert_int_equal(nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, config), 0);
    nng_tls_config_free(config);
    int result = nng_dialer_start(dialer, 0);
    if (result != 0) {
        nng_close(*socket_out);
    }
    return result;
}

/* Says a word, waits until the port has it, and for the same word as its answer. */
static void talk(nng_socket socket)
{
    char word[] = "word";
    char *answer = NULL;
    size_t size = 0;
    struct exchange *exchange = NULL;
    assert_int_equal(nng_send(socket, word, sizeof(word), 0), 0);
    while ((exchange = port_collect(port)) == NULL) {
        rest();
    }
    nng_msg *reply = exchange->message;
    exchange->message = NULL;
    port_reply(port, exchange, reply);
    assert_int_equal(nng_recv(socket, &answer, &size, NNG_FLAG_ALLOC), 0);
    assert_string_equal(answer, word);
    nng_free(answer, size);
}

/* A plain connection to the listener. */
static int reach(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port =
                                      htons((uint16_t)atoi(strrchr(port_url(port, 0), ':') + 1))};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(descriptor, (struct sockaddr *)&address, sizeof(address)), 0);
    return descriptor;
}

static void await_closed(int descriptor)
{
    char byte;
    while (recv(descriptor, &byte, 1, 0) > 0) {
    }
    close(descriptor);
}

/* Steps a probe by stamps of its own until nothing runs; returns how many listeners it opened
 * again. Each step stands for so many µs. */
static uint32_t probe_once(struct probe *probe, int64_t *at_us, int64_t step_us)
{
    uint32_t reopened = probe_step(probe, *at_us, INT64_C(5000000));
    while (probe->next_step_us != TENDER_NEVER) {
        rest();
        *at_us += step_us;
        reopened += probe_step(probe, *at_us, INT64_C(5000000));
    }
    *at_us = probe->next_us;
    return reopened;
}

static void exchange_goes_through_and_an_untrusted_certificate_does_not(void **state)
{
    nng_socket socket;
    (void)state;
    assert_int_not_equal(dial("two", &socket), 0);
    assert_int_equal(dial("one", &socket), 0);
    talk(socket);
    nng_close(socket);
}

static void new_certificate_is_shown_to_the_next_and_who_is_there_stays(void **state)
{
    nng_socket before;
    nng_socket after;
    (void)state;
    assert_int_equal(dial("one", &before), 0);
    talk(before);
    certify("two");
    if (dial("one", &after) == 0) { /* nng waits for one with what it had */
        nng_close(after);
    }
    assert_int_not_equal(dial("one", &after), 0);
    assert_int_equal(dial("two", &after), 0);
    talk(after);
    talk(before);
    nng_close(before);
    nng_close(after);
}

/* Stops the listener's own socket: nng accepts nothing more, as after nanomsg/nng#1518. */
static void kill_listener(void)
{
    for (int i = 3; i < 256; i++) {
        int is_listening = 0;
        socklen_t size = sizeof(is_listening);
        if (getsockopt(i, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) == 0 && is_listening) {
            assert_int_equal(shutdown(i, SHUT_RDWR), 0);
        }
    }
}

static void listener_that_died_is_opened_again(void **state)
{
    nng_socket socket;
    struct probe probe;
    int64_t at_us = 1000;
    (void)state;
    probe_init(&probe, port, at_us);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(probe_once(&probe, &at_us, 1000), 0); /* probing does no harm */
    }
    assert_true(port_accepted(port, 0) >= 3);
    kill_listener();
    assert_int_equal(probe_once(&probe, &at_us, 100000), 1);
    assert_int_equal(probe_once(&probe, &at_us, 1000), 0);
    assert_int_equal(dial("one", &socket), 0);
    talk(socket);
    nng_close(socket);
    probe_release(&probe);
}

static void connections_that_stop_before_tls_is_agreed_are_ended_and_others_stay(void **state)
{
    static const uint8_t begun[] = {22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3}; /* of a ClientHello */
    nng_socket socket;
    int64_t now_us = clock_boot_us();
    uint64_t met = refusals_met(REFUSAL_HELLO_TIME);
    (void)state;
    int silent = reach();
    int half = reach();
    assert_int_equal(write(half, begun, sizeof(begun)), sizeof(begun));
    assert_int_equal(dial("one", &socket), 0); /* they hold nobody up */
    talk(socket);
    for (int i = 1; i < 8; i++) {
        port_sweep(port, now_us + i * INT64_C(1000000)); /* sees them */
    }
    assert_int_equal(refusals_met(REFUSAL_HELLO_TIME), met);
    for (int i = 1; i < 8 && refusals_met(REFUSAL_HELLO_TIME) < met + 2; i++) {
        struct exchange *exchange = NULL;
        char word[] = "still";
        assert_int_equal(nng_send(socket, word, sizeof(word), 0), 0);
        while ((exchange = port_collect(port)) == NULL) {
            rest();
        }
        port_prove(port, exchange->pipe, 2 * HELLO_US); /* a session's, which stays */
        nng_msg *reply = exchange->message;
        exchange->message = NULL;
        port_reply(port, exchange, reply);
        char *answer = NULL;
        size_t size = 0;
        assert_int_equal(nng_recv(socket, &answer, &size, NNG_FLAG_ALLOC), 0);
        nng_free(answer, size);
        port_sweep(port, now_us + HELLO_US + i * INT64_C(20000000));
    }
    assert_int_equal(refusals_met(REFUSAL_HELLO_TIME), met + 2);
    await_closed(silent);
    await_closed(half);
    talk(socket);
    nng_close(socket);
}

static void plain_peer_is_turned_away_and_others_are_served(void **state)
{
    static const uint8_t greeting[8] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
    nng_socket socket;
    (void)state;
    int plain = reach();
    assert_int_equal(write(plain, greeting, sizeof(greeting)), sizeof(greeting));
    await_closed(plain);
    assert_int_equal(dial("one", &socket), 0);
    talk(socket);
    nng_close(socket);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(exchange_goes_through_and_an_untrusted_certificate_does_not),
        TEST(new_certificate_is_shown_to_the_next_and_who_is_there_stays),
        TEST(listener_that_died_is_opened_again),
        TEST(connections_that_stop_before_tls_is_agreed_are_ended_and_others_stay),
        TEST(plain_peer_is_turned_away_and_others_are_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
