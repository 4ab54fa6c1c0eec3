/*
 * What is done for a fleet ten times a second, on the pacer's thread: what was left over goes to
 * the other brokers, receipts go to all, and slots move. One session is locked at a time. See
 * fleet.h.
 */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fleet_internal.h"

/* What was left over of a session may have been left over before, and said again in it: it is kept
 * once. */
static void add_stray(struct fleet *fleet, tender_performative performative, tender_bytes packed)
{
    tender_id name = table_name(packed);
    bool is_known = table_find(&fleet->strays, name, packed.size) != NULL;
    if (is_known || fleet->strays.count == FLEET_STRAY_MAX) {
        return;
    }
    struct stray *stray = malloc(sizeof *stray + packed.size);
    if (stray == NULL) {
        return;
    }
    *stray = (struct stray){
        .until_us = clock_us() + FLEET_STRAY_US, .performative = performative, .size = packed.size};
    stray->node.task = name;
    stray->node.number = packed.size;
    memcpy(stray->bytes, packed.data, packed.size);
    table_add(&fleet->strays, &stray->node);
}

static void drop_strays(struct fleet *fleet, int64_t before_us)
{
    struct stray *stray = (struct stray *)fleet->strays.oldest;
    while (stray != NULL && stray->until_us < before_us) {
        table_remove(&fleet->strays, &stray->node);
        free(stray);
        stray = (struct stray *)fleet->strays.oldest;
    }
}

/* Whether another broker serves, as seen last: else there is nobody to say it to. */
static bool has_other(const struct fleet *fleet, const struct member *member)
{
    bool has_live = false;
    for (size_t i = 0; i < fleet->count; i++) {
        has_live = has_live || (member != &fleet->members[i] && fleet->shares[i].is_live);
    }
    return has_live;
}

/* Takes what a session left over, and what its broker does not answer for. Locked. */
static void gather(struct fleet *fleet, struct member *member, int64_t now_us)
{
    tender_contractor *contractor = member->contractor;
    struct session *session = contractor->view.session;
    bool is_away = !session->is_connected && now_us - session->away_us > FLEET_AWAY_US;
    bool is_deaf = has_other(fleet, member) && session_is_deaf(session, now_us);
    if ((is_away || is_deaf) && session->status == 0 && outbox_has_said(&session->outbox)) {
        session_renew(session);
    }
    while (session->left.count > 0) {
        tender_performative performative;
        tender_bytes packed = outbox_peek(&session->left, 0, &performative);
        add_stray(fleet, performative, packed);
        outbox_heard(&session->left, session->left.first);
    }
    for (struct table_node *node = contractor->holdings.oldest; node != NULL; node = node->newer) {
        struct holding *holding = (struct holding *)node;
        if (holding->is_bounced && holding->report != NULL) {
            add_stray(fleet, holding->performative,
                      (tender_bytes){holding->report, holding->report_size});
        }
        holding->is_bounced = false;
    }
}

static void say_strays(const struct table_node *node, struct session *session)
{
    for (; node != NULL; node = node->newer) {
        const struct stray *stray = (const struct stray *)node;
        if (session_say_packed(session, NULL, stray->performative,
                               (tender_bytes){(void *)stray->bytes, stray->size}) != 0) {
            return;
        }
    }
}

/* The newest strays to all that answer, and all of them to who has just begun to. */
static void tell_strays(struct fleet *fleet, const struct table_node *fresh)
{
    for (size_t i = 0; i < fleet->count; i++) {
        struct member *member = &fleet->members[i];
        struct session *session = member->contractor->view.session;
        session_lock(session);
        if (session_is_live(session)) {
            say_strays(session->welcomes == member->welcomes ? fresh : fleet->strays.oldest,
                       session);
            member->welcomes = session->welcomes;
        }
        session_unlock(session);
    }
}

/* Every broker hears at its next hello what the others have said is held. */
static void share_receipts(struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->count; i++) {
        struct session *from = fleet->members[i].contractor->view.session;
        uint8_t receipts[sizeof from->own];
        session_lock(from);
        size_t size = from->own_size;
        memcpy(receipts, from->own, size);
        session_unlock(from);
        for (size_t k = 0; k < fleet->count && size > 0; k++) {
            struct session *to = fleet->members[k].contractor->view.session;
            session_lock(to);
            session_keep_receipts(to, (tender_bytes){receipts, size});
            session_unlock(to);
        }
    }
}

