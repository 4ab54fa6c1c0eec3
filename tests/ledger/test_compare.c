/*
 * Goal: `tender ledger check` names each object that is not what the program expects, and no other.
 * Method: change a schema in every way that it looks for, and compare the whole list.
 */
#include "support.h"

#include <unistd.h>

static char error[256];
static char list[65536];

static void on_difference(void *context, const struct ledger_difference *difference)
{
    (void)context;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s %s\n",
             difference->expected == NULL ? "extra"
             : difference->found == NULL  ? "missing"
                                          : "different",
             difference->object);
}

static int compare(void)
{
    list[0] = '\0';
    return ledger_compare(getenv("TENDER_DATABASE"), on_difference, NULL, error, sizeof error);
}

static void migrated_schema_is_as_expected(void **state)
{
    (void)state;
    int count = compare();
    assert_string_equal(list, "");
    assert_int_equal(count, 0);
    assert_sql("0", "select count(*) from pg_namespace where nspname like '%%expected%%'");
}

static const struct {
    const char *change;
    const char *difference;
} cases[] = {
    {"alter table tender_ledger.resource add remark text",
     "extra column tender_ledger.resource.remark"},
    {"create table tender_ledger.\"mine\" ()", "extra table tender_ledger.mine"},
    {"alter table tender_ledger.\"mine\" owner to tender_owner",
     "extra table tender_ledger.mine owner"},
    {"alter table tender_ledger.recess drop constraint recess_ends_after_it_begins",
     "missing constraint tender_ledger.recess.recess_ends_after_it_begins"},
    {"alter table tender_ledger.inbox alter column peer drop not null",
     "different column tender_ledger.inbox.peer"},
    {"alter table tender_ledger.account alter column spent_micro drop default",
     "different column tender_ledger.account.spent_micro"},
    {"alter table tender_ledger.account set (fillfactor = 90)",
     "different table tender_ledger.account"},
    {"drop index tender_ledger.inbox_not_answered",
     "missing index tender_ledger.inbox_not_answered"},
    {"create index more on tender_ledger.inbox (peer)", "extra index tender_ledger.more"},
    {"alter table tender_ledger.delivery disable trigger delivery_is_append_only",
     "different trigger tender_ledger.delivery.delivery_is_append_only"},
    {"drop trigger adoption_is_append_only on tender_ledger.adoption",
     "missing trigger tender_ledger.adoption.adoption_is_append_only"},
    {"create or replace function tender_ledger.caller() returns text language sql stable "
     "set search_path = pg_catalog, pg_temp as 'select session_user::text'",
     "different function tender_ledger.caller()"},
    {"alter function tender_ledger.is_operator() security definer",
     "different function tender_ledger.is_operator()"},
    {"drop function tender.fund", "missing function tender.fund("},
    {"create or replace view tender.overdue as select o.* from (select null::text as "
     "commitment_id, null::uuid as task_id, ''::text collate \"C\" as owner, ''::text collate "
     "\"C\" as principal, ''::text collate \"C\" as creditor, now() as due_at, interval '0' as "
     "overdue_by, 1 as units, 1 as units_done, 1::numeric(20, 6) as price) o",
     "different view tender.overdue"},
    {"drop view tender.hold", "missing view tender.hold"},
    {"grant select on tender_ledger.task to tender_reader",
     "extra grant on table tender_ledger.task to tender_reader"},
    {"revoke select on tender.account from tender_auditor",
     "missing grant on view tender.account to tender_auditor"},
    {"alter view tender.bid owner to postgres", "different view tender.bid owner"},
};

static void each_difference_is_named(void **state)
{
    (void)state;
    int named = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)sql("%s", cases[i].change);
    }
    int count = compare();
    assert_int_not_equal(count, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strstr(list, cases[i].difference) == NULL) {
            print_error("not named: %s\n%s", cases[i].difference, list);
        }
        assert_non_null(strstr(list, cases[i].difference));
    }
    for (const char *line = list; *line != '\0'; line = strchr(line, '\n') + 1) {
        named++;
    }
    assert_int_equal(named, count);
    /* Nothing else: what belongs to a dropped object goes with it. */
    static const char *const belongings[] = {
        "missing column tender.hold.",
        "missing view tender.hold owner",
        "missing grant on view tender.hold ",
        "missing function tender.fund(",
        "missing grant on function tender.fund(",
    };
    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        bool is_known = false;
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            is_known = is_known || strcmp(line, cases[i].difference) == 0;
        }
        for (size_t i = 0; i < sizeof belongings / sizeof belongings[0]; i++) {
            is_known = is_known || strncmp(line, belongings[i], strlen(belongings[i])) == 0;
        }
        if (!is_known) {
            print_error("named for nothing: %s\n", line);
        }
        assert_true(is_known);
    }
}

static void who_may_not_make_schemas_is_told(void **state)
{
    (void)state;
    char database[512];
    (void)sql("create role tender_nobody_%d login", (int)getpid());
    snprintf(database, sizeof database, "%s&options=-crole%%3Dtender_nobody_%d",
             getenv("TENDER_DATABASE"), (int)getpid());
    assert_int_equal(ledger_compare(database, on_difference, NULL, error, sizeof error),
                     TENDER_EDATABASE);
    assert_non_null(strstr(error, "0001_schemas.sql: ")); /* it says at which step */
    (void)sql("drop role tender_nobody_%d", (int)getpid());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(migrated_schema_is_as_expected),
        cmocka_unit_test(who_may_not_make_schemas_is_told),
        cmocka_unit_test(each_difference_is_named),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
