/* Names that a task needs besides its skill, and counted resources. */
#include "project.h"

int project_needs(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

int project_counted(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

int project_take(struct batch *batch, const struct entry *entry, int64_t part, int64_t generation,
                 tender_bytes contractor)
{
    (void)batch;
    (void)entry;
    (void)part;
    (void)generation;
    (void)contractor;
    return 0;
}

int project_free(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}
