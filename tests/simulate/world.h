/*
 * The world that one seed makes: peers, the lines between them and the brokers, brokers that are
 * the real shell around the real book (broker.h), and the database. One thread, one clock, one
 * queue of happenings; nothing but the seed decides.
 */
#ifndef TENDER_TESTS_SIMULATE_WORLD_H
#define TENDER_TESTS_SIMULATE_WORLD_H

#include "fail.h"
#include "prng.h"
#include "queue.h"
#include "store.h"

#define WORLD_PEERS      12
#define WORLD_PRINCIPALS 8
#define WORLD_BROKERS    2
#define WORLD_REQUESTS   256
#define WORLD_START_US   INT64_C(1750000000000000)

enum happening {
    HAPPENING_TO_BROKER,      /* data: struct packet */
    HAPPENING_TO_PEER,        /* data: struct reply */
    HAPPENING_LINE_LOST,      /* who: a peer, epoch: its pipe; 0: it dials again */
    HAPPENING_TURN,           /* who: a broker; its loop comes round */
    HAPPENING_LEDGER_WORKS,   /* data: struct errand, in the database */
    HAPPENING_LEDGER_ANSWERS, /* data: the same, back at the broker */
    HAPPENING_LEDGER_LOST,    /* who: a broker, epoch: its connection to the database */
    HAPPENING_BROKER_UP,      /* who: a broker's process begins */
    HAPPENING_PEER_TIMER,     /* a peer looks whether its line still answers */
    HAPPENING_ACT,            /* data: struct act */
    HAPPENING_CLIENT_ACT,     /* a client thinks of something */
    HAPPENING_COUNT
};

/* A message with its number in its session. */
struct numbered {
    uint64_t number;
    const struct message *message;
};

/* A request on its way, packed. `life` is that of the broker it was sent to. */
struct packet {
    uint32_t peer;
    uint32_t pipe;
    uint32_t broker;
    uint64_t life;
    const void *bytes;
    size_t size;
};

/* A reply on its way, unpacked; `first` 0: it stands outside of the numbering. */
struct reply {
    uint32_t peer;
    uint32_t pipe;
    uint64_t session;
    uint64_t first;
    uint64_t heard;
    uint32_t count;
    const struct message **messages;
};

/* Messages said and not yet heard, oldest first. */
struct outbox {
    struct numbered *items;
    size_t first; /* the oldest that was not heard */
    size_t sent;  /* the oldest that is not on its way on the present line */
    size_t count;
    size_t capacity;
    uint64_t number; /* of the newest */
};

/*
 * A peer's connection to a broker.
 *
 * pipe          number of the connection; 0: there is none
 * is_broken     nothing passes any more, and the peer does not know yet
 * open          requests that were not answered, at most two
 * since_us      when the newest of them left
 * to_us, from_us  when the last packet arrives at the broker, and at the peer: the next is later
 */
