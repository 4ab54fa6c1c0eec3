/*
 * Goal: what a task requires of a completion, what waits for its client, what each decision pays,
 * and what nobody is told before it is paid. Then results that came late, and what they are worth.
 * Method: plays, whose entries are recalled after each event; the sample and the withheld bytes are
 * looked at in the messages themselves.
 */
#include "play.h"

#include <string.h>

/* clang-format off */
#define AWARDED(terms)                                                                              \
    CAST, "client announces t " terms, "a bids t 3 10m", "b bids t 4 10m", "c refuses t", "a acks t"
#define DELIVERED "delivered:1 >client inform-done >a inform(delivered) >client inform(delivered,delivered)"
#define DELIVERED4 "delivered:4 >client inform-done >a inform(delivered) >client inform(delivered,delivered)"

PLAY(G1_an_empty_result_where_a_result_is_required_completes_nothing, AWARDED("evidence=result"),
    "a done t 1 content=", "= >a not-understood(evidence-missing)",
    "a done t 1 content= size=9", "= >a not-understood(evidence-missing)",
    "a fails t 1 content=",
    "= settled:failed(contractor-failed)/0/0/of=1 opened:2/1/10"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)",
    "? amber 0 0 0 0")

PLAY(G1_an_empty_result_that_does_not_come_right_lapses_unpaid, AWARDED("evidence=result due=10m rounds=1"),
    "a progress t 1 content=", "= progressed:1 >client inform-progress",
    "a done t 1 content=", "= >a not-understood(evidence-missing)",
    "wait 601s",
    "= settled:lapsed(due-passed)/0/0/of=1/unallocated(rounds-exhausted)/10"
    " >a cancel(due-passed) >client inform(unallocated,lapsed)",
    "? amber 0 0 0 0")

PLAY(a_completion_that_is_refused_is_an_acknowledgement_all_the_same, CAST,
    "client announces t evidence=words", "a bids t 3 10m", "b bids t 4 10m", "c refuses t",
    "a done t 1",
    "= acknowledged >b reject-proposal(outbid) >a not-understood(evidence-missing)",
    "a done t 1", "= >a not-understood(evidence-missing)")

PLAY(each_name_that_a_task_requires_must_be_there, AWARDED("evidence=result,words,report.url"),
    "a done t 1", "= >a not-understood(evidence-missing)",
    "a done t 1 evidence=words:7", "= >a not-understood(evidence-missing)",
    "a done t 1 evidence=words:,report.url:x", "= >a not-understood(evidence-missing)",
    "a done t 1 content= evidence=words:7,report.url:x", "= >a not-understood(evidence-missing)",
    "a done t 1 evidence=report.url:x,words:7",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)")

PLAY(a_result_kept_elsewhere_is_a_result, AWARDED("evidence=result"),
    "a done t 1 content= digest=x size=1000000",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled)")

PLAY(progress_does_not_pay_for_what_evidence_is_required_of, AWARDED("units=4 evidence=words fee=0"),
    "a progress t 4", "= progressed:4 >client inform-progress",
    "client cancels t",
    "= settled:cancelled(cancelled-by-client)/0/0/of=4/cancelled(cancelled-by-client)/10"
    " >a cancel(cancelled-by-client) >client inform(cancelled,cancelled) >client agree")

