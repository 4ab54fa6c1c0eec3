/*
 * The commands: their table, and what each runs. One file per subject implements them.
 */
#ifndef TENDER_BROKER_CLI_COMMANDS_H
#define TENDER_BROKER_CLI_COMMANDS_H

#include "command.h"

extern const struct command commands[];
extern const size_t command_count;

/* Each returns an exit code. */
int run_announce(const struct arguments *arguments);
int run_task(const struct arguments *arguments);
int run_tasks(const struct arguments *arguments);
int run_watch(const struct arguments *arguments);
int run_cancel(const struct arguments *arguments);
int run_close(const struct arguments *arguments);
int run_hold(const struct arguments *arguments);
int run_release(const struct arguments *arguments);
int run_holds(const struct arguments *arguments);
int run_goal(const struct arguments *arguments);
int run_believe(const struct arguments *arguments);
int run_resource_set(const struct arguments *arguments);
int run_resource_list(const struct arguments *arguments);
int run_accept(const struct arguments *arguments);
int run_reject(const struct arguments *arguments);
int run_adopt(const struct arguments *arguments);
int run_result(const struct arguments *arguments);
int run_deliveries(const struct arguments *arguments);
int run_contractors(const struct arguments *arguments);
int run_brokers(const struct arguments *arguments);
int run_screen(const struct arguments *arguments);
int run_explain(const struct arguments *arguments);
int run_rate_set(const struct arguments *arguments);
int run_rate_list(const struct arguments *arguments);
int run_account_list(const struct arguments *arguments);
int run_account_allot(const struct arguments *arguments);
int run_account_fund(const struct arguments *arguments);
int run_ledger_migrate(const struct arguments *arguments);
int run_ledger_check(const struct arguments *arguments);
int run_ledger_status(const struct arguments *arguments);
int run_ledger_entries(const struct arguments *arguments);
int run_ledger_verify(const struct arguments *arguments);
int run_ledger_checkpoint(const struct arguments *arguments);
int run_ledger_consistency(const struct arguments *arguments);
int run_ledger_prove(const struct arguments *arguments);
int run_verify(const struct arguments *arguments);
int run_verify_award(const struct arguments *arguments);
int run_ledger_archive(const struct arguments *arguments);
int run_key_new(const struct arguments *arguments);
int run_key_show(const struct arguments *arguments);
int run_certificate_new(const struct arguments *arguments);
int run_certificate_check(const struct arguments *arguments);
int run_principal_add(const struct arguments *arguments);
int run_principal_rotate(const struct arguments *arguments);
int run_principal_revoke(const struct arguments *arguments);
int run_principals(const struct arguments *arguments);
int run_agent_enrol(const struct arguments *arguments);
int run_agent_rotate(const struct arguments *arguments);
int run_agent_revoke(const struct arguments *arguments);
int run_agents(const struct arguments *arguments);
int run_psql(const struct arguments *arguments);
int run_check(const struct arguments *arguments);
int run_replay(const struct arguments *arguments);
int run_contractor_exec(const struct arguments *arguments);

#endif
