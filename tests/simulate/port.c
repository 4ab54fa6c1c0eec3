/*
 * The port of a simulated broker: hands out the requests that have arrived and sends the replies on
 * their way, after comparing all that leaves with the ledger.
 */
#include "broker.h"

#include "ledger.h"
#include "wire.h"

#include <inttypes.h>
#include <string.h>

void port_begin(struct port *port, struct broker *broker)
{
    *port = (struct port){.broker = broker};
    port->last = &port->first;
}

void port_end(struct port *port)
{
    for (struct exchange *one = port->first; one != NULL; one = one->next) {
        nng_msg_free(one->message);
    }
    port_begin(port, port->broker);
}

void port_arrive(struct port *port, const struct packet *packet)
{
    struct world *world = port->broker->world;
    struct arrived *arrived = pool_take(&world->pool, sizeof *arrived);
    nng_msg *message = NULL;
    int status = nng_msg_alloc(&message, packet->size);
    require(status == 0, "memory", "nng_msg_alloc returns %d", status);
    memcpy(nng_msg_body(message), packet->bytes, packet->size);
    arrived->exchange = (struct exchange){.message = message, .pipe = packet->pipe};
    arrived->peer = packet->peer;
    *port->last = &arrived->exchange;
    port->last = &arrived->exchange.next;
    bool waits = world_chance(world, world->weather.turn_delay);
    broker_wake(port->broker, waits ? world_delay(world, 50000) : 0);
}

struct exchange *port_collect(struct port *port)
{
    if (port->is_paused) {
        return NULL;
    }
    struct exchange *first = port->first;
    port->first = NULL;
    port->last = &port->first;
    return first;
}

void port_pause(struct port *port, bool is_paused)
{
    port->is_paused = is_paused;
}

void port_prove(struct port *port, uint32_t pipe, int64_t kept_us)
{
    (void)port;
    (void)pipe;
    (void)kept_us;
}

bool port_nonce(struct port *port, uint32_t pipe, uint8_t nonce_out[GATE_NONCE_SIZE])
{
    (void)port;
    (void)pipe;
    (void)nonce_out;
    return false; /* nobody is challenged: a simulated broker has no key */
}

bool port_bind(struct port *port, uint32_t pipe, const uint8_t session[16], uint8_t before_out[16])
{
    (void)port;
    (void)pipe;
    (void)session;
    (void)before_out;
    return false;
}

void port_fault(struct port *port, uint32_t pipe)
{
    (void)port;
    (void)pipe;
}

bool port_is_open(const struct port *port, uint32_t pipe)
{
    const struct world *world = port->broker->world;
    for (uint32_t i = 0; i < world->peer_count; i++) {
        if (world->peers[i].line.pipe == pipe) {
            return !world->peers[i].line.is_broken;
        }
    }
    return false;
}

void port_sweep(struct port *port, int64_t boot_us)
{
    (void)port;
    (void)boot_us;
}

uint32_t port_sending(const struct port *port)
{
    (void)port;
    return 0;
}

void port_abandon(struct port *port, struct exchange *exchange)
{
    (void)port;
    (void)exchange;
}

static void hang_up(struct world *world, uint32_t pipe)
{
    for (uint32_t i = 0; i < world->peer_count; i++) {
        if (world->peers[i].line.pipe == pipe) {
            world->peers[i].line.is_broken = true;
            world_push(world, world_delay(world, 100000), HAPPENING_LINE_LOST, i, pipe, NULL);
        }
    }
}

void port_hang_up(struct port *port, uint32_t pipe)
{
    if (!port->broker->is_dead) {
        world_trace(port->broker->world, "broker %" PRIu32 " hangs up on %" PRIu32,
                    port->broker->index, pipe);
        hang_up(port->broker->world, pipe);
    }
}

static struct reply *unpack(struct world *world, nng_msg *packed)
{
    struct wire_header header;
    struct message message;
    const char *why = NULL;
    struct reply *reply = pool_take(&world->pool, sizeof *reply);
    int status = wire_open(world->wire, nng_msg_body(packed), nng_msg_len(packed), &header, &why);
    require(status == 0, "wire", "a broker sends what cannot be read: %s", why);
    *reply = (struct reply){.session = broker_session_number(header.session),
                            .first = header.first,
                            .heard = header.heard};
    reply->messages = pool_take(&world->pool, (header.count + 1) * sizeof *reply->messages);
    while ((status = wire_next(world->wire, &message)) != 0) {
        require(status == 1 && message.faulty == 0, "wire", "a broker sends a faulty %s",
                tender_performative_name(message.performative));
        reply->messages[reply->count++] = pool_message(&world->pool, &message);
    }
    return reply;
}

/* I2: what is said to be heard has had all its consequences committed. */
static void check_heard(const struct broker *broker, const struct session_view *view,
                        const struct reply *reply, const char *name)
{
    const struct mark *mark = NULL;
    for (size_t i = view->mark_count; i > 0; i--) {
        if (view->marks[i - 1].number <= reply->heard) {
            mark = &view->marks[i - 1];
            break;
        }
    }
    require(mark == NULL || mark->entries <= broker->committed, "heard",
            "%s is told that %" PRIu64 " is heard, whose entry %" PRIu64 " of %" PRIu64
            " has not committed",
            name, reply->heard, mark->entries, broker->committed);
}

/* I17: past its lease a broker says nothing that it only remembers, whether another reigns or not.
 */
static void check_lease(const struct broker *broker, const struct reply *reply)
{
    if (reply->count == 0 || reply->first == 0 || reply->messages[0]->performative == TENDER_BYE) {
        return;
    }
    const struct ledger *ledger = broker->daemon.link.ledger;
    int64_t until_us = ledger == NULL ? 0 : ledger_leased_until_us(ledger);
    require(clock_boot_us() < until_us, "lease", "a broker says %s %" PRId64 " us after its lease",
            tender_performative_name(reply->messages[0]->performative), clock_boot_us() - until_us);
}

static void check(struct broker *broker, uint32_t peer, const struct reply *reply)
{
    struct world *world = broker->world;
    struct session_view *view = &broker->views[peer];
    check_lease(broker, reply);
    if (view->session == reply->session && reply->first != 0) {
        check_heard(broker, view, reply, world->peers[peer].name);
    }
    for (uint32_t i = 0; i < reply->count; i++) {
        const struct message *message = reply->messages[i];
        bool is_again = view->session == reply->session && reply->first + i <= view->told;
        world_trace(world, "broker %" PRIu32 " tells %s %s %s%s", broker->index,
                    world->peers[peer].name, tender_performative_name(message->performative),
                    audit_id(message->conversation), is_again ? " again" : "");
        if (!is_again && reply->first != 0) {
            tells_check(world, peer, message);
        }
    }
    if (view->session == reply->session && reply->count > 0 &&
        reply->first + reply->count - 1 > view->told) {
        view->told = reply->first + reply->count - 1;
    }
}

void port_reply(struct port *port, struct exchange *exchange, nng_msg *packed)
{
    struct broker *broker = port->broker;
    struct world *world = broker->world;
    struct arrived *arrived = (struct arrived *)exchange;
    require(exchange->message == NULL, "port", "a request is answered and kept");
    world->has_acted = true;
    if (broker_lives(broker)) {
        struct reply *reply = unpack(world, packed);
        reply->peer = arrived->peer;
        reply->pipe = exchange->pipe;
        check(broker, arrived->peer, reply);
        line_answer(world, reply);
        (void)broker_lives(broker);
    }
    nng_msg_free(packed);
}
