/*
 * A channel: one nng REQ socket, its dialer, and the two requests that it carries. Internal to the
 * SDK.
 *
 * A session has one, and leaves it for another where its broker does not answer. nng 1.5 does not
 * bear it when a connection is closed while a message arrives on it: its thread that takes
 * connections apart then waits for good, for every socket of the process. So a channel that still
 * awaits a reply is not closed when it is left, but once it has got it, or has lost its connection,
 * or after a minute; and closing a socket has a thread of its own and a limit.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_CHANNEL_H
#define TENDER_CONTRACTOR_SDK_SRC_CHANNEL_H

#include <nng/nng.h>
#include <stdbool.h>
#include <stdint.h>

#include "tender/vocabulary.h"

struct channel;
struct session;

enum lane_state {
    LANE_IDLE,
    LANE_SENDING, /* until a connection takes the request */
    LANE_WAITING, /* for the reply */
    LANE_HELD     /* has a reply that came before an earlier one */
};

/* How far a connection is proved. What is said before it is, is not heard. */
enum proof_state {
    PROOF_NONE,
    PROOF_ASKED,      /* who answers */
    PROOF_CHALLENGED, /* by a broker that may */
    PROOF_GIVEN,      /* and not yet answered */
    PROOF_TAKEN
};

/* A context of the socket and the request that it carries. */
struct lane {
    struct session *session;
    struct channel *channel;
    enum lane_state state;
    nng_ctx context;
    nng_aio *aio;
    nng_msg *held;
    enum proof_state step; /* that the request is; PROOF_NONE: another one */
    uint32_t epoch;        /* of the session when the request left */
    int64_t since_us;
};

struct channel {
    struct channel *next; /* that was left before it */
    int64_t left_us;      /* since when it is (monotonic) */
    nng_socket socket;
    nng_dialer dialer;
    bool has_dialer;
    struct lane lanes[2];
};

static inline bool lane_is_in_flight(const struct lane *lane)
{
    return lane->state == LANE_SENDING || lane->state == LANE_WAITING;
}

/* Opens a channel without a connection; its lanes call back session_on_lane. Returns nng's result.
 */
TENDER_MUST_CHECK int channel_open(struct session *session, struct channel **channel_out);
/* Closes and frees it, whatever it awaits. Not locked: it waits for what calls back. */
void channel_close(struct channel *channel);
/* The same for a list of them. */
void channel_close_all(struct channel *channels);
/* Closes its connection; requests that wait for one go on with the next. Not locked. */
void channel_hang_up(struct channel *channel);

/* Puts another in the place of the session's channel where that awaits a reply. Returns whether;
 * where there is no memory it stays. Locked. */
bool channel_leave(struct session *session);
/* A lane of a channel that was left has something, or nng's error. Locked. */
void channel_on_left(struct lane *lane, int result);
/* Takes those away that were left and may be closed now. Locked. */
TENDER_MUST_CHECK struct channel *channel_take_ended(struct session *session, int64_t now_us);

#endif