PLAY(a_failure_that_brings_the_evidence_is_paid_by_share, AWARDED("units=4 evidence=words"),
    "a fails t 2 evidence=words:7",
    "= settled:failed(contractor-failed)/2/2 opened:2/2/5"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(an_accepted_delivery_is_paid, AWARDED("accept=1h"),
    "a done t 1", "= " DELIVERED, "? acme 90 10 0 0",
    "client accepts t",
    "= settled:fulfilled(completed)/1/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled) >client agree",
    "? amber 0 0 0 4",
    "client accepts t", "= >client agree",
    "client rejects t", "= >client refuse(already-ended)",
    "a done t 1", "= >a inform(fulfilled)")

PLAY(a_delivery_is_also_the_acknowledgement, CAST,
    "client announces t accept=1h", "a bids t 3 10m", "b bids t 4 10m", "c refuses t",
    "a done t 1",
    "= delivered:1 >b reject-proposal(outbid) >client inform-done >a inform(delivered)"
    " >client inform(delivered,delivered)")

PLAY(a_rejection_is_settled_by_accepted_units_and_the_rest_announced_again,
    AWARDED("units=4 accept=1h"),
    "a done t 4", "= " DELIVERED4,
    "client rejects t units=3",
    "= settled:failed(rejected)/3/3/of=4 opened:2/1/2.5 >a inform(failed) >client inform(open,failed)"
    " >c cfp(2) >b cfp(2) >client agree",
    "? amber 0 0 0 3",
    "client rejects t gen=1", "= >client agree",
    "client accepts t gen=1", "= >client refuse(already-ended)",
    "a done t 4 gen=1", "= >a inform(failed)",
    "a bids t 0 10m", "= >a reject-proposal(excluded)")

PLAY(accepting_fewer_units_rejects_the_others, AWARDED("units=4 accept=1h"),
    "a done t 4", "client accepts t units=1",
    "= settled:failed(rejected)/1/1/of=4 opened:2/3/7.5 >a inform(failed) >client inform(open,failed)"
    " >c cfp(2) >b cfp(2) >client agree",
    "client accepts t units=5 gen=1", "= >client refuse(already-ended)")

PLAY(accepting_more_than_was_delivered_is_refused, AWARDED("units=4 accept=1h"),
    "a done t 4", "client accepts t units=5", "= >client refuse(too-many-units)",
    "client rejects t units=4",
    "= settled:fulfilled(completed)/4/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled) >client agree")

PLAY(under_none_a_partial_rejection_pays_nothing, AWARDED("units=4 accept=1h partial=none"),
    "a done t 4", "client rejects t units=3",
    "= settled:failed(rejected)/0/0/of=4 opened:2/4/10 >a inform(failed) >client inform(open,failed)"
    " >c cfp(2) >b cfp(2) >client agree")

PLAY(silence_past_its_time_is_acceptance, AWARDED("accept=30s"),
    "a done t 1", "wait 30s", "=", "wait 1us",
    "= settled:fulfilled(accepted-by-silence)/1/4/done(completed)/6 >client inform-done"
    " >a inform(fulfilled) >client inform(done,fulfilled)",
    "client rejects t", "= >client refuse(already-ended)",
    "client accepts t", "= >client agree")

PLAY(a_rejection_heard_after_its_time_is_silence_though_nobody_looked, AWARDED("accept=30s"),
    "a done t 1", "pause 30s", "pause 1us", "client rejects t",
    "= settled:fulfilled(accepted-by-silence)/1/4/done(completed)/6 >client inform-done"
    " >a inform(fulfilled) >client inform(done,fulfilled) >client refuse(already-ended)")

PLAY(an_acceptance_heard_after_its_time_is_silence_too, AWARDED("accept=30s"),
    "a done t 1", "pause 30s", "pause 1us", "client accepts t",
    "= settled:fulfilled(accepted-by-silence)/1/4/done(completed)/6 >client inform-done"
    " >a inform(fulfilled) >client inform(done,fulfilled) >client agree")

PLAY(a_delivery_is_not_cancelled_and_outlives_due_and_deadline, AWARDED("accept=2h due=10m deadline=30m"),
    "a done t 1", "client cancels t", "= >client refuse(awaits-decision)",
    "op boss cancels t", "= >boss refuse(awaits-decision)",
    "wait 1h", "=",
    "client rejects t",
    "= settled:failed(rejected)/0/0/of=1/unallocated(deadline-passed)/10 >a inform(failed)"
    " >client inform(unallocated,failed) >client agree",
    "? acme 100 0 0 0")

PLAY(a_delivery_frees_its_slot, "fund acme 100", "join client acme", "join a amber forge 1",
    "join b birch forge 1", "client announces t accept=1h", "a bids t 3 10m", "b refuses t",
    "a done t 1", "client announces u", "= announced opened:1/1/10 >client agree >a cfp(1) >b cfp(1)")

PLAY(what_is_reported_on_a_delivery_changes_nothing, AWARDED("accept=1h"),
    "a done t 1", "a done t 1", "= >a inform(delivered)", "a acks t", "=",
    "a fails t 0", "= >a not-understood(already-ended)",
    "a progress t 1", "= >a not-understood(already-ended)",
    "b done t 1 gen=1", "= >b not-understood(not-yours)")

PLAY(only_the_client_decides_and_only_on_what_is_delivered, AWARDED("accept=1h"),
    "client accepts t", "= >client refuse(not-delivered)",
    "client rejects t", "= >client refuse(not-delivered)",
    "client accepts t gen=7", "= >client refuse(not-delivered)",
    "a done t 1",
    "a accepts t", "= >a refuse(not-yours)", "b rejects t", "= >b refuse(not-yours)",
    "client accepts t gen=7", "= >client refuse(not-delivered)",
    "client accepts t part=3", "= >client refuse(not-delivered)")

PLAY(a_gated_commitment_that_fails_lapses_or_is_cancelled_accepts_nothing,
    AWARDED("units=4 accept=1h"),
    "a progress t 4", "= progressed:4 >client inform-progress",
    "client cancels t",
    "= settled:cancelled(cancelled-by-client)/0/0.4/of=4/fee=0.4/cancelled(cancelled-by-client)/9.6"
    " >a cancel(cancelled-by-client) >client inform(cancelled,cancelled) >client agree",
    "client announces u units=4 accept=1h", "a bids u 3 10m", "b bids u 4 10m", "c refuses u", "a acks u",
    "a fails u 4",
    "= settled:failed(contractor-failed)/0/0/of=4 opened:2/4/10"
    " >client failure >a inform(failed) >client inform(open,failed) >c cfp(2) >b cfp(2)")

PLAY(a_recess_moves_the_time_to_accept, AWARDED("accept=30s"),
    "a done t 1", "wait 20s", "restart", "pause 60s", "recess 60s 10s", "= recess", "wait 10s", "=",
    "join client acme", "join a amber forge 4", "wait 1us",
    "= settled:fulfilled(accepted-by-silence)/1/4/done(completed)/6 >client inform-done"
    " >a inform(fulfilled) >client inform(done,fulfilled)")

PLAY(a_delivery_survives_a_restart_with_what_it_holds, AWARDED("units=4 accept=1h"),
    "a done t 4 evidence=words:7", "restart", "=", "join client acme", "join a amber forge 4",
    "client queries t", "= >client inform(delivered,delivered) >client inform-done",
    "a done t 4", "= >a inform(delivered)",
    "client accepts t",
    "= settled:fulfilled(completed)/4/4/done(completed)/6 >client inform-done >a inform(fulfilled)"
    " >client inform(done,fulfilled) >client agree")

PLAY(the_terms_of_acceptance_hold_together, "fund acme 100", "join client acme",
    "client announces t accept=1h partial=cover", "= >client refuse(out-of-range)",
    "client announces t evidence=Words", "= >client refuse(out-of-range)",
    "client announces t evidence=words,,x", "= >client refuse(out-of-range)",
    "client announces t accept=3661d", "= >client refuse(out-of-range)")

/* The SDK's question before it starts. */
PLAY(G1_an_owner_that_asks_learns_whether_its_award_stands, AWARDED("due=10m"),
    "a queries t gen=1", "= >a inform(active)",
    "b queries t gen=1", "= >b not-understood(not-yours)", "b queries t", "= >b refuse(not-yours)",
    "wait 601s", "a queries t gen=1", "= >a inform(lapsed)",
    "b bids t 4 10m", "c refuses t", "a queries t gen=1", "= >a inform(lapsed)",
    "a queries t gen=2", "= >a not-understood(not-yours)",
    "b queries t gen=2", "= >b inform(active)")

/* Salvage. */
#define LAPSED(terms) AWARDED("due=10m " terms), "wait 601s"
#define ADOPTED4 "adopted:4/4/done(adopted)/6 >a inform(lapsed) >client inform(done,lapsed) >client agree"

PLAY(a_late_result_is_adopted_while_its_task_is_open, LAPSED("units=4"),
    "a done t 4", "= late:already-ended >client inform(lapsed) >a not-understood(already-ended)",
    "client adopts t gen=1",
    "= closed:adopted adopted:4/4/done(adopted)/6 >a inform(lapsed) >client inform(done,lapsed)"
    " >client agree",
    "? amber 0 0 0 4", "? acme 96 0 4 0",
    "client adopts t gen=1", "= >client refuse(already-ended)")

PLAY(adopting_some_ends_the_round_and_announces_what_is_left, LAPSED("units=4 rounds=2"),
    "b bids t 2 10m", "a fails t 3 gen=1",
    "= late:already-ended >client inform(lapsed) >a not-understood(already-ended)",
    "client adopts t gen=1",
    "= answered:b=standing closed:adopted[b=0/round-cancelled] adopted:3/3 opened:3/1/2.5"
    " >b reject-proposal(round-cancelled) >a inform(lapsed) >client inform(open,lapsed)"
    " >c cfp(3) >b cfp(3) >client agree",
    "? amber 0 0 0 3",
    "client adopts t gen=1", "= >client refuse(nothing-to-adopt)",
    "b bids t 1 10m", "c refuses t", "b acks t", "b done t 1",
    "= settled:fulfilled(completed)/1/2.5/done(completed)/4.5 >client inform-done >b inform(fulfilled)"
    " >client inform(done,fulfilled)")

PLAY(a_later_better_result_is_adopted_for_what_it_adds, LAPSED("units=4"),
    "a fails t 1 gen=1", "client adopts t gen=1", "? amber 0 0 0 1",
    "a done t 4 gen=1", "= late:already-ended >client inform(lapsed) >a not-understood(already-ended)",
    "client adopts t gen=1",
    "= closed:adopted adopted:3/3/done(adopted)/6 >a inform(lapsed) >client inform(done,lapsed)"
    " >client agree",
    "? amber 0 0 0 4")

PLAY(units_of_an_active_commitment_are_not_adopted, LAPSED("units=4"),
    "b bids t 4 10m", "c refuses t", "b acks t", "a done t 4 gen=1",
    "= late:stale-generation >client inform(lapsed) >a not-understood(stale-generation)",
    "client adopts t gen=1", "= >client refuse(nothing-to-adopt)",
    "b fails t 1", "client adopts t gen=1",
    "= closed:adopted adopted:3/3/done(adopted)/4.5 >a inform(lapsed) >client inform(done,failed)"
    " >client agree")

PLAY(a_result_that_none_pays_nothing_for_may_be_adopted, AWARDED("units=4 partial=none"),
    "a fails t 3", "client adopts t gen=1",
    "= closed:adopted adopted:3/3 opened:3/1/2.5 >a inform(failed) >client inform(open,failed)"
    " >c cfp(3) >b cfp(3) >client agree")

PLAY(a_rejected_delivery_may_be_adopted_after_all, AWARDED("units=4 accept=1h"),
    "a done t 4", "client rejects t units=1", "client adopts t gen=1",
    "= closed:adopted adopted:3/3/done(adopted)/6 >a inform(failed) >client inform(done,failed)"
    " >client agree",
    "? amber 0 0 0 4")

PLAY(a_held_task_is_completed_by_an_adopted_result, LAPSED("units=4 rounds=1 fallback=hold"),
    "a fails t 1 gen=1", "client adopts t gen=1",
    "= adopted:1/1 >a inform(lapsed) >client inform(held,lapsed) >client agree",
    "a done t 4 gen=1", "client adopts t gen=1",
    "= adopted:3/3/done(adopted)/6 >a inform(lapsed) >client inform(done,lapsed) >client agree")

PLAY(what_is_adopted_counts_as_a_cost_of_the_rest_of_a_cover,
    AWARDED("units=4 partial=cover ceiling=12"),
    "a fails t 2", "wait 20s", "a done t 4 gen=1",
    "= late:already-ended >client inform(failed) >a not-understood(already-ended)",
    "client adopts t gen=1",
    "= adopted:2/2 covered:2 ended:done(adopted)/8 >a inform(failed)"
    " >a inform(failed) >client inform(done,failed) >client agree",
    "? amber 0 0 0 4")

PLAY(nobody_else_adopts_and_nothing_else_is_adopted, LAPSED("units=4"),
    "client adopts t gen=1", "= >client refuse(nothing-to-adopt)",
    "a done t 4 gen=1", "b adopts t gen=1", "= >b refuse(not-yours)",
    "client adopts t gen=2", "= >client refuse(nothing-to-adopt)",
    "client cancels t", "client adopts t gen=1", "= >client refuse(already-ended)")

PLAY(a_late_claim_beyond_the_commitment_pays_no_more_than_it, LAPSED("units=4"),
    "b bids t 4 10m", "c refuses t", "b acks t", "b fails t 2",
    "a fails t 900 gen=1", "client adopts t gen=1",
    "= closed:adopted adopted:2/2/done(adopted)/3 >a inform(lapsed) >client inform(done,failed)"
    " >client agree")
/* clang-format on */

/* A report of the owner whose content is `size` bytes, no two runs of which look alike. */
static struct message report(struct stage *stage, const char *content, size_t size)
{
    struct stage_task *task = stage_task(stage, "t");
    struct message done = {.performative = TENDER_INFORM_DONE, .conversation = task->id};
    tender_bytes bytes = {content, size};
    message_set(&done, PART, part, 0);
    message_set(&done, GENERATION, generation, task->generation);
    message_set(&done, UNITS_DONE, units_done, 1);
    message_set(&done, CONTENT, content, bytes);
    return done;
}

static void play_until_acknowledged(struct stage *stage)
{
    static const char *const lines[] = {AWARDED("accept=1h")};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        script_line(stage, lines[i]);
    }
}

