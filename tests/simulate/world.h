/*
 * The world that one seed makes: peers, the line between them and the broker, the broker's shell in
 * small (sessions, turns, journal, recovery) around the real book, and the ledger. One thread, one
 * clock, one queue of happenings; nothing but the seed decides.
 */
#ifndef TENDER_TESTS_SIMULATE_WORLD_H
#define TENDER_TESTS_SIMULATE_WORLD_H

#include "fail.h"
#include "prng.h"
#include "queue.h"
#include "store.h"

#define WORLD_PEERS      12
#define WORLD_PRINCIPALS 8
#define WORLD_START_US   INT64_C(1750000000000000)

enum happening {
    HAPPENING_TO_BROKER,  /* data: struct packet */
    HAPPENING_TO_PEER,    /* data: struct packet */
    HAPPENING_TURN,       /* the broker's loop comes round */
    HAPPENING_COMMITTED,  /* the batch on its way has committed */
    HAPPENING_LOOKED_UP,  /* data: struct lookup */
    HAPPENING_BROKER_UP,  /* a broker starts */
    HAPPENING_PEER_TIMER, /* a peer says again what was not heard, or that it lives */
    HAPPENING_PEER_RESTART,
    HAPPENING_ACT,        /* data: struct act */
    HAPPENING_CLIENT_ACT, /* a client thinks of something */
    HAPPENING_COUNT
};

/* A message with its number in its session. */
struct numbered {
    uint64_t number;
    const struct message *message;
};

/* What one exchange carries, either way. `is_unknown`: the broker does not know the session. */
struct packet {
    uint32_t peer;
    uint64_t session;
    uint64_t heard;
    size_t count;
    struct numbered *messages;
    bool is_unknown;
};

/* Messages said and not yet heard, oldest first. */
struct outbox {
    struct numbered *items;
    size_t first; /* the oldest that was not heard */
    size_t count;
    size_t capacity;
    uint64_t number; /* of the newest */
};

/* What a contractor will do about a cfp or an award. */
enum act_kind { ACT_BID, ACT_WITHDRAW, ACT_ACKNOWLEDGE, ACT_PROGRESS, ACT_FINISH };

struct act {
    enum act_kind kind;
    const struct message *message; /* the cfp or award that it follows */
};

struct peer {
    const char *name;
    const char *principal;
    bool is_contractor;
    int64_t heartbeat_us;
    int64_t slots;
    uint32_t skills; /* bit set over world skills */
    uint64_t life;   /* restarts */
    uint64_t session;
    uint64_t heard; /* number of the newest message heard in this session */
    bool is_away;   /* says nothing until then */
    int64_t away_until_us;
    struct outbox outbox;
    /* habits, in permille */
    uint32_t bids;
    uint32_t nonsense;
    uint32_t acknowledges;
    uint32_t delivers;
    uint32_t fails;
};

/* What a client said under a key: used to say it again, and by the checks of tells. */
struct ask {
    uint32_t peer;
    bool is_inbox;
    const struct message *message;
    tender_id task; /* as agreed; nil before */
};

/* A session as the broker sees it. */
struct session {
    bool is_known;
    uint64_t session;
    uint64_t in;        /* newest number heard */
    uint64_t submitted; /* newest number whose consequences are in the batch on its way */
    uint64_t committed; /* newest number whose consequences have committed */
    bool is_blocked;    /* waits for a look-up; what comes meanwhile is said again later */
    bool is_spoken_to;  /* has something to hear at the end of the turn */
    struct outbox outbox;
};

/* A question to the ledger, answered from what has committed when it is asked. */
struct lookup {
    uint32_t peer;
    uint64_t session;
    const struct message *message;
    struct request *request; /* else NULL */
    struct prior prior;
};

/* A tell with the batch that must commit before it leaves. */
struct pending_tell {
    uint32_t peer;
    uint64_t request;
    const struct message *message;
};

/* One batch of the journal. */
struct batch {
    struct store_entry **entries;
    size_t entry_count;
    size_t entry_capacity;
    struct pending_tell *tells;
    size_t tell_count;
    size_t tell_capacity;
    int64_t stamp_us;
    tender_digest fingerprint;
    uint64_t in[WORLD_PEERS]; /* per session: newest number heard */
};

/* A row of the inbox that SQL writes into. */
struct request {
    uint64_t request; /* 1 and up */
    uint32_t peer;
    bool is_operator;
    bool is_handed_out; /* to the broker that reigns */
    bool is_answered;
    int64_t amount_micro; /* of a funding, which has no message */
    const struct message *message;
};

struct broker {
    struct book *book; /* NULL while no broker runs */
    struct effects effects;
    uint64_t life;
    int64_t stamp_us;
    int64_t turn_at_us; /* of the next turn */
    int64_t last_turn_us;
    int64_t stalled_from_us; /* 0: not stalled */
    int64_t stalled_until_us;
    uint64_t idle_turns; /* turns since time moved */
    struct session sessions[WORLD_PEERS];
    struct packet **port;
    size_t port_count;
    size_t port_capacity;
    struct lookup **found;
    size_t found_count;
    size_t found_capacity;
    struct batch *filling;
    struct batch *under_way;
    uint64_t restarts;
};

/*
 * A bid that the book heard, remembered by the world itself.
 *
 * life, session  of the broker and of its peer when it was heard
 * verdicts       how often it was accepted or rejected in them
 */
struct heard_bid {
    tender_id task;
    int64_t round;
    uint32_t peer;
    int64_t cost_micro;
    int64_t at_us;
    uint64_t life;
    uint64_t session;
    uint32_t verdicts;
};

/* A report that the book heard. */
struct heard_report {
    tender_id task;
    int64_t generation;
    uint32_t peer;
};

