/* Parts of split awards. */
#include "project.h"

int project_part_awarded(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

int project_part_acknowledged(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

int project_part_progressed(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}

int project_part_settled(struct batch *batch, const struct entry *entry)
{
    (void)batch;
    (void)entry;
    return 0;
}
