/*
 * Goal: what peers would refuse is refused before it is listened with, and said; the rest is taken.
 * Method: certificates made for the test, in a directory of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "certificate.h"
#include "certificates.h"

#define DAY_S 86400

static char directory[64];

static const char *path_of(const char *name)
{
    static char paths[2][96];
    static int next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
    return path;
}

static int set_up(void **state)
{
    (void)state;
    snprintf(directory, sizeof(directory), "/tmp/tender-certificate-XXXXXX");
    assert_non_null(mkdtemp(directory));
    certificate_make(directory, "good", -60, 30 * DAY_S);
    certificate_make(directory, "other", -60, 30 * DAY_S);
    certificate_make(directory, "over", -2 * DAY_S, -DAY_S);
    certificate_make(directory, "early", DAY_S, 2 * DAY_S);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"good", "other", "over", "early"};
    char name[32];
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof(name), "%s.pem", names[i]);
        (void)unlink(path_of(name));
        snprintf(name, sizeof(name), "%s.key", names[i]);
        (void)unlink(path_of(name));
    }
    return rmdir(directory);
}

static void refused(const char *name, const char *key_name, int status, const char *part)
{
    char why[512] = "";
    nng_tls_config *config = NULL;
    int64_t until_s = 0;
    assert_int_equal(
        certificate_read(path_of(name), path_of(key_name), &config, &until_s, why, sizeof(why)),
        status);
    assert_null(config);
    if (strstr(why, part) == NULL) {
        fail_msg("'%s' is not in '%s'", part, why);
    }
}

static void pair_in_force_is_taken_with_its_end(void **state)
{
    char why[512] = "";
    nng_tls_config *config = NULL;
    int64_t until_s = 0;
    (void)state;
    assert_int_equal(certificate_read(path_of("good.pem"), path_of("good.key"), &config, &until_s,
                                      why, sizeof(why)),
                     0);
    assert_non_null(config);
    assert_in_range((uint64_t)(until_s - time(NULL)), 30 * DAY_S - 60, 30 * DAY_S);
    nng_tls_config_free(config);
}

static void what_peers_would_refuse_is_refused(void **state)
{
    (void)state;
    refused("over.pem", "over.key", TENDER_EREFUSED, "has expired on ");
    refused("early.pem", "early.key", TENDER_EREFUSED, "begins to hold on ");
    refused("good.pem", "other.key", TENDER_EINVAL, "is not that of");
    refused("good.key", "good.key", TENDER_EINVAL, "holds no certificate");
    refused("good.pem", "good.pem", TENDER_EINVAL, "no private key");
    refused("none.pem", "good.key", TENDER_ESYSTEM, "No such file");
    refused("good.pem", "none.key", TENDER_ESYSTEM, "No such file");
    refused("", "good.key", TENDER_EINVAL, "is no file");
}

static void key_that_others_can_read_is_refused(void **state)
{
    (void)state;
    assert_int_equal(chmod(path_of("good.key"), 0640), 0);
    refused("good.pem", "good.key", TENDER_EREFUSED, "mode 640");
    assert_int_equal(chmod(path_of("good.key"), 0600), 0);
    assert_int_equal(chmod(path_of("good.pem"), 0644), 0);
    pair_in_force_is_taken_with_its_end(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pair_in_force_is_taken_with_its_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_peers_would_refuse_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(key_that_others_can_read_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
