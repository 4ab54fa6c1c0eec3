/* Deliveries that wait for the client, and late results that it takes. */
#include "project.h"

int project_delivered(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

void project_decided(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
}

int project_adopted(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}
