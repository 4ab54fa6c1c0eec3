/*
 * The further terms of an announcement: whether they hold together, how they enter the digest and
 * the record, and what a cfp says of them. What they mean is in the files of their rules.
 */
#include "book_internal.h"
#include "wire.h"

#include <assert.h>
#include <string.h>

#define TERMS(X)                                                                                   \
    X(ACCEPT, accept_us)                                                                           \
    X(SPLIT_MAX, split_max)                                                                        \
    X(COVER_ALL, cover_all)                                                                        \
    X(IMPROVE, improve)                                                                            \
    X(LEAD_ONLY, lead_only)                                                                        \
    X(INVITE_MAX, invite_max)                                                                      \
    X(SHARE, share_ppm)

#define MORE_FIELDS                                                                                \
    (MESSAGE_BIT(MESSAGE_SKILLS) | MESSAGE_BIT(MESSAGE_AFTER) | MESSAGE_BIT(MESSAGE_GOAL) |        \
     MESSAGE_BIT(MESSAGE_EVIDENCE) | MESSAGE_BIT(MESSAGE_ACCEPT) |                                 \
     MESSAGE_BIT(MESSAGE_SPLIT_MAX) | MESSAGE_BIT(MESSAGE_COVER_ALL) |                             \
     MESSAGE_BIT(MESSAGE_IMPROVE) | MESSAGE_BIT(MESSAGE_LEAD_ONLY) |                               \
     MESSAGE_BIT(MESSAGE_INVITE_MAX) | MESSAGE_BIT(MESSAGE_SHARE) | MESSAGE_BIT(MESSAGE_TIER))

