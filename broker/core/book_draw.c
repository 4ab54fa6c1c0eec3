/*
 * Focus: with more root principals than a task wants invited, a seeded draw among those that offer
 * its rarest name: by record, with a share for newcomers, one agent each. Whom it draws follows
 * from the head of the task's chain, who is there, and their records; neither from who came first
 * nor from anything that is said later. It looks at so many, however large the crowd is.
 */
#include "book_internal.h"
#include "draw.h"

#include <assert.h>
#include <string.h>

#define NEWCOMER_MAX   5  /* ended commitments, below which a principal is a newcomer */
#define AGENTS_LOOKED  16 /* at, of one principal */
#define NO_CANDIDATE   UINT32_MAX
#define DRAWS(places)  ((places)*8 + 64)
#define READY_LOOKS    2048 /* at contractors that are free, where the draws found too few */
#define DRAWS_MAX      DRAWS(TENDER_INVITE_MAX)
#define CANDIDATES_MAX (DRAWS_MAX + READY_LOOKS)
static_assert(CANDIDATES_MAX == BOOK_CANDIDATES_MAX, "the book has room for all candidates");

/*
 * The draw of one round.
 *
 * seed        what every roll of it begins with
 * crowd       root of the crowd, of `count` principals
 * looked      principals of it that were looked at, each once
 * known       places still to be given to principals with a record, and `newcomers` to others
 * pending     index of a candidate with a record that waits for another to be compared with
 */
struct draw {
    struct book *book;
    const struct task *task;
    struct draw_seed seed;
    uint32_t skill;
    uint32_t crowd;
    uint32_t count;
    uint32_t looked;
    uint32_t known;
    uint32_t newcomers;
    uint32_t pending;
};

/* The first numbers of a draw for an index or a contractor's name. */
struct roll {
    uint64_t first;
    uint64_t second;
};

static struct roll roll(const struct draw *draw, const void *data, size_t size)
{
    tender_digest digest = draw_for(&draw->seed, (tender_bytes){data, size});
    return (struct roll){draw_number(&digest, 0), draw_number(&digest, 8)};
}

/* Of all names of the task the one that the fewest principals offer. */
static uint32_t rarest_name(const struct book *book, const struct task *task)
{
    const struct roster *roster = &book->roster;
    const struct extra *extra = task_extra(book, task);
    uint32_t rarest = task->skill;
    for (uint32_t i = 0; i < extra->need_count; i++) {
        uint32_t crowd = roster->skills[extra->needs[i]].crowd;
        bool is_rarer = crowd_count(&roster->crowds, crowd) <
                        crowd_count(&roster->crowds, roster->skills[rarest].crowd);
        rarest = is_rarer ? extra->needs[i] : rarest;
    }
    return rarest;
}

/* The agent of a principal that holds the least, of some from a rolled place on; 0 where none can.
 */
static uint32_t best_agent(const struct draw *draw, uint32_t principal, uint64_t rolled)
{
    const struct roster *roster = &draw->book->roster;
    uint32_t agents = roster->crowds.nodes[principal].agents;
    uint32_t count = crowd_count(&roster->crowds, agents);
    uint32_t looks = count < AGENTS_LOOKED ? count : AGENTS_LOOKED;
    uint32_t best = 0;
    for (uint32_t i = 0; i < looks; i++) {
        uint32_t at = crowd_at(&roster->crowds, agents, (uint32_t)((rolled % count + i) % count));
        uint32_t peer = roster->crowds.nodes[at].number;
        bool can = roster_can_take(roster, peer) && book_may_work(draw->book, draw->task, peer);
        if (can && (best == 0 || roster->peers[peer].held < roster->peers[best].held)) {
            best = peer;
        }
    }
    return best;
}

