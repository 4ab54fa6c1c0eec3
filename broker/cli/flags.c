/* The flags and operands of the commands; which command has which is in commands.c. */
#include "flags.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)

#define SPAN(low, high)                                                                            \
    {                                                                                              \
        VALUE_DURATION, low, high, NULL                                                            \
    }
#define SPAN_ANY SPAN(1, TENDER_DURATION_MAX)
#define COUNT(low, high)                                                                           \
    {                                                                                              \
        VALUE_COUNT, low, high, NULL                                                               \
    }
#define PLAIN(type)                                                                                \
    {                                                                                              \
        type, 0, 0, NULL                                                                           \
    }
#define CHOICE(words)                                                                              \
    {                                                                                              \
        VALUE_CHOICE, 0, 0, words                                                                  \
    }
#define FLAGS_END                                                                                  \
    {                                                                                              \
        NULL, 0, {0, 0, 0, NULL}, NULL, NULL, false, NULL                                          \
    }
#define OPERANDS_END                                                                               \
    {                                                                                              \
        NULL, {0, 0, 0, NULL}, false, NULL                                                         \
    }

#define TASK_STATES "blocked|open|awarded|delivered|held|done|unallocated|cancelled"

/* clang-format off */
const struct flag announce_flags[] = {
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, true, "whose account pays"},
    {"skill", 's', PLAIN(VALUE_SKILL), "S", NULL, true, "skill that the work needs"},
    {"units", 'u', COUNT(1, TENDER_UNITS_MAX), "N", NULL, true, "how much work"},
    {"ceiling", 'c', {VALUE_CREDITS, 0, TENDER_MONEY_MAX, NULL}, "CREDITS", NULL, true,
     "the most it may ever cost; reserved at once"},
    {"window", 'w', SPAN_ANY, "DURATION", "2s", false, "how long bids are taken"},
    {"due", 'd', SPAN_ANY, "DURATION", "60m", false, "how long one commitment may take"},
    {"deadline", 0, PLAIN(VALUE_DEADLINE), "WHEN", NULL, false,
     "when the task ends whatever happens; else rounds x (window + ack + backoff + due) from now"},
    {"rounds", 0, COUNT(1, TENDER_ROUNDS_MAX), "N", "3", false, "how often it is announced at most"},
    {"backoff", 0, SPAN(0, TENDER_DURATION_MAX), "DURATION", "1s", false,
     "wait after a round without a winner"},
    {"ack", 0, SPAN_ANY, "DURATION", "10s", false, "how long a winner has to take the award"},
    {"heartbeat", 0, SPAN(100000, 3600 * SECOND), "DURATION", NULL, false,
     "the owner must be heard this often; after three in silence its commitment lapses"},
    {"priority", 0, COUNT(0, TENDER_PRIORITY_MAX), "N", "0", false,
     "orders what waits for slots; never enters rank or price"},
    {"key", 'k', {VALUE_TEXT, 1, TENDER_KEY_MAX, NULL}, "K", NULL, false,
     "your key for the task: announcing twice is announcing once"},
    {"again", 0, PLAIN(VALUE_ID), "TASK", NULL, false,
     "the newest task under --key, which has ended: a new one replaces it"},
    {"partial", 0, CHOICE("pro_rata|cover|none"), "RULE", "pro_rata", false,
     "how work that ends short is paid"},
    {"kill-fee", 0, {VALUE_SHARE, 0, TENDER_PPM, NULL}, "SHARE", "10%", false,
     "share of the unpaid price that cancelling costs"},
    {"close-alone", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "a round with one invited principal also closes when it has answered"},
    {"fallback", 0, PLAIN(VALUE_FALLBACK), "WHAT", "unallocated", false,
     "what happens when the rounds are used up"},
    {"needs", 0, {VALUE_TEXT, 1, 1024, NULL}, "NAMES", NULL, false,
     "further skills and resources, parted by commas: all or nothing, one bid, one price"},
    {"tier", 0, PLAIN(VALUE_SKILL), "T", NULL, false,
     "tier of the skill: which posted rate counts"},
    {"goal", 0, PLAIN(VALUE_NAME), "GOAL", NULL, false, "name that groups tasks of the principal"},
    {"after", 0, {VALUE_TEXT, 1, 1024, NULL}, "TASKS", NULL, false,
     "tasks that must be done first, parted by commas"},
    {"evidence", 0, {VALUE_TEXT, 1, TENDER_EVIDENCE_MAX, NULL}, "NAMES", NULL, false,
     "what a completion must bring, parted by commas; result: the result itself"},
    {"accept", 0, SPAN_ANY, "DURATION", NULL, false,
     "how long the client may take to accept a delivery; silence accepts it; not with "
     "--partial cover"},
    {"split", 0, COUNT(1, TENDER_SPLIT_MAX), "K", NULL, false,
     "the units may become up to K commitments: bids are a cost per unit and a capacity; not "
     "with --partial cover or a contractor as --fallback"},
    {"cover-all", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "with --split: a round fails where its bids do not cover all units"},
    {"improve", 0, COUNT(1, TENDER_IMPROVE_MAX), "R", NULL, false,
     "up to R rounds of improving bids before the sealed one; not with --split, --close-alone "
     "or --invite-max"},
    {"lead-only", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "with --improve: a bidder learns only whether it leads; else its rank"},
    {"invite-max", 0, COUNT(0, TENDER_INVITE_MAX), "N", NULL, false,
     "invite at most N principals, drawn by record; 0: all; else as the broker is set"},
    {"newcomers", 0, {VALUE_SHARE, 0, TENDER_PPM, NULL}, "SHARE", NULL, false,
     "share of newcomers among those that are drawn; else as the broker is set"},
    {"payload", 0, PLAIN(VALUE_FILE), "FILE", NULL, false,
     "what to do, for the contractors: a file of at most 65536 bytes, or - for standard input"},
    {"wait", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false, "stay until it has ended, and print its row"},
    FLAGS_END};