/* What the last event told the client of the work, or NULL. */
static const struct message *told_done(const struct stage *stage)
{
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        const struct tell *tell = &stage->effects.tells[i];
        if (tell->message.performative == TENDER_INFORM_DONE) {
            return &tell->message;
        }
    }
    return NULL;
}

/* As the rule says it, once more: from the head before the delivery, and nothing else. */
static size_t sample_at(const struct entry *before, tender_id id, size_t size, size_t sample)
{
    static const char label[] = "tender/evidence/v1";
    uint8_t bytes[18 + 16 + 8 + 32] = {0};
    memcpy(bytes, label, 18);
    memcpy(bytes + 18, id.bytes, 16);
    bytes[18 + 16 + 7] = 1; /* part 0, generation 1 */
    memcpy(bytes + 18 + 16 + 8, before->hash.bytes, 32);
    tender_digest digest = entry_digest((tender_bytes){bytes, sizeof bytes});
    uint64_t draw = 0;
    for (int i = 0; i < 8; i++) {
        draw = draw << 8 | digest.bytes[i];
    }
    return (size_t)(draw % (size - sample + 1));
}

static void
a_client_sees_the_sample_that_the_chain_draws_and_the_rest_once_it_has_paid(void **state)
{
    (void)state;
    static char content[40000];
    for (size_t i = 0; i < sizeof content; i++) {
        content[i] = (char)(i * i >> 7 ^ i * 31 >> 3);
    }
    static const size_t sizes[] = {1, 15, 16, 33, 5000, sizeof content};
    static const size_t samples[] = {1, 1, 1, 2, 312, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct stage *stage = stage_open();
        play_until_acknowledged(stage);
        const struct entry before = stage->entries[stage->entry_count - 1];
        struct message done = report(stage, content, sizes[i]);
        stage_say(stage, "a", &done, 0, false);
        const struct message *told = told_done(stage);
        size_t at = sample_at(&before, done.conversation, sizes[i], samples[i]);
        assert_int_equal(told->content.size, samples[i]);
        assert_memory_equal(told->content.data, content + at, samples[i]);
        assert_int_equal(told->size, sizes[i]);
        assert_int_equal(told->accept_us, INT64_C(3600000000));
        tender_digest digest = entry_digest((tender_bytes){content, sizes[i]});
        assert_memory_equal(told->digest.bytes, digest.bytes, 32);
        stage_restart(stage);
        script_line(stage, "join client acme");
        script_line(stage, "client queries t");
        told = told_done(stage);
        assert_int_equal(told->content.size, samples[i]);
        assert_memory_equal(told->content.data, content + at, samples[i]);
        script_line(stage, "client accepts t");
        told = told_done(stage);
        assert_false(message_has(told, MESSAGE_ACCEPT));
        assert_int_equal(told->content.size, sizes[i]);
        assert_memory_equal(told->content.data, content, sizes[i]);
        stage_close(stage);
    }
}

