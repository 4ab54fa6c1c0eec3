/* The commands, one row each; what a command does is in the file of its subject. */
#include "commands.h"

#include "flags.h"

/* clang-format off */
/* In the order in which a newcomer meets them. */
const struct command commands[] = {
    {"announce", "Announce a task, or one per line of JSON",
     "Puts out a task. Contractors that offer the skill bid until the window ends, or until all who "
     "were invited have answered; the lowest cost wins. Prints the task's identifier once it is "
     "recorded.\n\n"
     "With -, or when no --skill is given and standard input is a pipe, each line of standard input "
     "is an object of JSON whose members are named like the flags (ceiling, kill_fee, ...); flags "
     "count for all lines. \"content\" is a payload in the line itself. A bad line is said with its "
     "number, and the next goes on.",
     COMMAND_SPEAKS_WIRE | COMMAND_HAS_OUTPUT | COMMAND_HAS_TIMEOUT | COMMAND_READS_LINES,
     announce_flags, announce_operands, NULL,
     "tender announce --principal acme --skill translate.de --units 40 --ceiling 30 \\\n"
     "    --window 20s --due 60m --payload articles.json --wait\n"
     "\n"
     "# many, one per line; the same keys announced again change nothing\n"
     "printf '%s\\n' '{\"key\":\"a-1\",\"content\":\"first\"}' '{\"key\":\"a-2\",\"units\":3}' |\n"
     "    tender announce - -p acme -s translate.de -u 1 -c 0.5 -w 2s -d 10m\n"
     "\n"
     "# if nobody does it, a named contractor is offered the rest at its ceiling\n"
     "tender announce -p acme -s translate.de -u 5 -c 4 -w 2s -d 10m --fallback contractor:inhouse",
     "0 recorded, and with --wait done; 1 with --wait: it ended otherwise; 2 bad input; 3 the broker "
     "did not answer; 4 refused, e.g. too little money, or the key was used for another task",
     run_announce},
    {"task", "Show one task",
     "Prints the row of a task: its state and why, units done, ceiling, round, times.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, task_operands, NULL,
     "tender task 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender task 0190163d-8694-739b-aea5-966c26f8ad91 -o json",
     "0 shown; 2 bad input; 3 the database is away; 4 no such task", run_task},
    {"tasks", "List tasks", "Lists the newest tasks, all or some.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, tasks_flags, NULL, NULL,
     "tender tasks --state awarded\n"
     "tender tasks --principal acme --limit 1000 -o csv > acme.csv",
     "0 listed, also when there are none; 2 bad input; 3 the database is away", run_tasks},
    {"watch", "Follow a task until it ends",
     "Prints what happens to a task as it happens: awards, progress, settlements, the end. With "
     "-o json each event is a line of JSON, which names what the columns are and has the results "
     "that are text. Without TASK it follows every task, as the ledger "
     "records it, until interrupted.",
     COMMAND_SPEAKS_WIRE | COMMAND_READS_SQL | COMMAND_HAS_OUTPUT | COMMAND_HAS_TIMEOUT,
     watch_flags, watch_operands, NULL,
     "tender watch 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender watch -o json | jq .kind",
     "0 it was done; 1 it ended otherwise; 2 bad input; 3 broker or database away; 4 no such task",
     run_watch},
    {"cancel", "Withdraw a task, at any stage",
     "Ends a task. Who is working on it is told to stop, and is paid for accepted units and the "
     "kill fee stated when it was announced.",
     COMMAND_SPEAKS_WIRE | COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, cancel_flags, task_operands, NULL,
     "tender cancel 0190163d-8694-739b-aea5-966c26f8ad91 --text \"the order was withdrawn\"\n"
     "tender cancel 0190163d-8694-739b-aea5-966c26f8ad91 --principal acme",
     "0 cancelled; 2 bad input; 3 broker or database away; 4 refused, e.g. it has ended", run_cancel},
    {"close", "Close the open round of a task now",
     "Awards without waiting for the window's end. Refused while an invited contractor has not "
     "answered: nobody's bid is cut off.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, NULL, task_operands, NULL,
     "tender close 0190163d-8694-739b-aea5-966c26f8ad91",
     "0 closed; 2 bad input; 3 broker or database away; 4 refused, with the reason", run_close},
    {"deliveries", "List what waits to be accepted",
     "Lists deliveries that wait for their client, with the evidence, size and SHA-256 of the "
     "result, and until when silence accepts them.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, deliveries_flags, NULL, NULL,
     "tender deliveries\n"
     "tender deliveries --all -o json",
     "0 listed, also when there are none; 2 bad input; 3 the database is away", run_deliveries},
    {"accept", "Take what was delivered, and pay it",
     "Accepts a delivery of a task that was announced with --accept: it is paid, and its result "
     "released. TASK alone names the newest delivery. With --units fewer are accepted, and the "
     "others rejected.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, accept_flags, commitment_operands, NULL,
     "tender accept 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender accept 0190163d-8694-739b-aea5-966c26f8ad91/2 && \\\n"
     "    tender result 0190163d-8694-739b-aea5-966c26f8ad91/2 > articles.json",
     "0 accepted; 2 bad input; 3 broker or database away; 4 refused, e.g. nothing is delivered",
     run_accept},
    {"reject", "Do not take what was delivered",
     "Rejects a delivery: units that are accepted all the same are paid by share, the rest is "
     "announced again, and the contractor's principal is out of the task. The result is not "
     "released. Rejections are counted in the records of both.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, reject_flags, commitment_operands, NULL,
     "tender reject 0190163d-8694-739b-aea5-966c26f8ad91 --reason quality-check \\\n"
     "    --text \"12 articles are missing\" --units 28",
     "0 rejected; 2 bad input; 3 broker or database away; 4 refused, e.g. it was accepted",
     run_reject},
    {"adopt", "Take and pay a result that came late",
     "Takes a result that came after its commitment had ended, or that paid nothing by the task's "
     "terms (tender.late_result lists them), while the task goes on: paid by the old price, for "
     "units that nobody has done or promised since. An open round is ended by it, and what is left "
     "announced again.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, NULL, commitment_operands, NULL,
     "tender psql -c 'select * from tender.late_result'\n"
     "tender adopt 0190163d-8694-739b-aea5-966c26f8ad91/1",
     "0 adopted; 2 bad input; 3 broker or database away; 4 refused, e.g. the task has "
     "ended",
     run_adopt},
    {"result", "Write the result of a commitment",
     "Writes what a commitment delivered, once it has ended; where the client decides, once it was "
     "accepted or adopted. The bytes are written as they came, so not to a terminal.",
     COMMAND_READS_SQL, result_flags, commitment_operands, NULL,
     "tender result 0190163d-8694-739b-aea5-966c26f8ad91/1 --file articles.json",
     "0 written; 2 bad input; 3 the database is away; 4 there is none that was paid", run_result},
    {"hold", "Stop a contractor, a principal, a skill or a task",
     "Who is on hold is asked for nothing new, and its bids are not eligible; what it works on goes "
     "on. A held task is announced no further: an open round is broken off, and a task under a "
     "commitment waits when that has ended. A hold ends at --until, after a day when that is not "
     "given, or by tender release. The same hold again moves its end. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, hold_flags, subject_operands, NULL,
     "tender hold contractor:kiln-2 --reason quality-check --text \"returns empty files\"\n"
     "tender hold principal:north --skill translate.de --reason other --until 7d\n"
     "tender hold task:0190163d-8694-739b-aea5-966c26f8ad91 --reason resource-lost --until 2h",
     "0 held; 2 bad input; 3 broker or database away; 4 refused, e.g. the task has ended", run_hold},
    {"release", "Let a held task, contractor, principal or skill go on",
     "A task with --fallback hold waits for a person when its rounds are used up, and so does one "
     "that an operator held; this gives it as many rounds again. A contractor, principal or skill is "
     "named as it was when it was held.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, release_flags, subject_operands, NULL,
     "tender holds\n"
     "tender release 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender release contractor:kiln-2 --skill translate.de",
     "0 released; 2 bad input; 3 broker or database away; 4 refused, e.g. it is not held",
     run_release},
    {"holds", "List what is on hold",
     "Lists contractors, principals, skills and tasks on hold, each with its reason, its author and "
     "its end. tenderd is the author where tasks of several clients failed on one skill.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, holds_flags, NULL, NULL,
     "tender holds\ntender holds -o json",
     "0 listed, also when there are none; 2 bad input; 3 the database is away", run_holds},
    {"resource set", "Say how many there are of a resource",
     "A task may need several skills and resources at once (--needs), and a resource is a name that "
     "is counted: a commitment holds one from its award to its end, and no more are promised at one "
     "time than there are. A bid that would need one more is not eligible, and the round is held "
     "again after a while. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, resource_flags, resource_operands, NULL,
     "tender resource set dataset.lock/wiki 1\n"
     "tender resource set gpu.a100 8 --contractor kiln-2\n"
     "tender resource set dataset.lock/wiki 0",
     "0 set; 2 bad input; 3 broker or database away; 4 refused, e.g. more of it is promised",
     run_resource_set},
    {"resource list", "List counted resources",
     "Lists what is counted: how many there are, how many are held and by which commitments.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL,
     "tender resource list\ntender resource list -o json",
     "0 listed, also when there are none; 2 bad input; 3 the database is away", run_resource_list},
    {"goal", "Draw a goal: its tasks, and what each waits for",
     "Draws the tasks of a goal as a tree: each stands below what must be done before it, with its "
     "state, its owner and when that is due. Says first whether awards wait for the client's word.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, goal_flags, goal_operands, NULL,
     "tender announce -p acme -s gather -u 1 -c 2 --goal atlas\n"
     "tender announce -p acme -s write -u 1 -c 5 --goal atlas \\\n"
     "    --after 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender goal atlas\n"
     "tender goal atlas -o json | jq 'map(select(.status == \"blocked\"))'",
     "0 drawn; 2 bad input; 3 the database is away; 4 no such goal", run_goal},
    {"believe", "Say that a task or a goal is achieved, impossible or irrelevant",
     "The client's word ends the task, or stops all tasks of the goal: what is done is paid, with the "
     "kill fee, and what was reserved is given back. An achieved task opens those that wait for it. "
     "The owner's word about its own task is a report; about the goal it suspends awards until the "
     "client has spoken, or for ten minutes. Every belief is recorded, and told to those whom it "
     "concerns.",
     COMMAND_SPEAKS_WIRE | COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, believe_flags, believe_operands,
     NULL,
     "tender believe goal:atlas achieved -p acme --text \"bought the map\"\n"
     "tender believe 0190163d-8694-739b-aea5-966c26f8ad91 irrelevant\n"
     "tender believe goal:atlas none -p acme   # go on\n\n"
     "# an owner, of the goal of its client\n"
     "tender believe goal:atlas impossible -p kiln --task 0190163d-8694-739b-aea5-966c26f8ad91",
     "0 recorded; 2 bad input; 3 broker or database away; 4 refused, e.g. by one who is no member",
     run_believe},
    {"contractors", "List contractors and their records",
     "Lists who offered to work: skills, slots, what they hold, and how they kept their promises.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL,
     "tender contractors\ntender contractors -o json",
     "0 listed; 2 bad input; 3 the database is away", run_contractors},
    {"brokers", "List brokers and what they hold",
     "Lists which broker holds which shard of the ledger, until when its lease runs unless it renews "
     "it, and which others stand by. One that is gone is shown with what it held last.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL,
     "tender brokers\ntender brokers -o json",
     "0 listed; 2 bad input; 3 the database is away", run_brokers},
    {"explain", "Explain a task: every bid, rank, price, and why",
     "Shows round by round who was asked and what each answered, how the bids ranked and for what "
     "reason each ended as it did, the price and the rule that made it, and how each commitment was "
     "kept and paid; and why each other contractor with the skill did not get the round. Costs are shown as your role may see them.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, explain_flags, task_operands, NULL,
     "tender explain 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender explain 0190163d-8694-739b-aea5-966c26f8ad91 --contractor kiln-2\n"
     "tender explain 0190163d-8694-739b-aea5-966c26f8ad91 -o json | jq '.rounds[].awards[].price_rule'",
     "0 explained; 2 bad input; 3 the database is away; 4 no such task", run_explain},
    {"screen", "Rank what looks like collusion",
     "Lists what the screens flag in the last 30 rounds of each skill in which two principals bid: "
     "who or what, the statistic and the threshold that it reached, how many rounds are behind it, "
     "and why, in words; the most striking first. A flag proves nothing and changes nothing: "
     "people look at the rounds and decide, for instance on a cap or a posted price. Costs are "
     "behind it, so it is for auditors.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, screen_flags, NULL, NULL,
     "tender screen\n"
     "tender screen --skill translate.de --all\n"
     "tender screen -o json | jq -r '.[] | .why, .tasks'   # tender explain shows each task",
     "0 listed, also when nothing is flagged; 2 bad input; 3 the database is away", run_screen},
    {"account", "Show accounts",
     "Shows per principal what is available, reserved for running tasks, spent and earned. "
     "tender account fund puts money in.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, account_operands, NULL,
     "tender account\ntender account acme -o json",
     "0 shown; 2 bad input; 3 the database is away", run_account_list},
    {"account list", "Show accounts", "The same as tender account.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, account_operands, NULL,
     "tender account list -o csv", "0 shown; 2 bad input; 3 the database is away",
     run_account_list},
    {"account fund", "Put money into an account",
     "Puts credits into a principal's account, through the ledger, and prints the account. Below "
     "zero, credits are taken out, at most what is available.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT | COMMAND_HAS_TIMEOUT, NULL, fund_operands, NULL,
     "tender account fund acme 100\ntender account fund -- acme -12.50",
     "0 done; 2 bad input; 3 broker or database away; 4 refused, e.g. less is available",
     run_account_fund},
    {"account allot", "Give a part of one account to another",
     "Moves credits from one account into another, as a division does for its teams: a budget within "
     "a budget. What was allotted the giver can neither spend nor allot again, so no race overspends "
     "either of them. A team gives back what it has left in the same way. Both are in the ledger "
     "when the command ends. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, NULL, allot_operands, NULL,
     "tender account allot division team-a 25\ntender account allot team-a division 3.5",
     "0 done; 2 bad input; 3 broker or database away; 4 refused, e.g. less is available",
     run_account_allot},
    {"key new", "Make a key",
     "Makes a key, writes it to a new file that you alone can read, and prints its public half, which "
     "an operator enrols. Who has the file can speak as you: it is never sent, and no command takes "
     "its contents.",
     0, NULL, key_operands, NULL,
     "tender key new kiln.key\n"
     "tender principal add kiln --key \"$(tender key new kiln.key)\"",
     "0 made; 1 the file is there already, or cannot be written; 2 bad input", run_key_new},
    {"key show", "Show the public half of a key",
     "Reads a key from its file and prints its public half. A file that others can read is refused.",
     0, NULL, key_operands, NULL, "tender key show kiln.key",
     "0 shown; 1 the file cannot be read, or others can read it; 2 bad input", run_key_show},
    {"certificate new", "Make a certificate for a broker",
     "Makes what tls+tcp takes, in a directory: broker.pem and broker.key for tenderd, ca.pem for its "
     "peers, and ca.key, which signed it and is to be kept away from the broker. Keys are their "
     "owner's alone, and no file is overwritten. With --ca only broker.pem and broker.key are made: "
     "name them in the configuration in place of the old ones, send tenderd SIGHUP, and peers notice "
     "nothing.",
     0, certificate_flags, certificate_operands, NULL,
     "tender certificate new /etc/tender/tls --name broker.example,10.0.0.5\n"
     "tender certificate new /etc/tender/tls-2 --ca /etc/tender/tls --name broker.example,10.0.0.5",
     "0 made; 1 a file is there already, or cannot be written; 2 bad input; 4 what was to sign has "
     "expired", run_certificate_new},
    {"certificate check", "Check a broker's certificate as its peers do",
     "Speaks TLS with each address of --url and says whether peers believe its certificate, or why "
     "not: it is for another name, signed by somebody else, or over.",
     COMMAND_SPEAKS_WIRE | COMMAND_HAS_TIMEOUT, NULL, NULL, NULL,
     "tender certificate check --url tls+tcp://10.0.0.5:7480 --ca-file ca.pem",
     "0 peers believe it; 2 bad input; 3 nobody speaks TLS there; 4 peers do not believe it",
     run_certificate_check},
    {"principal add", "Enrol a principal",
     "Says who may take part: a principal pays or is paid, and its agents speak for it. Its key, where it "
     "has one, speaks as any of its agents. * stands for every principal that is not enrolled by name: its key "
     "is that of a platform which knows them itself. Said again, what is given changes and what is left "
     "out stays. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, principal_flags, principal_operands, NULL,
     "tender principal add kiln --key \"$(tender key show kiln.key)\"\n"
     "tender principal add kiln-north --parent kiln",
     "0 enrolled; 2 bad input; 3 broker or database away; 4 refused, e.g. it was revoked and has no "
     "other key now",
     run_principal_add},
    {"principal rotate", "Give a principal another key",
     "Puts another public key in place of the one before, whose sessions end. What was promised stands. For "
     "operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, rotate_flags, principal_operands, NULL,
     "tender principal rotate kiln --key \"$(tender key new kiln-2.key)\"",
     "0 done; 2 bad input; 3 broker or database away; 4 refused, e.g. no such principal",
     run_principal_rotate},
    {"principal revoke", "Shut a principal and its agents out",
     "Neither its key nor those of its agents count any more, until it is added with another, and their "
     "sessions end. What was promised stands. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, NULL, principal_operands, NULL,
     "tender principal revoke kiln",
     "0 revoked; 2 bad input; 3 broker or database away; 4 refused, e.g. no such principal",
     run_principal_revoke},
    {"principals", "List principals that are enrolled",
     "Lists who is enrolled, with the public key, its parent, and who said so and when.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL,
     "tender principals\ntender principals -o json",
     "0 listed; 2 bad input; 3 the database is away", run_principals},
    {"agent enrol", "Enrol an agent of a principal",
     "Gives an agent a key of its own, which speaks as that agent alone, or the skills that it may "
     "offer, or both. Agents that are not enrolled by name speak by their principal's key and offer "
     "any skill. Said again, what is given changes and what is left out stays. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, agent_flags, agent_operands, NULL,
     "tender agent enrol kiln-1 --principal kiln --key \"$(tender key show kiln-1.key)\"\n"
     "tender agent enrol kiln-2 --principal kiln --skill translate.de,translate.fr",
     "0 enrolled; 2 bad input; 3 broker or database away; 4 refused, e.g. no such principal",
     run_agent_enrol},
    {"agent rotate", "Give an agent another key",
     "Puts another public key in place of the one before, whose session ends. What was promised stands. For "
     "operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, rotate_flags, agent_operands, NULL,
     "tender agent rotate kiln-1 --key \"$(tender key new kiln-1b.key)\"",
     "0 done; 2 bad input; 3 broker or database away; 4 refused, e.g. no such agent",
     run_agent_rotate},
    {"agent revoke", "Shut an agent out",
     "No key counts for its name any more, its principal's neither, until it is enrolled with another, and "
     "its session ends. What was promised stands. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, NULL, agent_operands, NULL,
     "tender agent revoke kiln-1",
     "0 revoked; 2 bad input; 3 broker or database away; 4 refused, e.g. no such agent",
     run_agent_revoke},
    {"agents", "List agents that are enrolled",
     "Lists agents that were enrolled by name, with principal, public key and skills, and who said so "
     "and when.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL,
     "tender agents\ntender agents -o json",
     "0 listed; 2 bad input; 3 the database is away", run_agents},
    {"rate list", "Show the rate card",
     "Lists the posted prices at which cheap tasks are assigned without an auction.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL, "tender rate list",
     "0 shown; 2 bad input; 3 the database is away", run_rate_list},
    {"rate set", "Post the price of a skill",
     "Tasks of the skill (and tier) whose units cost no more than --threshold at RATE, nor more than "
     "their own ceiling, are assigned at once at that price, to the principal with the fewest "
     "commitments. A share of them, drawn by chance, is auctioned all the same: "
     "tender.shortcut_cost shows what the shortcut cost or saved. RATE 0 takes the price back. For "
     "operators.",
     COMMAND_READS_SQL | COMMAND_HAS_TIMEOUT, rate_flags, rate_operands, NULL,
     "tender rate set translate.de 0.25 --threshold 2\n"
     "tender rate set translate.de 0.40 --threshold 2 --tier large --share 5%\n"
     "tender rate set translate.de 0 --threshold 0",
     "0 set; 2 bad input; 3 broker or database away; 4 refused, e.g. only operators may",
     run_rate_set},
    {"ledger migrate", "Make or update the schema of the ledger",
     "Applies what this program carries and the database lacks. Safe to run again, beside another one "
     "that does the same, and while the broker of the version before is at work. Where something "
     "long holds a table it gives way, and says so: run it again then.",
     COMMAND_READS_SQL, migrate_flags, NULL, NULL,
     "tender ledger migrate\n"
     "tender ledger migrate --shards 12   # a new ledger that three brokers shall share",
     "0 up to date; 1 a step failed; 3 the database is away", run_ledger_migrate},
    {"ledger check", "Compare the schema with what this program expects",
     "Makes what it expects once more, under another name and in a transaction that it takes back, "
     "and names each object that is missing, different or extra: tables, columns, constraints, "
     "indexes, triggers, functions, views, owners and grants. Partitions are left aside. Changes "
     "nothing and holds nobody up. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL,
     "tender ledger check\n"
     "tender ledger check -o csv",
     "0 the same; 1 there is more than expected; 2 something is missing or different, or of another "
     "version; 3 unknown, e.g. the database is away",
     run_ledger_check},
    {"ledger status", "Show schema version, reign and sizes",
     "Shows the version of the schema in the database and in this program, which broker reigns and "
     "how old its last stamp is, and how many entries and tasks there are.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, NULL, NULL, "tender ledger status",
     "0 the versions agree; 1 they do not; 3 the database is away", run_ledger_status},
    {"ledger entries", "Show the entries of a task",
     "Shows the facts of a task in the order in which they became known, with their bodies and "
     "hashes.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, NULL, house_operands, NULL,
     "tender ledger entries 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender ledger entries -o json   # the house: enrolments, money, recesses",
     "0 shown; 2 bad input; 3 the database is away; 4 no such task", run_ledger_entries},
    {"ledger verify", "Recompute the hash chain of a task",
     "Recomputes the hash of every entry of a task from its bytes and the hash before it, and the "
     "digests of payload and results. An edit, a deletion in the middle or a reordering is found.",
     COMMAND_READS_SQL, verify_flags, house_operands, NULL,
     "tender ledger verify 0190163d-8694-739b-aea5-966c26f8ad91\n"
     "tender ledger verify --archive /srv/tender/archive   # all that has left, and the house",
     "0 the chain is whole; 1 it is broken, with the place; 3 the database is away; 4 no such task",
     run_ledger_verify},
    {"ledger checkpoint", "Print the newest checkpoint of each shard",
     "A checkpoint is signed by the broker: the root of the hash tree over all batches so far. Give "
     "it to somebody outside: from then on the ledger cannot be changed, cut or forked without that "
     "showing. With --sign one is made at once, with the broker's key; else the newest is printed that "
     "a broker has signed.",
     COMMAND_READS_SQL, checkpoint_flags, NULL, NULL,
     "tender ledger checkpoint > today.checkpoint\n"
     "tender ledger checkpoint --sign /etc/tender/broker.key",
     "0 printed; 2 bad input; 3 the database is away; 4 nothing has been signed yet",
     run_ledger_checkpoint},
    {"ledger prove", "Prove that an entry is recorded",
     "Writes a proof of one entry of a task: what it says, and how it leads to the root of the newest "
     "checkpoint. Whoever has the broker's public key can check it without the ledger: tender verify "
     "FILE, or tender_proof_check in the C library. For operators.",
     COMMAND_READS_SQL, prove_flags, prove_operands, NULL,
     "tender ledger prove 0190163d-8694-739b-aea5-966c26f8ad91 --entry 3 > bid.proof\n"
     "tender verify bid.proof --key ed25519:...",
     "0 written; 2 bad input; 3 the database is away; 4 no such entry, or no checkpoint covers it",
     run_ledger_prove},
    {"ledger consistency", "Prove that an older checkpoint still holds",
     "Writes a proof that the tree of an older checkpoint is the beginning of the newest one's: "
     "nothing that it covers was changed, taken out or put in since. Checked by tender verify FILE, or "
     "tender_consistency_check in the C library.",
     COMMAND_READS_SQL, NULL, consistency_operands, NULL,
     "tender ledger consistency yesterday.checkpoint > since.proof\n"
     "tender verify since.proof --key ed25519:...",
     "0 written; 1 the ledger has signed nothing as large; 2 bad input; 3 the database is away",
     run_ledger_consistency},
    {"ledger archive", "Move what is over out of the ledger",
     "Times whose tasks have all ended leave the ledger for files: entries and rows as lines of JSON, "
     "with a manifest that proves them. Written, brought to the disk and read back before anything "
     "goes; then the tables of that time are detached and dropped, beside all work. Balances keep "
     "adding up, keys keep meaning what they meant, and who asks for a task is told where it is. A "
     "task that has not ended keeps its time in the ledger, and is named. Run again, it goes on "
     "where it was broken off. For operators.",
     COMMAND_READS_SQL | COMMAND_HAS_OUTPUT, archive_flags, NULL, NULL,
     "tender ledger archive --older-than 90d --to /srv/tender/archive --dry-run\n"
     "tender ledger archive --older-than 90d --to /srv/tender/archive --forget 730d",
     "0 done, also where tasks are waited for; 1 a chain is broken or the disk is full: nothing left; "
     "2 bad input; 3 the database is away; 4 refused, e.g. another one is at work",
     run_ledger_archive},
    {"verify", "Check everything that the ledger says",
     "Computes anew the hash of every entry, the chain of every task, the tree of every batch and "
     "shard, and the root and signature of every checkpoint, with as many connections as there are "
     "processors, and names what is wrong. Without --key the keys count that brokers have noted in "
     "tender.broker_key, and who signed is said. The same in SQL: tender.verify_tree(shard).\n\n"
     "With FILE it needs no ledger: a checkpoint, or a proof that tender ledger prove or tender "
     "ledger consistency wrote, is checked against the broker's public key.",
     COMMAND_READS_SQL, verify_all_flags, verify_all_operands, NULL,
     "tender verify --key ed25519:...\n"
     "tender verify --archive /srv/tender/archive\n"
     "tender verify bid.proof --key ed25519:...",
     "0 all of it is whole; 1 something is wrong, each named in a line; 2 bad input; 3 the database is "
     "away",
     run_verify},
    {"verify award", "Check who won a task, and at which price",
     "Shows on one screen what was bid, who won and what it is paid, and makes each claim of that argument "
     "anew from the entries of the task's chain, by the rules alone: every bid is ranked and nothing else, "
     "the order is that of cost, eta and draw, of each principal one bid counts, the price is the lowest "
     "cost behind the winner's or the ceiling, the chain is whole, and a signed checkpoint covers it. A "
     "claim that does not hold is marked, with what it is about. The same in SQL: "
     "tender.verify_award(task). Prices of split rounds are only compared with the ceiling. For auditors.",
     COMMAND_READS_SQL, NULL, task_operands, NULL,
     "tender verify award 0190163d-8694-739b-aea5-966c26f8ad91",
     "0 every claim holds; 1 one does not, each marked; 2 bad input; 3 the database is away; 4 no such "
     "task",
     run_verify_award},
    {"psql", "Open psql on the ledger",
     "Starts psql with the ledger's connection and without anybody's psqlrc. Everything after psql "
     "is passed on. The views in schema tender are what people read.",
     COMMAND_PASSES_ALL, NULL, NULL, "[ARGUMENTS]",
     "tender psql\n"
     "tender psql -c 'select * from tender.overdue'\n"
     "tender psql -Atc 'select count(*) from tender.task'",
     "those of psql; 3 psql cannot be started", run_psql},
    {"check", "Tell whether all is well, for monitoring",
     "Asks whether the broker answers, the database answers and keeps what it commits, the schema is "
     "the one this program speaks, the broker's last stamp is young, nothing is overdue, the "
     "balances add up and nothing is lost that peers were told of. Prints a line for each.",
     COMMAND_READS_SQL | COMMAND_SPEAKS_WIRE | COMMAND_HAS_OUTPUT, check_flags, NULL, NULL,
     "tender check\ntender check --stamp-age 1m -o json",
     "0 fine; 1 warning; 2 critical; 3 unknown", run_check},
    {"replay", "Replay a trace of requests with three contractors",
     "Announces one task per row of a trace, at the trace's pace times --speed, to three contractors "
     "of three model tiers that run inside this program and speak to the broker as any other would: "
     "they bid from their real queues, do the work by waiting out the tokens, and report it. Every "
     "duration is divided by the speed before it is sent; eta and due stay at 5 s or more. With "
     "--speed max nothing is waited for.\n\n"
     "It ends with a report read from the ledger, and with a check that what was paid and released "
     "is what was reserved.",
     COMMAND_READS_SQL | COMMAND_SPEAKS_WIRE | COMMAND_HAS_OUTPUT | COMMAND_HAS_TIMEOUT,
     replay_flags, NULL, NULL,
     "tender replay --trace trace.csv --speed 60\n"
     "tender replay --synthetic 2000 --seed 7 --speed max\n"
     "tender replay --show-tiers > tiers.txt   # edit it, then: --tiers tiers.txt",
     "0 every task ended and the books balance; 1 something is lost or does not balance; 2 bad "
     "input; 3 broker or database away; 4 refused",
     run_replay},
    {"contractor exec", "Be a contractor that runs a program",
     "Offers a skill and bids rate x units wherever that is within the ceiling and there is room. "
     "Runs the program once per award: the payload on standard input, TENDER_TASK, "
     "TENDER_PART, TENDER_GENERATION, TENDER_UNITS, TENDER_SKILL, TENDER_PRICE and TENDER_DUE_AT in "
     "the environment. What it prints (at most 65536 bytes) is the result. When it exits with 0 the "
     "work is done; otherwise it has failed, and the last lines of its standard error say why. "
     "Lines NAME=VALUE that it writes to the file named by TENDER_EVIDENCE, made for it in TMPDIR, are "
     "the evidence that a task may require.\n\n"
     "--slots programs run at once and --queue more are held. A cancelled one gets SIGTERM, later "
     "SIGKILL, with all it started in its process group. SIGTERM to the contractor ends bidding: what "
     "waits is given back, what runs is finished and reported, then it leaves. A second SIGTERM stops "
     "what runs and reports it as failed.",
     COMMAND_SPEAKS_WIRE | COMMAND_HAS_TIMEOUT | COMMAND_TAKES_REST, exec_flags, NULL, "CMD...",
     "tender contractor exec --name upper-1 --principal typists --skill text.upper \\\n"
     "    --rate 0.01 --slots 2 --queue 4 -- tr a-z A-Z\n"
     "\n"
     "# a program that looks at its task\n"
     "tender contractor exec --name say-1 --principal typists --skill say --rate 1 -- \\\n"
     "    sh -c 'echo \"$TENDER_UNITS units of $TENDER_TASK\"; cat'",
     "0 it left after SIGTERM or SIGINT; 2 bad input; 3 the broker did not answer; 4 the broker does "
     "not want it, e.g. another principal uses the name",
     run_contractor_exec},
};
/* clang-format on */

const size_t command_count = sizeof(commands) / sizeof(commands[0]);
