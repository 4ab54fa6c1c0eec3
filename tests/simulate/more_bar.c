/* Holds and quarantine. */
#include "more.h"

void more_bar_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_bar_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_bar_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_bar_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                  struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_bar_report(struct world *world, uint32_t contractor, const struct message *award,
                     struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_bar_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

void audit_barred(struct audit *audit, const struct entry *entry)
{
    (void)audit;
    (void)entry;
}