/* Whether the principal was not looked at before in this draw. */
static bool is_first_look(struct draw *draw, uint32_t principal)
{
    struct crowd_node *node = &draw->book->roster.crowds.nodes[principal];
    if (node->mark == draw->book->draws) {
        return false;
    }
    node->mark = draw->book->draws;
    draw->looked++;
    return true;
}

static uint32_t add_candidate(struct book *book, uint32_t peer, uint64_t key)
{
    assert(book->candidate_count < CANDIDATES_MAX);
    book->candidates[book->candidate_count] = (struct candidate){.peer = peer, .key = key};
    return book->candidate_count++;
}

static void take(struct draw *draw, uint32_t candidate, uint32_t *places)
{
    assert(*places > 0 && !draw->book->candidates[candidate].is_taken);
    draw->book->candidates[candidate].is_taken = true;
    (*places)--;
}

/* What was counted of all that have the candidate's root. */
static const struct account_counts *record_of(const struct book *book, uint32_t candidate)
{
    uint32_t peer = book->candidates[candidate].peer;
    return account_counted(&book->accounts, book->roster.peers[peer].principal);
}

/* Whether `right` kept more of its promises than `left`, one kept and one broken added to each. */
static bool is_better(const struct account_counts *left, const struct account_counts *right)
{
    return (__int128)(right->fulfilled + 1) * (left->ended + 2) >
           (__int128)(left->fulfilled + 1) * (right->ended + 2);
}

/* Of two with a record the better is taken: whom a draw favours is still drawn. */
static void look_at(struct draw *draw, uint32_t principal, uint64_t rolled)
{
    struct book *book = draw->book;
    uint32_t peer = best_agent(draw, principal, rolled);
    if (peer == 0) {
        return;
    }
    uint32_t candidate = add_candidate(book, peer, 0);
    if (record_of(book, candidate)->ended < NEWCOMER_MAX) {
        if (draw->newcomers > 0) {
            take(draw, candidate, &draw->newcomers);
        }
    } else if (draw->known > 0 && draw->pending == NO_CANDIDATE) {
        draw->pending = candidate;
    } else if (draw->known > 0) {
        bool is_second = is_better(record_of(book, draw->pending), record_of(book, candidate));
        take(draw, is_second ? candidate : draw->pending, &draw->known);
        draw->pending = NO_CANDIDATE;
    }
}

static void draw_principals(struct draw *draw)
{
    const struct crowds *crowds = &draw->book->roster.crowds;
    uint32_t draws = DRAWS(draw->known + draw->newcomers);
    for (uint32_t i = 0;
         i < draws && draw->known + draw->newcomers > 0 && draw->looked < draw->count; i++) {
        unsigned char number[4] = {(unsigned char)(i >> 24), (unsigned char)(i >> 16),
                                   (unsigned char)(i >> 8), (unsigned char)i};
        struct roll rolled = roll(draw, number, sizeof number);
        uint32_t principal = crowd_at(crowds, draw->crowd, (uint32_t)(rolled.first % draw->count));
        if (is_first_look(draw, principal)) {
            look_at(draw, principal, rolled.second);
        }
    }
}

/* Places that the shares left over go to whoever was drawn, in the order of the draws. */
static void fill_places(struct draw *draw, uint32_t *places)
{
    const struct book *book = draw->book;
    for (uint32_t i = 0; *places > 0 && i < book->candidate_count; i++) {
        if (!book->candidates[i].is_taken) {
            take(draw, i, places);
        }
    }
}

/*
 * Most are busy, or do not cover the task: those that are free are few, and found in the list of
 * them. Of these the ones with the lowest rolls are taken.
 */
