/*
 * A scripted broker for the tests of the SDK, driven by the test's own thread. It speaks the
 * transport of PROTOCOL.md on a loopback port with plain sockets, numbers what it says, hears each
 * number once, and answers the older of two requests, as the real one does; everything else is the
 * test's.
 */
#ifndef TENDER_TESTS_SDK_BROKER_H
#define TENDER_TESTS_SDK_BROKER_H

#include "wire.h"

#define BROKER_OPEN_MAX  8
#define BROKER_HEARD_MAX 1024

struct broker {
    char url[64];
    int listener;
    int connection;                                /* -1: none */
    uint8_t *frames[BROKER_HEARD_MAX];             /* that came; messages borrow from them */
    struct wire_reader *readers[BROKER_HEARD_MAX]; /* and from these */
    size_t frame_count;
    uint8_t open[BROKER_OPEN_MAX][4]; /* identifiers of unanswered requests, oldest first */
    size_t open_count;
    struct message heard[BROKER_HEARD_MAX]; /* taken from peers and not yet given to the test */
    size_t heard_start;
    size_t heard_end;
    bool is_proved; /* the connection; until then nothing else is heard */
    char name[TENDER_NAME_MAX];
    char principal[TENDER_NAME_MAX];
    size_t name_size;
    size_t principal_size;
    uint8_t session[16];
    uint64_t session_heard;
    uint64_t said;
    size_t connection_count;
    size_t exchange_count; /* requests that came */
    size_t message_count;  /* messages in them, repeats included */
    bool is_forgetful;     /* knows no session but one that begins with message 1 */
    bool is_patient;       /* leaves two requests open instead of answering the older */
    size_t receipts_size;  /* of `receipts`, which every numbered reply ends with; 0: none */
    uint8_t receipts[4 * WIRE_RECEIPT_SIZE];
    bool is_deaf; /* hears nothing as committed: `heard` stays 0 in its replies */
};

void broker_open(struct broker *broker);
void broker_close(struct broker *broker);
/* Drops the connection; the next one is taken as it comes. */
void broker_restart(struct broker *broker);
/* Drops the connection and listens no more. */
void broker_vanish(struct broker *broker);
/* Forgets the session: the next request of it is answered unknown-session. */
void broker_forget(struct broker *broker);

/* Answers the oldest request with the end of the session; the next one is a new peer's. */
void broker_end(struct broker *broker, const struct message *message);

/* The next message from the peer, which must be of that kind. Aborts after 10 s. */
const struct message *broker_hear(struct broker *broker, tender_performative performative);
/* Takes in what comes within `timeout_ms`; returns how many requests came. */
size_t broker_listen(struct broker *broker, int timeout_ms);
/* Says messages in one reply to the oldest open request, for which it waits. */
void broker_say(struct broker *broker, const struct message *messages, uint32_t count);
/* The same with the number of the first as given, which may be a repeat. */
void broker_say_from(struct broker *broker, uint64_t first, const struct message *messages,
                     uint32_t count);
/* Makes the newest open request the one that is answered next. */
void broker_turn(struct broker *broker);
/* Ends a test program with `status`, after a check for leaks where there is one; never returns. */
int broker_finish(int status);
/* Hears hello and says welcome. */
void broker_welcome(struct broker *broker);
/* The same with receipts of what is held; `hello_out` (or NULL) receives the hello. */
void broker_welcome_with(struct broker *broker, tender_bytes held, struct message *hello_out);

#endif