const struct operand announce_operands[] = {
    {"-", CHOICE("-"), true, "read one task per line of JSON from standard input"},
    OPERANDS_END};

const struct operand task_operands[] = {
    {"TASK", PLAIN(VALUE_ID), false, "identifier of a task, as tender announce prints it"},
    OPERANDS_END};

const struct flag tasks_flags[] = {
    {"state", 0, CHOICE(TASK_STATES), "STATE", NULL, false, "only tasks in this state"},
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, false, "only tasks that this principal pays"},
    {"skill", 's', PLAIN(VALUE_SKILL), "S", NULL, false, "only tasks that need this skill"},
    {"limit", 'n', COUNT(1, 1000000), "N", "50", false, "how many at most, the newest first"},
    FLAGS_END};

const struct flag watch_flags[] = {
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, false,
     "whose task it is; else the ledger is asked"},
    FLAGS_END};

const struct flag cancel_flags[] = {
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, false,
     "speak as a client of this principal; without it you act as an operator, through the ledger"},
    {"text", 0, {VALUE_TEXT, 1, TENDER_TEXT_MAX, NULL}, "TEXT", NULL, false, "why, for people"},
    FLAGS_END};

const struct flag hold_flags[] = {
    {"reason", 0, {VALUE_TEXT, 1, 64, NULL}, "WORD", NULL, true,
     "why: quality-check, resource-lost, other or another word for a reason"},
    {"skill", 's', PLAIN(VALUE_SKILL), "S", NULL, false,
     "only this skill of the contractor or principal"},
    {"text", 0, {VALUE_TEXT, 1, TENDER_TEXT_MAX, NULL}, "TEXT", NULL, false, "why, for people"},
    {"until", 0, PLAIN(VALUE_DEADLINE), "WHEN", NULL, false, "when it ends by itself; else in a day"},
    FLAGS_END};

const struct flag release_flags[] = {
    {"skill", 's', PLAIN(VALUE_SKILL), "S", NULL, false,
     "the skill, where the contractor or principal is held for that alone"},
    FLAGS_END};

const struct flag holds_flags[] = {
    {"all", 'a', PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "also those past their end that are not lifted yet"},
    FLAGS_END};

const struct flag resource_flags[] = {
    {"contractor", 'c', PLAIN(VALUE_NAME), "NAME", NULL, false,
     "what this contractor has of it for itself; else what all share"},
    FLAGS_END};

const struct operand resource_operands[] = {
    {"RESOURCE", PLAIN(VALUE_SKILL), false, "the name, as tasks and contractors write it"},
    {"COUNT", COUNT(0, 1000000000), false, "how many there are; 0: it is not counted any more"},
    OPERANDS_END};

const struct flag goal_flags[] = {
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, false, "only the goal of this principal"},
    FLAGS_END};

const struct operand goal_operands[] = {
    {"GOAL", PLAIN(VALUE_NAME), false, "name of the goal, as tasks were announced under it"},
    OPERANDS_END};

