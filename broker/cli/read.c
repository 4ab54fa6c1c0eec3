/*
 * The commands that show rows of the ledger's views: task, tasks, contractors, brokers, screen,
 * account.
 */
#include "commands.h"

#include "database.h"

int run_task(const struct arguments *arguments)
{
    return database_show_task(arguments, operand(arguments, 0)->text, OUTPUT_RECORD,
                              "select * from tender.task where task_id = $1::uuid");
}

int run_tasks(const struct arguments *arguments)
{
    const char *parameters[] = {
        argument_text(arguments, "state"), argument_text(arguments, "principal"),
        argument_text(arguments, "skill"), argument_text(arguments, "limit")};
    return database_show(arguments, "task", OUTPUT_LIST,
                         "select task_id, status, reason, principal, skill, units, units_done, "
                         "ceiling, round, announced_at, ended_at from tender.task "
                         "where ($1::text is null or status::text = $1) "
                         "and ($2::text is null or principal = $2) "
                         "and ($3::text is null or skill = $3) "
                         "order by announced_at desc, task_id desc limit $4::bigint",
                         4, parameters);
}

int run_contractors(const struct arguments *arguments)
{
    return database_show(arguments, "contractor", OUTPUT_LIST,
                         "select contractor, principal, array_to_string(skills, ' ') as skills, "
                         "departed_at is null as live, slots, active, awards, fulfilled, failed, "
                         "lapsed, declined, cancelled, on_time, units_done, earned, enrolled_at, "
                         "departed_at, departed_reason from tender.contractor_record "
                         "order by contractor",
                         0, NULL);
}

int run_brokers(const struct arguments *arguments)
{
    return database_show(arguments, "broker", OUTPUT_LIST,
                         "select broker, state, shard, reign, urls, stamp_at, lease_ends_at "
                         "from tender.broker order by shard nulls last, broker",
                         0, NULL);
}

/* The tasks behind a row are for programs: a table has no room for thirty identifiers. */
#define SCREEN_SQL(more)                                                                           \
    "select skill, screen, contractor, partner, statistic, threshold, rounds, flagged, why" more   \
    " from tender.screening where ($1::text is null or skill = $1) and (flagged or $2::boolean) "  \
    "order by excess desc, skill, screen, contractor, partner"

int run_screen(const struct arguments *arguments)
{
    const char *parameters[] = {argument_text(arguments, "skill"),
                                argument(arguments, "all")->is_set ? "t" : "f"};
    return database_show(arguments, "screen", OUTPUT_LIST,
                         argument_format(arguments) == OUTPUT_TABLE
                             ? SCREEN_SQL("")
                             : SCREEN_SQL(", excess, array_to_string(tasks, ' ') as tasks"),
                         2, parameters);
}

int run_account_list(const struct arguments *arguments)
{
    if (!operand(arguments, 0)->is_set) {
        return database_show(arguments, "account", OUTPUT_LIST,
                             "select * from tender.account order by principal", 0, NULL);
    }
    const char *parameters[] = {operand(arguments, 0)->text};
    return database_show(arguments, "account", OUTPUT_RECORD,
                         "select * from tender.account where principal = $1", 1, parameters);
}
