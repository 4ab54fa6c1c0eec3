/* Bundles of skills, and counted resources. */
#include "more.h"

void more_need_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_need_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_need_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_need_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                   struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_need_report(struct world *world, uint32_t contractor, const struct message *award,
                      struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_need_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

void audit_counted(struct audit *audit, const struct entry *entry)
{
    (void)audit;
    (void)entry;
}
