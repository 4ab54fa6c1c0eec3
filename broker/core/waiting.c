/* The treap of waiting.h. Heights are random by a hash of the sequence, so they need no state. */
#include "waiting.h"

#include "table.h"

#include <assert.h>

/* Higher priorities come first, then older rounds. */
static bool is_before(const struct waiting_node *nodes, uint32_t left, uint32_t right)
{
    if (nodes[left].priority != nodes[right].priority) {
        return nodes[left].priority > nodes[right].priority;
    }
    return nodes[left].sequence < nodes[right].sequence;
}

static uint64_t height(const struct waiting_node *nodes, uint32_t node)
{
    uint64_t sequence = nodes[node].sequence;
    return table_hash_pair((uint32_t)(sequence >> 32), (uint32_t)sequence);
}

/* Splits the set at `root` into what comes before `node` and what comes after it. */
static void split(struct waiting_node *nodes, uint32_t root, uint32_t node, uint32_t *before_out,
                  uint32_t *after_out)
{
    while (root != 0) {
        if (is_before(nodes, root, node)) {
            *before_out = root;
            before_out = &nodes[root].right;
            root = nodes[root].right;
        } else {
            *after_out = root;
            after_out = &nodes[root].left;
            root = nodes[root].left;
        }
    }
    *before_out = 0;
    *after_out = 0;
}

void waiting_insert(struct waiting_node *nodes, uint32_t *root, uint32_t node)
{
    uint64_t own = height(nodes, node);
    while (*root != 0 && height(nodes, *root) >= own) {
        root = is_before(nodes, node, *root) ? &nodes[*root].left : &nodes[*root].right;
    }
    uint32_t below = *root;
    *root = node;
    split(nodes, below, node, &nodes[node].left, &nodes[node].right);
}

void waiting_remove(struct waiting_node *nodes, uint32_t *root, uint32_t node)
{
    while (*root != node) {
        assert(*root != 0);
        root = is_before(nodes, node, *root) ? &nodes[*root].left : &nodes[*root].right;
    }
    uint32_t left = nodes[node].left;
    uint32_t right = nodes[node].right;
    while (left != 0 && right != 0) {
        if (height(nodes, left) >= height(nodes, right)) {
            *root = left;
            root = &nodes[left].right;
            left = *root;
        } else {
            *root = right;
            root = &nodes[right].left;
            right = *root;
        }
    }
    *root = left != 0 ? left : right;
}

uint32_t waiting_after(const struct waiting_node *nodes, uint32_t root, uint32_t priority,
                       uint64_t after)
{
    uint32_t found = 0;
    while (root != 0) {
        const struct waiting_node *node = &nodes[root];
        bool is_behind =
            node->priority < priority || (node->priority == priority && node->sequence > after);
        if (is_behind) {
            found = root;
            root = node->left;
        } else {
            root = node->right;
        }
    }
    return found != 0 && nodes[found].priority == priority ? found : 0;
}
