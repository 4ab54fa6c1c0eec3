/*
 * Focus, play by play: a task that wants few principals invited draws them, one agent each, and
 * nobody else may bid; and that the draw follows from the head of the chain and from who is there,
 * not from the order in which they came.
 */
#include "play.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define FIVE                                                                                       \
    "fund acme 100", "join client acme", "join a amber forge 4", "join b birch forge 4",           \
        "join c cedar forge 4", "join d dune forge 4", "join e elm forge 4"

PLAY(only_the_drawn_are_invited, FIVE,
    "client announces t invite_max=2",
    "= announced opened:1/1/10/drawn=a,d >client agree >a cfp(1) >d cfp(1)",
    "a bids t 3 10m",
    "=",
    "e bids t 3 10m",
    "= >e reject-proposal(not-drawn)")

PLAY(with_no_more_than_asked_for_nobody_is_drawn, FIVE,
    "client announces t invite_max=5",
    "= announced opened:1/1/10 >client agree >e cfp(1) >d cfp(1) >c cfp(1) >b cfp(1) >a"
    " cfp(1)",
    "join f fir forge 4",
    "= >f welcome enrolled >f agree")

PLAY(one_agent_of_a_principal_is_drawn,
    "fund acme 100", "join client acme", "join a1 amber forge 4", "join a2 amber forge 4",
    "join a3 amber forge 4", "join b1 birch forge 4", "join b2 birch forge 4",
    "join c cedar forge 4",
    "client announces t invite_max=2",
    "= announced opened:1/1/10/drawn=b2,c >client agree >b2 cfp(1) >c cfp(1)",
    "client announces u invite_max=2",
    "= announced opened:1/1/10/drawn=a1,b1 >client agree >a1 cfp(1) >b1 cfp(1)",
    "client announces v invite_max=2",
    "= announced opened:1/1/10/drawn=c,a1 >client agree >c cfp(1) >a1 cfp(1)")

PLAY(who_holds_least_is_drawn_for_its_principal,
    "fund acme 100", "join client acme", "join a1 amber forge,one 4", "join a2 amber forge 4",
    "join b birch forge 4", "join c cedar forge 4",
    "client announces s skill=one alone=1", "a1 bids s 1 10m", "a1 acks s",
    "client announces t invite_max=2 newcomers=1000000",
    "= announced opened:1/1/10/drawn=b,a2 >client agree >b cfp(1) >a2 cfp(1)",
    "client announces u invite_max=2 newcomers=1000000",
    "= announced opened:1/1/10/drawn=c,b >client agree >c cfp(1) >b cfp(1)")

PLAY(places_left_go_to_who_comes_later,
    "fund acme 100", "join client acme", "join a amber forge 1", "join b birch forge 1",
    "join c cedar forge 1",
    "client announces s alone=1", "a bids s 1 10m", "b refuses s", "c refuses s", "a acks s",
    "client announces r alone=1", "b bids r 1 10m", "c refuses r", "b acks r",
    "client announces t invite_max=2",
    "= announced opened:1/1/10/drawn=c >client agree >c cfp(1)",
    "a done s 1",
    "= settled:fulfilled(completed)/1/10/done(completed)/0 >client inform-done >a"
    " inform(fulfilled) >client inform(done,fulfilled) >a cfp(1)",
    "b done r 1",
    "= settled:fulfilled(completed)/1/10/done(completed)/0 >client inform-done >b"
    " inform(fulfilled) >client inform(done,fulfilled)")

PLAY(after_a_restart_only_the_drawn_are_told, FIVE,
    "client announces t invite_max=2",
    "restart", "join client acme", "join a amber forge 4",
    "= >a welcome >a agree >a cfp(1)",
    "join b birch forge 4",
    "= >b welcome >b agree",
    "join c cedar forge 4",
    "= >c welcome >c agree",
    "join d dune forge 4",
    "= >d welcome >d agree >d cfp(1)",
    "join e elm forge 4",
    "= >e welcome >e agree",
    "a bids t 3 10m", "d bids t 4 10m", "wait 20s",
    "= answered:a=standing,d=standing awarded:a@4#1[a=1/lowest-cost,d=2/outbid] >a"
    " accept-proposal(4) >client inform(awarded,active)")

PLAY(who_comes_back_is_told_again, FIVE,
    "client announces t invite_max=2",
    "leave c", "join c cedar forge 4",
    "= >c welcome enrolled >c agree",
    "leave d", "join d dune forge 4",
    "= >d welcome enrolled >d cfp(1) >d agree")

