/*
 * The postbox: one session per peer, with what it was told and has not yet heard, what it said and
 * how far, and its parked exchanges. It numbers, repeats, skips and holds back, so that everything
 * said is heard once and in order over any number of connections. What the messages mean it does
 * not know; when a promise may leave, the journal decides.
 *
 * Numbers. Messages count from 1 in each direction of a session. `heard` from a peer frees what it
 * was told. A request by another connection than the last messages left by, with less heard than
 * was said, gets everything from there again; by the same connection it has only crossed a reply. A
 * request that begins beyond the next number waits for the one before it.
 *
 * Proof. A connection is challenged until it proves what session it speaks for (proof.h), and says
 * little before. It speaks for that one alone, and the session by that connection alone.
 */
#ifndef TENDER_BROKER_SHELL_POSTBOX_H
#define TENDER_BROKER_SHELL_POSTBOX_H

#include "frame.h"
#include "port.h"
#include "tender/key.h"

#define SESSION_PARKED_MAX     4 /* exchanges that one peer may have open before it is hung up on */
#define SESSION_FRAMES_MAX     8 /* frames waiting to be heard from which on older exchanges wait */
#define SESSION_WAITING_MAX    (2 * TENDER_FRAME_MAX) /* bytes of them */
#define SESSION_OUTBOX_BURST   8       /* times outbox_size that a peer may be told in one go */
#define SESSION_HEARD_DELAY_US 100000  /* how long `heard` alone waits for company */
#define SESSION_NEWS_DELAY_US  20000   /* how long what can wait does */
#define SESSION_GAP_US         5000000 /* how long a gap may last until the peer is hung up on */
#define HEARTBEAT_MIN_US       100000
#define HEARTBEAT_MAX_US       INT64_C(3600000000)

/* A packed message on its way to a peer. */
struct outgoing {
    struct outgoing *next;
    uint32_t size;
    bool can_wait; /* for others to leave with */
    uint8_t bytes[];
};

/* The sessions of one root principal are counted. */
struct principal;

