/*
 * The daemon: libuv's loop, the signals, the one timer and the one turn. Callbacks only collect;
 * once per iteration, just before the loop sleeps, the turn hears, writes, releases and speaks.
 */
#ifndef TENDER_BROKER_SHELL_DAEMON_H
#define TENDER_BROKER_SHELL_DAEMON_H

#include "config.h"
#include "tender/key.h"

/* How the process ends. */
enum daemon_exit {
    DAEMON_EXIT_DONE = 0,
    DAEMON_EXIT_CONFIG = 2, /* configuration or address */
    DAEMON_EXIT_REIGN = 3,  /* another broker of this name reigns */
    DAEMON_EXIT_LEDGER = 4, /* the ledger cannot be reached, or refused */
    DAEMON_EXIT_PORT = 5    /* nng is stuck: only a new process helps */
};

/*
 * Runs the broker, whose key is `key`, until it is told to end. `argc` and `argv` are read again at
 * SIGHUP. Returns one of the above; the caller leaves by _exit, since nng may not end its threads,
 * or after DAEMON_EXIT_PORT begins the program anew on the addresses that `config` then names.
 */
int daemon_run(struct config *config, const struct tender_key *key, int argc, char **argv);

#endif
