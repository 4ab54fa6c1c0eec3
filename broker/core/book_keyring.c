/*
 * Principals and agents are enrolled, given other keys and revoked: what operators say, and the
 * entries of the house that it leaves in each shard. Who may is keyring.h's.
 */
#include "book_internal.h"
#include "wire.h"

#include <assert.h>
#include <string.h>

static tender_bytes name_of(const char *name, uint8_t size)
{
    return (tender_bytes){name, size};
}

/* What is said of one that is known, where the message leaves it out. */
static void read_key(const struct message *said, const tender_digest *known, tender_digest *key_out)
{
    *key_out = message_has(said, MESSAGE_DIGEST) ? said->digest
               : known != NULL                   ? *known
                                                 : (tender_digest){{0}};
}

static bool is_revocation(const struct message *said)
{
    return message_has(said, MESSAGE_REASON) && said->reason == TENDER_REASON_REVOKED;
}

/* Whoever was revoked comes back with another key only. */
static tender_reason judge_return(bool was_revoked, const struct message *said,
                                  const tender_digest *known)
{
    bool has_other =
        message_has(said, MESSAGE_DIGEST) && memcmp(&said->digest, known, sizeof said->digest) != 0;
    return was_revoked && !is_revocation(said) && !has_other ? TENDER_REASON_REVOKED
                                                             : TENDER_REASON_NONE;
}

/* Whoever names no principal speaks of all that are not enrolled by name. */
static tender_bytes subject(const struct message *said)
{
    return message_has(said, MESSAGE_PRINCIPAL) ? said->principal : KEYRING_ANYBODY;
}

static tender_reason judge_principal(const struct book *book, const struct message *said,
                                     struct entry_admitted *admitted)
{
    const struct keyring_principal *known = keyring_principal(&book->keyring, subject(said));
    bool names_parent = message_has(said, MESSAGE_NAME);
    admitted->principal = subject(said);
    admitted->revoked = is_revocation(said);
    read_key(said, known != NULL ? &known->key : NULL, &admitted->key);
    if (known == NULL) {
        const struct keyring_principal *parent =
            names_parent ? keyring_principal(&book->keyring, said->name) : NULL;
        admitted->parent = names_parent ? said->name : (tender_bytes){NULL, 0};
        bool is_unknown = is_revocation(said) || (names_parent && parent == NULL);
        return is_unknown                             ? TENDER_REASON_UNKNOWN_PRINCIPAL
               : parent != NULL && parent->is_revoked ? TENDER_REASON_REVOKED
                                                      : TENDER_REASON_NONE;
    }
    admitted->parent = name_of(known->parent, known->parent_size);
    if (said->at_us < known->said_at_us) {
        return TENDER_REASON_SUPERSEDED;
    }
    if (names_parent && !bytes_equal(said->name, admitted->parent)) {
        return TENDER_REASON_CONFLICT;
    }
    return judge_return(known->is_revoked, said, &known->key);
}

static void known_skills(struct book *book, const struct keyring_agent *known,
                         struct entry_texts *skills_out)
{
    tender_bytes skills[TENDER_SKILLS_MAX];
    uint32_t count = 0;
    for (uint32_t at = known->grants; at != 0 && count < TENDER_SKILLS_MAX;) {
        const struct keyring_grant *grant = pool_at(&book->keyring.grants, at);
        skills[count++] = name_of(grant->skill, grant->skill_size);
        at = grant->next;
    }
    *skills_out =
        (struct entry_texts){count, book_keep_aligned(book, skills, count * sizeof skills[0]).data};
}

static tender_reason judge_agent(struct book *book, const struct message *said,
                                 struct entry_vouched *vouched)
{
    const struct keyring_agent *known = keyring_agent(&book->keyring, said->contractor);
    vouched->agent = said->contractor;
    vouched->revoked = is_revocation(said);
    read_key(said, known != NULL ? &known->key : NULL, &vouched->key);
    if (known == NULL && (is_revocation(said) || !message_has(said, MESSAGE_PRINCIPAL))) {
        return TENDER_REASON_UNKNOWN_AGENT;
    }
    vouched->principal = message_has(said, MESSAGE_PRINCIPAL)
                             ? said->principal
                             : name_of(known->principal, known->principal_size);
    const struct keyring_principal *owner = keyring_principal(&book->keyring, vouched->principal);
    if (owner == NULL) {
        return TENDER_REASON_UNKNOWN_PRINCIPAL;
    }
    if (owner->is_revoked && !is_revocation(said)) {
        return TENDER_REASON_REVOKED;
    }
    if (known == NULL) {
        return TENDER_REASON_NONE;
    }
    if (said->at_us < known->said_at_us) {
        return TENDER_REASON_SUPERSEDED;
    }
    if (!bytes_equal(vouched->principal, name_of(known->principal, known->principal_size))) {
        return TENDER_REASON_NAME_TAKEN;
    }
    return judge_return(known->is_revoked, said, &known->key);
}

/* The field that is not as it must be, or NULL. */
static const char *bad_enrolment(const struct message *said)
{
    bool is_agent = message_has(said, MESSAGE_CONTRACTOR);
    if (said->fault != 0) {
        return message_field_name(said->fault);
    }
    if (!is_agent && !message_has(said, MESSAGE_PRINCIPAL) && message_has(said, MESSAGE_NAME)) {
        return "name"; /* they have no parent in common */
    }
    if (!message_has(said, MESSAGE_AT) || said->at_us <= 0) {
        return "at_us";
    }
    return message_has(said, MESSAGE_REASON) && !is_revocation(said) ? "reason" : NULL;
}

