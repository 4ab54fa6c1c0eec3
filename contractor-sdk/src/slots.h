/*
 * How a contractor divides its slots among the brokers that it knows. What a broker may believe of
 * us counts, not what we wish: a slot is given to another only after the first has agreed to have
 * one less. So in all there are never more commitments than slots, also while brokers come and go.
 * Idle slots move to where there are none, so that one slot serves three brokers in turn. Plain
 * arithmetic; internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_SLOTS_H
#define TENDER_CONTRACTOR_SDK_SRC_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS_IDLE_US     1000000 /* so long unused, a slot may move */
#define SLOTS_IDLE_MAX_US (16 * SLOTS_IDLE_US)

/*
 * One broker's share.
 *
 * is_live    it answers: slots can be offered to it
 * said       slots that it was offered last
 * bound      slots that it may believe we have for it, at most: what it agreed to, or was offered
 * since
 * used       commitments that it made and that go on
 * standing   bids before it that may be accepted
 * idle_us    since when nothing of this changed (monotonic)
 * given_us   when it was given a slot last
 */
struct share {
    bool is_live;
    uint32_t said;
    uint32_t bound;
    uint32_t used;
    uint32_t standing;
    int64_t idle_us;
    int64_t given_us;
};

/*
 * How long a slot stays idle where it is, when idle ones have moved `moves` times since any was
 * used: a second, doubled to sixteen, since each move is a fact that the broker's ledger keeps.
 */
int64_t slots_patience(uint32_t moves);

/*
 * The next change: share `*index_out` is to be offered `*slots_out`. Returns false when nothing is
 * to be changed now. `slots` is how many there are in all, `moves` as for slots_patience.
 */
bool slots_divide(const struct share *shares, size_t count, uint32_t slots, uint32_t moves,
                  int64_t now_us, size_t *index_out, uint32_t *slots_out);

#endif
