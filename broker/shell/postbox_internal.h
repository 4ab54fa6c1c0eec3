/*
 * What the files of the postbox share: its tables. Others use postbox.h.
 */
#ifndef TENDER_BROKER_SHELL_POSTBOX_INTERNAL_H
#define TENDER_BROKER_SHELL_POSTBOX_INTERNAL_H

#include "postbox.h"

#define POSTBOX_SCRATCH_SIZE (4 * TENDER_CONTENT_MAX) /* more than any one message needs */

#define EXCHANGE_COST 4 /* messages; what an exchange costs beside those in it */

/*
 * slots, wakes  [session_count]; a session's slot, and when it wants to be looked at
 * dirty         [session_count]; sessions to look at in this turn, ended ones included
 * ready         [session_count]; sessions that were slowed and may be heard again
 * gone          ended sessions, freed when the turn ends
 * receipts      what is held, as the journal said last, for the `receipts_serial`th time
 */
struct postbox {
    struct postbox_options options;
    struct session *by_id;
    struct session *by_name;
    struct session **slots;
    int64_t *wakes;
    struct session **dirty;
    struct session_ref *ready;
    struct principal *principals;
    uint32_t *free_slots;
    uint32_t slot_count;
    uint32_t free_count;
    uint32_t count;
    uint32_t dirty_count;
    uint32_t ready_count;
    size_t outboxes_size; /* bytes of all outboxes, */
    size_t waiting_size;  /* and of all frames that wait */
    uint32_t last_serial;
    uint64_t answered;
    bool is_mute;
    int64_t next_wake_us;
    int64_t evicted_us; /* when sessions were looked through last for those that are gone */
    struct session *gone;
    struct wire_reader *reader;
    uint32_t receipts_serial;
    size_t receipts_size;
    uint8_t receipts[WIRE_RECEIPT_SIZE * WIRE_RECEIPTS_MAX];
    uint8_t scratch[POSTBOX_SCRATCH_SIZE];
};

struct session *session_open(struct postbox *postbox, const uint8_t id[16], int64_t at_us);
void session_touch(struct postbox *postbox, struct session *session);
void session_wake(struct postbox *postbox, struct session *session);
void postbox_wake(struct postbox *postbox, int64_t at_us);
void postbox_sweep(struct postbox *postbox);
void postbox_reject(struct postbox *postbox, struct exchange *exchange, const uint8_t id[16],
                    uint64_t heard, const struct message *message);

/* Keeps whom the session is said to be of, until hello is heard. */
void session_claim(struct session *session, tender_bytes name, tender_bytes principal);

/* Vouches for the connection of the session, which has a name. */
void session_prove(struct session *session, int64_t at_us);

/* How long the session is kept unheard. */
int64_t session_kept_us(const struct session *session);

/* credential.c: whose a connection is */
/* Whether the tail of a request is a proof. */
bool credential_is_shown(const struct wire_header *header);
/* Challenges the connection: answers the request. */
void credential_challenge(struct postbox *postbox, struct exchange *exchange,
                          const struct wire_header *header);
/*
 * Whether the proof of the request is good: by the key that opened the session, or, where there is
 * none yet, by that of the hello with which it is to begin. Otherwise the request is answered.
 */
bool credential_prove(struct postbox *postbox, struct exchange *exchange,
                      const struct wire_header *header, const struct session *session,
                      const struct message *hello);
/* The connection speaks for the session from now on, and no other one does. */
void credential_bind(struct session *session, uint32_t pipe);

/* allowance.c: what a session may cost */
/* Counts a request against the session's rate. */
void session_charge(struct session *session, uint32_t messages, size_t bytes, int64_t at_us);
/* Whether a frame of `size` bytes finds room among those that wait. */
bool session_has_room(const struct session *session, size_t size);
/* Whether too much was told and not heard: the reason for the log, or NULL. */
const char *session_outgrown(struct session *session, int64_t at_us);
/* Ends the slowing that is over; the session is then ready. */
void session_quicken(struct session *session, int64_t at_us);
/* Counts a session among its root principal's; without memory it goes uncounted. */
void principal_join(struct session *session, tender_bytes root);
void principal_leave(struct session *session);

#endif
