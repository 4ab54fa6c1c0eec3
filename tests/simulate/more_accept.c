/*
 * Evidence, deliveries and what clients decide about them. The auditor knows what each task
 * requires, draws each sample itself, and lets nobody be told more before the ledger has paid.
 */
#include "more.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a client is to decide on. */
struct delivered {
    tender_bytes content;
    tender_bytes sample;
};

void more_accept_announce(struct world *world, uint32_t client, struct message *said)
{
    static const char *const names[] = {"result", "words", "result,words"};
    (void)client;
    bool is_cover =
        message_has(said, MESSAGE_PARTIAL) && said->partial == (int64_t)TENDER_PARTIAL_COVER;
    if (chance(world, 100) && !is_cover) {
        message_set(said, ACCEPT, accept_us, PICK(100000, 2000000, 10000000));
    }
    if (chance(world, 100)) {
        message_set(said, EVIDENCE, evidence, bytes_of(names[prng_below(&world->prng, 3)]));
    }
}

/* Content that no other report has, of any size; and evidence, most of the time. */
void more_accept_report(struct world *world, uint32_t contractor, const struct message *award,
                        struct message *said)
{
    static const char unit[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    bool is_asked = message_has(award, MESSAGE_EVIDENCE) || message_has(award, MESSAGE_ACCEPT);
    (void)contractor;
    if (!is_asked) {
        return;
    }
    if (chance(world, 850)) {
        message_set(said, EVIDENCE, evidence, bytes_of("words=7\npages=2"));
    }
    if (chance(world, 100)) {
        message_set(said, SIZE, size, PICK(0, 1, 1000000));
        message_set(said, DIGEST, digest, ((tender_digest){{1, 2, 3}}));
    }
    if (chance(world, 100) || !message_has(said, MESSAGE_CONTENT)) {
        said->present &= ~MESSAGE_BIT(MESSAGE_CONTENT);
        return;
    }
    size_t size = (size_t)PICK(1, 15, 16, 100, 2000);
    char *content = pool_take(&world->pool, size);
    uint64_t from = prng_below(&world->prng, sizeof unit - 1);
    for (size_t i = 0; i < size; i++) {
        content[i] = unit[(from + i * (i / 7 + 1)) % (sizeof unit - 1)];
    }
    tender_bytes bytes = {content, size};
    message_set(said, CONTENT, content, bytes);
}

static void decide(struct world *world, uint32_t client, const struct message *done)
{
    bool is_rejection = chance(world, 350);
    struct message said = {.performative = is_rejection ? TENDER_REJECT : TENDER_ACCEPT,
                           .conversation = done->conversation};
    message_set(&said, PART, part, done->part);
    message_set(&said, GENERATION, generation, done->generation + (chance(world, 20) ? 1 : 0));
    if (is_rejection) {
        message_set(&said, REASON, reason, TENDER_REASON_QUALITY_CHECK);
    }
    if (chance(world, 400)) {
        message_set(&said, UNITS_DONE, units_done,
                    prng_between(&world->prng, 0, done->units_done + (chance(world, 50) ? 1 : 0)));
    }
    client_says(world, client, &said, chance(world, 200));
}

void more_accept_hears(struct world *world, uint32_t client, const struct message *message)
{
    if (message->performative != TENDER_INFORM_DONE || !message_has(message, MESSAGE_ACCEPT) ||
        world->is_calm) {
        return;
    }
    for (int i = 0; i < 2 && chance(world, i == 0 ? 650 : 100); i++) {
        decide(world, client, message);
    }
}

/* Decisions without a delivery, and owners who ask whether their award stands. */
void more_accept_client(struct world *world, uint32_t client)
{
    const struct ask *ask = client_picks(world, client);
    if (ask == NULL || !chance(world, 30)) {
        return;
    }
    struct message said = {.performative = chance(world, 500) ? TENDER_ACCEPT : TENDER_REJECT,
                           .conversation = ask->task};
    message_set(&said, PART, part, PICK(0, 0, 1));
    message_set(&said, GENERATION, generation, PICK(1, 2));
    message_set(&said, REASON, reason, TENDER_REASON_OTHER);
    said.present &=
        said.performative == TENDER_REJECT ? ~(message_mask)0 : ~MESSAGE_BIT(MESSAGE_REASON);
    client_says(world, client, &said, chance(world, 300));
}

void more_accept_bid(struct world *world, uint32_t contractor, const struct message *cfp,
                     struct message *said)
{
    (void)world;
    (void)contractor;
    (void)cfp;
    (void)said;
}

void more_accept_contractor(struct world *world, uint32_t contractor, const struct message *message)
{
    if (message->performative != TENDER_ACCEPT_PROPOSAL || !chance(world, 100)) {
        return;
    }
    struct message said = {.performative = TENDER_QUERY, .conversation = message->conversation};
    message_set(&said, PART, part, message->part);
    message_set(&said, GENERATION, generation, message->generation + (chance(world, 200) ? 1 : 0));
    line_say(world, contractor, &said);
}

/* The value of a name in lines NAME=VALUE. */
static bool brings(tender_bytes evidence, const char *name)
{
    char text[256];
    snprintf(text, sizeof text, "\n%.*s", (int)evidence.size, (const char *)evidence.data);
    char line[64];
    snprintf(line, sizeof line, "\n%s=", name);
    const char *found = strstr(text, line);
    return found != NULL && found[strlen(line)] != '\0' && found[strlen(line)] != '\n';
}

bool audit_is_withheld(const struct audit_task *task)
{
    return task->terms.accept_us > 0 || task->terms.evidence.size > 0;
}

bool audit_is_shown(const struct audit_task *task, tender_bytes evidence, size_t content,
                    int64_t size)
{
    char names[64];
    snprintf(names, sizeof names, ",%.*s,", (int)task->terms.evidence.size,
             (const char *)task->terms.evidence.data);
    bool lacks_result = strstr(names, ",result,") != NULL && content == 0 && size == 0;
    bool lacks_words = strstr(names, ",words,") != NULL && !brings(evidence, "words");
    return !lacks_result && !lacks_words;
}

/* rules: n = min(1024, max(1, size / 16)) bytes from where the chain's head draws them. */
static tender_bytes draw(const struct audit_task *task, const struct audit_award *award,
                         tender_bytes content)
{
    static const char label[] = "tender/evidence/v1";
    uint8_t text[18 + 16 + 8 + 32] = {0};
    size_t size = content.size / 16 < 1 ? 1 : content.size / 16 > 1024 ? 1024 : content.size / 16;
    memcpy(text, label, 18);
    memcpy(text + 18, task->id.bytes, 16);
    for (int i = 0; i < 4; i++) {
        text[34 + i] = (uint8_t)(award->part >> (24 - 8 * i));
        text[38 + i] = (uint8_t)(award->generation >> (24 - 8 * i));
    }
    memcpy(text + 42, task->hash_before.bytes, 32);
    tender_digest digest = entry_digest((tender_bytes){text, sizeof text});
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) {
        number = number << 8 | digest.bytes[i];
    }
    return (tender_bytes){(const char *)content.data + number % (content.size - size + 1), size};
}