PLAY(a_bundle_is_drawn_among_those_that_have_the_rarest_name, FIVE,
    "join f fir forge,gpu 4", "join g glen forge,gpu 4",
    "client announces t invite_max=2 needs=gpu",
    "= announced opened:1/1/10 >client agree >g cfp(1) >f cfp(1)",
    "client announces u invite_max=1 needs=gpu",
    "= announced opened:1/1/10/drawn=g >client agree >g cfp(1)")

PLAY(the_fallback_is_not_drawn, FIVE,
    "client announces t invite_max=1 rounds=1 fallback=e deadline=1h", "wait 20s",
    "= closed:no-eligible-bid opened:2/1/10 >e cfp(2)")

/* clang-format on */

#define GUILDS 60
#define AGENTS 150

static uint64_t seed;

static uint32_t below(uint32_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % limit;
}

static void join(struct stage *stage, uint32_t agent)
{
    char name[16];
    snprintf(name, sizeof name, "kiln-%u", agent);
    struct stage_peer *peer = stage_peer(stage, name);
    snprintf(peer->principal, sizeof peer->principal, "guild-%u", agent % GUILDS);
    struct message hello = {.performative = TENDER_HELLO};
    message_set(&hello, HEARTBEAT, heartbeat_us, 3600000000);
    stage_say(stage, peer->name, &hello, 0, false);
    tender_bytes skill = stage_bytes("forge");
    struct message_texts skills = {1, &skill};
    struct message offer = {.performative = TENDER_OFFER};
    message_set(&offer, SKILLS, skills, skills);
    message_set(&offer, SLOTS, slots, 4);
    stage_say(stage, peer->name, &offer, 0, false);
}

/* The names that a round of the task draws when all have come in this order. */
static void draw(const uint32_t *order, int64_t invite_max, char *drawn, size_t size)
{
    struct book_limits limits = stage_limits();
    limits.bid_count = 512;
    limits.contractor_count = AGENTS;
    limits.account_count = AGENTS;
    struct stage *stage = stage_open_with(&limits);
    stage->is_quick = true;
    struct event fund = {.kind = EVENT_FUND,
                         .peer = stage_bytes("operator"),
                         .principal = stage_bytes("acme"),
                         .amount_micro = 100 * TENDER_MICRO_PER_CREDIT};
    stage_hear(stage, &fund);
    snprintf(stage_peer(stage, "client")->principal, TENDER_NAME_MAX, "acme");
    for (uint32_t i = 0; i < AGENTS; i++) {
        join(stage, order[i]);
    }
    struct message announce = {.performative = TENDER_ANNOUNCE};
    message_set(&announce, KEY, key, stage_bytes("t"));
    message_set(&announce, SKILL, skill, stage_bytes("forge"));
    message_set(&announce, UNITS, units, 1);
    message_set(&announce, CEILING, ceiling_micro, 1000000);
    message_set(&announce, WINDOW, window_us, 20000000);
    message_set(&announce, DUE, due_us, 60000000);
    message_set(&announce, INVITE_MAX, invite_max, invite_max);
    stage->heard[0] = '\0';
    stage_say(stage, "client", &announce, 0, false);
    snprintf(drawn, size, "%s", stage->heard);
    stage_compare(stage);
    stage_close(stage);
}

static void the_order_of_arrival_does_not_move_the_draw(void **state)
{
    (void)state;
    static const int64_t invite_max[] = {1, 8, 59};
    static char first[65536];
    static char again[65536];
    uint32_t order[AGENTS];
    for (uint32_t i = 0; i < AGENTS; i++) {
        order[i] = i;
    }
    for (size_t i = 0; i < sizeof invite_max / sizeof invite_max[0]; i++) {
        draw(order, invite_max[i], first, sizeof first);
        for (int turn = 0; turn < 5; turn++) {
            for (uint32_t k = AGENTS; k > 0; k--) {
                uint32_t at = below(k);
                uint32_t agent = order[at];
                order[at] = order[k - 1];
                order[k - 1] = agent;
            }
            draw(order, invite_max[i], again, sizeof again);
            assert_string_equal(again, first);
        }
    }
}

int main(void)
{
    seed = 0x5eed;
    const struct CMUnitTest tests[] = {
        TEST(only_the_drawn_are_invited),
        TEST(with_no_more_than_asked_for_nobody_is_drawn),
        TEST(one_agent_of_a_principal_is_drawn),
        TEST(who_holds_least_is_drawn_for_its_principal),
        TEST(places_left_go_to_who_comes_later),
        TEST(after_a_restart_only_the_drawn_are_told),
        TEST(who_comes_back_is_told_again),
        TEST(a_bundle_is_drawn_among_those_that_have_the_rarest_name),
        TEST(the_fallback_is_not_drawn),
        TEST(the_order_of_arrival_does_not_move_the_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
