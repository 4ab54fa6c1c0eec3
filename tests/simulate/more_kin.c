/*
 * Principals below others: in one world of sixteen, operators enrol some of them so, one after the
 * other while tasks go on. It takes nothing from the world's chance, so all other worlds stay as
 * they are. The auditor finds roots by what was recorded of parents.
 */
#include "more.h"

#include "fail.h"

#define FAMILIES_ONE 16 /* of so many seeds one has them, */
#define FAMILIES_AT  13 /* with this rest */

/* Who is enrolled, below whom: two families of contractors, of which clients are, too. */
static const struct {
    int principal;
    int parent;
} families[] = {{0, -1}, {3, -1}, {1, 0}, {4, 3}, {2, 1}, {6, 0}};

void more_kin_announce(struct world *world, uint32_t client, struct message *said)
{
    (void)world;
    (void)client;
    (void)said;
}

void more_kin_client(struct world *world, uint32_t client)
{
    bool has_families = fail_place.seed % FAMILIES_ONE == FAMILIES_AT && !world->has_wastrel;
    if (!has_families || world->enrolled == sizeof families / sizeof families[0]) {
        return;
    }
    int principal = families[world->enrolled].principal;
    int parent = families[world->enrolled].parent;
    struct message said = {.performative = TENDER_ENROL};
    message_set(&said, PRINCIPAL, principal, bytes_of(world_principals[principal]));
    message_set(&said, AT, at_us, world->now_us);
    if (parent >= 0) {
        message_set(&said, NAME, name, bytes_of(world_principals[parent]));
    }
    client_says_as_operator(world, client, &said);
    world->enrolled++;
}

void more_kin_hears(struct world *world, uint32_t client, const struct message *message)
{
    (void)world;
    (void)client;
    (void)message;
}

void more_kin_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                  struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_kin_report(struct world *world, uint32_t contractor, const struct message *award,
                     struct message *said)
{
    (void)world;
    (void)contractor;
    (void)award;
    (void)said;
}

void more_kin_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    (void)world;
    (void)contractor;
    (void)message;
}

void audit_admitted(struct audit *audit, const struct entry_admitted *said)
{
    for (size_t i = 0; i < audit->kin_count; i++) {
        if (bytes_equal(audit->kin[i].principal, said->principal)) {
            require(bytes_equal(audit->kin[i].parent, said->parent), "enrolment",
                    "a principal has another parent");
            return;
        }
    }
    if (said->parent.size > 0) {
        require(audit->kin_count < AUDIT_ACCOUNTS, "audit", "more parents than accounts");
        audit->kin[audit->kin_count++] = (struct audit_kin){
            pool_bytes(audit->pool, said->principal), pool_bytes(audit->pool, said->parent)};
    }
}

tender_bytes audit_root(const struct audit *audit, tender_bytes principal, size_t known)
{
    tender_bytes root = principal;
    for (size_t i = 0; i < known; i++) {
        if (bytes_equal(audit->kin[i].principal, root)) {
            root = audit_root(audit, audit->kin[i].parent, known);
            break;
        }
    }
    return root;
}

bool audit_are_kin(const struct audit *audit, tender_bytes left, tender_bytes right)
{
    return bytes_equal(audit_root(audit, left, audit->kin_count),
                       audit_root(audit, right, audit->kin_count));
}

void audit_check_root(const struct audit *audit, const struct audit_task *task,
                      const struct entry_answer *said)
{
    tender_bytes root = said->root.size > 0 ? said->root : said->principal;
    require(!bytes_equal(said->root, said->principal) &&
                (bytes_equal(root, audit_root(audit, said->principal, audit->kin_count)) ||
                 bytes_equal(root, audit_root(audit, said->principal, task->round_kin))),
            "roots", "a bid of %.*s in %s is recorded with the root %.*s",
            (int)said->contractor.size, (const char *)said->contractor.data, audit_id(task->id),
            (int)root.size, (const char *)root.data);
}