void audit_delivered(struct audit *audit, struct audit_task *task, const struct entry *entry)
{
    static const tender_digest none;
    const struct entry_delivered *said = &entry->delivered;
    struct audit_award *award = audit_award_newest(task, said->part);
    require(award->state == TENDER_COMMITMENT_ACTIVE && award->generation == said->generation &&
                bytes_equal(award->contractor, said->contractor),
            "I9", "%s is delivered by who does not own it", audit_id(task->id));
    require(task->terms.accept_us > 0, "accept", "%s waits for a client that does not decide",
            audit_id(task->id));
    require(entry->at_us <= award->due_at_us, "I18", "%s is delivered after its due",
            audit_id(task->id));
    require(said->units_done == award->units, "units", "%s delivers %" PRId64 " of %" PRId64,
            audit_id(task->id), said->units_done, award->units);
    bool is_elsewhere = memcmp(&said->digest, &none, sizeof none) != 0;
    require(audit_is_shown(task, said->evidence, entry->content.size, said->size), "evidence",
            "%s is delivered without what it requires", audit_id(task->id));
    require(said->accept_by_us == entry->at_us + task->terms.accept_us, "accept",
            "%s is to be accepted at another time", audit_id(task->id));
    require((said->acknowledged != 0) == !award->is_acknowledged, "I9",
            "the delivery of %s is its acknowledgement or is not", audit_id(task->id));
    audit_require_report(audit, task, award);
    award->is_acknowledged = true;
    award->units_done = said->units_done;
    award->state = TENDER_COMMITMENT_DELIVERED;
    award->accept_by_us = said->accept_by_us;
    audit_contractor(audit, said->contractor)->held--;
    struct delivered *delivered = pool_take(audit->pool, sizeof *delivered);
    delivered->content = pool_bytes(audit->pool, entry->content);
    if (entry->content.size > 0 && !is_elsewhere) {
        delivered->sample = draw(task, award, delivered->content);
    }
    award->delivered = delivered;
}

