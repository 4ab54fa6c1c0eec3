#!/bin/bash
# Goal: every command works on a real ledger and a real broker, prints in every format and exits as
# documented. Method: a private PostgreSQL (with-postgres starts this script), a tenderd of our own,
# contractors made with `tender contractor exec`, and the replay of a made-up trace.
#
#   system.sh TENDER TENDERD
set -u -o pipefail

tender=$1 tenderd=$2
work=$(mktemp -d)
chmod 700 "$work"
export TENDER_URL=ipc://$work/broker.ipc
pids=()
failures=0
count=0

stop_all()
{
    local pid
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null
    done
    for pid in "${pids[@]}"; do
        wait "$pid" 2>/dev/null
    done
    rm -rf "$work"
}
trap stop_all EXIT

wrong()
{
    echo "not ok: $*" >&2
    failures=$((failures + 1))
}

# expect CODE NAME COMMAND…: runs it, keeps its output in $out and $err, compares the exit code.
expect()
{
    local code=$1 name=$2 status
    shift 2
    count=$((count + 1))
    "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    out=$(cat "$work/out")
    err=$(cat "$work/err")
    if [ "$status" -ne "$code" ]; then
        wrong "$name: exit code $status, expected $code"
        printf '%s\n%s\n' "$out" "$err" >&2
    fi
}

has()
{
    case $out$err in
    *"$2"*) ;;
    *) wrong "$1: \"$2\" is not in: $out$err" ;;
    esac
}

# wait_for NAME COMMAND…: until it succeeds; 20 s at most.
wait_for()
{
    local name=$1 left=400
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        if [ "$left" -eq 0 ]; then
            wrong "$name: waited in vain for $*"
            return 1
        fi
        sleep 0.05
    done
}

sql()
{
    "$tender" psql -Atq -c "$1"
}

is_true()
{
    [ "$(sql "select $1")" = t ]
}

start()
{
    "$@" >>"$work/log" 2>&1 &
    pids+=($!)
    last=$!
}

contractor()
{
    local name=$1 principal=$2 skill=$3 rate=$4
    shift 4
    start "$tender" contractor exec --name "$name" --principal "$principal" --skill "$skill" \
        --rate "$rate" "$@"
    wait_for "contractor $name" is_true "exists (select from tender.contractor_record
                                         where contractor = '$name')"
}

announce()
{
    "$tender" announce --principal acme --units 1 --ceiling 3 --window 5s --due 1m "$@"
}

before_the_broker()
{
    expect 1 status_without_schema "$tender" ledger status
    expect 3 tasks_without_schema "$tender" tasks
    has tasks_without_schema "tender ledger migrate"
    expect 0 migrate "$tender" ledger migrate
    expect 0 migrate_again "$tender" ledger migrate
    expect 2 check_without_broker "$tender" check --probe 200ms
    expect 3 announce_without_broker announce --skill t.upper --timeout 200ms
    expect 3 database_away "$tender" tasks --database "host=$work port=1"
    has database_away "the database cannot be reached"
}

bad_input()
{
    local value
    for value in NaN inf -1 1e309 "12 credits" 1.0000000; do
        expect 2 B5_bad_money_is_bad_input "$tender" announce --principal acme --skill t --units 1 \
            --ceiling "$value"
        has B5_bad_money_is_bad_input "--ceiling"
    done
    for value in infinity 9223372036854775808us 3661d 60; do
        expect 2 W7_endless_due_is_bad_input announce --skill t --due "$value"
        has W7_endless_due_is_bad_input "--due"
    done
    expect 2 W8_an_instant_needs_a_zone announce --skill t --deadline 2038-01-20T00:00:00
    has W8_an_instant_needs_a_zone "has no time zone"
    expect 2 a_program_that_is_not_there "$tender" contractor exec --name c --principal p \
        --skill t --rate 1 -- /no/such/program
    has a_program_that_is_not_there "/no/such/program cannot be run: No such file or directory"
    expect 2 a_payload_that_is_a_directory announce --skill t --payload /
    has a_payload_that_is_a_directory "/ cannot be read: Is a directory"
    expect 2 unknown_command "$tender" anounce
    has unknown_command 'did you mean "tender announce"'
}

money()
{
    expect 0 fund "$tender" account fund acme 100 -o csv
    has fund "acme,100"
    expect 0 take_out "$tender" account fund -- acme -10.5
    expect 4 take_out_too_much "$tender" account fund -- acme -1000
    has take_out_too_much "refused"
    expect 0 account "$tender" account acme -o json
    has account '"available":"89.5"'
    expect 4 account_of_nobody "$tender" account nobody
    has account_of_nobody "no such account"
    expect 2 a_bare_negative_number "$tender" account fund acme -5
    has a_bare_negative_number "behind --"
    expect 4 more_than_there_is "$tender" announce --principal acme --skill t --units 1 \
        --ceiling 1000 --window 5s --due 1m
    has more_than_there_is "tender account fund PRINCIPAL CREDITS"
}

