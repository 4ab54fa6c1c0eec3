/*
 * How a reign begins: the schema is compared, the reign taken, the book recalled, and the time in
 * which nobody listened recorded as a recess. The same at the start and after the ledger refused
 * what the book had decided.
 */
#include <libpq-fe.h>
#include <string.h>

#include "daemon_internal.h"
#include "failpoint.h"
#include "log.h"
#include "loss.h"

#define KEYS_MAX 1000000 /* beyond that the ledger is asked about every key instead */

struct recall {
    struct book *book;
    uint64_t entries;
};

static int on_entry(void *context, const struct entry *entry)
{
    struct recall *recall = context;
    failpoint(RECALL_ENTRY);
    recall->entries++;
    int status = book_recall(recall->book, entry);
    if (status != 0) {
        struct log_line line;
        log_begin(&line, LOG_LEVEL_ERROR, "recall-failed");
        log_id(&line, "task", entry->task);
        log_int(&line, "number", (int64_t)entry->number);
        log_string(&line, "kind", entry_kind_name(entry->kind));
        log_int(&line, "status", status);
        log_end(&line);
    }
    return status;
}

static void on_head(void *context, uint32_t shard, uint64_t number, const tender_digest *hash)
{
    struct recall *recall = context;
    book_recall_head(recall->book, shard, number, hash);
}

static void on_key(void *context, tender_bytes principal, tender_bytes key)
{
    struct recall *recall = context;
    book_recall_key(recall->book, principal, key);
}

int daemon_connect(struct daemon *daemon)
{
    char error[512] = "";
    int status = link_connect(&daemon->link, daemon->config, daemon->urls, error, sizeof(error));
    if (status != 0) {
        log_event(LOG_LEVEL_ERROR,
                  status == TENDER_ESCHEMA   ? "schema-refused"
                  : status == TENDER_EUNSAFE ? "settings-refused"
                                             : "ledger-away",
                  "why", error);
    }
    return status;
}

/* What a broker begins with: the shards that it took, and what each began from. */
struct term {
    uint64_t shards;
    struct ledger_reign reigns[SHARDS_MAX];
    int64_t last_us;  /* newest stamp of them all, or this broker's own */
    int64_t clock_us; /* the ledger's, */
    int64_t boot_us;  /* when it told it: recalling may take long, and time goes on */
};

static void log_recalled(const struct daemon *daemon, const struct term *term, uint64_t entries,
                         int64_t since_boot_us)
{
    struct book_counts counts = book_count(daemon->hearing.book);
    uint32_t first = shard_first(term->shards);
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "recalled");
    log_int(&line, "reign", term->reigns[first].reign);
    log_int(&line, "shards", shard_size(term->shards));
    log_int(&line, "entries", (int64_t)entries);
    log_int(&line, "tasks", (int64_t)counts.tasks_open);
    log_int(&line, "commitments", (int64_t)counts.commitments_active);
    log_int(&line, "took_us", clock_boot_us() - since_boot_us);
    log_string(&line, "postgresql", term->reigns[first].server);
    log_end(&line);
}

/* Takes what can be had of the target. */
static int take_shards(struct daemon *daemon, struct term *term)
{
    struct ledger *ledger = daemon->link.ledger;
    uint64_t left = ledger_shard_count(ledger) == 1 ? 1 : daemon->target;
    while (left != 0) {
        uint32_t shard = shard_take(&left);
        struct ledger_reign *reign = &term->reigns[shard];
        int status = ledger_begin_reign(ledger, shard, reign);
        if (status == TENDER_EREIGN) {
            continue;
        }
        if (status != 0) {
            log_event(LOG_LEVEL_ERROR, "reign-refused", "why", ledger_last_error(ledger));
            return status;
        }
        term->shards |= shard_set(shard);
        term->clock_us = reign->clock_us;
        term->boot_us = clock_boot_us();
        term->last_us = reign->stamp_us > term->last_us ? reign->stamp_us : term->last_us;
        daemon->reigns[shard] = reign->reign;
        daemon->hearing.seats[shard].is_free = false;
    }
    return term->shards == 0 ? TENDER_EREIGN : 0;
}

static int recall_shards(struct daemon *daemon, uint64_t shards, struct recall *recall)
{
    struct ledger *ledger = daemon->link.ledger;
    int status = 0;
    bool has_keys = true;
    while (status >= 0 && shards != 0) {
        uint32_t shard = shard_take(&shards);
        status = ledger_recall(ledger, shard, on_entry, on_head, recall);
        if (status == 0) {
            status = ledger_recall_keys(ledger, shard, KEYS_MAX, on_key, recall);
            has_keys = has_keys && status == 1;
        }
    }
    if (status >= 0 && has_keys) {
        book_recall_keys_end(recall->book);
    }
    return status < 0 ? status : 0;
}

static int recall_book(struct daemon *daemon, struct term *term)
{
    struct recall recall = {.book = NULL};
    int64_t since_boot_us = clock_boot_us();
    int status = take_shards(daemon, term);
    if (status != 0) {
        return status;
    }
    status = hearing_begin(&daemon->hearing, daemon->link.ledger, term->shards);
    if (status != 0) {
        log_event(LOG_LEVEL_ERROR, "out-of-memory", "where", "book");
        return status;
    }
    recall.book = daemon->hearing.book;
    status = recall_shards(daemon, term->shards, &recall);
    if (status != 0) {
        log_event(LOG_LEVEL_ERROR, "recall-ended", "why", ledger_last_error(daemon->link.ledger));
        return status;
    }
    log_recalled(daemon, term, recall.entries, since_boot_us);
    failpoint(RECALL_DONE);
    return 0;
}

