/*
 * The daemon's parts between its port and its ledger, opened as the configuration says.
 */
#include "daemon_internal.h"

struct postbox_options daemon_postbox_options(const struct daemon *daemon)
{
    const struct config *config = daemon->config;
    return (struct postbox_options){
        .port = daemon->port,
        .key = daemon->key,
        .session_count = (uint32_t)config->session_count,
        .principal_count = (uint32_t)config->principal_sessions,
        .messages_per_s = config->messages_per_s,
        .bytes_per_s = config->bytes_per_s,
        .outbox_size = (size_t)config->outbox_size,
        .outbox_us = config->outbox_us,
        .outboxes_size = (size_t)config->outboxes_size,
        .waiting_size = (size_t)config->waiting_size,
        .heartbeat_us = config->heartbeat_us,
        .session_us = config->session_us,
    };
}

int daemon_open_parts(struct daemon *daemon)
{
    struct postbox_options options = daemon_postbox_options(daemon);
    int status = postbox_open(&options, &daemon->postbox);
    if (status == 0) {
        status = journal_open(daemon->postbox, &daemon->journal);
    }
    if (status == 0) {
        status = hearing_open(&daemon->hearing, daemon->config, daemon->postbox, daemon->journal);
    }
    if (status == 0) {
        status = link_open(&daemon->link, &daemon->loop, &daemon->hearing);
        outlet_init(&daemon->outlet, &daemon->loop, daemon->config);
        daemon->link.outlet = &daemon->outlet;
        daemon->link.key = daemon->key;
    }
    return status;
}
