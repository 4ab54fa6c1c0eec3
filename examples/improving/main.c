/*
 * A contractor in rounds of improving bids: it begins high, comes down a third of the way to its
 * cost whenever it is told that it does not lead, and asks for its cost in the round that decides.
 *
 * usage: improving-contractor NAME COST FIRST   both in micro-credits, for all units
 */
#include <tender/contractor.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* What it would do the work for, and what it asked for last: never less than the cost. */
struct bidder {
    int64_t cost_micro;
    int64_t first_micro;
    int64_t asked_micro;
};

static tender_contractor *contractor_to_stop;

static void on_signal(int number)
{
    (void)number;
    tender_contractor_stop(contractor_to_stop);
}

/* What to ask for now. The last round is sealed and pays what another asked for: there the cost is
 * the best that one can say. */
static int64_t next_cost(struct bidder *bidder, const tender_cfp *cfp)
{
    if (cfp->rank < 0) {
        bidder->asked_micro = bidder->first_micro; /* a new auction */
    } else if (cfp->rank != 1) {
        bidder->asked_micro -= (bidder->asked_micro - bidder->cost_micro) / 3;
    }
    if (cfp->improve == 0) {
        bidder->asked_micro = bidder->cost_micro;
    }
    return bidder->asked_micro;
}

static int on_cfp(tender_contractor *self, const tender_cfp *cfp, void *context)
{
    tender_bid bid = {.cost_micro = next_cost(context, cfp), .eta_us = cfp->due_us / 2};
    printf("event=propose round=%" PRId64 " rank=%" PRId64 " improve=%" PRId64
           " cost_micro=%" PRId64 "\n",
           cfp->round, cfp->rank, cfp->improve, bid.cost_micro);
    return bid.cost_micro > cfp->ceiling_micro
               ? tender_refuse(self, cfp, TENDER_REASON_TOO_LITTLE_PAY)
               : tender_propose(self, cfp, &bid);
}

static int on_accept_proposal(tender_contractor *self, const tender_award *award, void *context)
{
    (void)context;
    printf("event=award price_micro=%" PRId64 "\n", award->price_micro);
    return tender_inform_done(self, award->commitment, award->units, (tender_bytes){"done", 4});
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: improving-contractor NAME COST FIRST\n");
        return 2;
    }
    struct bidder bidder = {.cost_micro = strtoll(argv[2], NULL, 10),
                            .first_micro = strtoll(argv[3], NULL, 10)};
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = getenv("TENDER_URL");
    options.name = argv[1];
    tender_contractor *self = NULL;
    int status = tender_contractor_open(&options, &self);
    if (status == 0) {
        contractor_to_stop = self;
        signal(SIGTERM, on_signal);
        setvbuf(stdout, NULL, _IOLBF, 0);
        status = tender_contractor_offer(self, "fire.pots");
    }
    if (status == 0) {
        tender_handlers handlers = {.on_cfp = on_cfp, .on_accept_proposal = on_accept_proposal};
        status = tender_contractor_run(self, &handlers, &bidder);
    }
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", tender_strerror(status), tender_contractor_last_error(self));
    }
    tender_contractor_close(self);
    return status < 0;
}
