/*
 * Goal: a connection string is shown without the passwords in it, in whichever form it came, and
 * one that libpq does not read is not shown at all, whatever libpq itself would quote of it.
 * Method: a table. Needs no database.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ledger.h"

static void passwords_are_shown_as_stars(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"host=/run dbname=tender", "host=/run dbname=tender"},
        {"postgresql:///tender?host=/run", "postgresql:///tender?host=/run"},
        {"postgresql://ann:s3cret@db:5433/ledger",
         "user='ann' password='***' dbname='ledger' host='db' port='5433'"},
        {"postgres:///ledger?password=s3cret&user=o%27x%5c",
         "user='o\\'x\\\\' password='***' dbname='ledger'"},
        {"password='s3cret s3cret' host=db", "password='***' host='db'"},
        {"host=db sslpassword=s3cret", "host='db' sslpassword='***'"},
        {"host=/a@b,@abstract,db port=1,2,3 password=s3cret",
         "password='***' host='/a@b,@abstract,db' port='1,2,3'"},
    };
    char shown[512];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ledger_database_show(cases[i][0], shown, sizeof shown), 0);
        assert_string_equal(shown, cases[i][1]);
    }
    assert_int_equal(ledger_database_show(NULL, shown, sizeof shown), 0);
    assert_string_equal(shown, "");
}

static void what_libpq_cannot_read_is_not_quoted(void **state)
{
    static const char *const cases[] = {
        "postgresql://ann:s3cret@[::1",
        "postgresql://ann:s3cret%@db/ledger",
        "postgresql://ann:s3cret@db:1/x?s3cret",
        "password=a s3cret",
        "password='s3cret",
        "postgresql://ann:x@s3cret@db/ledger",
        "postgresql://ann:s3cret/x@db/ledger",
        "s3cret",
    };
    char shown[512];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ledger_database_show(cases[i], shown, sizeof shown), TENDER_EINVAL);
        assert_null(strstr(shown, "s3cret"));
        assert_non_null(strstr(shown, "%40 for @"));
        assert_int_equal(ledger_durability(cases[i], shown, sizeof shown), TENDER_EINVAL);
        assert_null(strstr(shown, "s3cret"));
    }
}

static void a_long_string_is_cut_and_not_overrun(void **state)
{
    char text[900] = "password=s3cret host=";
    char shown[512];
    (void)state;
    memset(text + strlen(text), '\'', 1);
    memset(text + strlen(text), 'h', 800);
    strcat(text, "'");
    assert_int_equal(ledger_database_show(text, shown, sizeof shown), 0);
    assert_int_equal(strlen(shown), sizeof shown - 1);
    assert_null(strstr(shown, "s3cret"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passwords_are_shown_as_stars),
        cmocka_unit_test(what_libpq_cannot_read_is_not_quoted),
        cmocka_unit_test(a_long_string_is_cut_and_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
