/*
 * A client's side of a session. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_CLIENT_H
#define TENDER_CONTRACTOR_SDK_SRC_CLIENT_H

#include "session.h"
#include "table.h"

/*
 * A request whose answer was not heard. The broker may have recorded it and lost the answer with a
 * session, so it is said again in the next one. Found by what it is about (the task, or the key of
 * an announcement as an identifier) and its performative.
 */
struct request {
    struct table_node node; /* first */
    size_t size;
    uint8_t packed[];
};

/* contractor: whose session it is, or NULL where it is the client's own. */
struct tender_client {
    struct view view; /* first */
    tender_contractor *contractor;
    struct table requests;
    struct table followed; /* tasks announced or asked for that have not ended */
};

/* The view's functions; client_hear.c. */
int client_hear(struct view *view, const struct message *message);
void client_hear_contact(struct view *view, tender_contact_kind kind, const char *text);

/* Says a request and keeps it until it is answered; `about`: the task, or what stands for a key. */
TENDER_MUST_CHECK int client_ask(tender_client *self, tender_id about,
                                 const struct message *message);

/* Forgets a request that was answered. */
void client_forget(tender_client *client, tender_id about, tender_performative performative);

#endif
