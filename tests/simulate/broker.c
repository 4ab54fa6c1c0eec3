/*
 * A broker's process: it begins, takes its turns, freezes, and ends, by itself or in the middle of
 * anything. All that a broker does is the real shell's; here is what surrounds it (libuv, clock,
 * random bytes, the service manager), and what the world sees of its book. Its port is in port.c,
 * its database in ledger.c.
 */
#include "broker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURNS_MAX      20000 /* turns in one instant: more is a book that asks without end */
#define FREEZE_MOST_US 8000000
#define EFFECTS_MOST   400 /* of a broker that dies at one of them */
#define DOWN_US        6000000

uint64_t broker_session_number(const uint8_t id[16])
{
    uint64_t number = 0;
    memcpy(&number, id, sizeof number);
    return number;
}

void broker_wake(struct broker *broker, int64_t delay_us)
{
    struct world *world = broker->world;
    int64_t at_us = world->now_us + delay_us;
    if (broker->is_up && at_us < broker->turn_at_us) {
        broker->turn_at_us = at_us;
        world_push(world, delay_us, HAPPENING_TURN, broker->index, broker->life, NULL);
    }
}

bool broker_lives(struct broker *broker)
{
    if (broker->effects_left > 0 && --broker->effects_left == 0 && !broker->world->is_calm) {
        broker->is_dead = true;
        world_trace(broker->world, "broker %" PRIu32 " dies at an effect", broker->index);
    }
    return !broker->is_dead;
}

uint32_t broker_peer(const struct world *world, tender_bytes name)
{
    for (uint32_t i = 0; i < world->peer_count; i++) {
        if (bytes_equal(bytes_of(world->peers[i].name), name)) {
            return i;
        }
    }
    fail("tells", "a tell for %.*s, who does not exist", (int)name.size, (const char *)name.data);
}

uint64_t broker_session(const struct world *world, uint32_t peer)
{
    struct postbox *postbox = world->current->daemon.postbox;
    const struct session *session = postbox_find(postbox, bytes_of(world->peers[peer].name));
    return session == NULL ? 0 : broker_session_number(session->id);
}

int64_t broker_reign(const struct world *world)
{
    return ledger_reign_of(world->current->daemon.link.ledger);
}

void broker_make_current(struct world *world)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        struct broker *broker = world->brokers[i];
        bool is_serving = broker->is_up && broker->daemon.phase == PHASE_SERVING;
        world->current = is_serving ? broker : world->current;
    }
}

static struct broker *broker_of(const struct daemon *daemon)
{
    return (struct broker *)((char *)(uintptr_t)daemon - offsetof(struct broker, daemon));
}

void daemon_stop(struct daemon *daemon, int exit_code)
{
    struct broker *broker = broker_of(daemon);
    broker->is_ended = true;
    broker->end_code = exit_code;
}

/* Ledger before voice, seen from the book: what leaves at once promises nothing. */
static void check_tell(const struct tell *tell)
{
    require(tell->is_promise || tell->request != 0 || tell->message.performative == TENDER_CFP ||
                tell->message.performative == TENDER_WELCOME,
            "I2", "%s is told before its entries commit",
            tender_performative_name(tell->message.performative));
}

/* All that has been heard so far needs all that is written now. */
static void mark_sessions(struct broker *broker, uint64_t entries)
{
    struct world *world = broker->world;
    for (uint32_t i = 0; i < world->peer_count; i++) {
        struct session_view *view = &broker->views[i];
        const struct session *session =
            postbox_find(broker->daemon.postbox, bytes_of(world->peers[i].name));
        if (session == NULL) {
            continue;
        }
        uint64_t number = broker_session_number(session->id);
        if (view->session != number) {
            *view = (struct session_view){.session = number, .has_spoken = view->has_spoken};
        }
        if (!view->has_spoken) {
            continue;
        }
        view->has_spoken = false;
        view->marks = pool_grow(&world->pool, view->marks, view->mark_count, &view->mark_capacity,
                                sizeof *view->marks);
        view->marks[view->mark_count++] = (struct mark){session->taken, entries};
    }
}

static void trace_event(const struct world *world, const struct event *event)
{
    if (!world->options.is_traced) {
        return;
    }
    static const char *const kinds[] = {"message", "heard", "left", "tick", "recess", "fund"};
    world_trace(world, "broker %" PRIu32 " hears %s %.*s %s %s%s", world->current->index,
                kinds[event->kind], (int)event->peer.size,
                event->peer.size == 0 ? "" : (const char *)event->peer.data,
                event->message == NULL ? ""
                                       : tender_performative_name(event->message->performative),
                event->message == NULL ? "" : audit_id(event->message->conversation),
                event->prior == NULL ? "" : ", looked up");
}

