/* Tasks assigned at a posted rate, and the rounds that sample what an auction would have paid. */
#include "project.h"

int project_assigned(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

int project_sampled(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}
