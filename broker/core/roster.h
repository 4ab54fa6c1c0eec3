/*
 * The roster: who is connected, who can do what, how much at once, and until when we trust that
 * they are there. Keeps peers, skills and the lists by which a round finds the contractors that can
 * take work now without looking at the others. Does not know tasks; invites nobody.
 */
#ifndef TENDER_BROKER_CORE_ROSTER_H
#define TENDER_BROKER_CORE_ROSTER_H

#include "account.h"
#include "crowd.h"
#include "table.h"

#define ROSTER_PRIORITIES (TENDER_PRIORITY_MAX + 1)

/* Where a contractor stands with respect to new work. */
enum peer_standing {
    PEER_RESTING, /* cannot take work now */
    PEER_BEHIND,  /* can, and there may be open rounds that it was not offered yet */
    PEER_READY    /* can, and has been offered all there is: in the ready list of each skill */
};

/*
 * A client, a contractor, or both: one name, one session. Numbers are of the book's tables; 0 is
 * none.
 *
 * references     bids, commitments and what is left of commitments that name it
 * held           commitments it holds; at most `slots` at award
 * invitations    cfps unanswered, and bids that stand
 * unanswered     cfps left unanswered in a row
 * awards, pasts, follows   heads of lists kept by the book
 */
struct peer {
    char name[TENDER_NAME_MAX];
    uint8_t name_size;
    bool is_used;
    bool is_contractor;
    bool is_present;   /* has a session */
    bool is_alive;     /* heard within three heartbeats */
    bool is_offered;   /* has said in this session what it offers */
    bool is_in_crowds; /* of its skills */
    enum peer_standing standing;
    uint32_t principal;
    uint32_t references;
    int64_t heartbeat_us;
    int64_t heard_at_us;
    uint32_t slots;
    uint32_t held;
    uint32_t invitations;
    uint32_t unanswered;
    uint64_t houses;      /* of shards that hold it as present; 0: it is not enrolled */
    uint64_t told_belief; /* the newest belief about a goal that it was told of */
    uint64_t bars_at;     /* the change of holds up to which `is_barred` says: some may be of it */
    bool is_barred;
    uint32_t skill_count;
    uint32_t offers; /* the first of its TENDER_SKILLS_MAX offers */
    uint32_t awards;
    uint32_t pasts;
    uint32_t follows;
    uint32_t next; /* in the list of behind, idle or free peers */
    uint32_t previous;
    bool is_idle;
};

/*
 * A skill that a contractor offers. `seen` is, for each priority, the sequence of the last open
 * round that it was offered or passed over for good.
 */
struct offer {
    uint32_t peer;
    uint32_t skill;
    uint32_t next; /* in the skill's list of contractors that are alive */
    uint32_t previous;
    uint32_t ready_next; /* in the skill's list of contractors that are ready */
    uint32_t ready_previous;
    uint32_t crowd; /* node in the skill's crowd, while the peer is in it */
    uint64_t seen[ROSTER_PRIORITIES];
};

struct skill {
    char name[TENDER_SKILL_MAX];
    uint8_t name_size;
    uint32_t references; /* offers and tasks */
    uint32_t next_free;
    uint32_t offers; /* heads of the two lists */
    uint32_t ready;
    uint32_t counts;  /* first count of a resource of that name, kept by the book */
    uint32_t crowd;   /* principals whose agents are alive and offer it */
    uint32_t full;    /* root of the open rounds that invite nobody any more, kept by the book */
    uint32_t waiting; /* root of the open rounds, kept by the book */
    uint32_t waiting_count[ROSTER_PRIORITIES];
};

struct peer_list {
    uint32_t first;
    uint32_t last;
    uint32_t count;
};

struct roster {
    struct peer *peers; /* [1 … peer_count] */
    struct offer *offers;
    struct skill *skills; /* [1 … skill_count] */
    struct table peer_by_name;
    struct table skill_by_name;
    struct accounts *accounts;
    struct crowds crowds;
    uint32_t peer_count;
    uint32_t peers_used;
    uint32_t free_peer;
    uint32_t skill_count;
    uint32_t skills_used;
    uint32_t free_skill;
    uint32_t *free_blocks; /* of offers */
    uint32_t free_block_count;
    uint32_t blocks_used;
    uint32_t contractors_max;
    uint32_t contractors;
    uint32_t clients_max;
    uint32_t clients;
    uint32_t invitations_max;
    uint32_t unanswered_max;
    struct peer_list behind;
    struct peer_list idle; /* contractors that are gone and needed by nobody, oldest first */
    uint64_t alive;        /* contractors */
};