/* Every call of book_hear in the shell comes by here. */
void __real_book_hear(struct book *book, const struct event *event, struct effects *effects);
void __wrap_book_hear(struct book *book, const struct event *event, struct effects *effects);
void __wrap_book_hear(struct book *book, const struct event *event, struct effects *effects)
{
    struct world *world = world_running;
    struct broker *broker = world->current;
    if (broker->is_dead) {
        __real_book_hear(book, event, effects);
        return;
    }
    world->has_acted = true;
    trace_event(world, event);
    witness_event(world, event);
    if (event->kind == EVENT_MESSAGE && event->request == 0) {
        broker->views[broker_peer(world, event->peer)].has_spoken = true;
    }
    __real_book_hear(book, event, effects);
    world->is_touched = true;
    broker->is_settled = event->kind == EVENT_TICK;
    witness_effects(world, event, effects);
    for (size_t i = 0; i < effects->tell_count; i++) {
        const struct tell *tell = &effects->tells[i];
        check_tell(tell);
        if (tell->to.size > 0) {
            witness_tell(world, broker_peer(world, tell->to), &tell->message);
        }
    }
    if (event->kind == EVENT_TICK) {
        mark_sessions(broker, broker->appended + effects->entry_count);
    }
}

static void configure(struct broker *broker)
{
    const struct world *world = broker->world;
    const struct book_limits *limits = &world->limits;
    struct config *config = &broker->config;
    config_init(config);
    config->lease_us = world->lease_us;
    config->session_us = world->session_us;
    config->grace_us = world->weather.grace_us;
    config->inbox_idle_us = 500000;
    config->session_count = 32;
    config->principal_sessions = 32;
    config->backlog_size = world->backlog_size;
    config->task_count = limits->task_count;
    config->contractor_count = limits->contractor_count;
    config->client_count = limits->client_count;
    config->account_count = limits->account_count;
    config->skill_count = limits->skill_count;
    config->bid_count = limits->bid_count;
    config->content_size = (int64_t)limits->content_bytes;
    config->invitations_max = limits->invitations_max;
    config->unanswered_max = limits->unanswered_max;
    config->newcomers = 0;
    config->deadlines_per_tick = limits->deadlines_per_tick;
    config->keep_ended_us = limits->keep_ended_us;
    /* Of one name, the second takes over at once; of two, it stands by until the lease is over. */
    bool has_own_name = broker->index > 0 && world->options.seed % 4 != 0;
    strcpy(broker->config.broker, has_own_name ? "tender-b" : "tender-a");
    broker->daemon.urls[0] = (char)('0' + broker->index);
}

static void open_parts(struct broker *broker)
{
    struct daemon *daemon = &broker->daemon;
    daemon->config = &broker->config;
    daemon->port = &broker->port;
    int status = daemon_open_parts(daemon);
    require(status == 0, "memory", "the parts of a broker do not open: %d", status);
}

/* Whether it reigned last: nobody of another name may before its lease is over. */
static bool is_holder(const struct broker *broker)
{
    const char *urls = broker->world->database.urls;
    return urls != NULL && urls[0] == broker->daemon.urls[0];
}

/* A process begins again after a while, where nobody else reigns; and now and then all the same. */
static void plan_next(struct broker *broker)
{
    struct world *world = broker->world;
    bool is_other = false;
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        const struct broker *other = world->brokers[i];
        is_other = is_other || other->is_up || other->is_due;
    }
    bool is_missed = world->is_calm && is_holder(broker);
    if (is_other && !is_missed && !world_chance(world, 200)) {
        return;
    }
    broker->is_due = true;
    world_push(world, world_delay(world, DOWN_US), HAPPENING_BROKER_UP, broker->index, 0, NULL);
}

static void end(struct broker *broker)
{
    struct world *world = broker->world;
    struct daemon *daemon = &broker->daemon;
    broker->is_dead = true; /* whatever closing says, nobody hears it */
    world->current = broker;
    hearing_close(&daemon->hearing);
    journal_close(daemon->journal);
    postbox_close(daemon->postbox);
    link_disconnect(&daemon->link);
    close(daemon->link.epoll);
    port_end(&broker->port);
    broker->is_up = false;
    world->current = NULL;
    for (uint32_t i = 0; i < world->peer_count; i++) {
        const struct line *line = &world->peers[i].line;
        if (line->pipe != 0 && line->life == broker->life) {
            world_push(world, world_delay(world, 1000000), HAPPENING_LINE_LOST, i, line->pipe,
                       NULL);
        }
    }
}

void broker_bury(struct world *world)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        struct broker *broker = world->brokers[i];
        if (!broker->is_up || (!broker->is_dead && !broker->is_ended)) {
            continue;
        }
        world_trace(world, "broker %" PRIu32 " %s %d", i, broker->is_dead ? "is dead" : "ends with",
                    broker->end_code);
        world->restarts++;
        end(broker);
        plan_next(broker);
    }
}

