/* See terms.h. */
#include "terms.h"

#include <stdlib.h>
#include <string.h>

/* A call that was not bid for is kept so long after its close, for repeats. */
#define KEEP_UNBID_US 60000000

int terms_init(struct terms_table *terms)
{
    terms->bytes = 0;
    return table_init(&terms->table);
}

void terms_unref(struct terms *terms)
{
    if (terms != NULL && --terms->references == 0) {
        free(terms);
    }
}

static void unref_node(struct table_node *node)
{
    terms_unref((struct terms *)node);
}

void terms_release_all(struct terms_table *terms)
{
    table_release(&terms->table, unref_node);
}

struct terms *terms_find(const struct terms_table *terms, tender_id task, int64_t round)
{
    return (struct terms *)table_find(&terms->table, task, (uint64_t)round);
}

void terms_forget(struct terms_table *terms, struct terms *forgotten)
{
    table_remove(&terms->table, &forgotten->node);
    terms->bytes -= forgotten->size;
    terms_unref(forgotten);
}

static void forget_oldest(struct terms_table *terms, int64_t broker_us)
{
    for (;;) {
        struct terms *oldest = (struct terms *)terms->table.oldest;
        if (oldest == NULL) {
            return;
        }
        bool is_stale = !oldest->has_bid && oldest->closes_at_us < broker_us - KEEP_UNBID_US;
        if (!is_stale && terms->table.count < TERMS_MAX && terms->bytes < TERMS_BYTES_MAX) {
            return;
        }
        terms_forget(terms, oldest);
    }
}

struct terms *terms_remember(struct terms_table *terms, const struct message *cfp,
                             int64_t broker_us)
{
    size_t size = sizeof(struct terms) + cfp->skill.size + cfp->content.size + 2;
    struct terms *made = malloc(size);
    if (made == NULL) {
        return NULL;
    }
    struct terms *older = terms_find(terms, cfp->conversation, cfp->round);
    if (older != NULL) {
        terms_leave(terms, older);
    }
    forget_oldest(terms, broker_us);
    *made = (struct terms){.references = 2,
                           .digest = cfp->digest,
                           .ceiling_micro = cfp->ceiling_micro,
                           .closes_at_us = cfp->closes_at_us,
                           .split_units = cfp->split_max > 0 ? cfp->units : 0,
                           .size = size,
                           .skill = made->texts};
    made->node.task = cfp->conversation;
    made->node.number = (uint64_t)cfp->round;
    memcpy(made->texts, cfp->skill.data, cfp->skill.size);
    made->texts[cfp->skill.size] = '\0';
    char *content = made->texts + cfp->skill.size + 1;
    if (cfp->content.size > 0) {
        memcpy(content, cfp->content.data, cfp->content.size);
    }
    content[cfp->content.size] = '\0';
    made->content = (tender_bytes){content, cfp->content.size};
    terms->bytes += size;
    table_add(&terms->table, &made->node);
    return made;
}

void terms_doubt(struct terms_table *terms)
{
    for (struct table_node *node = terms->table.oldest; node != NULL; node = node->newer) {
        ((struct terms *)node)->receipt.is_recorded = false;
    }
}

void terms_leave(struct terms_table *terms, struct terms *left)
{
    if (left->has_bid) {
        size_t at = terms->unsure_count++ % TERMS_UNSURE_MAX;
        terms->unsure[at].task = left->node.task;
        terms->unsure[at].round = (int64_t)left->node.number;
    }
    terms_forget(terms, left);
}

bool terms_is_unsure(const struct terms_table *terms, tender_id task, int64_t round)
{
    size_t count = terms->unsure_count < TERMS_UNSURE_MAX ? terms->unsure_count : TERMS_UNSURE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (terms->unsure[i].round == round && tender_id_equal(terms->unsure[i].task, task)) {
            return true;
        }
    }
    return false;
}
