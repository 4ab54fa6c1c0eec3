/*
 * tender check: whether all is well, in a line for each thing that can be wrong.
 */
#include "commands.h"

#include "database.h"
#include "ledger.h"
#include "session.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* As monitoring systems count. */
enum health { HEALTH_FINE, HEALTH_WARNING, HEALTH_CRITICAL, HEALTH_UNKNOWN };
static const char *const words[] = {"fine", "warning", "critical", "unknown"};

#define GRACE_US INT64_C(5000000) /* overdue for less: the broker may be about to say so */

struct checkup {
    const struct arguments *arguments;
    struct sheet *sheet;
    enum health worst;
    tender_client *client;
};

static void note(struct checkup *checkup, const char *what, enum health health, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

static void note(struct checkup *checkup, const char *what, enum health health, const char *format,
                 ...)
{
    char detail[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(detail, sizeof(detail), format, list);
    va_end(list);
    sheet_cell(checkup->sheet, what);
    sheet_cell(checkup->sheet, words[health]);
    sheet_cell(checkup->sheet, detail);
    /* What is known to be bad counts more than what is not known. */
    bool is_known = checkup->worst != HEALTH_CRITICAL && health != HEALTH_FINE;
    if (health == HEALTH_CRITICAL || (is_known && health > checkup->worst)) {
        checkup->worst = health;
    }
}

static void check_broker(struct checkup *checkup)
{
    const struct arguments *arguments = checkup->arguments;
    char name[TENDER_NAME_MAX + 1];
    session_name("check", name);
    tender_options options = session_options(arguments);
    options.name = name;
    options.principal = "monitor";
    options.connect_timeout_ms = (uint32_t)(argument_number(arguments, "probe") / 1000);
    options.linger_ms = options.connect_timeout_ms;
    int64_t began_us = session_now_us();
    int status = tender_client_open(&options, &checkup->client);
    int64_t took_us = session_now_us() - began_us;
    if (status == 0) {
        note(checkup, "broker", HEALTH_FINE, "answered in %" PRId64 ".%03" PRId64 " ms",
             took_us / 1000, took_us % 1000);
    } else if (status == TENDER_EREFUSED) { /* it lives; the principal "monitor" may have no key */
        note(checkup, "broker", HEALTH_WARNING, "%s", tender_client_last_error(NULL));
    } else {
        note(checkup, "broker", HEALTH_CRITICAL, "%s: %s", options.broker_url,
             tender_strerror(status));
    }
}

/* Whether a commit outlives a crash of the server, as a session of ours has it. */
static void check_settings(struct checkup *checkup)
{
    char sentence[512];
    int status = ledger_durability(database_url(checkup->arguments), sentence, sizeof(sentence));
    bool is_allowed = argument_number(checkup->arguments, "may-lose-commits") != 0;
    note(checkup, "settings",
         status == 0                ? HEALTH_FINE
         : status != TENDER_EUNSAFE ? HEALTH_UNKNOWN
         : is_allowed               ? HEALTH_WARNING
                                    : HEALTH_CRITICAL,
         "%s", status == 0 ? "what is committed outlives a crash of the server" : sentence);
}

/* Opens the ledger as the broker does, which compares versions and functions. */
static bool check_schema(struct checkup *checkup)
{
    struct ledger_options options = {
        .database = database_url(checkup->arguments), .broker = "check", .may_lose_commits = true};
    struct ledger *ledger = NULL;
    int status = ledger_open(&options, &ledger);
    note(checkup, "schema",
         status == 0                ? HEALTH_FINE
         : status == TENDER_ESCHEMA ? HEALTH_CRITICAL
                                    : HEALTH_UNKNOWN,
         "%s",
         status == 0      ? "the one that this program speaks"
         : ledger == NULL ? tender_strerror(status)
                          : ledger_last_error(ledger));
    ledger_close(ledger);
    return status == 0;
}

/* Asks for one row; NULL after a note. */
static PGresult *ask(struct checkup *checkup, PGconn *connection, const char *what, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) == 0) {
        const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        note(checkup, what, HEALTH_UNKNOWN, "%s", message == NULL ? "no answer" : message);
        PQclear(result);
        return NULL;
    }
    return result;
}

static void check_stamp(struct checkup *checkup, PGconn *connection)
{
    PGresult *result = ask(checkup, connection, "stamp",
                           "select count(*), coalesce((extract(epoch from clock_timestamp() - "
                           "min(stamp_at)) * 1000000)::bigint, -1) from tender_ledger.reign");
    if (result == NULL) {
        return;
    }
    int64_t age_us = database_number(result, 0, 1);
    int64_t limit_us = argument_number(checkup->arguments, "stamp-age");
    if (database_number(result, 0, 0) == 0 || age_us < 0) {
        note(checkup, "stamp", HEALTH_WARNING, "no broker has reigned here yet");
    } else {
        note(checkup, "stamp",
             age_us <= limit_us       ? HEALTH_FINE
             : age_us <= 6 * limit_us ? HEALTH_WARNING
                                      : HEALTH_CRITICAL,
             "the broker's last stamp is %" PRId64 ".%01" PRId64 " s old", age_us / 1000000,
             age_us / 100000 % 10);
    }
    PQclear(result);
}