/* A peer was heard, with or without a message. */
struct heard_peer {
    uint32_t peer;
    int64_t at_us;
};

/* An announcement that became a task. */
struct heard_announcement {
    tender_id task;
    tender_bytes principal;
    const struct message *message;
    bool is_dead; /* it died with its broker */
};

/* A cfp that left the broker, or a client's wish to close: `peer` is who was asked, or who asked.
 */
struct told_cfp {
    tender_id task;
    bool is_close;
    tender_digest digest; /* of the round: one that died uncommitted is another round */
    uint32_t peer;
};

/* What a seed chose for the whole run. */
struct weather {
    uint32_t loss; /* permille of packets */
    uint32_t duplication;
    uint32_t reordering;
    int64_t delay_us;      /* at most, for a packet */
    int64_t commit_us;     /* at most, for a batch */
    uint32_t ledger_stall; /* permille of batches */
    uint32_t broker_stall; /* permille of turns */
    uint32_t crash;        /* per 10,000 happenings */
    uint32_t peer_restart; /* per 10,000 happenings */
    uint32_t turn_delay;   /* permille of turns that wait for more */
    int64_t quantum_us;    /* times are multiples of it: instants coincide */
    int64_t grace_us;
};

struct world {
    uint64_t seed;
    uint64_t step;
    uint64_t steps;
    bool is_traced;
    bool is_calm; /* the end: nothing new is announced, nothing is lost or restarts */
    int64_t now_us;
    struct prng prng;
    struct pool pool;
    struct queue queue;
    struct weather weather;
    struct book_limits limits;
    struct audit audit;
    struct store store;
    struct entry_reader *reader;
    struct broker broker;
    struct peer peers[WORLD_PEERS];
    uint32_t peer_count;
    uint32_t client_count; /* the first peers */
    struct ask *asks;
    size_t ask_count;
    size_t ask_capacity;
    size_t ask_max;
    struct request *requests[256];
    size_t request_count;
    struct heard_bid *heard;
    size_t heard_count;
    size_t heard_capacity;
    struct heard_report *reports;
    size_t report_count;
    size_t report_capacity;
    struct heard_peer *signs;
    size_t sign_count;
    size_t sign_capacity;
    struct heard_announcement *announcements;
    size_t announcement_count;
    size_t announcement_capacity;
    struct told_cfp *cfps;
    size_t cfp_count;
    size_t cfp_capacity;
    uint64_t ids;
    bool is_touched; /* the book changed in this step */
    /* what happened, for the summary */
    uint64_t digest; /* over all that happened: equal for equal seeds */
    uint64_t packets_lost;
    uint64_t tells;
};

extern const char *const world_skills[4];
extern const char *const world_principals[WORLD_PRINCIPALS];

/* world.c */
void world_init(struct world *world, uint64_t seed, uint64_t steps, bool is_traced);
/* Runs to the end of the steps, then to quiescence; ends the program at a broken rule. */
void world_run(struct world *world);
void world_release(struct world *world);
void world_push(struct world *world, int64_t delay_us, enum happening kind, uint32_t who,
                uint64_t epoch, void *data);
/* A duration of at least 0, at most `most_us`, in the quantum of this seed. */
int64_t world_delay(struct world *world, int64_t most_us);
int64_t world_round(const struct world *world, int64_t duration_us);
void world_trace(const struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* witness.c: what the world saw and the ledger does not hold */
void witness_event(struct world *world, const struct event *event);
void witness_effects(struct world *world, const struct event *event, const struct effects *effects);
void witness_tell(struct world *world, uint32_t peer, const struct message *message);
void witness_crash(struct world *world);
/* Every bid was answered once. */
void witness_end(const struct world *world);
struct audit_witness witness_of(const struct world *world);

/* line.c: what is between peers and broker */
void line_say(struct world *world, uint32_t peer, const struct message *message);
void line_peer_speaks(struct world *world, uint32_t peer);
void line_broker_speaks(struct world *world, uint32_t peer, bool is_unknown);
void line_to_peer(struct world *world, const struct packet *packet);
void line_new_session(struct world *world, uint32_t peer);
void line_outbox_add(struct world *world, struct outbox *outbox, const struct message *message);
void line_outbox_heard(struct outbox *outbox, uint64_t heard);

/* broker.c: turns; journal.c: batches, crash and recovery */
void broker_packet(struct world *world, struct packet *packet);
void broker_found(struct world *world, struct lookup *lookup);
void broker_turn(struct world *world);
void broker_wake(struct world *world, int64_t delay_us);
void broker_effects(struct world *world);
void broker_hear(struct world *world, struct event *event);
void broker_tell(struct world *world, uint32_t peer, const struct message *message);
void broker_speak(struct world *world);
uint32_t broker_peer(const struct world *world, tender_bytes name);
void journal_submit(struct world *world);
void journal_committed(struct world *world);
void journal_crash(struct world *world);
void journal_up(struct world *world);
struct batch *journal_batch(struct world *world);
/* All entries stamped before it have committed. */
int64_t journal_committed_us(const struct world *world);

/* tells.c: checks of what leaves the broker, against the ledger at that moment */
void tells_check(struct world *world, uint32_t peer, const struct message *message);

/* more_accept.c: of a report that leaves */
void tells_check_report(const struct audit_task *task, const struct audit_award *award,
                        const struct message *message);

/* client.c, contractor.c: what peers do */
void client_act(struct world *world, uint32_t peer);
void client_hears(struct world *world, uint32_t peer, const struct message *message);
void contractor_hears(struct world *world, uint32_t peer, const struct message *message);
void contractor_act(struct world *world, uint32_t peer, const struct act *act);
void contractor_offers(struct world *world, uint32_t peer);

#endif