static void fill_from_ready(struct draw *draw, uint32_t *places)
{
    struct book *book = draw->book;
    const struct roster *roster = &book->roster;
    uint32_t first = book->candidate_count;
    uint32_t at = roster->skills[draw->skill].ready;
    for (uint32_t looks = 0; at != 0 && looks < READY_LOOKS; looks++) {
        uint32_t principal = roster->crowds.nodes[roster->offers[at].crowd].principal;
        tender_bytes name = roster->crowds.nodes[principal].name;
        at = roster->offers[at].ready_next;
        if (is_first_look(draw, principal)) {
            struct roll rolled = roll(draw, name.data, name.size);
            uint32_t peer = best_agent(draw, principal, rolled.second);
            if (peer != 0) {
                (void)add_candidate(book, peer, rolled.first);
            }
        }
    }
    while (*places > 0) {
        uint32_t best = NO_CANDIDATE;
        for (uint32_t i = first; i < book->candidate_count; i++) {
            const struct candidate *candidate = &book->candidates[i];
            if (!candidate->is_taken &&
                (best == NO_CANDIDATE || candidate->key < book->candidates[best].key)) {
                best = i;
            }
        }
        if (best == NO_CANDIDATE) {
            return;
        }
        take(draw, best, places);
    }
}

/* The names of those taken, in the order in which they were looked at. */
static struct entry_texts list_drawn(struct book *book)
{
    tender_bytes names[TENDER_INVITE_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < book->candidate_count; i++) {
        if (book->candidates[i].is_taken) {
            names[count++] = peer_name(&book->roster, book->candidates[i].peer);
        }
    }
    tender_bytes list = book_keep_aligned(book, names, count * sizeof names[0]);
    return (struct entry_texts){count, list.data};
}

static uint32_t count_newcomers(uint32_t places, int64_t share_ppm)
{
    int64_t share = (places * share_ppm + TENDER_PPM - 1) / TENDER_PPM; /* up */
    return (uint32_t)share;
}

void book_draw(struct book *book, struct task *task, struct entry_opened *opened)
{
    const struct extra *extra = task_extra(book, task);
    uint32_t skill = rarest_name(book, task);
    struct draw draw = {.book = book,
                        .task = task,
                        .skill = skill,
                        .crowd = book->roster.skills[skill].crowd,
                        .pending = NO_CANDIDATE};
    uint32_t room = book->limits.bid_count - book->bids_held;
    uint32_t places = extra->invite_max < room ? extra->invite_max : room;
    draw.count = crowd_count(&book->roster.crowds, draw.crowd);
    if (draw.count <= extra->invite_max || book->bids_held >= book->limits.bid_count) {
        return;
    }
    uint32_t round = (uint32_t)opened->round;
    draw.seed = draw_seed("tender/invite/v1", task->id, &round, 1, &opened->head);
    draw.newcomers = count_newcomers(places, extra->newcomers_ppm);
    draw.known = places - draw.newcomers;
    book->draws++;
    book->candidate_count = 0;
    draw_principals(&draw);
    places = draw.known + draw.newcomers;
    fill_places(&draw, &places);
    if (places > 0 && draw.looked < draw.count) {
        fill_from_ready(&draw, &places);
    }
    opened->drawn = list_drawn(book);
}

/* In recall nobody was told yet: whoever was drawn is offered the round when it comes back. */
static int recall_drawn(struct book *book, struct task *task, const struct entry_texts *drawn)
{
    for (size_t i = 0; i < drawn->count; i++) {
        uint32_t peer = roster_find(&book->roster, drawn->items[i]);
        if (peer == 0 || book_find_bid(book, task, peer) != NULL) {
            continue;
        }
        if (book_create_bid(book, task, peer) == NULL) {
            return TENDER_ELIMIT;
        }
        task->round.invited++;
        book_count_principal(&task->round, book_root(book, book->roster.peers[peer].principal));
    }
    return 0;
}

int book_apply_drawn(struct book *book, struct task *task, const struct entry_opened *opened)
{
    const struct extra *extra = task_extra(book, task);
    if (opened->drawn.count > extra->invite_max) {
        return TENDER_EPROTOCOL;
    }
    task->round.is_drawn = opened->drawn.count > 0;
    if (book->is_recalling) {
        return recall_drawn(book, task, &opened->drawn);
    }
    task->round.is_full = task->round.is_drawn && opened->drawn.count == extra->invite_max;
    return 0;
}

