/*
 * What fleet.c and fleet_tend.c share. Others use fleet.h.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_FLEET_INTERNAL_H
#define TENDER_CONTRACTOR_SDK_SRC_FLEET_INTERNAL_H

#include "fleet.h"
#include "slots.h"

#define FLEET_TICK_US 100000
/* So long without its broker, and what a member has said goes to the others. */
#define FLEET_AWAY_US    INT64_C(3000000)
#define FLEET_STRAY_US   INT64_C(60000000) /* so long what was left over is said again */
#define FLEET_STRAY_MAX  4096
#define FLEET_SHARDS_MAX 64

/*
 * A broker's contractor. The first three are the program's thread's, the last the pacer's.
 *
 * welcomes  of the session, as seen last
 */
struct member {
    tender_contractor *contractor;
    bool is_connected;
    bool has_failed;
    uint32_t welcomes;
};

/* What a broker was told, and did not hear before it went away. */
struct stray {
    struct table_node node; /* first; found by a hash of its bytes, twice 64 bits */
    int64_t until_us;
    tender_performative performative;
    size_t size;
    uint8_t bytes[];
};

/*
 * A shard: the newest reign that is known, and the one that a broker says is its own, with that
 * broker's member; or SIZE_MAX. Once it has agreed to an offer (has_told) we know its awards.
 */
struct reigning {
    uint32_t newest;
    uint32_t reign;
    size_t member;
    bool has_told;
};

/*
 * route   by the last byte of a task: the member that said something of such a one last
 * taken   commitments that the program was given and that go on
 * turn    the member whose event the program holds
 * shares  of the slots: each member's, as seen last by the pacer
 * moves   of idle slots from one broker to another, since any was used
 * used    commitments of each member's broker, by who reigns over their shards
 * shard_count  of the ledger, as far as receipts show; reigning: over each
 */
struct fleet {
    struct paced paced;
    bool is_paced;
    struct member members[SESSION_URLS_MAX];
    struct share shares[SESSION_URLS_MAX];
    uint32_t moves;
    uint32_t used[SESSION_URLS_MAX];
    uint32_t shard_count;
    struct reigning reigning[FLEET_SHARDS_MAX];
    size_t count;
    size_t turn;
    size_t connected;
    size_t failed;
    struct error *error;
    char *urls;     /* as the options have them, */
    char *key_file; /* these three also NULL */
    char *broker_key;
    char *known_brokers;
    char *ca_file;
    uint32_t heartbeat_ms;
    int epoll;
    uint32_t slots;
    uint8_t route[256];
    struct table taken;
    struct table strays; /* oldest first */
};

/* Returns 0, or TENDER_ESYSTEM without a thread. */
TENDER_MUST_CHECK int fleet_tend_begin(struct fleet *fleet);
void fleet_tend_end(struct fleet *fleet);

/* Looks who reigns over what, and counts commitments. */
void fleet_see_shards(struct fleet *fleet);
/* Whether of each shard of some receipts it is known who has it now, and what that one awarded. */
bool fleet_has_heard_of(const struct fleet *fleet, const uint8_t *receipts, size_t size);

#endif
