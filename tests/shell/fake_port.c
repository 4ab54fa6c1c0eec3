/*
 * The port of the tests: see fake_port.h.
 */
#include "fake_port.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct fake_port fake_port;

static struct exchange exchanges[1024];
static uint32_t exchange_count;

void fake_port_reset(void)
{
    memset(&fake_port, 0, sizeof(fake_port));
}

struct exchange *fake_bytes(uint32_t pipe, const void *bytes, size_t size)
{
    struct exchange *exchange = &exchanges[exchange_count++ % 1024];
    nng_msg *message = NULL;
    int status = nng_msg_alloc(&message, 0);
    assert(status == 0);
    status = nng_msg_append(message, bytes, size);
    assert(status == 0);
    *exchange = (struct exchange){.message = message, .pipe = pipe};
    return exchange;
}

struct exchange *fake_request(uint32_t pipe, uint8_t session, uint64_t first, uint64_t heard,
                              const struct message *messages, uint32_t count)
{
    static uint8_t buffer[TENDER_FRAME_MAX];
    struct wire_header header = {
        .version = WIRE_VERSION, .first = first, .heard = heard, .count = count};
    memset(header.session, session, sizeof(header.session));
    int size = wire_pack_header(&header, buffer, sizeof(buffer));
    assert(size > 0);
    for (uint32_t i = 0; i < count; i++) {
        int more = wire_pack_message(&messages[i], buffer + size, sizeof(buffer) - (size_t)size);
        assert(more > 0);
        size += more;
    }
    return fake_bytes(pipe, buffer, (size_t)size);
}

void port_reply(struct port *port, struct exchange *exchange, nng_msg *reply)
{
    static struct wire_reader *reader;
    const char *why = NULL;
    (void)port;
    assert(fake_port.reply_count < FAKE_REPLIES_MAX);
    assert(exchange->message == NULL);
    struct fake_reply *kept = &fake_port.replies[fake_port.reply_count++];
    kept->exchange = exchange;
    int status = reader == NULL ? wire_reader_open(&reader) : 0;
    assert(status == 0);
    status = wire_open(reader, nng_msg_body(reply), nng_msg_len(reply), &kept->header, &why);
    assert(status == 0);
    while (kept->count < 64 && wire_next(reader, &kept->messages[kept->count]) == 1) {
        kept->count++;
    }
    nng_msg_free(reply);
}

void port_abandon(struct port *port, struct exchange *exchange)
{
    (void)port;
    (void)exchange;
    fake_port.abandoned_count++;
}

void port_prove(struct port *port, uint32_t pipe, int64_t kept_us)
{
    (void)port;
    fake_port.proven_pipe = pipe;
    fake_port.proven_for_us = kept_us;
}

void port_fault(struct port *port, uint32_t pipe)
{
    (void)port;
    (void)pipe;
    fake_port.fault_count++;
}

bool port_is_open(const struct port *port, uint32_t pipe)
{
    (void)port;
    return pipe == fake_port.open_pipe;
}

void port_hang_up(struct port *port, uint32_t pipe)
{
    (void)port;
    fake_port.hung_up_count++;
    fake_port.hung_up_pipe = pipe;
}
