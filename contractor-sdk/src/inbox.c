/*
 * See inbox.h. The descriptor is an eventfd, written when the inbox stops being empty and read when
 * it becomes so: two system calls for any number of events in between.
 */
#include "inbox.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "terms.h"

int inbox_init(struct inbox *inbox)
{
    *inbox = (struct inbox){.descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    return inbox->descriptor < 0 ? TENDER_ESYSTEM : 0;
}

void inbox_release(struct inbox *inbox)
{
    item_close(inbox->current);
    while (inbox->head != NULL) {
        struct item *item = inbox->head;
        inbox->head = item->next;
        item_close(item);
    }
    if (inbox->descriptor >= 0) {
        (void)close(inbox->descriptor);
    }
    *inbox = (struct inbox){.descriptor = -1};
}

struct item *item_open(size_t texts)
{
    struct item *item = malloc(sizeof *item + texts);
    if (item == NULL) {
        return NULL;
    }
    memset(item, 0, sizeof *item);
    item->size = sizeof *item + texts;
    item->text = item->texts;
    return item;
}

void item_close(struct item *item)
{
    if (item != NULL) {
        terms_unref(item->terms);
        free(item);
    }
}

const char *item_text(struct item *item, tender_bytes text)
{
    char *copy = item->text;
    if (text.size > 0) {
        memcpy(copy, text.data, text.size);
    }
    copy[text.size] = '\0';
    item->text += text.size + 1;
    return copy;
}

size_t item_names_size(const struct message_texts *names)
{
    size_t size = 1;
    for (uint32_t i = 0; i < names->count; i++) {
        size += names->items[i].size + 1;
    }
    return size;
}

const char *item_names(struct item *item, const struct message_texts *names)
{
    const char *joined = item->text;
    for (uint32_t i = 0; i < names->count; i++) {
        if (i > 0) {
            item->text[-1] = ','; /* the end of the name before */
        }
        (void)item_text(item, names->items[i]);
    }
    return names->count > 0 ? joined : item_text(item, (tender_bytes){NULL, 0});
}

tender_bytes item_bytes(struct item *item, tender_bytes bytes)
{
    return (tender_bytes){item_text(item, bytes), bytes.size};
}

/* Writing to an eventfd fails only when it is readable already. */
static void signal_descriptor(const struct inbox *inbox)
{
    uint64_t one = 1;
    ssize_t written = write(inbox->descriptor, &one, sizeof one);
    (void)written;
}

struct item *item_belief(const struct message *message, tender_belief *belief_out)
{
    struct item *item =
        item_open(message->goal.size + message->text.size + message->contractor.size + 3);
    bool is_known = (message->faulty & MESSAGE_BIT(MESSAGE_REASON)) == 0;
    if (item != NULL) {
        *belief_out = (tender_belief){
            .goal = item_text(item, message->goal),
            .task = message->conversation,
            .belief = is_known ? (tender_reason)message->reason : TENDER_REASON_OTHER,
            .text = item_text(item, message->text),
            .by = item_text(item, message->contractor),
            .suspended_until_us = message->closes_at_us,
        };
    }
    return item;
}

void inbox_put(struct inbox *inbox, struct item *item)
{
    item->next = NULL;
    inbox->bytes += item->size;
    if (inbox->head != NULL) {
        inbox->tail->next = item;
        inbox->tail = item;
        return;
    }
    inbox->head = item;
    inbox->tail = item;
    signal_descriptor(inbox);
}

struct item *inbox_next(struct inbox *inbox)
{
    struct item *item = inbox->head;
    inbox->current = item;
    if (item == NULL) {
        return NULL;
    }
    inbox->head = item->next;
    inbox->bytes -= item->size;
    if (inbox->head == NULL) {
        uint64_t count;
        ssize_t size = read(inbox->descriptor, &count, sizeof count);
        (void)size;
        /* A stop that came before the read was taken with it. */
        if (inbox->has_failed || atomic_load(&inbox->is_stopped)) {
            signal_descriptor(inbox);
        }
    }
    return item;
}

void inbox_fail(struct inbox *inbox)
{
    inbox->has_failed = true;
    signal_descriptor(inbox);
}

void inbox_stop(struct inbox *inbox)
{
    int saved = errno;
    atomic_store(&inbox->is_stopped, true);
    signal_descriptor(inbox);
    errno = saved;
}

int inbox_wait(const struct inbox *inbox, int64_t until_us)
{
    struct pollfd poller = {.fd = inbox->descriptor, .events = POLLIN};
    for (;;) {
        int64_t left_us = until_us < 0 ? 0 : until_us - clock_us();
        struct timespec left = clock_at(left_us < 0 ? 0 : left_us);
        int count = ppoll(&poller, 1, until_us < 0 ? NULL : &left, NULL);
        if (count >= 0) {
            return count;
        }
        if (errno != EINTR) {
            return 0;
        }
    }
}