screens()
{
    expect 0 nothing_is_flagged "$tender" screen -o json
    has nothing_is_flagged "[]"
    expect 0 screens_of_a_skill "$tender" screen --skill t.upper --all -o csv
    has screens_of_a_skill "skill,screen,contractor,partner,statistic,threshold,rounds,flagged,why,excess,tasks"
    expect 0 screens_as_a_table "$tender" screen --all
    expect 2 a_skill_that_cannot_be "$tender" screen --skill "NO SKILL"
}

one_task()
{
    expect 0 announce_and_wait announce --skill t.upper --payload "$0" --wait -o csv
    has announce_and_wait ",done,completed,1,1,1,3,"
    local task
    task=$(sql "select task_id from tender.task order by announced_at desc limit 1")
    expect 0 task "$tender" task "$task" -o json
    has task "\"task_id\":\"$task\""
    expect 0 explain "$tender" explain "$task"
    has explain "lowest cost among other principals: 2 by upper-2"
    has explain "ranked first among the eligible bids"
    expect 0 explain_json "$tender" explain "$task" -o json
    has explain_json '"price_rule":"lowest cost among other principals: 2 by upper-2'
    python3 -m json.tool <"$work/out" >/dev/null || wrong "explain -o json is not JSON"
    expect 0 explain_csv "$tender" explain "$task" -o csv
    expect 0 entries "$tender" ledger entries "$task"
    has entries announced
    expect 0 verify "$tender" ledger verify "$task"
    has verify "the chain is whole"
    expect 0 verify_the_house "$tender" ledger verify
    expect 4 no_such_task "$tender" task 00000000-0000-7000-8000-000000000000
    expect 4 no_such_task_explained "$tender" explain 00000000-0000-7000-8000-000000000000
    has no_such_task_explained "there is no task 00000000-0000-7000-8000-000000000000"
    expect 0 watch_an_ended_task "$tender" watch "$task" -o json
    has watch_an_ended_task '"status":"done"'
    expect 4 cancel_an_ended_task "$tender" cancel "$task"
    has cancel_an_ended_task already-ended
}

lines()
{
    printf '%s\n' '{"key":"k-1","content":"a"}' '{"key":"k-2","units":2,"ceiling":"5.5"}' \
        '{"key":"k-3","ceiling":"NaN"}' 'rubbish' '' '{"key":"k-1","content":"a"}' >"$work/lines"
    count=$((count + 1))
    out=$("$tender" announce - -p acme -s t.upper -u 1 -c 3 -w 5s -d 1m --wait -o csv \
        <"$work/lines" 2>"$work/err")
    [ $? -eq 2 ] || wrong "lines: bad lines must give exit code 2"
    err=$(cat "$work/err")
    has lines "line 3: --ceiling"
    has lines "line 4: not an object of JSON"
    [ "$(grep -c ,done, <<<"$out")" -eq 3 ] || wrong "lines: three rows, not: $out"
    is_true "count(*) = 2 from tender.task where key in ('k-1', 'k-2')" ||
        wrong "L2_the_same_key_announced_twice_is_one_task"
    expect 4 the_same_key_with_another_body announce --skill t.upper --key k-1 --units 2
    has the_same_key_with_another_body conflict
    expect 4 more_than_there_is announce --skill t.upper --ceiling 100000
    has more_than_there_is insufficient-funds
}

failures_and_cancels()
{
    local task
    contractor broken-1 smith t.broken 1 -- sh -c 'echo "no such font" >&2; exit 3'
    expect 1 a_failing_program announce --skill t.broken --rounds 1 --close-alone --wait
    is_true "count(*) = 1 from tender.commitment where owner = 'broken-1' and status = 'failed'" ||
        wrong "a_failing_program_is_a_failed_commitment"
    task=$(sql "select task_id from tender.task where skill = 't.broken'")
    expect 0 explain_a_failure "$tender" explain "$task"
    has explain_a_failure "the ceiling, no other principal bid"
    has explain_a_failure "failed, the owner reported failure; 0 of 1 units, paid 0 of 3"
    contractor slow-1 smith t.slow 1 --kill-after 1s -- sh -c "touch $work/begun
        trap 'touch $work/stopped; exit 1' TERM
        while :; do sleep 0.05; done"
    expect 0 announce_slow announce --skill t.slow --close-alone
    task=$out
    wait_for slow_begins test -e "$work/begun"
    expect 4 close_without_open_round "$tender" close "$task"
    has close_without_open_round not-open
    expect 0 cancel_as_operator "$tender" cancel "$task" --text "no longer needed"
    wait_for cancelled_programs_are_stopped test -e "$work/stopped"
    expect 0 the_kill_fee_is_paid "$tender" psql -Atc \
        "select paid from tender.commitment where task_id = '$task'"
    has the_kill_fee_is_paid 0.3
    expect 1 watch_a_cancelled_task "$tender" watch "$task"
    expect 4 cancel_as_a_stranger "$tender" cancel "$task" --principal smith
}