static const char *bad_integer(const struct message *said)
{
#define X(NAME, member)                                                                            \
    if (message_has(said, MESSAGE_##NAME) &&                                                       \
        !message_field_allows(MESSAGE_##NAME, said->member)) {                                     \
        return #member;                                                                            \
    }
    TERMS(X)
#undef X
    return NULL;
}

/* All different, and none the task's skill. */
static bool needs_are_valid(const struct message *said)
{
    if (said->skills.count > TENDER_NEEDS_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < said->skills.count; i++) {
        const tender_bytes *need = &said->skills.items[i];
        if (!tender_skill_is_valid(need->data, need->size) || bytes_equal(*need, said->skill)) {
            return false;
        }
        for (uint32_t j = 0; j < i; j++) {
            if (bytes_equal(*need, said->skills.items[j])) {
                return false;
            }
        }
    }
    return true;
}

/* All different. */
static bool after_is_valid(tender_bytes after)
{
    const uint8_t *ids = after.data;
    size_t count = after.size / sizeof(tender_id);
    if (after.size % sizeof(tender_id) != 0 || count == 0 || count > TENDER_AFTER_MAX) {
        return false;
    }
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (memcmp(ids + i * sizeof(tender_id), ids + j * sizeof(tender_id),
                       sizeof(tender_id)) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* Names of the grammar of skills, joined by commas. */
static bool evidence_is_valid(tender_bytes evidence)
{
    const char *at = evidence.data;
    const char *end = at + evidence.size;
    if (evidence.size == 0 || evidence.size > TENDER_EVIDENCE_MAX) {
        return false;
    }
    for (;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        if (!tender_skill_is_valid(at, (size_t)(stop - at))) {
            return false;
        }
        if (comma == NULL) {
            return true;
        }
        at = comma + 1;
    }
}

static const char *bad_text(const struct message *said)
{
    if (message_has(said, MESSAGE_SKILLS) && !needs_are_valid(said)) {
        return "skills";
    }
    if (message_has(said, MESSAGE_AFTER) && !after_is_valid(said->after)) {
        return "after";
    }
    if (message_has(said, MESSAGE_GOAL) &&
        !tender_name_is_valid(said->goal.data, said->goal.size)) {
        return "goal";
    }
    if (message_has(said, MESSAGE_EVIDENCE) && !evidence_is_valid(said->evidence)) {
        return "evidence";
    }
    bool is_bad_tier =
        message_has(said, MESSAGE_TIER) && !tender_skill_is_valid(said->tier.data, said->tier.size);
    return is_bad_tier ? "tier" : NULL;
}

const char *book_terms_text(const char *field)
{
    static const char *const texts[][2] = {
        {"skills", "at most 8 skills or resources, all different and none the task's own skill"},
        {"after", "1 to 16 identifiers of tasks, all different"},
        {"evidence", "names like those of skills, parted by commas, 1 to 512 bytes in all"},
        {"accept_us", "what is accepted is not paid by cover: pro_rata or none"},
        {"split_max", "a split task has 2 units or more, and neither cover nor a contractor"},
        {"cover_all", "only with split_max"},
        {"improve", "not with split_max or close_alone"},
        {"invite_max", "not with improve"},
        {"lead_only", "only with improve"},
        {"deadline_at_us", "an instant to come; a task's leaves more than one window until then"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (field != NULL && strcmp(field, texts[i][0]) == 0) {
            return texts[i][1];
        }
    }
    return NULL;
}

static int64_t stated(const struct message *said, enum message_field field, int64_t value)
{
    return message_has(said, field) ? value : 0;
}

/* Terms that contradict each other; named is the later field. */
static const char *bad_combination(const struct message *said)
{
    int64_t partial = stated(said, MESSAGE_PARTIAL, said->partial);
    int64_t fallback = stated(said, MESSAGE_FALLBACK, said->fallback);
    bool is_split = stated(said, MESSAGE_SPLIT_MAX, said->split_max) > 0;
    bool is_improving = stated(said, MESSAGE_IMPROVE, said->improve) > 0;
    bool is_cover = partial == (int64_t)TENDER_PARTIAL_COVER;
    if (is_cover && stated(said, MESSAGE_ACCEPT, said->accept_us) > 0) {
        return "accept_us";
    }
    if (is_split &&
        (is_cover || said->units == 1 || fallback == (int64_t)TENDER_FALLBACK_CONTRACTOR)) {
        return "split_max";
    }
    if (!is_split && stated(said, MESSAGE_COVER_ALL, said->cover_all) != 0) {
        return "cover_all";
    }
    if (is_improving && (is_split || stated(said, MESSAGE_CLOSE_ALONE, said->close_alone) != 0)) {
        return "improve";
    }
    if (is_improving && stated(said, MESSAGE_INVITE_MAX, said->invite_max) > 0) {
        return "invite_max"; /* another draw would leave bidders out between the rounds */
    }
    bool is_lead_only = stated(said, MESSAGE_LEAD_ONLY, said->lead_only) != 0;
    return is_lead_only && !is_improving ? "lead_only" : NULL;
}

const char *book_bad_terms(const struct event *event)
{
    const struct message *said = event->message;
    if ((said->present & MORE_FIELDS) == 0) {
        return NULL;
    }
    const char *field = bad_integer(said);
    field = field != NULL ? field : bad_text(said);
    return field != NULL ? field : bad_combination(said);
}

static struct entry_texts read_needs(struct book *book, const struct message *said)
{
    tender_bytes needs[TENDER_NEEDS_MAX];
    uint32_t count = message_has(said, MESSAGE_SKILLS) ? said->skills.count : 0;
    for (uint32_t i = 0; i < count; i++) {
        needs[i] = book_keep(book, said->skills.items[i]);
    }
    tender_bytes list = book_keep_aligned(book, needs, count * sizeof needs[0]);
    return (struct entry_texts){count, list.data};
}

static struct entry_texts read_after(struct book *book, const struct message *said)
{
    tender_bytes texts[TENDER_AFTER_MAX];
    size_t count = message_has(said, MESSAGE_AFTER) ? said->after.size / sizeof(tender_id) : 0;
    for (size_t i = 0; i < count; i++) {
        tender_id id;
        char text[TENDER_ID_TEXT_SIZE];
        memcpy(&id, (const uint8_t *)said->after.data + i * sizeof id, sizeof id);
        tender_id_format(id, text);
        texts[i] = book_keep(book, (tender_bytes){text, TENDER_ID_TEXT_SIZE - 1});
    }
    tender_bytes list = book_keep_aligned(book, texts, count * sizeof texts[0]);
    return (struct entry_texts){count, list.data};
}

static tender_bytes read_text(struct book *book, const struct message *said,
                              enum message_field field, tender_bytes text)
{
    return message_has(said, field) ? book_keep(book, text) : (tender_bytes){NULL, 0};
}

void book_read_terms(struct book *book, const struct event *event, struct entry_announced *terms)
{
    const struct message *said = event->message;
    bool is_improving = stated(said, MESSAGE_IMPROVE, said->improve) > 0;
    terms->invite_max = message_has(said, MESSAGE_INVITE_MAX) ? said->invite_max
                        : is_improving                        ? 0
                                                              : book->limits.invite_max;
    if (terms->invite_max > 0) {
        terms->newcomers_ppm =
            message_has(said, MESSAGE_SHARE) ? said->share_ppm : book->limits.newcomers_ppm;
    }
    if ((said->present & MORE_FIELDS) == 0) {
        return;
    }
    terms->needs = read_needs(book, said);
    terms->after = read_after(book, said);
    terms->goal = read_text(book, said, MESSAGE_GOAL, said->goal);
    terms->evidence = read_text(book, said, MESSAGE_EVIDENCE, said->evidence);
    terms->tier = read_text(book, said, MESSAGE_TIER, said->tier);
    terms->accept_us = stated(said, MESSAGE_ACCEPT, said->accept_us);
    terms->split_max = stated(said, MESSAGE_SPLIT_MAX, said->split_max);
    terms->cover_all = stated(said, MESSAGE_COVER_ALL, said->cover_all);
    terms->improve = stated(said, MESSAGE_IMPROVE, said->improve);
    terms->lead_only = stated(said, MESSAGE_LEAD_ONLY, said->lead_only);
}

/* Bytes being gathered for a digest. */
struct gather {
    uint8_t *to;
    size_t at;
};

static void gather_integer(struct gather *gather, int64_t value)
{
    assert(gather->at + 8 <= BOOK_DIGEST_TERMS_MAX);
    for (int i = 0; i < 8; i++) {
        gather->to[gather->at++] = (uint8_t)((uint64_t)value >> (56 - 8 * i));
    }
}

/* Its size and, as far as it can be valid, the text. */
static void gather_text(struct gather *gather, const struct message *said, enum message_field field,
                        tender_bytes text, size_t limit)
{
    size_t size = !message_has(said, field) ? 0 : text.size < limit ? text.size : limit;
    gather_integer(gather, message_has(said, field) ? (int64_t)text.size : 0);
    assert(gather->at + size <= BOOK_DIGEST_TERMS_MAX);
    if (size > 0) {
        memcpy(gather->to + gather->at, text.data, size);
        gather->at += size;
    }
}

size_t book_digest_terms(const struct message *said, uint8_t to[BOOK_DIGEST_TERMS_MAX])
{
    struct gather gather = {to, 0};
    if ((said->present & MORE_FIELDS) == 0) {
        return 0;
    }
    gather_integer(&gather, (int64_t)(said->present & MORE_FIELDS));
#define X(NAME, member) gather_integer(&gather, stated(said, MESSAGE_##NAME, said->member));
    TERMS(X)
#undef X
    uint32_t count = message_has(said, MESSAGE_SKILLS) ? said->skills.count : 0;
    gather_integer(&gather, count);
    for (uint32_t i = 0; i < count && i <= TENDER_NEEDS_MAX; i++) {
        gather_text(&gather, said, MESSAGE_SKILLS, said->skills.items[i], TENDER_SKILL_MAX);
    }
    gather_text(&gather, said, MESSAGE_AFTER, said->after, TENDER_AFTER_MAX * sizeof(tender_id));
    gather_text(&gather, said, MESSAGE_GOAL, said->goal, TENDER_NAME_MAX);
    gather_text(&gather, said, MESSAGE_EVIDENCE, said->evidence, TENDER_EVIDENCE_MAX);
    gather_text(&gather, said, MESSAGE_TIER, said->tier, TENDER_SKILL_MAX);
    return gather.at;
}

static bool is_plain(const struct entry_announced *terms)
{
    return terms->needs.count == 0 && terms->goal.size == 0 && terms->after.count == 0 &&
           terms->evidence.size == 0 && terms->accept_us == 0 && terms->split_max == 0 &&
           terms->improve == 0 && terms->invite_max == 0 && terms->tier.size == 0;
}

/* Whether all skills that the task names can be in the table at one time. */
static bool has_skills_room(struct book *book, const struct entry_announced *terms)
{
    struct roster *roster = &book->roster;
    uint32_t opened[TENDER_NEEDS_MAX + 1];
    size_t count = 0;
    bool has_room = true;
    for (size_t i = 0; i <= terms->needs.count && has_room; i++) {
        tender_bytes name = i == 0 ? terms->skill : terms->needs.items[i - 1];
        uint32_t skill = roster_skill_open(roster, name);
        has_room = skill != 0;
        if (has_room) {
            roster_skill_refer(roster, skill);
            opened[count++] = skill;
        }
    }
    while (count > 0) {
        roster_skill_drop(roster, opened[--count]);
    }
    return has_room;
}

bool book_has_terms_room(struct book *book, const struct entry_announced *terms)
{
    if (is_plain(terms)) {
        return roster_has_skill_room(&book->roster, terms->skill);
    }
    return pool_has_room(&book->extras, 1) && has_skills_room(book, terms) &&
           book_has_after_room(book, terms) && book_has_goal_room(book, terms);
}

static bool terms_are_valid(const struct entry_announced *terms)
{
    return terms->needs.count <= TENDER_NEEDS_MAX && terms->after.count <= TENDER_AFTER_MAX &&
           terms->goal.size <= TENDER_NAME_MAX && terms->evidence.size <= TENDER_EVIDENCE_MAX &&
           terms->tier.size <= TENDER_SKILL_MAX && terms->split_max <= TENDER_SPLIT_MAX &&
           terms->improve <= TENDER_IMPROVE_MAX && terms->invite_max <= TENDER_INVITE_MAX;
}

static int take_needs(struct book *book, struct extra *extra, const struct entry_texts *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        uint32_t skill = roster_skill_open(&book->roster, needs->items[i]);
        if (skill == 0) {
            return TENDER_ELIMIT;
        }
        roster_skill_refer(&book->roster, skill);
        extra->needs[extra->need_count++] = skill;
    }
    return 0;
}

static void copy_texts(struct extra *extra, const struct entry_announced *announced)
{
    extra->evidence_size = (uint32_t)announced->evidence.size;
    if (announced->evidence.size > 0) {
        memcpy(extra->evidence, announced->evidence.data, announced->evidence.size);
    }
    extra->tier_size = (uint32_t)announced->tier.size;
    if (announced->tier.size > 0) {
        memcpy(extra->tier, announced->tier.data, announced->tier.size);
    }
}

int book_need_extra(struct book *book, struct task *task)
{
    if (task->extra == 0) {
        task->extra = pool_new(&book->extras);
    }
    return task->extra != 0 ? 0 : TENDER_ELIMIT;
}

int book_take_extra(struct book *book, struct task *task, const struct entry_announced *announced)
{
    if (is_plain(announced)) {
        return 0;
    }
    if (!terms_are_valid(announced)) {
        return TENDER_EPROTOCOL;
    }
    int status = book_need_extra(book, task);
    if (status != 0) {
        return status;
    }
    struct extra *extra = task_extra(book, task);
    copy_texts(extra, announced);
    extra->accept_us = announced->accept_us;
    extra->split_max = (uint32_t)announced->split_max;
    extra->is_cover_all = announced->cover_all != 0;
    extra->improve = (uint32_t)announced->improve;
    extra->is_lead_only = announced->lead_only != 0;
    extra->invite_max = (uint32_t)announced->invite_max;
    extra->newcomers_ppm = announced->newcomers_ppm;
    status = take_needs(book, extra, &announced->needs);
    if (status == 0 && announced->goal.size > 0) {
        status = book_join_goal(book, task, announced->goal);
    }
    return status == 0 ? book_take_links(book, task, announced) : status;
}

void book_drop_extra(struct book *book, struct task *task)
{
    struct extra *extra = task_extra(book, task);
    for (uint32_t i = 0; i < extra->need_count; i++) {
        roster_skill_drop(&book->roster, extra->needs[i]);
    }
    book_leave_goal(book, task);
    book_drop_links(book, task);
    book_drop_leads(book, extra);
    pool_give(&book->extras, task->extra);
    task->extra = 0;
}

static struct message_texts keep_needs(struct book *book, const struct extra *extra)
{
    tender_bytes needs[TENDER_NEEDS_MAX];
    for (uint32_t i = 0; i < extra->need_count; i++) {
        needs[i] = skill_name(&book->roster, extra->needs[i]);
    }
    tender_bytes list = book_keep_aligned(book, needs, extra->need_count * sizeof needs[0]);
    return (struct message_texts){extra->need_count, list.data};
}

static const struct told_terms *told_terms(struct book *book, const struct task *task)
{
    const struct extra *extra = task_extra(book, task);
    const struct goal *goal = book_goal_of(book, task);
    struct told_terms *told = &book->told;
    if (!tender_id_equal(told->task, task->id)) {
        *told = (struct told_terms){
            .task = task->id,
            .needs = keep_needs(book, extra),
            .evidence = book_keep(book, (tender_bytes){extra->evidence, extra->evidence_size}),
            .tier = book_keep(book, (tender_bytes){extra->tier, extra->tier_size}),
        };
        if (goal != NULL) {
            told->goal = book_keep(book, (tender_bytes){goal->name, goal->name_size});
        }
    }
    return told;
}

static void fill_round(const struct extra *extra, const struct told_terms *told,
                       struct message *message)
{
    if (told->goal.size > 0) {
        message_set(message, GOAL, goal, told->goal);
    }
    if (extra->split_max > 0) {
        message_set(message, SPLIT_MAX, split_max, (int64_t)extra->split_max);
        message_set(message, COVER_ALL, cover_all, (int64_t)extra->is_cover_all);
    }
    if (extra->improve > 0) {
        message_set(message, IMPROVE, improve, (int64_t)(extra->improve - extra->improved));
        message_set(message, LEAD_ONLY, lead_only, (int64_t)extra->is_lead_only);
    }
}

void book_fill_terms(struct book *book, const struct task *task, struct message *message)
{
    const struct extra *extra = task_extra(book, task);
    const struct told_terms *told = told_terms(book, task);
    if (told->needs.count > 0) {
        message_set(message, SKILLS, skills, told->needs);
    }
    if (told->evidence.size > 0) {
        message_set(message, EVIDENCE, evidence, told->evidence);
    }
    if (extra->accept_us > 0) {
        message_set(message, ACCEPT, accept_us, extra->accept_us);
    }
    if (told->tier.size > 0) {
        message_set(message, TIER, tier, told->tier);
    }
    if (message->performative == TENDER_CFP) {
        fill_round(extra, told, message);
    }
}
