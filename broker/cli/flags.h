/*
 * The flags and operands of the commands, each list ended by a row without a name.
 */
#ifndef TENDER_BROKER_CLI_FLAGS_H
#define TENDER_BROKER_CLI_FLAGS_H

#include "command.h"

extern const struct flag announce_flags[];
extern const struct operand announce_operands[];
extern const struct operand task_operands[];
extern const struct flag tasks_flags[];
extern const struct flag watch_flags[];
extern const struct flag cancel_flags[];
extern const struct flag hold_flags[];
extern const struct flag release_flags[];
extern const struct flag holds_flags[];
extern const struct flag resource_flags[];
extern const struct operand resource_operands[];
extern const struct flag goal_flags[];
extern const struct operand goal_operands[];
extern const struct flag believe_flags[];
extern const struct operand believe_operands[];
extern const struct operand commitment_operands[];
extern const struct flag accept_flags[];
extern const struct flag reject_flags[];
extern const struct flag result_flags[];
extern const struct flag deliveries_flags[];
extern const struct operand subject_operands[];
extern const struct flag explain_flags[];
extern const struct flag screen_flags[];
extern const struct flag rate_flags[];
extern const struct flag migrate_flags[];
extern const struct operand rate_operands[];
extern const struct flag principal_flags[];
extern const struct flag rotate_flags[];
extern const struct flag agent_flags[];
extern const struct operand agent_operands[];
extern const struct operand principal_operands[];
extern const struct operand key_operands[];
extern const struct flag certificate_flags[];
extern const struct operand certificate_operands[];
extern const struct operand account_operands[];
extern const struct operand fund_operands[];
extern const struct operand allot_operands[];
extern const struct operand watch_operands[];
extern const struct flag verify_flags[];
extern const struct flag verify_all_flags[];
extern const struct operand verify_all_operands[];
extern const struct flag checkpoint_flags[];
extern const struct flag prove_flags[];
extern const struct operand prove_operands[];
extern const struct operand consistency_operands[];
extern const struct flag archive_flags[];
extern const struct operand house_operands[];
extern const struct flag check_flags[];
extern const struct flag replay_flags[];
extern const struct flag exec_flags[];

#endif
