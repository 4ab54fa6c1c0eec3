/*
 * The crowd against a plain sorted list of it, by a long random walk of agents that come and go;
 * and that the order in which they came leaves no trace.
 */
#include "crowd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include <cmocka.h>

#define AGENTS     120
#define PRINCIPALS 40

static uint64_t seed;

static uint32_t below(uint32_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % limit;
}

/* Who there is, by number; of an agent also the principal's. */
struct name {
    char text[TENDER_NAME_MAX];
    unsigned char hash[crypto_hash_sha256_BYTES];
};

static struct name principals[PRINCIPALS];
static struct name agents[AGENTS];
static uint32_t owner[AGENTS];

static void make_names(void)
{
    for (uint32_t i = 0; i < PRINCIPALS; i++) {
        snprintf(principals[i].text, sizeof principals[i].text, "guild-%u", i);
        crypto_hash_sha256(principals[i].hash, (const unsigned char *)principals[i].text,
                           strlen(principals[i].text));
    }
    for (uint32_t i = 0; i < AGENTS; i++) {
        snprintf(agents[i].text, sizeof agents[i].text, "kiln-%u", i);
        crypto_hash_sha256(agents[i].hash, (const unsigned char *)agents[i].text,
                           strlen(agents[i].text));
        owner[i] = i < PRINCIPALS ? i : below(PRINCIPALS);
    }
}

static struct crowd_member member(const struct name *name, uint32_t number)
{
    return (struct crowd_member){{name->text, strlen(name->text)}, number};
}

static uint32_t join(struct crowds *crowds, uint32_t *root, uint32_t agent)
{
    return crowd_join(crowds, root, member(&principals[owner[agent]], owner[agent]),
                      member(&agents[agent], agent));
}

/* Numbers, of those that are in, by hash of their names. */
static uint32_t sort_in(const struct name *names, uint32_t count, const bool *is_in,
                        uint32_t *sorted_out)
{
    uint32_t sorted = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_in[i]) {
            uint32_t at = sorted++;
            for (; at > 0 && memcmp(names[sorted_out[at - 1]].hash, names[i].hash, 32) > 0; at--) {
                sorted_out[at] = sorted_out[at - 1];
            }
            sorted_out[at] = i;
        }
    }
    return sorted;
}

static void expect_set(const struct crowds *crowds, uint32_t root, const uint32_t *numbers,
                       uint32_t count)
{
    assert_int_equal(crowd_count(crowds, root), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(crowds->nodes[crowd_at(crowds, root, i)].number, numbers[i]);
    }
}

static void expect_crowd(const struct crowds *crowds, uint32_t root, const bool *is_in)
{
    bool has_agent[PRINCIPALS] = {false};
    uint32_t sorted[PRINCIPALS];
    for (uint32_t i = 0; i < AGENTS; i++) {
        has_agent[owner[i]] |= is_in[i];
    }
    uint32_t count = sort_in(principals, PRINCIPALS, has_agent, sorted);
    expect_set(crowds, root, sorted, count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_own[AGENTS];
        uint32_t own[AGENTS];
        for (uint32_t k = 0; k < AGENTS; k++) {
            is_own[k] = is_in[k] && owner[k] == sorted[i];
        }
        uint32_t own_count = sort_in(agents, AGENTS, is_own, own);
        expect_set(crowds, crowds->nodes[crowd_at(crowds, root, i)].agents, own, own_count);
    }
}

static void a_crowd_is_the_sorted_list_of_who_is_in_it(void **state)
{
    (void)state;
    struct crowds crowds;
    uint32_t root = 0;
    uint32_t nodes[AGENTS];
    bool is_in[AGENTS] = {false};
    assert_int_equal(crowds_init(&crowds, AGENTS), 0);
    for (int step = 0; step < 4000; step++) {
        uint32_t agent = below(AGENTS);
        if (is_in[agent]) {
            crowd_leave(&crowds, &root, nodes[agent]);
        } else {
            nodes[agent] = join(&crowds, &root, agent);
        }
        is_in[agent] = !is_in[agent];
        expect_crowd(&crowds, root, is_in);
    }
    for (uint32_t i = 0; i < AGENTS; i++) {
        if (is_in[i]) {
            crowd_leave(&crowds, &root, nodes[i]);
        }
    }
    assert_int_equal(root, 0);
    crowds_release(&crowds);
}

static void every_node_is_given_back(void **state)
{
    (void)state;
    struct crowds crowds;
    uint32_t root = 0;
    uint32_t nodes[PRINCIPALS];
    assert_int_equal(crowds_init(&crowds, PRINCIPALS), 0);
    for (int turn = 0; turn < 3; turn++) { /* as many as there is room for, each its own owner */
        for (uint32_t i = 0; i < PRINCIPALS; i++) {
            nodes[i] = join(&crowds, &root, i);
        }
        assert_int_equal(crowd_count(&crowds, root), PRINCIPALS);
        for (uint32_t i = 0; i < PRINCIPALS; i++) {
            crowd_leave(&crowds, &root, nodes[i]);
        }
    }
    assert_int_equal(crowds.used, PRINCIPALS * 2);
    crowds_release(&crowds);
}

static void the_order_of_arrival_leaves_no_trace(void **state)
{
    (void)state;
    bool is_in[AGENTS];
    uint32_t order[AGENTS];
    for (uint32_t i = 0; i < AGENTS; i++) {
        is_in[i] = true;
        order[i] = i;
    }
    for (int turn = 0; turn < 50; turn++) {
        struct crowds crowds;
        uint32_t root = 0;
        assert_int_equal(crowds_init(&crowds, AGENTS), 0);
        for (uint32_t i = AGENTS; i > 0; i--) {
            uint32_t at = below(i);
            uint32_t agent = order[at];
            order[at] = order[i - 1];
            order[i - 1] = agent;
            (void)join(&crowds, &root, agent);
        }
        expect_crowd(&crowds, root, is_in);
        crowds_release(&crowds);
    }
}

int main(void)
{
    seed = 0x5eed;
    make_names();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_is_the_sorted_list_of_who_is_in_it),
        cmocka_unit_test(every_node_is_given_back),
        cmocka_unit_test(the_order_of_arrival_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