struct line {
    uint32_t pipe;
    uint32_t broker;
    uint64_t life;
    bool is_broken;
    uint32_t open;
    int64_t since_us;
    int64_t to_us;
    int64_t from_us;
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
    int64_t began_us;  /* the session, later than the one before */
    uint64_t heard;    /* number of the newest message heard in this session */
    int64_t offset_us; /* the broker's clock less its own, by the last welcome */
    bool is_away;      /* says nothing until then */
    int64_t away_until_us;
    int64_t deaf_until_us; /* what is said to it does not arrive, and what it says */
    int64_t mute_until_us;
    struct line line;
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

/* A row of the inbox that SQL writes into. */
struct request {
    uint64_t request; /* 1 and up */
    uint32_t peer;
    bool is_operator;
    bool is_answered;
    int64_t amount_micro; /* of a funding, which has no message */
    const struct message *message;
};

/*
 * A bid that a book heard, remembered by the world itself.
 *
 * reign, session  of the broker and of its peer when it was heard
 * verdicts       how often it was accepted or rejected in them
 */
struct heard_bid {
    tender_id task;
    int64_t round;
    uint32_t peer;
    int64_t cost_micro;
    int64_t at_us;
    int64_t reign;
    uint64_t session;
    uint32_t verdicts;
};

/* A report that a book heard. */
struct heard_report {
    tender_id task;
    int64_t generation;
    uint32_t peer;
};

/* A peer was heard, with or without a message, by the broker that reigned. */
struct heard_peer {
    uint32_t peer;
    int64_t at_us;
    int64_t reign; /* of the broker that heard it */
};

/* An announcement that became a task. */
struct heard_announcement {
    tender_id task;
    tender_bytes principal;
    const struct message *message;
    int64_t reign; /* of the broker that heard it */
};

/* A cfp that left the broker, or a client's wish to close: `peer` is who was asked, or who asked.
 */
struct told_cfp {
    tender_id task;
    bool is_close;
    tender_digest digest; /* of the round: one that died uncommitted is another round */
    uint32_t peer;
    int64_t reign; /* of the broker */
};

/* What a seed chose for the whole run; WEATHERS names what can be switched off. */
struct weather {
    uint32_t loss;         /* permille of packets; the line breaks with them */
    uint32_t duplication;  /* permille of requests that arrive twice */
    uint32_t lateness;     /* permille of packets that take up to ten deadlines */
    int64_t delay_us;      /* at most, for a packet */
    int64_t commit_us;     /* at most, for the database's work, and for its answer */
    uint32_t ledger_error; /* permille of errands that fail, one way or the other */
    uint32_t ledger_stall; /* permille of errands that take long */
    uint32_t freeze;       /* permille of turns before which a broker stops for a while */
    uint32_t crash;        /* per 10,000 happenings */
    uint32_t effect_crash; /* permille of brokers that die at an effect */
    uint32_t farewell;     /* per 10,000 happenings: a broker is told to end */
    uint32_t rival;        /* per 10,000 happenings: a second broker begins */
    uint32_t clock_step;   /* per 10,000 happenings: the database's clock steps */
    uint32_t partition;    /* per 10,000 happenings: somebody is cut off, one way or both */
    uint32_t peer_restart; /* per 10,000 happenings */
    uint32_t turn_delay;   /* permille of turns that wait for more */
    int64_t quantum_us;    /* times are multiples of it: instants coincide */
    int64_t grace_us;
};

/* clang-format off */
/* X(name, "what is switched off", statement on `weather`) */
#define WEATHERS(X)                                                         \
    X(loss,        weather->loss = 0)                                       \
    X(duplication, weather->duplication = 0)                                \
    X(delay,       weather->delay_us = 0; weather->lateness = 0)            \
    X(partition,   weather->partition = 0)                                  \
    X(errors,      weather->ledger_error = 0)                               \
    X(slowness,    weather->ledger_stall = 0; weather->commit_us = 0)       \
    X(freeze,      weather->freeze = 0)                                     \
    X(crash,       weather->crash = 0; weather->effect_crash = 0)           \
    X(farewell,    weather->farewell = 0)                                   \
    X(rival,       weather->rival = 0)                                      \
    X(clock,       weather->clock_step = 0)                                 \
    X(restart,     weather->peer_restart = 0)                               \
    X(patience,    weather->turn_delay = 0)
/* clang-format on */

enum weather_feature {
#define X(name, statement) WEATHER_##name,
    WEATHERS(X)
#undef X
        WEATHER_COUNT
};

extern const char *const weather_names[WEATHER_COUNT];

/* What of the database is not in the store: who reigns, what is held, its clock. */
struct database {
    int64_t reign;
    uint64_t life; /* of the broker that reigns */
    const char *holder;
    const char *urls;
    int64_t lease_ends_us; /* by its own clock */
    bool has_stepped;      /* that clock has, in this world */
    uint64_t batch;        /* last one held */
    int64_t clock_offset_us;
    uint64_t connections; /* made so far */
};

struct broker;
struct wire_reader;

/* What is asked for on the command line. `without`: bit set over enum weather_feature. */
struct world_options {
    uint64_t seed;
    uint64_t steps;
    uint32_t without;
    bool is_traced;
};

struct world {
    struct world_options options;
    uint64_t step;       /* happenings, without turns in which there was nothing to do */
    uint64_t happenings; /* with them */
    bool is_calm;        /* the end: nothing new is announced, nothing is lost or restarts */
    int64_t now_us;
    struct prng prng;
    struct pool pool;
    struct queue queue;
    struct weather weather;
    struct book_limits limits;
    struct audit audit;
    struct store store;
    struct database database;
    struct entry_reader *reader;
    struct wire_reader *wire;
    struct broker *brokers[WORLD_BROKERS];
    struct broker *current; /* whose turn it is */
    uint64_t lives;         /* of brokers so far */
    uint32_t pipes;
    struct peer peers[WORLD_PEERS];
    uint32_t peer_count;
    uint32_t client_count; /* the first peers */
    size_t enrolled;       /* principals, by more_kin.c */
    bool has_wastrel;      /* the first contractor bids least and fails, whoever asks */
    struct ask *asks;
    size_t ask_count;
    size_t ask_capacity;
    size_t ask_max;
    int64_t session_us;   /* of the configuration */
    int64_t backlog_size; /* of the configuration */
    int64_t lease_us;     /* of the configuration */
    struct request *requests[WORLD_REQUESTS];
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
    bool is_touched; /* a book changed in this step */
    bool has_acted;  /* something followed from this step */
    /* what happened, for the summary */
    uint64_t digest; /* over all that happened: equal for equal seeds */
    uint64_t packets_lost;
    uint64_t restarts;
    uint64_t takeovers;
    uint64_t fenced; /* batches refused because another broker reigns */
    uint64_t answers_lost;
};

extern const char *const world_skills[4];
extern const char *const world_principals[WORLD_PRINCIPALS];
extern struct world *world_running; /* for what the shell calls without a context */

/* world.c */
void world_init(struct world *world, const struct world_options *options);
/* Runs to the end of the steps, then to quiescence; ends the program at a broken rule. */
void world_run(struct world *world);
void world_release(struct world *world);
void world_push(struct world *world, int64_t delay_us, enum happening kind, uint32_t who,
                uint64_t epoch, void *data);
/* A duration of at least 0, at most `most_us`, in the quantum of this seed. */
int64_t world_delay(struct world *world, int64_t most_us);
int64_t world_round(const struct world *world, int64_t duration_us);
/* Whether something of `permille` befalls now; never in the calm. */
bool world_chance(struct world *world, uint32_t permille);
/* Whether something of `permille` is so, in the calm too. */
static inline bool chance(struct world *world, uint32_t permille)
{
    return prng_chance(&world->prng, permille);
}
/* One of the values, by the chance of `world`, which is in scope. */
#define PICK(...)                                                                                  \
    prng_pick(&world->prng, (const int64_t[]){__VA_ARGS__},                                        \
              sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))