const struct flag believe_flags[] = {
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, false,
     "speak as a client of this principal; without it through the ledger, as the role that you are"},
    {"task", 0, PLAIN(VALUE_ID), "TASK", NULL, false,
     "a task of the goal, where it is not a goal of your own"},
    {"text", 0, {VALUE_TEXT, 1, TENDER_TEXT_MAX, NULL}, "TEXT", NULL, false, "why, for people"},
    FLAGS_END};

const struct operand believe_operands[] = {
    {"SUBJECT", {VALUE_TEXT, 1, 128, NULL}, false, "goal:GOAL, task:ID or only the identifier"},
    {"BELIEF", CHOICE("achieved|impossible|irrelevant|none"), false,
     "what is believed of it; none lets a goal go on that was suspended"},
    OPERANDS_END};

const struct operand commitment_operands[] = {
    {"COMMITMENT", {VALUE_TEXT, 1, 128, NULL}, false,
     "TASK/GENERATION, or TASK/PART.GENERATION of a split award, as the views write it"},
    OPERANDS_END};

const struct flag accept_flags[] = {
    {"units", 'u', COUNT(0, TENDER_UNITS_MAX), "N", NULL, false,
     "only so many of the units delivered; the others are rejected"},
    FLAGS_END};

const struct flag reject_flags[] = {
    {"reason", 0, {VALUE_TEXT, 1, 64, NULL}, "WORD", NULL, true,
     "why: quality-check, evidence-missing, other or another word for a reason"},
    {"text", 0, {VALUE_TEXT, 1, TENDER_TEXT_MAX, NULL}, "TEXT", NULL, false, "why, for people"},
    {"units", 'u', COUNT(0, TENDER_UNITS_MAX), "N", NULL, false,
     "units that are accepted, and paid, all the same"},
    FLAGS_END};

const struct flag result_flags[] = {
    {"file", 'f', PLAIN(VALUE_FILE), "FILE", NULL, false, "where to write it; else standard output"},
    FLAGS_END};

const struct flag deliveries_flags[] = {
    {"all", 'a', PLAIN(VALUE_SWITCH), NULL, NULL, false, "also those that are decided"}, FLAGS_END};

const struct operand subject_operands[] = {
    {"SUBJECT", {VALUE_TEXT, 1, 128, NULL}, false,
     "task:ID or only the identifier; contractor:NAME, principal:NAME or skill:SKILL"},
    OPERANDS_END};

const struct flag explain_flags[] = {
    {"contractor", 0, PLAIN(VALUE_NAME), "NAME", NULL, false,
     "of those that did not get a round only this one"},
    FLAGS_END};

const struct flag screen_flags[] = {
    {"skill", 's', PLAIN(VALUE_SKILL), "S", NULL, false, "only this skill"},
    {"all", 'a', PLAIN(VALUE_SWITCH), NULL, NULL, false, "also what is below its threshold"},
    FLAGS_END};

const struct flag rate_flags[] = {
    {"threshold", 0, {VALUE_CREDITS, 0, TENDER_MONEY_MAX, NULL}, "CREDITS", NULL, true,
     "tasks whose units cost more than this at the rate are auctioned"},
    {"tier", 0, PLAIN(VALUE_SKILL), "T", NULL, false, "only tasks that name this tier"},
    {"share", 0, {VALUE_SHARE, 0, TENDER_PPM, NULL}, "SHARE", "2%", false,
     "share of the tasks that is auctioned all the same"},
    FLAGS_END};

const struct flag migrate_flags[] = {
    {"shards", 0, COUNT(1, 64), "N", NULL, false,
     "of a new ledger: how many shards brokers can share, several for each; one without it"},
    FLAGS_END};

const struct operand rate_operands[] = {
    {"SKILL", PLAIN(VALUE_SKILL), false, "the skill"},
    {"RATE", {VALUE_CREDITS, 0, TENDER_MONEY_MAX, NULL}, false,
     "price of a unit; 0: none any more"},
    OPERANDS_END};

#define PUBLIC_KEY "public key as tender key shows it: ed25519: and 64 digits"
const struct flag principal_flags[] = {
    {"key", 'k', {VALUE_TEXT, 1, 128, NULL}, "PUBLIC", NULL, false,
     PUBLIC_KEY "; it speaks as any agent of the principal. Without it only keys of agents do"},
    {"parent", 0, PLAIN(VALUE_NAME), "P", NULL, false,
     "principal in whose budget it spends; it stays the same for ever"},
    FLAGS_END};

