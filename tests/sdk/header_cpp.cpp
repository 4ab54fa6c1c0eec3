// Goal: the public headers work from C++.
#include <tender/book.h>
#include <tender/checkpoint.h>
#include <tender/client.h>
#include <tender/contractor.h>
#include <tender/cost_model.h>
#include <tender/key.h>
#include <tender/options.h>
#include <tender/vocabulary.h>

int main()
{
    tender_options options = TENDER_OPTIONS_INIT;
    tender_task task = TENDER_TASK_INIT;
    tender_cost_signals signals = TENDER_COST_SIGNALS_INIT;
    tender_handlers handlers = {};
    handlers.on_cfp = [](tender_contractor *self, const tender_cfp *cfp, void *) {
        return tender_refuse(self, cfp, TENDER_REASON_OVER_CAPACITY);
    };
    tender_contractor *contractor = nullptr;
    bool is_refused = tender_contractor_open(&options, &contractor) == TENDER_EINVAL;
    bool is_set = task.units == 1 && signals.units == 1 && handlers.on_cfp != nullptr;
    return is_refused && is_set ? 0 : 1;
}
