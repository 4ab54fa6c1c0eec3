/* Evidence, deliveries and what clients decide about them. */
#include "more.h"

void more_accept_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_accept_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_accept_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_accept_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                     struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_accept_report(struct world *world, uint32_t contractor, const struct message *award,
                        struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_accept_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

void audit_delivered(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    (void)audit;
    (void)task;
    (void)entry;
}
