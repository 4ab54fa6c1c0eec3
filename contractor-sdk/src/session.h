/*
 * A session with the broker: a channel with two requests (one parked, one speaking), the numbered
 * outbox, and up to two views of it, a contractor's and a client's.
 * PROTOCOL.md is the text it follows. Leaves the meaning of messages to the views. Internal to the
 * SDK.
 *
 * Everything is under one lock, taken by the program's threads, nng's and the pacer's. No code of
 * the program runs under it.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_SESSION_H
#define TENDER_CONTRACTOR_SDK_SRC_SESSION_H

#include <nng/nng.h>
#include <pthread.h>

#include "channel.h"
#include "error.h"
#include "inbox.h"
#include "known.h"
#include "outbox.h"
#include "pacer.h"
#include "proof.h"
#include "wire.h"

#define SESSION_URLS_MAX 16
#define SESSION_PINS_MAX 16
#define SESSION_STEP_MAX PROOF_SIZE /* bytes of a question or a proof */

struct session;

/*
 * One side of a session, and what its handle holds.
 *
 * is_handling  the program has taken an event and not yet asked for the next: what it says waits
 * for that, or for SESSION_CORK_US, and leaves together
 */
struct view {
    struct session *session;
    struct inbox inbox;
    struct error error;
    bool is_handling;
    bool is_member; /* of a fleet: its session stays with its address */
    /* Turns a message into an event. Returns 0 or TENDER_ENOMEM. */
    int (*hear)(struct view *view, const struct message *message);
    /* Says again, in a new session, what only the view knows. Returns 0 or a negative error. */
    int (*renew)(struct view *view);
    /* The broker's ledger has lost commits: asks about what renew does not. As renew; may be NULL.
     */
    int (*doubt)(struct view *view);
    /* Of a fleet's: the broker does not answer for what it was told. 0. */
    int (*bounced)(struct view *view, const struct message *message);
    /* Turns what becomes of the connection into an event, where there is memory for one. */
    void (*contact)(struct view *view, tender_contact_kind kind, const char *text);
};

struct session {
    struct paced paced;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* welcomed, refused, heard or lost; by the monotonic clock */
    bool is_paced;
    struct channel *channel;
    struct channel *left_channels; /* not closed yet */
    struct wire_reader *reader;
    struct outbox outbox;

    char *urls;    /* NUL-separated */
    char *ca_file; /* NULL: none of them is tls+tcp */
    const char *url[SESSION_URLS_MAX];
    size_t url_count;
    size_t url_index;
    char address[TENDER_ADDRESS_MAX + 1]; /* where a broker said that another answers, or "" */
    char added[TENDER_ADDRESS_MAX + 1];   /* one such that was not among the urls, and now is */
    uint32_t dials;                       /* since the last welcome */
    int64_t patience_us;                  /* how long this address may take to take a request */
    int64_t dial_after_us;                /* monotonic; before it nothing is dialed */
    bool is_pinned; /* to its one address; what it leaves over is kept in `left` (fleet.h) */
    struct outbox left;
    int64_t away_us; /* since when it is not connected (monotonic) */
    uint32_t welcomes;
    uint64_t unheard;      /* number of the oldest message unheard, as seen last */
    int64_t unheard_us;    /* since when it is that one (monotonic) */
    uint32_t deaf_count;   /* how often it was deaf since all was heard */
    bool is_turned_away;   /* by the broker that is connected: nothing is said to it any more */
    bool is_short_of_room; /* the broker had none for the session, and was not heard to have some */
    struct error shortage; /* then: how it said so */
    char name[TENDER_NAME_MAX + 1];
    char principal[TENDER_NAME_MAX + 1];
    tender_key *key; /* NULL: nothing is proved, and no broker that wants a proof served */
    enum proof_state proof;
    enum proof_state heard_step; /* of the request whose reply is being heard */
    uint8_t question[PROOF_QUESTION_SIZE];
    uint8_t challenge[PROOF_CHALLENGE_SIZE]; /* answered last, or to be answered */
    uint32_t pin_count;                      /* 0: any broker that `known` lets answer */
    uint8_t pins[SESSION_PINS_MAX][TENDER_PUBLIC_KEY_SIZE];
    struct known known;
    int64_t heartbeat_us; /* as asked for, then as the broker has confirmed it */
    int64_t linger_us;