const struct flag rotate_flags[] = {
    {"key", 'k', {VALUE_TEXT, 1, 128, NULL}, "PUBLIC", NULL, true, PUBLIC_KEY}, FLAGS_END};

const struct flag agent_flags[] = {
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, true, "whose agent it is"},
    {"key", 'k', {VALUE_TEXT, 1, 128, NULL}, "PUBLIC", NULL, false,
     PUBLIC_KEY "; without it only the principal's speaks as the agent"},
    {"skill", 's', {VALUE_TEXT, 1, 4160, NULL}, "SKILLS", NULL, false,
     "skills that it may offer, joined by commas; without it any, or those of before"},
    FLAGS_END};

const struct operand agent_operands[] = {
    {"AGENT", PLAIN(VALUE_NAME), false, "name of the agent"}, OPERANDS_END};

const struct operand principal_operands[] = {
    {"PRINCIPAL", PLAIN(VALUE_ENROLLED), false,
     "name of the principal; * for all that are not enrolled by name"},
    OPERANDS_END};

const struct flag certificate_flags[] = {
    {"name", 0, {VALUE_TEXT, 1, 2048, NULL}, "NAMES", NULL, true,
     "host names and addresses by which peers dial the broker, joined by commas"},
    {"ca", 0, PLAIN(VALUE_FILE), "DIRECTORY", NULL, false,
     "sign with ca.key of an earlier directory, so that peers keep the ca.pem that they have"},
    {"days", 0, COUNT(1, 3650), "N", "365", false, "how long the certificate holds"},
    FLAGS_END};

const struct operand certificate_operands[] = {
    {"DIRECTORY", PLAIN(VALUE_FILE), false, "where the files are written"}, OPERANDS_END};

const struct operand key_operands[] = {
    {"FILE", PLAIN(VALUE_FILE), false, "file with the secret key, its owner's alone"},
    OPERANDS_END};

const struct operand account_operands[] = {
    {"PRINCIPAL", PLAIN(VALUE_NAME), true, "only this principal's account"},
    OPERANDS_END};

const struct operand fund_operands[] = {
    {"PRINCIPAL", PLAIN(VALUE_NAME), false, "whose account"},
    {"CREDITS", {VALUE_CREDITS, -TENDER_MONEY_MAX, TENDER_MONEY_MAX, NULL}, false,
     "how much is put in; below zero, after --, it is taken out"},
    OPERANDS_END};

const struct operand allot_operands[] = {
    {"FROM", PLAIN(VALUE_NAME), false, "out of whose account"},
    {"TO", PLAIN(VALUE_NAME), false, "into whose"},
    {"CREDITS", {VALUE_CREDITS, 1, TENDER_MONEY_MAX, NULL}, false, "how much of what is available"},
    OPERANDS_END};

const struct operand watch_operands[] = {
    {"TASK", PLAIN(VALUE_ID), true, "identifier of a task; without it every task"},
    OPERANDS_END};

const struct flag verify_flags[] = {
    {"archive", 0, PLAIN(VALUE_FILE), "DIR", NULL, false,
     "also what has left the ledger for DIR: every archive, or where TASK is in one"},
    FLAGS_END};
const struct flag verify_all_flags[] = {
    {"key", 0, {VALUE_TEXT, 72, 72, NULL}, "PUBLIC", NULL, false,
     "public key of the broker, as ed25519: and 64 digits: no other may have signed"},
    {"archive", 0, PLAIN(VALUE_FILE), "DIR", NULL, false,
     "also read what has left the ledger for DIR, and prove the batches that it was in"},
    FLAGS_END};
const struct operand verify_all_operands[] = {
    {"FILE", PLAIN(VALUE_FILE), true,
     "checkpoints or a proof, checked without the ledger; without it the whole ledger"},
    OPERANDS_END};
const struct flag checkpoint_flags[] = {
    {"sign", 0, PLAIN(VALUE_FILE), "KEY-FILE", NULL, false,
     "sign one of each shard now, with the key of this file"},
    FLAGS_END};
const struct flag prove_flags[] = {
    {"entry", 0, {VALUE_COUNT, 1, INT32_MAX, NULL}, "N", NULL, false,
     "number of the entry in the chain of the task; the newest where it is not given"},
    FLAGS_END};
