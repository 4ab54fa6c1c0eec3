/*
 * Goal: every batch that has entries is a leaf of its shard's tree, which says which entries those
 * are, goes on over a change of brokers, and is the same however it is computed. Method: batches by
 * the public interface against PostgreSQL; the leaves, roots and peaks are made anew in SQL from
 * the entries alone.
 */
#include "support.h"

/* Of every leaf: the hashes of its entries in the order of its runs. */
#define MADE_ANEW                                                                                  \
    "select b, tender_ledger.tree_root(array_agg(tender_ledger.tree_leaf(e.hash) order by "        \
    "r.place, "                                                                                    \
    "e.number)) as root, count(*) as entries from tender_ledger.batch b cross join lateral "       \
    "unnest(b.task_ids, b.numbers, b.counts, b.marks) with ordinality r (task_id, number, count, " \
    "mark, place) join tender_ledger.entry e on e.shard = b.shard and e.task_id = r.task_id and "  \
    "e.number between r.number and r.number + r.count - 1 group by b"

static void assert_tree_is_whole(void)
{
    assert_sql("0", "select count(*) from (" MADE_ANEW ") m where m.root <> (m.b).root "
                    "or m.entries <> (m.b).entries");
    assert_sql("t", "select (select count(*) from tender_ledger.entry) = "
                    "(select sum(entries) from tender_ledger.batch)");
    assert_sql("t", "select count(*) = max(leaf) + 1 from tender_ledger.batch");
    assert_sql("0",
               "select count(*) from tender_ledger.batch b where b.peak <> (select "
               "tender_ledger.tree_root(array_agg(tender_ledger.batch_leaf(l) order by l.leaf)) "
               "from tender_ledger.batch l where l.leaf <= b.leaf and l.leaf > b.leaf - "
               "((b.leaf + 1) & -(b.leaf + 1)))");
    assert_sql("t",
               "select tender_ledger.batch_root(0::smallint, 0, count(*)) = "
               "tender_ledger.tree_root(array_agg(tender_ledger.batch_leaf(b) order by b.leaf)) "
               "from tender_ledger.batch b");
}

static void tell(struct house *house, const char *key, bool is_cut)
{
    struct chain chain;
    house_announce(house, &chain, key, 30 * CREDIT, 40);
    house_open_round(house, &chain, 1, 30 * CREDIT, 40);
    if (is_cut) {
        assert_committed(house);
    }
    house_answer(house, &chain, 1);
    house_award(house, &chain, 1, 1, 15 * CREDIT, 40);
    house_fulfil(house, &chain, 1, 40, 15 * CREDIT, 30 * CREDIT);
}

static void batches_are_leaves_also_under_the_next_broker(void **state)
{
    struct house *house = *state;
    for (int i = 0; i < 21; i++) {
        char key[24];
        snprintf(key, sizeof key, "tree-%d", i);
        tell(house, key, i % 3 == 0);
        assert_committed(house);
        if (i % 4 == 3) {
            house_close(house);
            house_open(house, "test");
        }
    }
    assert_tree_is_whole();
}

static void idle_batch_is_no_leaf(void **state)
{
    struct house *house = *state;
    char before[32];
    snprintf(before, sizeof before, "%s", sql("select count(*) from tender_ledger.batch"));
    assert_committed(house);
    assert_committed(house);
    assert_sql(before, "select count(*) from tender_ledger.batch");
}

/* Two chains by turns: a run ends where another chain comes between. */
static void runs_tell_the_order_of_recording(void **state)
{
    struct house *house = *state;
    struct chain chains[2];
    house_announce(house, &chains[0], "order-0", 30 * CREDIT, 40);
    house_announce(house, &chains[1], "order-1", 30 * CREDIT, 40);
    house_open_round(house, &chains[0], 1, 30 * CREDIT, 40);
    house_open_round(house, &chains[1], 1, 30 * CREDIT, 40);
    house_answer(house, &chains[1], 1);
    assert_committed(house);
    char expected[256];
    snprintf(expected, sizeof expected, "%s 1 1,%s 1 1,%s 2 1,%s 2 2", name_of(&chains[0]),
             name_of(&chains[1]), name_of(&chains[0]), name_of(&chains[1]));
    assert_sql(expected, "select string_agg(concat_ws(' ', r.task_id, r.number, r.count), ',' "
                         "order by r.place) from (select * from tender_ledger.batch order by leaf "
                         "desc limit 1) b cross join lateral unnest(b.task_ids, b.numbers, "
                         "b.counts) with ordinality r (task_id, number, count, place)");
    assert_sql("t",
               "select b.marks[4] = ('x' || left(encode(e.hash, 'hex'), 16))::bit(64)::bigint "
               "from (select * from tender_ledger.batch order by leaf desc limit 1) b join "
               "tender_ledger.entry e on e.task_id = '%s' and e.number = 3",
               name_of(&chains[1]));
    assert_tree_is_whole();
}

static void tree_with_a_hole_is_not_gone_on_with(void **state)
{
    struct house *house = *state;
    (void)sql("alter table tender_ledger.batch disable trigger all");
    (void)sql(
        "create table tender_ledger.kept as select * from tender_ledger.batch where leaf = "
        "(select (1::bigint << floor(log(2, count(*)))::integer) - 1 from tender_ledger.batch)");
    (void)sql("delete from tender_ledger.batch b using tender_ledger.kept k where b.leaf = k.leaf");
    house_close(house);
    house_open_only(house, "test", 0);
    assert_int_equal(house_begin(house), TENDER_EDATABASE);
    assert_non_null(strstr(ledger_last_error(house->ledger), "holes"));
    (void)sql("insert into tender_ledger.batch select * from tender_ledger.kept");
    (void)sql("drop table tender_ledger.kept");
    (void)sql("alter table tender_ledger.batch enable trigger all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(batches_are_leaves_also_under_the_next_broker, begin_house,
                                        end_house),
        cmocka_unit_test_setup_teardown(idle_batch_is_no_leaf, begin_house, end_house),
        cmocka_unit_test_setup_teardown(runs_tell_the_order_of_recording, begin_house, end_house),
        cmocka_unit_test_setup_teardown(tree_with_a_hole_is_not_gone_on_with, begin_house,
                                        end_house),
    };
    return cmocka_run_group_tests(tests, migrate_database, NULL);
}