static void assert_not_told(const struct stage *stage, const char *secret)
{
    for (size_t i = 0; i < stage->effects.tell_count; i++) {
        tender_bytes content = stage->effects.tells[i].message.content;
        bool has_content = message_has(&stage->effects.tells[i].message, MESSAGE_CONTENT);
        assert_true(!has_content || memmem(content.data, content.size, secret, 4) == NULL);
    }
}

static void the_key_of_a_result_kept_elsewhere_is_told_when_it_is_paid_and_not_before(void **state)
{
    (void)state;
    static const char *const quiet[] = {"client queries t", "wait 30m", "op boss cancels t"};
    struct stage *stage = stage_open();
    play_until_acknowledged(stage);
    struct message done = report(stage, "0123456789abcdef0123456789abcdef", 32);
    message_set(&done, SIZE, size, 1000000);
    message_set(&done, DIGEST, digest, entry_digest(stage_bytes("x")));
    stage_say(stage, "a", &done, 0, false);
    assert_false(message_has(told_done(stage), MESSAGE_CONTENT));
    assert_int_equal(told_done(stage)->size, 1000000);
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
        script_line(stage, quiet[i]);
        assert_not_told(stage, "4567");
    }
    script_line(stage, "client accepts t");
    assert_int_equal(told_done(stage)->content.size, 32);
    stage_close(stage);
}

