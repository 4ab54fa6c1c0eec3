/* Rounds of improving bids. */
#include "more.h"

void more_improve_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_improve_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_improve_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_improve_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                      struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_improve_report(struct world *world, uint32_t contractor, const struct message *award,
                         struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_improve_contractor(struct world *world, uint32_t contractor,
                             const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}