void broker_up(struct world *world, uint32_t index)
{
    struct broker *broker = world->brokers[index];
    if (broker->is_up) {
        return;
    }
    *broker = (struct broker){.world = world,
                              .index = index,
                              .life = ++world->lives,
                              .is_up = true,
                              .turn_at_us = TENDER_NEVER};
    if (world_chance(world, world->weather.effect_crash)) {
        broker->effects_left = 1 + prng_below(&world->prng, EFFECTS_MOST);
    }
    world_trace(world, "broker %" PRIu32 " begins life %" PRIu64, index, broker->life);
    configure(broker);
    port_begin(&broker->port, broker);
    open_parts(broker);
    world->current = broker;
    int status = daemon_begin(&broker->daemon);
    if (status == TENDER_EREIGN) {
        daemon_stand_by(&broker->daemon);
    } else if (status != 0) {
        daemon_stop(&broker->daemon, DAEMON_EXIT_LEDGER);
    } else {
        broker_wake(broker, 0);
    }
}

static void check_pace(struct broker *broker)
{
    struct world *world = broker->world;
    broker->idle_turns = broker->last_turn_us == world->now_us ? broker->idle_turns + 1 : 0;
    broker->last_turn_us = world->now_us;
    require(broker->idle_turns < TURNS_MAX, "pace", "a broker wants turns without end");
}

/* The process is stopped for a while now and then; true while it is. */
static bool is_frozen(struct broker *broker)
{
    struct world *world = broker->world;
    if (broker->frozen_until_us == 0 && world_chance(world, world->weather.freeze)) {
        broker->frozen_until_us = world->now_us + world_delay(world, FREEZE_MOST_US);
        world_trace(world, "broker %" PRIu32 " freezes for %" PRId64 " us", broker->index,
                    broker->frozen_until_us - world->now_us);
    }
    if (world->now_us < broker->frozen_until_us) {
        broker_wake(broker, broker->frozen_until_us - world->now_us);
        return true;
    }
    broker->frozen_until_us = 0;
    return false;
}

bool broker_is_due(const struct world *world, const struct queue_item *item)
{
    const struct broker *broker = world->brokers[item->who];
    return broker->is_up && item->epoch == broker->life && broker->turn_at_us == item->at_us;
}

void broker_turn(struct world *world, const struct queue_item *item)
{
    struct broker *broker = world->brokers[item->who];
    broker->turn_at_us = TENDER_NEVER;
    if (is_frozen(broker)) {
        return;
    }
    check_pace(broker);
    world->current = broker;
    daemon_turn(&broker->daemon);
}

uint64_t broker_life(const struct world *world, uint32_t index)
{
    const struct broker *broker = world->brokers[index];
    return broker->is_up && !broker->is_dead && !broker->is_ended ? broker->life : 0;
}

bool broker_receives(struct world *world, const struct packet *packet)
{
    struct broker *broker = world->brokers[packet->broker];
    if (broker_life(world, packet->broker) != packet->life) {
        return false;
    }
    port_arrive(&broker->port, packet);
    return true;
}

void broker_begin_world(struct world *world)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        world->brokers[i] = pool_take(&world->pool, sizeof(struct broker));
        world->brokers[i]->world = world;
        world->brokers[i]->index = i;
    }
    broker_up(world, 0);
    broker_bury(world);
}

void broker_end_world(struct world *world)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        if (world->brokers[i]->is_up) {
            end(world->brokers[i]);
        }
    }
}

/* Somebody starts the broker that reigned last, if it is down. */
void broker_calm(struct world *world)
{
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        struct broker *broker = world->brokers[i];
        broker->effects_left = 0;
        if (!broker->is_up && !broker->is_due && is_holder(broker)) {
            broker->is_due = true;
            world_push(world, 0, HAPPENING_BROKER_UP, i, 0, NULL);
        }
    }
}

void broker_check(struct world *world)
{
    const struct broker *broker = world->current;
    if (world->is_touched && broker != NULL && broker->is_up &&
        broker->daemon.hearing.book != NULL) {
        book_check(broker->daemon.hearing.book);
    }
}

/* All that was said between the peers and the broker that serves has been heard. */
static bool is_heard(const struct broker *broker)
{
    const struct world *world = broker->world;
    for (uint32_t i = 0; i < world->peer_count; i++) {
        const struct peer *peer = &world->peers[i];
        const struct session *session = postbox_find(broker->daemon.postbox, bytes_of(peer->name));
        if (session == NULL || session->first != NULL || peer->outbox.first < peer->outbox.count) {
            return false;
        }
    }
    return true;
}

bool broker_is_quiet(const struct world *world)
{
    uint32_t serving = 0;
    for (uint32_t i = 0; i < WORLD_BROKERS; i++) {
        const struct broker *broker = world->brokers[i];
        bool is_serving = broker->is_up && broker->daemon.phase == PHASE_SERVING;
        serving += is_serving;
        if (broker->is_due || (broker->is_up && !journal_is_drained(broker->daemon.journal)) ||
            (is_serving && !is_heard(broker))) {
            return false;
        }
    }
    return serving == 1;
}
