/*
 * Goal: a peer believes only a broker that its file vouches for, and is told what is wrong in
 * words. Method: an nng listener with certificates made for the test; whether TLS is agreed on is
 * what counts, so it answers nothing. With a real broker: system.tls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/supplemental/tls/tls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificates.h"
#include "tender/client.h"

#define DAY_S 86400

static char directory[64];
static char url[64];
static nng_socket listening;

static const char *path_of(const char *name, const char *kind)
{
    return certificate_path(directory, name, kind);
}

static char *text_of(const char *path)
{
    char *text = calloc(1, 8192);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_true(fread(text, 1, 8191, file) > 0);
    fclose(file);
    return text;
}

/* Listens with the certificate of that name. */
static void listen_as(const char *name)
{
    nng_listener listener;
    nng_tls_config *config = NULL;
    nng_sockaddr address;
    char *certificate = text_of(path_of(name, "pem"));
    char *key = text_of(path_of(name, "key"));
    assert_int_equal(nng_rep0_open(&listening), 0);
    assert_int_equal(nng_tls_config_alloc(&config, NNG_TLS_MODE_SERVER), 0);
    assert_int_equal(nng_tls_config_own_cert(config, certificate, key, NULL), 0);
    assert_int_equal(nng_listener_create(&listener, listening, "tls+tcp://127.0.0.1:0"), 0);
    assert_int_equal(nng_listener_set_ptr(listener, NNG_OPT_TLS_CONFIG, config), 0);
    assert_int_equal(nng_listener_start(listener, 0), 0);
    assert_int_equal(nng_listener_get_addr(listener, NNG_OPT_LOCADDR, &address), 0);
    const uint8_t *number = (const uint8_t *)&address.s_in.sa_port;
    snprintf(url, sizeof(url), "tls+tcp://127.0.0.1:%d", number[0] << 8 | number[1]);
    nng_tls_config_free(config);
    free(certificate);
    free(key);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(directory, sizeof(directory), "/tmp/tender-tls-XXXXXX");
    assert_non_null(mkdtemp(directory));
    certificate_make(directory, "good", -60, DAY_S);
    certificate_make(directory, "other", -60, DAY_S);
    certificate_make(directory, "over", -2 * DAY_S, -DAY_S);
    unsetenv("TENDER_CA");
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"good", "other", "over"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        (void)unlink(path_of(names[i], "pem"));
        (void)unlink(path_of(names[i], "key"));
    }
    return rmdir(directory);
}

/* Opens in vain; what is said then. Valid until the next call. */
static const char *open_at(const char *where, const char *ca_file, int status)
{
    tender_client *client = NULL;
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = where;
    options.name = "kiln-2";
    options.ca_file = ca_file;
    options.connect_timeout_ms = 1000;
    assert_int_equal(tender_client_open(&options, &client), status);
    return tender_client_last_error(NULL);
}

static void contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' is not in '%s'", part, text);
    }
}

/* The same until that is said: a busy machine takes longer for TLS than it waits. */
static void open_until(const char *where, const char *ca_file, const char *part)
{
    const char *said = "";
    for (int i = 0; i < 20 && strstr(said, part) == NULL; i++) {
        said = open_at(where, ca_file, TENDER_EAWAY);
    }
    contains(said, part);
}

static void certificate_of_a_stranger_is_not_believed(void **state)
{
    (void)state;
    listen_as("other");
    open_until(url, path_of("good", "pem"), "no trust in the certificate there");
    contains(tender_client_last_error(NULL), path_of("good", "pem"));
    nng_close(listening);
}

static void certificate_for_another_name_is_not_believed(void **state)
{
    char named[64];
    (void)state;
    listen_as("good");
    snprintf(named, sizeof(named), "tls+tcp://localhost%s", strrchr(url, ':'));
    open_until(named, path_of("good", "pem"), "it must be for localhost");
    nng_close(listening);
}

static void certificate_that_is_over_is_not_believed(void **state)
{
    (void)state;
    listen_as("over");
    open_until(url, path_of("over", "pem"), "in force");
    nng_close(listening);
}

static void where_all_is_well_or_nobody_listens_no_certificate_is_blamed(void **state)
{
    (void)state;
    listen_as("good");
    assert_null(strstr(open_at(url, path_of("good", "pem"), TENDER_EAWAY), "trust"));
    setenv("TENDER_CA", path_of("good", "pem"), 1);
    assert_null(strstr(open_at(url, NULL, TENDER_EAWAY), "trust"));
    nng_close(listening);
    assert_null(strstr(open_at(url, path_of("good", "pem"), TENDER_EAWAY), "trust"));
}

static void file_that_vouches_for_nobody_is_refused_at_once(void **state)
{
    (void)state;
    contains(open_at("tls+tcp://127.0.0.1:9", NULL, TENDER_EINVAL), "ca_file or TENDER_CA");
    contains(open_at("tls+tcp://127.0.0.1:9", "/nowhere", TENDER_EINVAL), "No such file");
    contains(open_at("tls+tcp://127.0.0.1:9", path_of("good", "key"), TENDER_EINVAL),
             "holds no certificate");
}

/* A fleet has sessions of its own for its client. */
static void client_of_a_contractor_of_several_brokers_trusts_the_same_file(void **state)
{
    (void)state;
    tender_contractor *contractor = NULL;
    tender_client *client = NULL;
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = "tls+tcp://127.0.0.1:9,tls+tcp://127.0.0.1:10";
    options.name = "kiln-2";
    options.ca_file = path_of("good", "pem");
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    assert_int_equal(tender_contractor_open(&options, &contractor), 0);
    assert_int_equal(tender_contractor_client(contractor, &client), 0);
    tender_client_close(client);
    tender_contractor_close(contractor);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(certificate_of_a_stranger_is_not_believed),
        TEST(certificate_for_another_name_is_not_believed),
        TEST(certificate_that_is_over_is_not_believed),
        TEST(where_all_is_well_or_nobody_listens_no_certificate_is_blamed),
        TEST(file_that_vouches_for_nobody_is_refused_at_once),
        TEST(client_of_a_contractor_of_several_brokers_trusts_the_same_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
