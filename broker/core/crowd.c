/* The treaps of crowd.h. Every walk goes down once: counts are set on the way. */
#include "crowd.h"

#include "draw.h"
#include "table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int crowds_init(struct crowds *crowds, uint32_t agents)
{
    memset(crowds, 0, sizeof *crowds);
    assert(agents < UINT32_MAX / 2);
    crowds->capacity = agents * 2; /* each may have a principal of its own */
    crowds->nodes = calloc((size_t)crowds->capacity + 1, sizeof *crowds->nodes);
    return crowds->nodes == NULL ? TENDER_ENOMEM : 0;
}

void crowds_release(struct crowds *crowds)
{
    free(crowds->nodes);
    memset(crowds, 0, sizeof *crowds);
}

static uint32_t take_node(struct crowds *crowds, struct crowd_member member, uint64_t key)
{
    uint32_t number = crowds->free;
    if (number != 0) {
        crowds->free = crowds->nodes[number].left;
    } else {
        assert(crowds->used < crowds->capacity);
        number = ++crowds->used;
    }
    crowds->nodes[number] =
        (struct crowd_node){.key = key, .name = member.name, .number = member.number, .count = 1};
    return number;
}

static void give_node(struct crowds *crowds, uint32_t number)
{
    crowds->nodes[number] = (struct crowd_node){.left = crowds->free};
    crowds->free = number;
}

/* Below, at, or above zero as the name comes before, is, or comes behind that of the node. */
static int compare(const struct crowd_node *node, uint64_t key, tender_bytes name)
{
    if (key != node->key) {
        return key < node->key ? -1 : 1;
    }
    size_t shared = name.size < node->name.size ? name.size : node->name.size;
    int order = memcmp(name.data, node->name.data, shared);
    return order != 0 ? order : (name.size > node->name.size) - (name.size < node->name.size);
}

static bool is_before(const struct crowd_node *nodes, uint32_t left, uint32_t right)
{
    return compare(&nodes[right], nodes[left].key, nodes[left].name) < 0;
}

static uint64_t height(const struct crowd_node *node)
{
    return table_hash_pair((uint32_t)(node->key >> 32), (uint32_t)node->key);
}

/* How many of the set at `root` come before `node`, which is not in it. */
static uint32_t count_before(const struct crowd_node *nodes, uint32_t root, uint32_t node)
{
    uint32_t count = 0;
    while (root != 0) {
        bool is_behind = is_before(nodes, node, root);
        count += is_behind ? 0 : nodes[nodes[root].left].count + 1;
        root = is_behind ? nodes[root].left : nodes[root].right;
    }
    return count;
}

/* Splits the set at `root` into what comes before `node` and what comes behind it. */
static void split(struct crowd_node *nodes, uint32_t root, uint32_t node, uint32_t *before_out,
                  uint32_t *behind_out)
{
    uint32_t before = count_before(nodes, root, node);
    while (root != 0) {
        struct crowd_node *at = &nodes[root];
        if (is_before(nodes, root, node)) {
            uint32_t passed = nodes[at->left].count + 1;
            *before_out = root;
            before_out = &at->right;
            root = at->right;
            at->count = before;
            before -= passed;
        } else {
            *behind_out = root;
            behind_out = &at->left;
            root = at->left;
            at->count -= before;
        }
    }
    *before_out = 0;
    *behind_out = 0;
}

static void insert(struct crowd_node *nodes, uint32_t *root, uint32_t node)
{
    uint64_t own = height(&nodes[node]);
    while (*root != 0 && height(&nodes[*root]) >= own) {
        nodes[*root].count++;
        root = is_before(nodes, node, *root) ? &nodes[*root].left : &nodes[*root].right;
    }
    uint32_t below = *root;
    *root = node;
    nodes[node].count = nodes[below].count + 1;
    split(nodes, below, node, &nodes[node].left, &nodes[node].right);
}

static void take_out(struct crowd_node *nodes, uint32_t *root, uint32_t node)
{
    while (*root != node) {
        assert(*root != 0);
        nodes[*root].count--;
        root = is_before(nodes, node, *root) ? &nodes[*root].left : &nodes[*root].right;
    }
    uint32_t left = nodes[node].left;
    uint32_t right = nodes[node].right;
    while (left != 0 && right != 0) {
        uint32_t both = nodes[left].count + nodes[right].count;
        bool is_left = height(&nodes[left]) >= height(&nodes[right]);
        *root = is_left ? left : right;
        nodes[*root].count = both;
        if (is_left) {
            root = &nodes[left].right;
            left = *root;
        } else {
            root = &nodes[right].left;
            right = *root;
        }
    }
    *root = left != 0 ? left : right;
}

static uint32_t find(const struct crowd_node *nodes, uint32_t root, uint64_t key, tender_bytes name)
{
    while (root != 0) {
        int order = compare(&nodes[root], key, name);
        if (order == 0) {
            return root;
        }
        root = order < 0 ? nodes[root].left : nodes[root].right;
    }
    return 0;
}

uint32_t crowd_join(struct crowds *crowds, uint32_t *root, struct crowd_member principal,
                    struct crowd_member agent)
{
    uint64_t key = draw_of_name(principal.name);
    uint32_t owner = find(crowds->nodes, *root, key, principal.name);
    if (owner == 0) {
        owner = take_node(crowds, principal, key);
        insert(crowds->nodes, root, owner);
    }
    uint32_t node = take_node(crowds, agent, draw_of_name(agent.name));
    crowds->nodes[node].principal = owner;
    insert(crowds->nodes, &crowds->nodes[owner].agents, node);
    return node;
}

void crowd_leave(struct crowds *crowds, uint32_t *root, uint32_t agent)
{
    uint32_t owner = crowds->nodes[agent].principal;
    take_out(crowds->nodes, &crowds->nodes[owner].agents, agent);
    give_node(crowds, agent);
    if (crowds->nodes[owner].agents == 0) {
        take_out(crowds->nodes, root, owner);
        give_node(crowds, owner);
    }
}

uint32_t crowd_count(const struct crowds *crowds, uint32_t root)
{
    return crowds->nodes[root].count; /* of node 0: 0 */
}

uint32_t crowd_at(const struct crowds *crowds, uint32_t root, uint32_t index)
{
    const struct crowd_node *nodes = crowds->nodes;
    assert(index < nodes[root].count);
    for (;;) {
        uint32_t left = nodes[nodes[root].left].count;
        if (index == left) {
            return root;
        }
        if (index < left) {
            root = nodes[root].left;
        } else {
            index -= left + 1;
            root = nodes[root].right;
        }
    }
}
