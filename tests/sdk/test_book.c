/*
 * Goal: a proof of a bid is believed if and only if it is right. Method: the books of vectors.json,
 * made by another program; then every bit of each proof, of the root and of the bid is turned, and
 * the proof is cut, made longer, and shown for another place.
 */
#include <tender/book.h>

#include <jansson.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PROOF_MAX 4096

static json_t *books;

static int set_up(void **state)
{
    (void)state;
    json_t *vectors = json_load_file(VECTORS_FILE, 0, NULL);
    books = json_incref(json_object_get(vectors, "books"));
    json_decref(vectors);
    return json_array_size(books) > 0 && sodium_init() >= 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(books);
    return 0;
}

static size_t unhex(const json_t *value, void *out, size_t capacity)
{
    size_t size = 0;
    const char *hex = json_string_value(value);
    assert_int_equal(sodium_hex2bin(out, capacity, hex, strlen(hex), "-", &size, NULL), 0);
    return size;
}

static int64_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static tender_book_bid read_bid(const json_t *vector)
{
    tender_book_bid bid = {
        .round = (uint32_t)number(vector, "round"),
        .contractor = json_string_value(json_object_get(vector, "contractor")),
        .principal = json_string_value(json_object_get(vector, "principal")),
        .cost_micro = number(vector, "cost_micro"),
        .eta_us = number(vector, "eta_us"),
        .capacity = number(vector, "capacity"),
    };
    (void)unhex(json_object_get(vector, "task"), bid.task.bytes, sizeof bid.task);
    (void)unhex(json_object_get(vector, "nonce"), bid.nonce, sizeof bid.nonce);
    return bid;
}

static tender_book_proof read_proof(const json_t *book, size_t place, uint8_t *bytes)
{
    tender_book_proof proof = {.bids = json_array_size(json_object_get(book, "bids")),
                               .place = place};
    (void)unhex(json_object_get(book, "book"), proof.book.bytes, sizeof proof.book);
    size_t size = unhex(json_array_get(json_object_get(book, "proofs"), place), bytes, PROOF_MAX);
    proof.proof = (tender_bytes){(const char *)bytes, size};
    return proof;
}

static int check(const tender_book_bid *bid, const tender_book_proof *proof)
{
    tender_book_price price;
    const char *why = NULL;
    int status = tender_book_check(bid, proof, &price, &why);
    assert_true((status == 0) == (why == NULL));
    return status;
}

static void proofs_of_another_program_are_believed(void **state)
{
    (void)state;
    uint8_t bytes[PROOF_MAX];
    for (size_t i = 0; i < json_array_size(books); i++) {
        const json_t *book = json_array_get(books, i);
        const json_t *bids = json_object_get(book, "bids");
        const json_t *setter = json_object_get(book, "setter");
        for (size_t place = 0; place < json_array_size(bids); place++) {
            tender_digest leaf;
            tender_book_bid bid = read_bid(json_array_get(bids, place));
            tender_book_proof proof = read_proof(book, place, bytes);
            tender_digest made = tender_book_leaf(&bid);
            tender_book_price price;
            const char *why = NULL;
            (void)unhex(json_object_get(json_array_get(bids, place), "leaf"), leaf.bytes,
                        sizeof leaf);
            assert_memory_equal(made.bytes, leaf.bytes, sizeof leaf);
            assert_int_equal(tender_book_check(&bid, &proof, &price, &why), 0);
            assert_int_equal(price.has_setter, !json_is_null(setter));
            if (price.has_setter) {
                size_t at = (size_t)json_integer_value(setter);
                assert_int_equal(price.cost_micro, number(json_array_get(bids, at), "cost_micro"));
                assert_int_equal(price.is_own, at == place);
            }
        }
    }
}

static void a_bit_that_is_turned_is_seen(void **state)
{
    (void)state;
    uint8_t bytes[PROOF_MAX];
    for (size_t i = 0; i < json_array_size(books); i++) {
        const json_t *book = json_array_get(books, i);
        tender_book_bid bid = read_bid(json_array_get(json_object_get(book, "bids"), 0));
        tender_book_proof proof = read_proof(book, 0, bytes);
        for (size_t bit = 0; bit < 8 * proof.proof.size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_not_equal(check(&bid, &proof), 0);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        for (size_t bit = 0; bit < 8 * sizeof proof.book; bit++) {
            proof.book.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_equal(check(&bid, &proof), TENDER_EREFUSED);
            proof.book.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        assert_int_equal(check(&bid, &proof), 0);
    }
}

static void another_bid_place_or_length_is_seen(void **state)
{
    (void)state;
    uint8_t bytes[PROOF_MAX];
    const json_t *book = json_array_get(books, 2); /* of five */
    const json_t *bids = json_object_get(book, "bids");
    tender_book_bid bid = read_bid(json_array_get(bids, 1));
    tender_book_proof proof = read_proof(book, 1, bytes);
    tender_book_bid others[7];
    for (size_t i = 0; i < 7; i++) {
        others[i] = bid;
    }
    others[0].cost_micro++;
    others[1].eta_us--;
    others[2].capacity++;
    others[3].round++;
    others[4].contractor = "kiln-2";
    others[5].principal = "house-2";
    others[6].nonce[0]++;
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(check(&others[i], &proof), TENDER_EREFUSED);
    }
    for (size_t size = 0; size < proof.proof.size; size++) {
        tender_book_proof shorter = proof;
        shorter.proof.size = size;
        bool is_whole_path = size == 1 + 32 * (size_t)bytes[0]; /* then no bid set the price */
        assert_int_equal(check(&bid, &shorter) == 0, is_whole_path);
    }
    bytes[proof.proof.size++] = 0;
    assert_int_equal(check(&bid, &proof), TENDER_EPROTOCOL);
    proof.proof.size--;
    for (uint64_t place = 0; place < 8; place++) {
        proof.place = place;
        assert_int_equal(check(&bid, &proof) == 0, place == 1);
    }
    proof.place = 1;
    for (uint64_t count = 0; count < 12; count++) {
        proof.bids = count;
        /* The way to this leaf is the same in trees of five to eight; how many there are is told.
         */
        assert_int_equal(check(&bid, &proof) == 0, count >= 5 && count <= 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_of_another_program_are_believed),
        cmocka_unit_test(a_bit_that_is_turned_is_seen),
        cmocka_unit_test(another_bid_place_or_length_is_seen),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