    char (*skills)[TENDER_SKILL_MAX + 1]; /* [skill_count] */
    uint32_t skill_count;
    uint32_t slots;       /* offered last */
    uint32_t slots_bound; /* that the broker may believe in, at most */
    uint32_t slots_kept;  /* that one of before may have filled, with awards that went elsewhere */
    int64_t kept_us;      /* since when */
    uint32_t offers_said; /* in this session */
    uint32_t offers_agreed;

    uint8_t id[16];
    int64_t began_us;    /* by the time of day, but later than the session before */
    uint64_t heard;      /* highest number heard from the broker */
    uint64_t half_heard; /* number of a message that only the client has heard; 0: none */
    uint32_t epoch;      /* counts connections and sessions: what left earlier is void */
    bool is_welcomed;    /* in this session */
    bool is_connected;
    bool is_leaving; /* bye is said: nothing is parked, and a session unknown now has ended */
    bool is_closing;
    bool wants_renewal; /* memory was out when a new session was due */
    bool wants_dialing; /* the connection is dead, or a frame could not be used */
    int status;         /* 0, or why the session is over for good */
    struct error failure;
    int64_t clock_offset_us; /* broker's clock less the monotonic clock */
    size_t own_size;         /* receipts as this broker said them last */
    uint8_t own[WIRE_RECEIPTS_MAX * WIRE_RECEIPT_SIZE];
    size_t before_size; /* the same of the session before, where a broker shares its ledger */
    uint8_t before[WIRE_RECEIPTS_MAX * WIRE_RECEIPT_SIZE];
    uint32_t receipt_count;
    uint8_t receipts[WIRE_RECEIPTS_MAX][WIRE_RECEIPT_SIZE]; /* the newest of each shard */

    struct view *contractor;
    struct view *client;
};

/*
 * Checks options and connects; `status` and particulars as tender_contractor_open. The first view
 * becomes session->contractor or session->client by `is_contractor` before anything is heard.
 */
TENDER_MUST_CHECK int session_open(const tender_options *options, bool is_contractor,
                                   struct view *view, struct error *error,
                                   struct session **session_out);
/* Frees without a word; the session may be half open. session_close.c. */
void session_abandon(struct session *session);
/* Waits until something changed or `until_us`; false when that has come. Locked. */
bool session_wait(struct session *session, int64_t until_us);
/* Lingers, says bye, frees. NULL is fine. session_close.c. */
void session_close(struct session *session);

void session_lock(struct session *session);
void session_unlock(struct session *session);

/* Queues a message of `view` and lets it leave when it should. Locked. 0, ELIMIT, ENOMEM. */
TENDER_MUST_CHECK int session_say(struct session *session, const struct view *view,
                                  const struct message *message);
/* The same for a message that is packed already. */
TENDER_MUST_CHECK int session_say_packed(struct session *session, const struct view *view,
                                         tender_performative performative, tender_bytes packed);
/* Sends what is queued, or parks. Locked. */
void session_pump(struct session *session);
/* Sends an empty request, so that the broker answers the one it has. Locked. */
void session_ask(struct session *session);
/* Whether a request waits for its reply. Locked. */
bool session_is_asking(const struct session *session);
/* Whether its broker is there and has welcomed it. Locked. */
static inline bool session_is_live(const struct session *session)
{
    return session->status == 0 && session->is_welcomed && session->is_connected;
}
/* Queues hello, and the offer where there is one. Locked. */
TENDER_MUST_CHECK int session_say_hello(struct session *session);
TENDER_MUST_CHECK int session_say_offer(struct session *session);

/* The broker's clock now, in µs since the epoch; 0 before it was told. */
int64_t session_broker_us(const struct session *session);

/*
 * The loop of both sides' next. `leave` is called once, locked, before anything else: it releases
 * the current item and says what the move to the next event implies. Returns 1, 0 or an error.
 */
TENDER_MUST_CHECK int view_next(struct view *view, int timeout_ms, int (*leave)(struct view *view),
                                bool (*take)(struct view *view, struct item *item));