/* What the entry will say; its texts are the event's or the keyring's. */
static tender_reason judge(struct book *book, const struct message *said, struct entry *entry_out)
{
    if (!message_has(said, MESSAGE_CONTRACTOR)) {
        entry_out->kind = ENTRY_ADMITTED;
        return judge_principal(book, said, &entry_out->admitted);
    }
    entry_out->kind = ENTRY_VOUCHED;
    tender_reason reason = judge_agent(book, said, &entry_out->vouched);
    const struct keyring_agent *known = keyring_agent(&book->keyring, said->contractor);
    struct entry_texts *skills = &entry_out->vouched.skills;
    if (message_has(said, MESSAGE_SKILLS)) {
        *skills = (struct entry_texts){said->skills.count, said->skills.items};
    } else if (known != NULL && reason == TENDER_REASON_NONE) {
        known_skills(book, known, skills);
    }
    return reason;
}

static struct entry_texts keep_skills(struct book *book, const struct entry_texts *skills)
{
    tender_bytes kept[TENDER_SKILLS_MAX];
    for (size_t i = 0; i < skills->count; i++) {
        kept[i] = book_keep(book, skills->items[i]);
    }
    return (struct entry_texts){skills->count,
                                book_keep_aligned(book, kept, skills->count * sizeof kept[0]).data};
}

/* A principal that was here before it is enrolled below another one has that one's root now. */
static void settle_root(struct book *book, tender_bytes principal)
{
    uint32_t account = account_find(&book->accounts, principal);
    bool is_settled = account == 0 || roster_settle_root(&book->roster, account);
    assert(is_settled);
    (void)is_settled;
}

static void keep(struct book *book, const struct event *event, const struct entry *judged)
{
    struct entry *entry = book_note_house(book, event->shard, judged->kind);
    if (judged->kind == ENTRY_ADMITTED) {
        entry->admitted = judged->admitted;
        entry->admitted.principal = book_keep(book, judged->admitted.principal);
        entry->admitted.parent = book_keep(book, judged->admitted.parent);
        entry->admitted.said_at_us = event->message->at_us;
        entry->admitted.by = book_keep(book, event->peer);
    } else {
        entry->vouched = judged->vouched;
        entry->vouched.agent = book_keep(book, judged->vouched.agent);
        entry->vouched.principal = book_keep(book, judged->vouched.principal);
        entry->vouched.skills = keep_skills(book, &judged->vouched.skills);
        entry->vouched.said_at_us = event->message->at_us;
        entry->vouched.by = book_keep(book, event->peer);
    }
    book_record(book, NULL, entry);
    int status = keyring_apply(&book->keyring, entry);
    assert(status == 0);
    (void)status;
    if (entry->kind == ENTRY_ADMITTED && entry->admitted.parent.size > 0) {
        settle_root(book, entry->admitted.principal);
    }
}

/* Whether a principal that was here before it is enrolled finds the account of its root. */
static bool has_root_room(const struct book *book, const struct entry *judged)
{
    tender_bytes parent = judged->admitted.parent;
    return judged->kind != ENTRY_ADMITTED || parent.size == 0 ||
           account_has_room(&book->accounts, keyring_root(&book->keyring, parent));
}

void book_hear_enrol(struct book *book, const struct event *event)
{
    const struct message *said = event->message;
    struct entry judged = {.kind = ENTRY_ADMITTED};
    const char *field = bad_enrolment(said);
    if (!event->is_operator || field != NULL) {
        tender_reason reason =
            event->is_operator ? TENDER_REASON_OUT_OF_RANGE : TENDER_REASON_NOT_YOURS;
        book_refuse(book, event, reason, event->is_operator ? field : NULL);
        return;
    }
    tender_reason reason = judge(book, said, &judged);
    if (reason == TENDER_REASON_NONE &&
        (!keyring_has_room(&book->keyring, &judged) || !has_root_room(book, &judged))) {
        reason = TENDER_REASON_LIMIT_REACHED;
    }
    if (reason != TENDER_REASON_NONE) {
        book_refuse(book, event, reason, NULL);
        return;
    }
    keep(book, event, &judged);
    if (judged.kind == ENTRY_VOUCHED) {
        book_narrow_offer(book, roster_find(&book->roster, said->contractor));
    }
    (void)book_reply(book, event, TENDER_AGREE, (tender_id){{0}});
}

bool book_may_offer(const struct book *book, uint32_t peer, const struct message *said)
{
    bool is_granted = true;
    for (uint32_t i = 0; is_granted && i < said->skills.count; i++) {
        is_granted =
            keyring_grants(&book->keyring, peer_name(&book->roster, peer), said->skills.items[i]);
    }
    return is_granted;
}

tender_reason book_may(const struct book *book, tender_bytes principal, tender_bytes name,
                       const uint8_t key[32])
{
    return keyring_may(&book->keyring, principal, name, key);
}

tender_bytes book_root_name(const struct book *book, tender_bytes principal)
{
    return keyring_root(&book->keyring, principal);
}

uint64_t book_key_changes(const struct book *book)
{
    return book->keyring.changes;
}
