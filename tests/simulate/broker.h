/*
 * A broker's process in the simulated world: the real shell (turn, begin, hearing, postbox,
 * journal) over a port, a ledger, a timer and a clock that the world plays. What the world does to
 * it, and what it checks of it, is in broker.c, port.c and ledger.c.
 */
#ifndef TENDER_TESTS_SIMULATE_BROKER_H
#define TENDER_TESTS_SIMULATE_BROKER_H

#include "daemon_internal.h"
#include "world.h"

/* A request that has arrived, with what the port knows of it. */
struct arrived {
    struct exchange exchange;
    uint32_t peer;
};

struct port {
    struct broker *broker;
    struct exchange *first; /* each in a struct arrived */
    struct exchange **last;
    bool is_paused;
};

/* All that was said in a session up to `number` needs the first `entries` of this broker. */
struct mark {
    uint64_t number;
    uint64_t entries;
};

/* What the world remembers of a session: what was told in it, and what may be said to be heard. */
struct session_view {
    uint64_t session;
    uint64_t told;
    bool has_spoken; /* since the last mark */
    struct mark *marks;
    size_t mark_count;
    size_t mark_capacity;
};

/*
 * is_up         the process runs
 * is_dead       it dies in this step: what it still does no longer happens
 * is_ended      it ended by itself, with end_code
 * is_due        its begin lies in the queue
 * turn_at_us    of the next turn
 * effects_left  it dies at the effect that makes this 0; 0: it does not
 * is_settled    the last that its book heard was a tick: all answers are written
 * appended      entries given to its ledgers, and how many of them have committed
 * committed
 */
struct broker {
    struct world *world;
    uint32_t index;
    uint64_t life;
    bool is_up;
    bool is_dead;
    bool is_ended;
    bool is_due;
    int end_code;
    struct daemon daemon;
    struct config config;
    struct port port;
    int64_t turn_at_us;
    int64_t frozen_until_us;
    int64_t last_turn_us;
    uint64_t idle_turns;
    uint64_t effects_left;
    bool is_settled;
    uint64_t appended;
    uint64_t committed;
    struct session_view views[WORLD_PEERS];
};

/* One more effect: false when the broker has died before it. */
bool broker_lives(struct broker *broker);
void broker_wake(struct broker *broker, int64_t delay_us);
/* The session number in a session's identifier. */
uint64_t broker_session_number(const uint8_t id[16]);

/* ledger.c: 0 without a ledger or a reign */
int64_t ledger_reign_of(const struct ledger *ledger);

/* port.c */
void port_begin(struct port *port, struct broker *broker);
void port_end(struct port *port);
void port_arrive(struct port *port, const struct packet *packet);

#endif
