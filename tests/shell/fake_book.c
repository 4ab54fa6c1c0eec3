#include "fake_book.h"

#include "ledger.h"
#include "loss.h"

#include <stdlib.h>
#include <string.h>

struct fake_book fake_book = {.wants = ""};

void fake_book_reset(void)
{
    fake_book = (struct fake_book){.wants = ""};
}

int effects_init(struct effects *effects, const struct book_limits *limits)
{
    (void)limits;
    memset(effects, 0, sizeof(*effects));
    effects->tells = calloc(4, sizeof(struct tell));
    return effects->tells != NULL ? 0 : TENDER_ENOMEM;
}

void effects_release(struct effects *effects)
{
    free(effects->tells);
}

int book_open(const struct book_limits *limits, struct book **book_out)
{
    (void)limits;
    *book_out = calloc(1, sizeof(struct book));
    return *book_out != NULL ? 0 : TENDER_ENOMEM;
}

void book_close(struct book *book)
{
    free(book);
}

void book_resume(struct book *book, int64_t at_us, struct effects *effects)
{
    (void)book;
    (void)at_us;
    effects->tell_count = 0;
}

int64_t book_next_deadline(const struct book *book)
{
    (void)book;
    return TENDER_NEVER;
}

void book_check(const struct book *book)
{
    (void)book;
}

void book_hear(struct book *book, const struct event *event, struct effects *effects)
{
    uint32_t number = book->count++;
    effects->tell_count = 0;
    book->heard[number].kind = event->kind;
    book->heard[number].has_prior = event->prior != NULL;
    book->heard[number].is_nil_task = tender_id_is_nil(event->task);
    book->heard[number].request = event->request;
    if (event->after_states != NULL) {
        memcpy(book->heard[number].after_states, event->after_states, 2);
    }
    if (event->message == NULL) {
        return;
    }
    book->heard[number].performative = event->message->performative;
    book->heard[number].round = event->message->round;
    if (event->message->key.size > 0) {
        memcpy(book->heard[number].key, event->message->key.data, event->message->key.size);
    }
    if (event->message->performative == TENDER_HELLO && fake_book.refuses != TENDER_REASON_NONE) {
        effects->tells[0] = (struct tell){.to = event->peer, .is_promise = true};
        effects->tells[0].message.performative = TENDER_REFUSE;
        message_set(&effects->tells[0].message, REASON, reason, fake_book.refuses);
        effects->tell_count = 1;
    }
}

bool book_wants_prior(const struct book *book, const struct event *event,
                      tender_digest *body_digest_out)
{
    (void)book;
    memset(body_digest_out, 0, sizeof(*body_digest_out));
    return event->message->performative == TENDER_ANNOUNCE &&
           strchr(fake_book.wants, *(const char *)event->message->key.data) != NULL;
}

bool book_is_stale(const struct book *book, int64_t asked_us)
{
    (void)book;
    return asked_us <= fake_book.returned_us;
}

/* It holds none of the tasks that an announcement waits for. */
bool book_wants_after(const struct book *book, const struct event *event, uint32_t *index_out)
{
    (void)book;
    size_t count = message_has(event->message, MESSAGE_AFTER) ? event->message->after.size / 16 : 0;
    for (*index_out = 0; *index_out < count; ++*index_out) {
        if (event->after_states[*index_out] == AFTER_UNTOLD) {
            return true;
        }
    }
    return false;
}

enum after_state book_after_state(const struct prior *prior, tender_bytes principal)
{
    (void)principal;
    return tender_id_is_nil(prior->task) ? AFTER_UNKNOWN : AFTER_DONE;
}

int ledger_lookup_key(struct ledger *ledger, uint64_t cookie, tender_bytes principal,
                      tender_bytes key, const tender_digest *body_digest)
{
    (void)ledger;
    (void)principal;
    (void)body_digest;
    fake_book.cookies[fake_book.asked_count] = cookie;
    fake_book.asked[fake_book.asked_count++] = (uint32_t) * (const char *)key.data;
    return 0;
}

int ledger_lookup_task(struct ledger *ledger, uint64_t cookie, tender_id task, uint32_t part,
                       uint32_t generation)
{
    (void)ledger;
    (void)part;
    (void)generation;
    fake_book.cookies[fake_book.asked_count] = cookie;
    fake_book.asked[fake_book.asked_count++] = task.bytes[0];
    return 0;
}

int ledger_append(struct ledger *ledger, const struct entry *entry)
{
    (void)ledger;
    (void)entry;
    return 0;
}

int ledger_answer(struct ledger *ledger, uint64_t request, const struct message *message)
{
    (void)ledger;
    (void)request;
    (void)message;
    fake_book.answered_requests++;
    return 0;
}

uint32_t ledger_shard_count(const struct ledger *ledger)
{
    return ledger->shard_count;
}

uint64_t ledger_batch(const struct ledger *ledger)
{
    (void)ledger;
    return 1;
}

size_t ledger_receipts(const struct ledger *ledger, uint8_t *receipts_out)
{
    (void)ledger;
    (void)receipts_out;
    return 0;
}

size_t loss_compare(struct losses *losses, const struct ledger *ledger, tender_bytes receipts,
                    tender_bytes peer, uint8_t *held_out)
{
    (void)losses;
    (void)ledger;
    (void)peer;
    (void)held_out;
    fake_book.receipts_size = receipts.size;
    return 0;
}

bool ledger_is_busy(const struct ledger *ledger)
{
    (void)ledger;
    return false;
}

int ledger_submit(struct ledger *ledger, int64_t stamp_us)
{
    (void)ledger;
    (void)stamp_us;
    return 0;
}

tender_reason book_may(const struct book *book, tender_bytes principal, tender_bytes name,
                       const uint8_t key[32])
{
    (void)book;
    (void)principal;
    (void)name;
    (void)key;
    return fake_book.verdict;
}

tender_bytes book_root_name(const struct book *book, tender_bytes principal)
{
    (void)book;
    return principal;
}

uint64_t book_key_changes(const struct book *book)
{
    (void)book;
    return fake_book.key_changes;
}