void audit_decided(const struct audit_task *task, const struct audit_award *award,
                   const struct entry *entry)
{
    const struct entry_settled *said = &entry->settled;
    bool is_all = said->units_done == award->units;
    require(said->state == (is_all ? TENDER_COMMITMENT_FULFILLED : TENDER_COMMITMENT_FAILED),
            "accept", "%s is decided on as %s", audit_id(task->id),
            tender_commitment_state_name(said->state));
    if (!is_all) {
        require(said->reason == TENDER_REASON_REJECTED, "accept", "%s is rejected for %s",
                audit_id(task->id), tender_reason_name(said->reason));
    } else if (said->reason == TENDER_REASON_ACCEPTED_BY_SILENCE) {
        require(entry->at_us > award->accept_by_us, "accept", "%s is accepted by silence too early",
                audit_id(task->id));
    } else {
        require(said->reason == TENDER_REASON_COMPLETED && entry->at_us <= award->accept_by_us,
                "accept", "%s is accepted for %s", audit_id(task->id),
                tender_reason_name(said->reason));
    }
}

int64_t audit_accepted(const struct audit_task *task, const struct audit_award *award,
                       const struct entry *entry)
{
    const struct entry_settled *said = &entry->settled;
    int64_t reported = said->reported > 0 ? said->reported : said->units_done;
    if (award->state == TENDER_COMMITMENT_DELIVERED) {
        return said->units_done; /* as the client says */
    }
    bool is_report =
        said->state == TENDER_COMMITMENT_FULFILLED || said->state == TENDER_COMMITMENT_FAILED;
    bool is_shown = is_report && task->terms.accept_us == 0 &&
                    audit_is_shown(task, said->evidence, entry->content.size, said->size);
    return is_shown ? reported : 0;
}

void tells_check_report(const struct audit_task *task, const struct audit_award *award,
                        const struct message *message)
{
    if (!message_has(message, MESSAGE_CONTENT) || message->content.size == 0 ||
        !audit_is_withheld(task)) {
        return;
    }
    if (message_has(message, MESSAGE_ACCEPT)) {
        const struct delivered *delivered = award == NULL ? NULL : award->delivered;
        require(delivered != NULL && bytes_equal(delivered->sample, message->content), "accept",
                "a client of %s is told %zu bytes that are not the sample", audit_id(task->id),
                message->content.size);
        return;
    }
    bool is_paid = award != NULL && tender_commitment_state_is_terminal(award->state) &&
                   award->units_done == message->units_done;
    require(message->performative != TENDER_INFORM_PROGRESS && is_paid, "accept",
            "a client of %s is told by %s what is not paid", audit_id(task->id),
            tender_performative_name(message->performative));
}