const struct operand prove_operands[] = {
    {"TASK", PLAIN(VALUE_ID), false, "identifier of a task; all zero for the house of shard 0"},
    OPERANDS_END};
const struct operand consistency_operands[] = {
    {"FILE", PLAIN(VALUE_FILE), false, "an older checkpoint"},
    OPERANDS_END};
const struct flag archive_flags[] = {
    {"older-than", 0, SPAN(86400 * SECOND, TENDER_DURATION_MAX), "DURATION", NULL, true,
     "times that were over so long ago, with tasks that had all ended by then"},
    {"to", 0, PLAIN(VALUE_FILE), "DIR", NULL, true, "where the archives are written"},
    {"dry-run", 'n', PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "only lists what would leave, and what waits for which task"},
    {"stop-at", 0, CHOICE("exported|detached|archived"), "STATE", "archived", false,
     "leave the last steps to a later run, e.g. until the archive is somewhere else as well"},
    {"forget", 0, SPAN(86400 * SECOND, TENDER_DURATION_MAX), "DURATION", NULL, false,
     "also forget archived tasks older than that, and their keys"},
    FLAGS_END};
const struct operand house_operands[] = {
    {"TASK", PLAIN(VALUE_ID), true,
     "identifier of a task; without it the house: enrolments, money, recesses"},
    OPERANDS_END};

const struct flag check_flags[] = {
    {"stamp-age", 0, SPAN(SECOND, 86400 * SECOND), "DURATION", "10s", false,
     "the broker's last stamp may be this old"},
    {"probe", 0, SPAN(1000, 60 * SECOND), "DURATION", "2s", false,
     "how long broker and database may take to answer"},
    {"may-lose-commits", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "settings that the broker was told to put up with are only a warning"},
    FLAGS_END};

const struct flag replay_flags[] = {
    {"trace", 't', PLAIN(VALUE_FILE), "FILE", NULL, false,
     "CSV with the columns TIMESTAMP, ContextTokens, GeneratedTokens"},
    {"synthetic", 0, COUNT(1, 10000000), "ROWS", NULL, false, "a made-up trace instead of a file"},
    {"seed", 0, COUNT(0, INT64_MAX), "S", "1", false, "what the made-up trace grows from"},
    {"speed", 0, {VALUE_SPEED, 1, 1000000, NULL}, "N", "1", false,
     "divide every duration by N; max waits for nothing"},
    {"tiers", 0, PLAIN(VALUE_FILE), "FILE", NULL, false, "table of the contractors"},
    {"show-tiers", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "print the table that counts, in the form that --tiers reads"},
    {"rows", 0, COUNT(1, 100000000), "N", NULL, false, "only the first N rows"},
    {"in-flight", 0, COUNT(1, 100000), "N", "128", false,
     "with --speed max: tasks that have not ended, at most"},
    {"show-trace", 0, PLAIN(VALUE_SWITCH), NULL, NULL, false,
     "print the trace as CSV and announce nothing"},
    FLAGS_END};

const struct flag exec_flags[] = {
    {"name", 0, PLAIN(VALUE_NAME), "N", NULL, true, "name of this contractor, one at a time"},
    {"principal", 'p', PLAIN(VALUE_NAME), "P", NULL, true, "who is paid"},
    {"skill", 's', PLAIN(VALUE_SKILL), "S", NULL, true, "skill that it offers"},
    {"has", 0, {VALUE_TEXT, 1, 1024, NULL}, "NAMES", NULL, false,
     "further skills and resources that it has, parted by commas; for tasks that need several"},
    {"rate", 'r', {VALUE_CREDITS, 0, TENDER_MONEY_MAX, NULL}, "CREDITS", NULL, true,
     "cost of one unit"},
    {"capacity", 0, COUNT(1, TENDER_UNITS_MAX), "UNITS", NULL, false,
     "of a task whose units are split: take no more of them than this; else all"},
    {"slots", 0, COUNT(1, 1024), "K", "1", false, "how many run at once"},
    {"queue", 0, COUNT(0, 32768), "Q", "0", false, "how many more may be held"},
    {"eta-per-unit", 0, SPAN_ANY, "DURATION", "1s", false,
     "how long one unit takes at most: the eta of a bid, after which an award lapses"},
    {"kill-after", 0, SPAN(1000, 3600 * SECOND), "DURATION", "5s", false,
     "after SIGTERM, how long until SIGKILL"},
    FLAGS_END};
/* clang-format on */