/* session_dial.c */
/* Dials the present address, in the background. Returns nng's result. */
TENDER_MUST_CHECK int session_dial(struct session *session);
/* Dials anew, the address that a broker named or the next one. Not locked: closing a dialer calls
 * back; only the pacer's thread does it. */
void session_dial_again(struct session *session);
/* Another broker answers: notes its address, which may be empty. Locked. */
void session_note_elsewhere(struct session *session, tender_bytes address);
/* The broker has no room: keeps what it says of that. Locked. */
void session_note_shortage(struct session *session, tender_bytes text);
/* Whether the broker, which may well answer, has heard nothing for long of what was said to it: it
 * is parted from its database, and another one may have taken over. True once for each such time,
 * which grow. To be asked now and then. Locked. */
bool session_is_deaf(struct session *session, int64_t now_us);
/* Begins anew for the broker that is dialed next. Locked, and while no message is being heard. */
void session_move(struct session *session);

/* session_tls.c */
bool session_is_tls(const char *url);
/* Whom to trust, where an address is tls+tcp: the file named, or TENDER_CA's. As take_options. */
TENDER_MUST_CHECK int session_take_ca(struct session *session, const char *ca_file,
                                      struct error *error);
/* Gives the dialer of such an address what it needs. Returns nng's result. */
TENDER_MUST_CHECK int session_dial_tls(const struct session *session, nng_dialer dialer,
                                       const char *url);
/* Why the present address is not connected, where TLS is the reason; else "". Locked. */
void session_explain_tls(const struct session *session, char *text_out, size_t size);

/* Checks options and takes them over; names the one at fault. session_options.c. */
TENDER_MUST_CHECK int session_take_options(struct session *session, const tender_options *options,
                                           bool is_contractor, struct error *error);
/* session_proof.c */
/* Reads the key and the pinned ones. As session_take_options. */
TENDER_MUST_CHECK int session_take_keys(struct session *session, const tender_options *options,
                                        struct error *error);
/* The broker challenges the request that was `step`; false where it does not know how. Locked. */
bool session_hear_challenge(struct session *session, enum proof_state step, tender_bytes challenge);
/* What is to be said next so that the connection is proved: fills the tail of its request. False
 * where an answer is awaited, or it is proved. Locked. */
bool session_next_step(struct session *session, uint8_t tail_out[SESSION_STEP_MAX],
                       size_t *size_out);
/* A request that was a step has ended, with an answer that was no challenge or with none. Locked.
 */
void session_end_step(struct session *session, enum proof_state step, bool is_answered);

/* Hands a message from the broker to the view that it is for. session_route.c. */
TENDER_MUST_CHECK int session_route(struct session *session, const struct message *message);
/* The broker does not let the session in, or not any more: it is over for good. session_route.c. */
void session_refuse(struct session *session, const struct message *message);
/* Tells all views of the connection; where memory is out, it is not told. session_route.c. */
void session_contact(struct session *session, tender_contact_kind kind, const char *text);

/* Keeps what is newer of what the broker says is held; it then goes with the next hello. */
void session_keep_receipts(struct session *session, tender_bytes receipts);
/* The kept receipt of the shard that `receipt` is of, or NULL. */
uint8_t *session_receipt(struct session *session, const uint8_t *receipt);

/* Starts another session and says again what was not heard. session_exchange.c. */
void session_renew(struct session *session);
/* The session is over for good: views learn `status`. session_exchange.c. */
void session_fail(struct session *session, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The connection that `epoch` was about is gone. session_exchange.c. */
void session_lose(struct session *session, uint32_t epoch);
/* A context's callback. session_exchange.c. */
void session_on_lane(void *lane);

#define SESSION_CORK_US 20000

/* Whether an INT or ENUM field may have `value`; 0, or TENDER_EINVAL with the sentence in `error`.
 */
TENDER_MUST_CHECK int session_check_int(struct error *error, enum message_field field,
                                        int64_t value);
/* The same for prose (may be NULL) and for content. */
TENDER_MUST_CHECK int session_check_text(struct error *error, const char *field, const char *text,
                                         size_t limit);
TENDER_MUST_CHECK int session_check_content(struct error *error, const char *field,
                                            tender_bytes content);

#endif
