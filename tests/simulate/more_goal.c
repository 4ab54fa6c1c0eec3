/* Goals, prerequisites and beliefs. */
#include "more.h"

void more_goal_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_goal_client(struct world *world, uint32_t client)
{
    (void)world;
    (void)client;
}

void more_goal_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_goal_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                   struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_goal_report(struct world *world, uint32_t contractor, const struct message *award,
                      struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_goal_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

void audit_goaled(struct audit *audit, const struct entry *entry)
{
    (void)audit;
    (void)entry;
}

void audit_believed(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    (void)audit;
    (void)task;
    (void)entry;
}

void audit_unblocked(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    (void)audit;
    (void)task;
    (void)entry;
}