void world_trace(const struct world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* weather.c: what a seed chooses */
void weather_choose(struct world *world);
void weather_limits(struct world *world);
/* What no message brings about: crashes, rivals, partitions, steps of a clock. */
void weather_befall(struct world *world);

/* witness.c: what the world saw and the ledger does not hold */
void witness_event(struct world *world, const struct event *event);
void witness_effects(struct world *world, const struct event *event, const struct effects *effects);
void witness_tell(struct world *world, uint32_t peer, const struct message *message);
/* Every bid was answered once. */
void witness_end(struct world *world);
struct audit_witness witness_of(const struct world *world);

/* line.c: what is between peers and brokers */
void line_say(struct world *world, uint32_t peer, const struct message *message);
void line_pump(struct world *world, uint32_t peer);
void line_lose(struct world *world, uint32_t peer);
void line_arrive(struct world *world, const struct packet *packet);
void line_answer(struct world *world, struct reply *reply);
void line_hear(struct world *world, const struct reply *reply);
void line_timer(struct world *world, uint32_t peer);
void line_outbox_add(struct world *world, struct outbox *outbox, const struct message *message);
/* The instant as the peer believes the broker to have it. */
int64_t line_now(const struct world *world, uint32_t peer);

/* broker.c: processes that are brokers */
void broker_up(struct world *world, uint32_t index);
/* Whether it is the turn that its broker waits for. */
bool broker_is_due(const struct world *world, const struct queue_item *item);
void broker_turn(struct world *world, const struct queue_item *item);
/* Ends those that died in this step. */
void broker_bury(struct world *world);
void broker_begin_world(struct world *world);
void broker_end_world(struct world *world);
/* No broker shall die any more, and none is frozen. */
void broker_calm(struct world *world);
/* The books that changed in this step hold together. */
void broker_check(struct world *world);
uint32_t broker_peer(const struct world *world, tender_bytes name);
/* The session that the current broker has of a peer; 0: none. */
uint64_t broker_session(const struct world *world, uint32_t peer);
/* The life of the broker whose process runs in that place; 0: none does. */
uint64_t broker_life(const struct world *world, uint32_t index);
/* Takes a packet in, where the broker lives that it was sent to. */
bool broker_receives(struct world *world, const struct packet *packet);
/* The reign of the broker whose turn it is, 0: none; and the turn given to the one that serves. */
int64_t broker_reign(const struct world *world);
void broker_make_current(struct world *world);
bool broker_is_quiet(const struct world *world);

/* ledger.c: the database as a broker's ledger.h sees it */
void errand_works(struct world *world, void *errand);
void errand_answers(struct world *world, void *errand);
void errand_lost(struct world *world, uint32_t broker, uint64_t connection);

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
