/*
 * Events that wait for the program, and the descriptor that says so. Filled by the library's
 * threads and emptied by the program's, both under the session's lock; only inbox_stop comes
 * without it. Internal to the SDK.
 */
#ifndef TENDER_CONTRACTOR_SDK_SRC_INBOX_H
#define TENDER_CONTRACTOR_SDK_SRC_INBOX_H

#include <stdatomic.h>

#include "tender/client.h"

struct terms;

/*
 * One event and the texts it points at, in one allocation. `terms` (terms.h) is what it borrows
 * from beyond that, or NULL. `since_us` and `epoch` say when it came, and over which connection,
 * where that matters.
 */
struct item {
    struct item *next;
    struct terms *terms;
    int64_t since_us;
    uint32_t epoch;
    size_t size;
    char *text; /* where the next text goes */
    union {
        tender_event event;
        tender_client_event client_event;
    };
    char texts[];
};

/* `current` is what the program holds. `has_failed` keeps the descriptor readable for good. */
struct inbox {
    struct item *head;
    struct item *tail;
    struct item *current;
    size_t bytes;
    int descriptor;
    bool has_failed;
    atomic_bool is_stopped;
};

TENDER_MUST_CHECK int inbox_init(struct inbox *inbox);
void inbox_release(struct inbox *inbox);

/* An item with room for `texts` bytes, each text with its NUL; NULL when memory is out. */
struct item *item_open(size_t texts);
void item_close(struct item *item);
/* Copies a text, or content, into the item. */
const char *item_text(struct item *item, tender_bytes text);
/* Names joined by commas; item_names_size is what item_open needs for them. */
struct message_texts;
const char *item_names(struct item *item, const struct message_texts *names);
size_t item_names_size(const struct message_texts *names);
tender_bytes item_bytes(struct item *item, tender_bytes bytes);

struct message;
/* An item of what a member believes, but for its kind; NULL when memory is out. */
struct item *item_belief(const struct message *message, tender_belief *belief_out);

/* Puts an item at the end; takes it. */
void inbox_put(struct inbox *inbox, struct item *item_take);
/* Makes the first item the current one; NULL when there is none. The old one must be closed. */
struct item *inbox_next(struct inbox *inbox);
/* Makes the descriptor readable for good. */
void inbox_fail(struct inbox *inbox);
/* The same, from any thread or signal handler. */
void inbox_stop(struct inbox *inbox);
/* Waits until the descriptor is readable. 1, or 0 when time (monotonic µs; negative: no limit) is
 * up. */
int inbox_wait(const struct inbox *inbox, int64_t until_us);

#endif
