/*
 * Goal: the hash tree is that of RFC 6962, whatever its size. Method: the leaves and roots that
 * Certificate Transparency's implementations share, and for every size up to 40 the definition
 * itself, which splits from above where the tree grows from below.
 */
#include "tree.h"

#include "entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const tender_bytes leaves[8] = {
    {"", 0},
    {"\x00", 1},
    {"\x10", 1},
    {"\x20\x21", 2},
    {"\x30\x31", 2},
    {"\x40\x41\x42\x43", 4},
    {"\x50\x51\x52\x53\x54\x55\x56\x57", 8},
    {"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f", 16},
};

static const char *const roots[9] = {
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
};

static const char *hex(const tender_digest *digest)
{
    static char text[65];
    for (size_t i = 0; i < 32; i++) {
        snprintf(text + 2 * i, 3, "%02x", digest->bytes[i]);
    }
    return text;
}

static void the_roots_are_those_of_others(void **state)
{
    (void)state;
    struct tree tree = {.count = 0};
    for (size_t count = 0; count <= 8; count++) {
        tender_digest root = tree_root(&tree);
        assert_string_equal(hex(&root), roots[count]);
        if (count < 8) {
            (void)tree_add(&tree, tree_leaf(leaves[count]));
        }
    }
}

static tender_digest leaf_of(uint8_t place)
{
    return tree_leaf((tender_bytes){&place, 1});
}

/* Section 2.1 as it is written. */
static tender_digest defined_root(uint8_t from, uint8_t count)
{
    uint8_t split = 1;
    if (count == 1) {
        return leaf_of(from);
    }
    while (split * 2 < count) {
        split = (uint8_t)(split * 2);
    }
    tender_digest sides[2] = {defined_root(from, split),
                              defined_root((uint8_t)(from + split), (uint8_t)(count - split))};
    uint8_t joined[65] = {1};
    memcpy(joined + 1, sides, sizeof sides);
    return entry_digest((tender_bytes){joined, sizeof joined});
}

static void every_size_is_as_defined_and_ends_with_its_peak(void **state)
{
    (void)state;
    struct tree tree = {.count = 0};
    for (uint8_t place = 0; place < 40; place++) {
        uint8_t whole = 1;
        while ((place + 1) % (whole * 2) == 0) {
            whole = (uint8_t)(whole * 2);
        }
        tender_digest peak = tree_add(&tree, leaf_of(place));
        tender_digest expected = defined_root((uint8_t)(place + 1 - whole), whole);
        assert_memory_equal(&peak, &expected, sizeof peak);
        tender_digest root = tree_root(&tree);
        expected = defined_root(0, (uint8_t)(place + 1));
        assert_memory_equal(&root, &expected, sizeof root);
    }
}

/* ledger/CHAIN.md has the same. */
static void a_batch_is_a_leaf_over_all_that_it_says(void **state)
{
    (void)state;
    struct batch_leaf leaf = {.shard = 3, .batch = 17, .at_us = 1700000000000001, .entries = 5};
    memset(&leaf.ledger, 0x11, sizeof leaf.ledger);
    memset(&leaf.root, 0x22, sizeof leaf.root);
    tender_digest hash = batch_leaf_hash(&leaf);
    assert_string_equal(hex(&hash),
                        "185e16ece7d0afb0fb190b0720f8defd2a993d5fe73871ee8b7b056b7cc16a73");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_roots_are_those_of_others),
        cmocka_unit_test(every_size_is_as_defined_and_ends_with_its_peak),
        cmocka_unit_test(a_batch_is_a_leaf_over_all_that_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