static void what_a_client_rejects_it_is_never_told(void **state)
{
    (void)state;
    static const char *const lines[] = {AWARDED("units=4 accept=1h")};
    struct stage *stage = stage_open();
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        script_line(stage, lines[i]);
    }
    script_line(stage, "a progress t 2 content=ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    assert_not_told(stage, "EFGH");
    script_line(stage, "a done t 4 content=abcdefghijklmnopqrstuvwxyz");
    assert_not_told(stage, "efgh");
    script_line(stage, "client rejects t units=2");
    assert_not_told(stage, "efgh");
    script_line(stage, "client queries t");
    assert_not_told(stage, "efgh");
    script_line(stage, "a done t 4 content=abcdefghijklmnopqrstuvwxyz gen=1");
    assert_not_told(stage, "efgh");
    stage_close(stage);
}

#define TESTS(X)                                                                                   \
    X(G1_an_empty_result_where_a_result_is_required_completes_nothing)                             \
    X(G1_an_empty_result_that_does_not_come_right_lapses_unpaid)                                   \
    X(a_completion_that_is_refused_is_an_acknowledgement_all_the_same)                             \
    X(each_name_that_a_task_requires_must_be_there)                                                \
    X(a_result_kept_elsewhere_is_a_result)                                                         \
    X(progress_does_not_pay_for_what_evidence_is_required_of)                                      \
    X(a_failure_that_brings_the_evidence_is_paid_by_share)                                         \
    X(an_accepted_delivery_is_paid)                                                                \
    X(a_delivery_is_also_the_acknowledgement)                                                      \
    X(a_rejection_is_settled_by_accepted_units_and_the_rest_announced_again)                       \
    X(accepting_fewer_units_rejects_the_others)                                                    \
    X(accepting_more_than_was_delivered_is_refused)                                                \
    X(under_none_a_partial_rejection_pays_nothing)                                                 \
    X(silence_past_its_time_is_acceptance)                                                         \
    X(a_rejection_heard_after_its_time_is_silence_though_nobody_looked)                            \
    X(an_acceptance_heard_after_its_time_is_silence_too)                                           \
    X(a_delivery_is_not_cancelled_and_outlives_due_and_deadline)                                   \
    X(a_delivery_frees_its_slot)                                                                   \
    X(what_is_reported_on_a_delivery_changes_nothing)                                              \
    X(only_the_client_decides_and_only_on_what_is_delivered)                                       \
    X(a_gated_commitment_that_fails_lapses_or_is_cancelled_accepts_nothing)                        \
    X(a_recess_moves_the_time_to_accept)                                                           \
    X(a_delivery_survives_a_restart_with_what_it_holds)                                            \
    X(the_terms_of_acceptance_hold_together)                                                       \
    X(G1_an_owner_that_asks_learns_whether_its_award_stands)                                       \
    X(a_late_result_is_adopted_while_its_task_is_open)                                             \
    X(adopting_some_ends_the_round_and_announces_what_is_left)                                     \
    X(a_later_better_result_is_adopted_for_what_it_adds)                                           \
    X(units_of_an_active_commitment_are_not_adopted)                                               \
    X(a_result_that_none_pays_nothing_for_may_be_adopted)                                          \
    X(a_rejected_delivery_may_be_adopted_after_all)                                                \
    X(a_held_task_is_completed_by_an_adopted_result)                                               \
    X(what_is_adopted_counts_as_a_cost_of_the_rest_of_a_cover)                                     \
    X(nobody_else_adopts_and_nothing_else_is_adopted)                                              \
    X(a_late_claim_beyond_the_commitment_pays_no_more_than_it)                                     \
    X(a_client_sees_the_sample_that_the_chain_draws_and_the_rest_once_it_has_paid)                 \
    X(the_key_of_a_result_kept_elsewhere_is_told_when_it_is_paid_and_not_before)                   \
    X(what_a_client_rejects_it_is_never_told)

int main(void)
{
    const struct CMUnitTest tests[] = {
#define X(name) TEST(name),
        TESTS(X)
#undef X
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
