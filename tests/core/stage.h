/*
 * A stage for the book: hears events, keeps every entry as the ledger would, and after each event
 * checks the invariants and that a book which recalls those entries has the same fingerprint.
 */
#ifndef TENDER_TESTS_CORE_STAGE_H
#define TENDER_TESTS_CORE_STAGE_H

#include "book.h"

#define STAGE_START_US    INT64_C(1750000000000000)
#define STAGE_PEERS_MAX   256
#define STAGE_TASKS_MAX   512
#define STAGE_ENTRIES_MAX 16384

struct stage_peer {
    char name[TENDER_NAME_MAX + 1];
    char principal[TENDER_NAME_MAX + 1];
    bool is_muted; /* sends no heartbeats */
};

/* A task by the name that a script gives it. */
struct stage_task {
    char name[32];
    char client[TENDER_NAME_MAX + 1];
    tender_id id;
    tender_digest digest; /* of the newest cfp */
    int64_t round;
    int64_t generation; /* of the newest award */
    int64_t units;
};

/* What entries alone say of an account, and of a task. */
struct stage_balance {
    char principal[TENDER_NAME_MAX + 1];
    int64_t available_micro;
    int64_t reserved_micro;
    int64_t spent_micro;
    int64_t earned_micro;
};

struct stage_chain {
    tender_id id;
    char principal[TENDER_NAME_MAX + 1];
    bool is_blocked;
    bool is_over;
    tender_task_state state; /* and reason: of its end */
    tender_reason reason;
};

struct stage {
    struct book *book;
    struct effects effects;
    struct book_limits limits;
    int64_t now_us;
    struct entry *entries; /* as stored: body and content are copies */
    size_t entry_count;
    struct entry_reader *reader;
    struct stage_peer peers[STAGE_PEERS_MAX];
    size_t peer_count;
    struct stage_task tasks[STAGE_TASKS_MAX];
    size_t task_count;
    struct stage_balance balances[STAGE_PEERS_MAX];
    size_t balance_count;
    struct stage_chain chains[STAGE_TASKS_MAX];
    size_t chain_count;
    uint64_t ids;
    bool is_quick;     /* recall only when asked */
    char heard[65536]; /* what the last event caused, rendered */
};

struct stage *stage_open(void);
struct stage *stage_open_with(const struct book_limits *limits);
/* A small stage's limits. */
struct book_limits stage_limits(void);
void stage_close(struct stage *stage);

/* Lets the book hear one event at the stage's time; appends what it caused to `heard`. */
void stage_hear(struct stage *stage, struct event *event);
/* A message of a peer, through its session or, with `request`, through the inbox. */
void stage_say(struct stage *stage, const char *peer, struct message *message, uint64_t request,
               bool is_operator);
/* Moves the clock, with heartbeats every second and a tick whenever one is due. */
void stage_wait(struct stage *stage, int64_t until_us);
void stage_tick(struct stage *stage);
/* Throws the book away and recalls another; sessions are lost. */
void stage_restart(struct stage *stage);
/* Recalls into a fresh book and compares fingerprints. */
void stage_compare(struct stage *stage);

struct stage_peer *stage_peer(struct stage *stage, const char *name);
struct stage_task *stage_task(struct stage *stage, const char *name);
tender_bytes stage_bytes(const char *text);

/* What the ledger says of an account: the sums of its entries. */
const struct stage_balance *stage_balance(struct stage *stage, const char *principal);

/* render.c: effects as one line of words. */
void render_effects(struct stage *stage, char *text, size_t capacity);

/*
 * script.c: runs a play, one line an event; a line that begins with `=` is all that the event
 * before it causes. The language is described there.
 */
void script_run(const char *const *lines, size_t count);
/* One line, but for those that begin with `=`. */
void script_line(struct stage *stage, const char *line);

#endif