fallbacks()
{
    local task
    expect 0 announce_held announce --skill t.nobody --window 50ms --rounds 1 --fallback hold
    task=$out
    wait_for it_is_held is_true "status = 'held' from tender.task where task_id = '$task'"
    expect 0 tasks_held "$tender" tasks --state held -o csv
    has tasks_held "$task"
    expect 0 release "$tender" release "$task"
    expect 0 cancel_as_client "$tender" cancel "$task" --principal acme
    expect 4 release_what_is_not_held "$tender" release "$task"
    expect 1 nobody_bids announce --skill t.nobody --window 50ms --rounds 1 --wait -o json
    has nobody_bids '"status":"unallocated"'
}

holds()
{
    local task
    expect 0 hold_a_contractor "$tender" hold contractor:upper-1 --reason quality-check --until 1h
    expect 0 hold_a_skill_of_a_principal "$tender" hold principal:smith --skill t.upper --reason other
    expect 0 holds "$tender" holds -o csv
    has holds upper-1
    has holds smith
    expect 4 release_another_hold "$tender" release contractor:upper-1 --skill t.upper
    has release_another_hold not-held
    expect 0 release_a_contractor "$tender" release contractor:upper-1
    expect 0 release_a_principal "$tender" release principal:smith -s t.upper
    expect 0 no_holds "$tender" holds -o json
    [ "$out" = "[]" ] || wrong "no_holds: $out"
    expect 0 announce_to_be_held announce --skill t.nobody --window 1h
    task=$out
    expect 0 hold_a_task "$tender" hold "$task" --reason resource-lost --text "the kiln is cold"
    expect 0 held_tasks "$tender" holds
    has held_tasks "the kiln is cold"
    expect 0 release_a_task "$tender" release "task:$task"
    expect 0 cancel_what_was_held "$tender" cancel "$task"
    expect 4 hold_what_has_ended "$tender" hold "$task" --reason other
    expect 2 hold_for_no_reason "$tender" hold contractor:upper-1
    expect 2 hold_for_no_word "$tender" hold contractor:upper-1 --reason because
    expect 2 hold_nobody "$tender" hold upper-1 --reason other
    expect 2 hold_a_task_for_a_skill "$tender" hold "$task" --skill t.upper --reason other
    expect 2 hold_two_skills "$tender" hold skill:t.upper --skill t.upper --reason other
}

replays()
{
    expect 0 replay_max "$tender" replay --synthetic 300 --seed 7 --speed max -o json
    has replay_max '"done":300'
    has replay_max '"books_balance":true'
    python3 -m json.tool <"$work/out" >/dev/null || wrong "replay -o json is not JSON"
    expect 0 replay_paced "$tender" replay --synthetic 100 --seed 8 --speed 200
    has replay_paced "books_balance     yes"
    expect 2 replay_a_bad_trace "$tender" replay --trace "$0"
    has replay_a_bad_trace "line 1"
}

leaving()
{
    local pid
    contractor leaver-1 smith t.leave 1 --queue 1 -- \
        sh -c "touch $work/leaving; sleep 0.5; echo bye"
    pid=$last
    expect 0 announce_to_a_leaver announce --skill t.leave --close-alone
    wait_for leaver_begins test -e "$work/leaving"
    kill -TERM "$pid"
    wait "$pid" || wrong "a_contractor_leaves_with_0"
    is_true "count(*) = 1 from tender.commitment where owner = 'leaver-1'
             and status = 'fulfilled'" || wrong "what_runs_is_finished_before_leaving"
}

before_the_broker
start "$tenderd" --listen "$TENDER_URL" --database "$TENDER_DATABASE" --ports-file "$work/ports"
wait_for tenderd test -s "$work/ports"
"${0%/*}/../support/enrol" "$tender"
bad_input
money
contractor upper-1 smith t.upper 1 --slots 2 --queue 8 -- tr a-z A-Z
contractor upper-2 jones t.upper 2 --slots 2 --queue 8 -- tr a-z A-Z
expect 0 contractors "$tender" contractors -o csv
has contractors upper-1
one_task
screens
lines
failures_and_cancels
fallbacks
holds
replays
leaving
expect 0 status "$tender" ledger status
expect 0 check "$tender" check
echo "$count commands, $failures failures"
if [ "$failures" -ne 0 ]; then
    tail -n 50 "$work/log" >&2
    exit 1
fi