struct session {
    struct postbox *postbox;
    uint8_t id[16];
    struct session_ref ref;
    size_t name_size;
    size_t principal_size;
    char name[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    uint8_t key[TENDER_PUBLIC_KEY_SIZE]; /* that opened it, and alone can prove it */
    bool is_proved;
    uint32_t bound_pipe; /* the connection that speaks for it */
    bool is_named;       /* its hello was heard */
    bool is_gone;        /* freed at the end of the turn */
    bool is_dirty;
    bool has_answers; /* the ledger has answered a question of its */
    bool is_evicted;  /* its connection is gone, and others want its place */
    bool has_spoken;  /* heard in this turn, and not yet marked in the journal */
    bool wants_receipts;
    uint32_t receipts_told; /* which of the postbox's it was told last */
    int64_t heartbeat_us;
    int64_t began_us;    /* as its peer says, by whatever clock; 0: it does not */
    int64_t heard_at_us; /* last request */
    int64_t seen_at_us;  /* last time the book learned that it was heard */
    uint32_t pipe;       /* connection of the last request, */
    int64_t prove_us;    /* which is to be vouched for again then */
    struct principal *of_principal;

    /* what it may cost */
    int64_t paid_until_us;     /* its rate allows what it has said by then */
    int64_t slowed_until_us;   /* until then it is neither heard nor answered; 0: it is */
    int64_t outgrown_since_us; /* since then its outbox is too full and nothing was heard; 0: not */

    /* from the peer */
    uint64_t taken;       /* highest number heard, all before it included */
    uint64_t heard;       /* of these, those whose consequences have committed */
    uint64_t heard_told;  /* the last `heard` that was said */
    struct frame *frames; /* by first number */
    uint32_t frame_count;
    size_t frames_size;

    /* to the peer */
    struct outgoing *first; /* the oldest that was not heard; its number is acknowledged + 1 */
    struct outgoing *unsent;
    struct outgoing *last;
    uint64_t acknowledged; /* highest number that the peer has heard */
    uint64_t sent;
    uint64_t said;     /* highest number given, */
    uint64_t pressing; /* and that of the last which cannot wait */
    size_t outbox_size;
    size_t flying_size;  /* of these, what was sent and not heard */
    uint32_t spoke_pipe; /* connection by which messages left last */

    struct exchange *parked[SESSION_PARKED_MAX]; /* the oldest first */
    uint32_t parked_count;
    int64_t reply_by_us;
    int64_t heard_by_us;
    int64_t news_by_us; /* what can wait leaves then; TENDER_NEVER: nothing waits, or not yet */

    UT_hash_handle hh_id;
    UT_hash_handle hh_name;
};

struct postbox;

/*
 * session_count, principal_count  most sessions at a time, in all and of one root principal
 * messages_per_s, bytes_per_s     of one session; an exchange counts as EXCHANGE_COST messages more
 * outbox_size, outbox_us          a session that was told more than it has heard, for so long
 *                                 without hearing anything, ends
 * outboxes_size, waiting_size     bytes told and not heard, and said and not heard, of all sessions
 * heartbeat_us, session_us        as the options say
 */
struct postbox_options {
    struct port *port;            /* borrowed */
    const struct tender_key *key; /* the broker's; borrowed. NULL: nobody is challenged */
    uint32_t session_count;
    uint32_t principal_count;
    int64_t messages_per_s;
    int64_t bytes_per_s;
    size_t outbox_size;
    int64_t outbox_us;
    size_t outboxes_size;
    size_t waiting_size;
    int64_t heartbeat_us;
    int64_t session_us;
};

/* Returns 0 or TENDER_ENOMEM. */
TENDER_MUST_CHECK int postbox_open(const struct postbox_options *options,
                                   struct postbox **postbox_out);
void postbox_close(struct postbox *postbox);

/* Takes reloaded values over: all but the port and the number of sessions. */
void postbox_configure(struct postbox *postbox, const struct postbox_options *options);

/*
 * Takes one request. Malformed ones, and those of unknown sessions, are answered here. Returns the
 * session when it has something to hear or was only heard from, else NULL.
 */
struct session *postbox_arrive(struct postbox *postbox, struct exchange *exchange, int64_t at_us);

/* Whether the session is over its rate at `at_us`, and is heard again later. */
bool session_is_slowed(const struct session *session, int64_t at_us);

/* A session that was slowed and may be heard again, or NULL when there is none left. */
struct session *postbox_ready(struct postbox *postbox);
bool postbox_has_ready(const struct postbox *postbox);

/* The frame that may be heard now, or NULL: there is none, or a gap comes before it. */
struct frame *session_ready(struct session *session);

/* Drops the first frame, which was heard. */
void session_shift(struct session *session);

/*
 * Gives a session its name, and counts it for its root principal. An older session of the same name
 * and principal ends: its exchanges are answered with refuse {name-taken}. Returns 0, or
 * TENDER_ECONFLICT when the name belongs to a live session of another principal.
 */
TENDER_MUST_CHECK int postbox_name(struct postbox *postbox, struct session *session,
                                   tender_bytes name, tender_bytes principal, tender_bytes root);

/* Whether one more session may be named whose root principal that is. */
bool postbox_has_place(const struct postbox *postbox, tender_bytes root);

/*
 * Others want a place: ends, with the next postbox_speak, sessions whose connection has been gone
 * for a while, however long they asked to be kept. Cheap where it was done a moment ago.
 */
void postbox_evict(struct postbox *postbox, int64_t at_us);

/* Whether the peer has a request open on a connection that stands, and so would hear of its end. */
bool session_is_attended(const struct session *session);

/* The session of that name, or NULL. */
struct session *postbox_find(struct postbox *postbox, tender_bytes name);
/* The next session that has a name, from slot `*index` on, which it moves behind it; or NULL. */
struct session *postbox_next_named(struct postbox *postbox, uint32_t *index);
/* The session, or NULL when it has ended. */
struct session *postbox_resolve(struct postbox *postbox, struct session_ref ref);

/* Packs a message once. NULL without memory or for one beyond the limits. */
struct outgoing *postbox_pack(struct postbox *postbox, const struct message *message);
/* Numbers a packed message and puts it into the outbox; takes `outgoing`. */
void postbox_put(struct postbox *postbox, struct session *session, struct outgoing *outgoing);
/* Both. */
void postbox_tell(struct postbox *postbox, struct session *session, const struct message *message);

/* What is held from now on: replies to those who want it end with it. At most WIRE_RECEIPTS_MAX. */
void postbox_receipts(struct postbox *postbox, tender_bytes receipts);

/* The consequences of all messages up to `number` have committed. */
void postbox_heard(struct postbox *postbox, struct session *session, uint64_t number,
                   int64_t at_us);

/* Ends a session; its exchanges are answered with `message`, without a number, or without any. */
void postbox_end(struct postbox *postbox, struct session *session, const struct message *message);

/* Puts `bye` into every outbox and answers everything that is parked. */
void postbox_bye(struct postbox *postbox, const struct message *message, int64_t at_us);

/* Whether everything said has left. */
bool postbox_is_silent(const struct postbox *postbox);

/*
 * Mute, it answers with nothing but what keeps a connection alive: what it has to say waits. So a
 * broker whose lease has run out says nothing that another may already have decided otherwise.
 */
void postbox_mute(struct postbox *postbox, bool is_mute);

/* Ends every session; peers with an open exchange learn that it is unknown, and begin another. */
void postbox_clear(struct postbox *postbox);

/*
 * Answers what is to be answered: exchanges of peers that have something to hear, older ones, and
 * those whose heartbeat has come. Ends sessions not heard for too long, of which `on_left` is told.
 * Looks at no more than `limit` sessions; returns whether others wait.
 */
bool postbox_speak(struct postbox *postbox, int64_t at_us, uint32_t limit,
                   void (*on_left)(void *context, struct session *session), void *context);

/* When postbox_speak shall be called again, at the latest. */
int64_t postbox_next(const struct postbox *postbox);

/* Exchanges answered so far. */
uint64_t postbox_answered(const struct postbox *postbox);

uint32_t postbox_count(const struct postbox *postbox);

#endif