bool book_may_join(const struct book *book, const struct task *task, uint32_t peer)
{
    const struct extra *extra = task_extra(book, task);
    const struct round *round = &task->round;
    if (extra == NULL || extra->invite_max == 0 || round->is_fallback) {
        return true;
    }
    uint32_t crowd = book->roster.skills[rarest_name(book, task)].crowd;
    if (!round->is_drawn && crowd_count(&book->roster.crowds, crowd) <= extra->invite_max) {
        return true;
    }
    uint32_t root = book_root(book, book->roster.peers[peer].principal);
    for (uint32_t at = task->bids; at != 0; at = book->bids[at].next) {
        const struct bid *bid = &book->bids[at];
        if (bid->peer == peer) {
            return true;
        }
        if (bid->root == root && book_is_of_invited(bid->reason)) {
            return !round->is_drawn;
        }
    }
    return round->invited < extra->invite_max;
}

void book_invite_drawn(struct book *book, struct task *task)
{
    const struct waiting_node *node = &book->waiting[book_task_number(book, task)];
    for (uint32_t i = 0; i < book->candidate_count; i++) {
        uint32_t peer = book->candidates[i].peer;
        if (!book->candidates[i].is_taken) {
            continue;
        }
        if (!task->round.is_full && book->roster.peers[peer].standing == PEER_READY) {
            roster_mark_seen(&book->roster, peer, task->skill, node->priority, node->sequence);
        }
        (void)book_invite(book, task, peer);
    }
}

void book_retell_drawn(struct book *book, uint32_t number)
{
    const struct peer *peer = &book->roster.peers[number];
    uint32_t told = 0;
    for (uint32_t i = 0; i < peer->skill_count && peer->invitations > 0; i++) {
        uint32_t root = book->roster.skills[book->roster.offers[peer->offers + i].skill].full;
        for (uint32_t priority = 0; root != 0 && priority < ROSTER_PRIORITIES; priority++) {
            uint32_t at = waiting_after(book->waiting, root, priority, 0);
            while (at != 0 && told < RETOLD_MAX) {
                struct task *task = book_task(book, at);
                const struct bid *bid = book_find_bid(book, task, number);
                if (bid != NULL && (int)bid->state == 0) {
                    book_tell_cfp(book, task, number);
                    told++;
                }
                at = waiting_after(book->waiting, root, priority, book->waiting[at].sequence);
            }
        }
    }
}

/* What its client withdrew says nothing about whoever promised it. */
void book_note_record(struct book *book, const struct commitment *commitment,
                      tender_commitment_state ended)
{
    bool is_declined_freely = commitment->is_assigned && ended == TENDER_COMMITMENT_DECLINED;
    if (ended != TENDER_COMMITMENT_CANCELLED && !is_declined_freely) {
        struct account_counts change = {.ended = 1,
                                        .fulfilled = ended == TENDER_COMMITMENT_FULFILLED};
        account_count(&book->accounts, commitment->principal, &change);
    }
}

int book_recall_recorded(struct book *book, const struct entry *entry)
{
    const struct entry_recorded *fact = &entry->recorded;
    if (fact->principal.size == 0 || fact->principal.size > TENDER_NAME_MAX || fact->ended < 0 ||
        fact->ended > UINT32_MAX || fact->fulfilled < 0 || fact->fulfilled > fact->ended) {
        return TENDER_EPROTOCOL;
    }
    uint32_t number = account_open(&book->accounts, fact->principal);
    if (number != 0) { /* more than there is room for begin anew */
        struct account_counts change = {.ended = fact->ended, .fulfilled = fact->fulfilled};
        account_count(&book->accounts, number, &change); /* in each shard */
    }
    return 0;
}
