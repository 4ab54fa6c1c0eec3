/* A contractor on one screen: it translates for 0.25 credits an article, ten minutes each. */
#include <tender/contractor.h>

#include <stdio.h>
#include <stdlib.h>

static int on_cfp(tender_contractor *self, const tender_cfp *cfp, void *context)
{
    (void)context;
    tender_bid bid = {
        .cost_micro = cfp->units * 250000, /* what it costs you: the auction pays at least that */
        .eta_us = cfp->units * 10 * 60 * INT64_C(1000000),
    };
    if (bid.cost_micro > cfp->ceiling_micro || bid.eta_us > cfp->due_us) {
        return tender_refuse(self, cfp, TENDER_REASON_OVER_CAPACITY);
    }
    return tender_propose(self, cfp, &bid);
}

static int on_accept_proposal(tender_contractor *self, const tender_award *award, void *context)
{
    (void)context;
    printf("won %lld units for %lld micro-credits\n", (long long)award->units,
           (long long)award->price_micro);
    /* Here you do the work: award->content says what it is. The result goes to the client. */
    tender_bytes result = {"Guten Tag", 9};
    return tender_inform_done(self, award->commitment, award->units, result);
}

int main(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = getenv("TENDER_URL");
    options.name = "first-contractor";

    tender_contractor *self = NULL;
    int status = tender_contractor_open(&options, &self);
    if (status == 0) {
        status = tender_contractor_offer(self, "translate.fr");
    }
    if (status == 0) {
        tender_handlers handlers = {.on_cfp = on_cfp, .on_accept_proposal = on_accept_proposal};
        status = tender_contractor_run(self, &handlers, NULL);
    }
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", tender_strerror(status), tender_contractor_last_error(self));
    }
    tender_contractor_close(self);
    return status < 0;
}