static void check_overdue(struct checkup *checkup, PGconn *connection)
{
    PGresult *result = ask(checkup, connection, "overdue",
                           "select count(*), coalesce((extract(epoch from clock_timestamp() - "
                           "min(due_at)) * 1000000)::bigint, 0) from tender.overdue");
    if (result == NULL) {
        return;
    }
    int64_t count = database_number(result, 0, 0);
    int64_t longest_us = database_number(result, 0, 1);
    note(checkup, "overdue",
         count == 0               ? HEALTH_FINE
         : longest_us <= GRACE_US ? HEALTH_WARNING
                                  : HEALTH_CRITICAL,
         "%" PRId64 " commitments overdue%s", count,
         count == 0 ? "" : "; select * from tender.overdue names them");
    PQclear(result);
}

static void check_balances(struct checkup *checkup, PGconn *connection)
{
    PGresult *result = ask(checkup, connection, "balances",
                           "select count(*) filter (where a.reserved <> coalesce(t.reserved, 0)), "
                           "sum(a.spent) - sum(a.earned) from tender.account a left join "
                           "(select principal, sum(ceiling - paid) as reserved from tender.task "
                           "where ended_at is null group by principal) t using (principal)");
    if (result == NULL) {
        return;
    }
    int64_t wrong = database_number(result, 0, 0);
    bool is_even = database_micro(result, 0, 1) == 0;
    note(checkup, "balances", wrong == 0 && is_even ? HEALTH_FINE : HEALTH_CRITICAL,
         "%" PRId64
         " accounts whose reservations differ from their tasks'; spent and earned are %s",
         wrong, is_even ? "equal" : "not equal");
    PQclear(result);
}

static void check_losses(struct checkup *checkup, PGconn *connection)
{
    PGresult *result = ask(checkup, connection, "losses",
                           "select count(*), coalesce(sum(batches), 0)::bigint, "
                           "coalesce(max(reign), 0) from tender.loss where closed_at is null");
    if (result == NULL) {
        return;
    }
    int64_t count = database_number(result, 0, 0);
    if (count == 0) {
        note(checkup, "losses", HEALTH_FINE, "the database has all that peers were told it has");
    } else {
        note(checkup, "losses", HEALTH_CRITICAL,
             "the database has lost %" PRId64 " batches that peers were told of, last of reign "
             "%" PRId64 "; select * from tender.loss; when it is dealt with: select "
             "tender.close_losses()",
             database_number(result, 0, 1), database_number(result, 0, 2));
    }
    PQclear(result);
}

/* Sessions that end unheard and connections without one are everyday things; the others are not. */
static void check_limits(struct checkup *checkup, PGconn *connection)
{
    PGresult *result =
        ask(checkup, connection, "limits",
            "select count(*), coalesce(string_agg(name, ', ' order by name), '') "
            "from tender.limit_met where last_at > clock_timestamp() - interval '10 minutes' "
            "and name not in ('session-time', 'hello-time')");
    if (result == NULL) {
        return;
    }
    if (database_number(result, 0, 0) == 0) {
        note(checkup, "limits", HEALTH_FINE, "none was met in the last ten minutes");
    } else {
        note(checkup, "limits", HEALTH_WARNING,
             "met in the last ten minutes: %s; select * from tender.limit_met; ops/limits.md says "
             "what they are for",
             PQgetvalue(result, 0, 1));
    }
    PQclear(result);
}

static void check_database(struct checkup *checkup)
{
    PGconn *connection = NULL;
    /* Says on standard error what is wrong; the row says that something is. */
    if (database_open(checkup->arguments, &connection) != EXIT_DONE) {
        note(checkup, "database", HEALTH_CRITICAL, "cannot be reached");
        return;
    }
    note(checkup, "database", HEALTH_FINE, "PostgreSQL %s",
         PQparameterStatus(connection, "server_version"));
    check_settings(checkup);
    if (check_schema(checkup)) {
        check_stamp(checkup, connection);
        check_overdue(checkup, connection);
        check_balances(checkup, connection);
        check_losses(checkup, connection);
        check_limits(checkup, connection);
    }
    PQfinish(connection);
}

int run_check(const struct arguments *arguments)
{
    struct checkup checkup = {.arguments = arguments, .sheet = sheet_open()};
    if (checkup.sheet == NULL) {
        return HEALTH_UNKNOWN;
    }
    sheet_column(checkup.sheet, "check", COLUMN_TEXT);
    sheet_column(checkup.sheet, "health", COLUMN_TEXT);
    sheet_column(checkup.sheet, "detail", COLUMN_TEXT);
    check_broker(&checkup);
    check_database(&checkup);
    if (sheet_print(checkup.sheet, argument_format(arguments), OUTPUT_LIST, stdout) < 0) {
        checkup.worst = HEALTH_UNKNOWN;
    }
    sheet_close(checkup.sheet);
    session_end(checkup.client, NULL, (int)checkup.worst);
    return (int)checkup.worst;
}