static uint32_t count_standing(const tender_contractor *contractor)
{
    uint32_t standing = 0;
    for (const struct table_node *node = contractor->terms.table.oldest; node != NULL;
         node = node->newer) {
        standing += ((const struct terms *)node)->has_bid;
    }
    return standing;
}

/*
 * A broker that is away may award for three heartbeats more, as long as it takes us for alive,
 * unless others reign over all that it had. One that began anew may have given shards to others:
 * as long as we have not heard from those, its slots may be in use there (slots_kept).
 */
static void look_at(struct fleet *fleet, size_t index, int64_t now_us)
{
    const tender_contractor *contractor = fleet->members[index].contractor;
    struct share *share = &fleet->shares[index];
    struct session *session = contractor->view.session;
    session_lock(session);
    uint32_t used = fleet->used[index];
    uint32_t standing = count_standing(contractor);
    if (used != share->used || standing != share->standing) {
        share->idle_us = now_us;
        fleet->moves = 0;
    }
    int64_t patience_us = 3 * session->heartbeat_us;
    bool is_gone =
        !session->is_connected && (now_us - session->away_us > patience_us ||
                                   fleet_has_heard_of(fleet, session->own, session->own_size));
    if (is_gone && (session->slots > 0 || session->slots_bound > 0)) {
        session->slots = 0; /* offered so, should it come back */
        session->slots_bound = 0;
        session_renew(session);
    }
    if (now_us - session->kept_us > patience_us ||
        fleet_has_heard_of(fleet, session->before, session->before_size)) {
        session->slots_kept = 0;
    }
    share->is_live = session_is_live(session) && session->skill_count > 0;
    share->said = session->slots;
    share->bound =
        session->slots_bound > session->slots_kept ? session->slots_bound : session->slots_kept;
    share->used = used;
    share->standing = standing;
    session_unlock(session);
}

static void divide_slots(struct fleet *fleet, int64_t now_us)
{
    size_t index;
    uint32_t slots;
    for (size_t i = 0; i < fleet->count; i++) {
        look_at(fleet, i, now_us);
    }
    for (size_t turn = 0; turn < fleet->count; turn++) {
        if (!slots_divide(fleet->shares, fleet->count, fleet->slots, fleet->moves, now_us, &index,
                          &slots)) {
            return;
        }
        const tender_contractor *contractor = fleet->members[index].contractor;
        struct share *share = &fleet->shares[index];
        struct session *session = contractor->view.session;
        session_lock(session);
        uint32_t before = session->slots;
        session->slots = slots;
        if (session_say_offer(session) != 0) {
            session->slots = before;
        }
        session_pump(session);
        session_unlock(session);
        share->given_us = slots > before ? now_us : share->given_us;
        fleet->moves += slots < before;
        share->idle_us = now_us;
        look_at(fleet, index, now_us);
    }
}

static void tend(struct paced *paced)
{
    struct fleet *fleet = (struct fleet *)paced; /* its first member */
    int64_t now_us = clock_us();
    drop_strays(fleet, now_us);
    const struct table_node *newest = fleet->strays.newest;
    for (size_t i = 0; i < fleet->count; i++) {
        struct session *session = fleet->members[i].contractor->view.session;
        session_lock(session);
        gather(fleet, &fleet->members[i], now_us);
        session_unlock(session);
    }
    tell_strays(fleet, newest == NULL ? fleet->strays.oldest : newest->newer);
    share_receipts(fleet);
    fleet_see_shards(fleet);
    divide_slots(fleet, now_us);
    pacer_arm(paced, clock_us() + FLEET_TICK_US);
}

int fleet_tend_begin(struct fleet *fleet)
{
    atomic_init(&fleet->paced.wake_at_us, clock_us() + FLEET_TICK_US / 4);
    fleet->paced.wake = tend;
    int status = pacer_add(&fleet->paced);
    fleet->is_paced = status == 0;
    return status;
}

void fleet_tend_end(struct fleet *fleet)
{
    if (fleet->is_paced) {
        pacer_remove(&fleet->paced);
    }
}