TENDER_MUST_CHECK int roster_init(struct roster *roster, struct accounts *accounts,
                                  uint32_t contractors_max, uint32_t clients_max,
                                  uint32_t skill_count, uint32_t invitations_max,
                                  uint32_t unanswered_max);
void roster_release(struct roster *roster);

/* Number of the peer, or 0. */
uint32_t roster_find(const struct roster *roster, tender_bytes name);
/*
 * The peer of that name, made where there is none; 0 when the roster or the accounts are full. An
 * existing peer keeps its principal.
 */
uint32_t roster_open(struct roster *roster, tender_bytes name, tender_bytes principal,
                     bool is_contractor);
/* Makes a client a contractor too. Returns false when there are too many. */
TENDER_MUST_CHECK bool roster_promote(struct roster *roster, uint32_t peer);
/* Another principal for a name that nobody needs any more. */
TENDER_MUST_CHECK bool roster_rename_principal(struct roster *roster, uint32_t peer,
                                               tender_bytes principal);
/*
 * Looks whether anybody needs the record: that of a client who is gone is given back, that of a
 * contractor waits until its place is needed.
 */
void roster_settle(struct roster *roster, uint32_t peer);
/* One more, or one less, thing that names the peer. */
void roster_refer(struct roster *roster, uint32_t peer);
void roster_drop(struct roster *roster, uint32_t peer);
tender_bytes peer_name(const struct roster *roster, uint32_t peer);

/* Number of the skill, or 0; roster_skill_open makes it, or returns 0 when the table is full. */
uint32_t roster_skill_find(const struct roster *roster, tender_bytes name);
uint32_t roster_skill_open(struct roster *roster, tender_bytes name);
/* Whether the skill is known, or could be made. */
bool roster_has_skill_room(const struct roster *roster, tender_bytes name);
void roster_skill_refer(struct roster *roster, uint32_t skill);
void roster_skill_drop(struct roster *roster, uint32_t skill);
tender_bytes skill_name(const struct roster *roster, uint32_t skill);

/*
 * Replaces what a contractor offers. Skills that find no room in the table are left out. Returns
 * whether anything differs from before.
 */
bool roster_offer(struct roster *roster, uint32_t peer, const tender_bytes *skills,
                  uint32_t skill_count, uint32_t slots);
/* Whether the contractor offers the skill now. */
bool roster_offers(const struct roster *roster, uint32_t peer, uint32_t skill);
/* Puts a contractor that is alive and has offered into the crowds of its skills, others out. */
void roster_settle_crowds(struct roster *roster, struct peer *peer);
/*
 * Gives the account the root that the keyring now says; its contractors change their place in the
 * crowds. Returns false, and changes nothing, when there is no room for the root's account.
 */
TENDER_MUST_CHECK bool roster_settle_root(struct roster *roster, uint32_t account);
/* The contractor was offered all rounds of the skill and priority up to the sequence. */
void roster_mark_seen(struct roster *roster, uint32_t peer, uint32_t skill, uint32_t priority,
                      uint64_t sequence);
/* Forgets what the contractor was offered, so that all open rounds are looked at again. */
void roster_forget_seen(struct roster *roster, uint32_t peer);

/* The contractor has said in this session what it offers. */
void roster_serve(struct roster *roster, uint32_t peer);

/* A session began, was heard, or ended. roster_arrive withdraws the offers of an older session. */
void roster_arrive(struct roster *roster, uint32_t peer, int64_t at_us);
void roster_hear(struct roster *roster, uint32_t peer, int64_t at_us);
void roster_silence(struct roster *roster, uint32_t peer); /* unheard for too long */
void roster_leave(struct roster *roster, uint32_t peer);

/* Whether the contractor could take work now. */
bool roster_can_take(const struct roster *roster, uint32_t peer);
/* Brings `standing` in line after held, invitations or unanswered changed. */
void roster_update(struct roster *roster, uint32_t peer);
/* All open rounds were offered: behind becomes ready; and back, where one could not be. */
void roster_caught_up(struct roster *roster, uint32_t peer);
void roster_fell_behind(struct roster *roster, uint32_t peer);

#endif