/* The time since the last stamp of each shard, in which nobody listened. */
static void hear_recesses(struct daemon *daemon, const struct term *term)
{
    for (uint64_t left = term->shards; left != 0;) {
        uint32_t shard = shard_take(&left);
        if (term->reigns[shard].stamp_us == 0) {
            continue;
        }
        struct event event = {.kind = EVENT_RECESS,
                              .at_us = daemon->hearing.at_us,
                              .shards = shard_set(shard),
                              .from_us = term->reigns[shard].stamp_us,
                              .until_us = daemon->hearing.at_us + daemon->config->grace_us};
        hearing_event(&daemon->hearing, &event);
    }
}

/* What the broker itself was told had committed, and the ledger lacks: nobody else may know. */
static void find_loss(struct daemon *daemon)
{
    const char *name = daemon->config->broker;
    if (daemon->loss.told > daemon->loss.held) {
        loss_find(&daemon->hearing.losses, &daemon->loss, (tender_bytes){name, strlen(name)});
    }
    daemon->loss = (struct ledger_loss){0};
}

int daemon_begin(struct daemon *daemon)
{
    struct term term = {.last_us = daemon->clock.last_us};
    int status = daemon_connect(daemon);
    if (status == 0) {
        status = recall_book(daemon, &term);
    }
    if (status != 0) {
        link_disconnect(&daemon->link);
        return status;
    }
    int64_t before_us = 0;
    clock_start(&daemon->clock, term.last_us, term.clock_us, term.boot_us);
    /* The begin counts as a turn: a pause between it and the first one is a recess, too. */
    (void)clock_turn(&daemon->clock, clock_boot_us(), daemon->config->stall_us, &before_us);
    daemon->hearing.at_us = daemon->clock.last_us;
    journal_begin(daemon->journal, daemon->link.ledger);
    hear_recesses(daemon, &term);
    failpoint(RECESS_HEARD);
    hearing_resume(&daemon->hearing);
    daemon->last_batch_us = daemon->hearing.at_us;
    daemon->next_inbox_us = daemon->hearing.at_us;
    daemon->next_watch_us = daemon->hearing.at_us;
    daemon->choked_since_us = 0; /* what the ledger was behind with was given up with the book */
    port_pause(daemon->port, false);
    daemon->has_more = true;
    daemon->wants_batch = true; /* the lease counts from a batch */
    daemon->has_lapsed = true;
    daemon->has_released = false;
    daemon->phase = PHASE_SERVING;
    find_loss(daemon);
    link_advance(&daemon->link, clock_boot_us());
    return 0;
}

/* Whether the broker may recall by itself once more within this minute. */
static bool may_recall(struct daemon *daemon)
{
    int64_t now_us = clock_boot_us();
    uint32_t recent = 0;
    for (size_t i = 0; i < sizeof(daemon->recalls) / sizeof(daemon->recalls[0]); i++) {
        recent += daemon->recalls[i] != 0 && now_us - daemon->recalls[i] < 60000000;
    }
    if (recent >= daemon->config->recalls_per_minute) {
        return false;
    }
    daemon->recalls[daemon->recall_count++ % 64] = now_us;
    return true;
}

void daemon_fail(struct daemon *daemon, int status)
{
    struct log_line line;
    bool is_lost = status == TENDER_EREIGN;
    log_begin(&line, is_lost ? LOG_LEVEL_WARNING : LOG_LEVEL_ERROR,
              is_lost                    ? "reign-lost"
              : status == TENDER_EUNSAFE ? "settings-refused"
              : status == TENDER_ELOST   ? "ledger-behind"
                                         : "ledger-refused");
    log_int(&line, "status", status);
    if (daemon->link.ledger != NULL) {
        log_string(&line, "why", ledger_last_error(daemon->link.ledger));
    }
    log_end(&line);
    bool is_serving = daemon->phase == PHASE_SERVING || daemon->phase == PHASE_CHANGING;
    if (is_lost && is_serving && !daemon->wants_end) {
        daemon_stand_by(daemon);
        return;
    }
    if (is_lost) {
        /* One that gave its reign back may hear of its successor before it hears that it could. */
        daemon_stop(daemon, daemon->has_released ? daemon->end_code : DAEMON_EXIT_REIGN);
        return;
    }
    bool is_for_people = status == TENDER_ESCHEMA || status == TENDER_EUNSAFE;
    if (is_for_people || !is_serving || !may_recall(daemon)) {
        daemon_stop(daemon, DAEMON_EXIT_LEDGER);
        return;
    }
    if (status == TENDER_ELOST) {
        daemon->loss = ledger_lost(daemon->link.ledger);
    }
    daemon->target = daemon->hearing.shards;
    postbox_clear(daemon->postbox); /* peers say hello again, and again what was not heard */
    link_disconnect(&daemon->link);
    int again = daemon_begin(daemon);
    if (again == TENDER_EREIGN || again == TENDER_EDATABASE) { /* it may be away for a while */
        daemon_stand_by(daemon);
    } else if (again != 0) {
        daemon_stop(daemon, DAEMON_EXIT_LEDGER);
    }
}
