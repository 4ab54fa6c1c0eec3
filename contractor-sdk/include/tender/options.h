/*
 * What contractors and clients are opened with: where the broker is, who speaks, and by which keys
 * each knows the other. For C11 and C++.
 */
#ifndef TENDER_OPTIONS_H
#define TENDER_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/*
 * How to reach the broker and who you are. Start from TENDER_OPTIONS_INIT, which records the size.
 *
 * broker_url          "ipc:///run/tender/broker.ipc" or "tls+tcp://10.0.0.5:7480"; of several
 *                     brokers all, commas between (slots are divided among them). Required.
 * name                of this agent, unique among those connected; tender_name_is_valid. Required.
 * principal           whose money and reputation are at stake; NULL: the same as `name`
 * slots               commitments you can hold at once, 1 to TENDER_SLOTS_MAX (contractors only)
 * heartbeat_ms        how often you are heard, 100 to 3,600,000; after three you are gone
 * connect_timeout_ms  how long open waits for the welcome; 0: it connects in the background
 * linger_ms           how long close waits for what you said to be recorded
 * key_file            of `tender key new`, whose public half an operator enrols; NULL: TENDER_KEY
 * broker_key          keys of brokers that may answer, commas between; NULL: TENDER_BROKER_KEY
 * known_brokers       where no broker_key is named: file of the keys that answered first at each
 *                     address, by which another one there is refused; NULL: that of
 *                     TENDER_KNOWN_BROKERS, else tender/known-brokers in $XDG_STATE_HOME or
 *                     ~/.local/state; "": any broker may answer
 * ca_file             PEM by which a broker is known on tls+tcp; NULL: that of TENDER_CA
 */
typedef struct tender_options {
    size_t size;
    const char *broker_url;
    const char *name;
    const char *principal;
    uint32_t slots;
    uint32_t heartbeat_ms;
    uint32_t connect_timeout_ms;
    uint32_t linger_ms;
    const char *key_file;
    const char *broker_key;
    const char *ca_file;
    const char *known_brokers;
} tender_options;

#define TENDER_OPTIONS_INIT                                                                        \
    {                                                                                              \
        sizeof(tender_options), NULL, NULL, NULL, 1, 5000, 10000, 2000, NULL, NULL, NULL, NULL     \
    }

#endif
