/* Split awards. */
#include "more.h"

void more_split_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_split_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_split_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_split_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                    struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_split_report(struct world *world, uint32_t contractor, const struct message *award,
                       struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_split_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}
