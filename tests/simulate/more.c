#include "more.h"

void more_announce(struct world *world, uint32_t client, struct message *said)
{
#define X(item) more_##item##_announce(world, client, said);
    MORE_ITEMS(X)
#undef X
}

void more_client(struct world *world, uint32_t client)
{
#define X(item) more_##item##_client(world, client);
    MORE_ITEMS(X)
#undef X
}

void more_hears(struct world *world, uint32_t client, const struct message *message)
{
#define X(item) more_##item##_hears(world, client, message);
    MORE_ITEMS(X)
#undef X
}

void more_bid(struct world *world, uint32_t contractor, const struct message *cfp,
              struct message *said)
{
#define X(item) more_##item##_bid(world, contractor, cfp, said);
    MORE_ITEMS(X)
#undef X
}

void more_report(struct world *world, uint32_t contractor, const struct message *award,
                 struct message *said)
{
#define X(item) more_##item##_report(world, contractor, award, said);
    MORE_ITEMS(X)
#undef X
}

void more_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
#define X(item) more_##item##_contractor(world, contractor, message);
    MORE_ITEMS(X)
#undef X
}
