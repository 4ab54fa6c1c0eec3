/*
 * The outlet for whoever keeps the checkpoints of this ledger outside of it: the newest checkpoint
 * of each shard that this broker holds is written to a file, which always has whole ones, and given
 * to a command on its standard input, once at a time. What they do with it, the broker does not
 * know.
 */
#ifndef TENDER_BROKER_SHELL_OUTLET_H
#define TENDER_BROKER_SHELL_OUTLET_H

#include <uv.h>

#include "config.h"
#include "shard.h"
#include "tender/checkpoint.h"

/*
 * newest      of each shard; size 0: none yet
 * is_new      some were taken that the file and the command have not had
 * is_running  the command is
 */
struct outlet {
    uv_loop_t *loop;
    const struct config *config;
    tender_checkpoint newest[SHARDS_MAX];
    bool is_new;
    bool is_running;
    uv_process_t process;
};

/* `loop` and `config` are borrowed. */
void outlet_init(struct outlet *outlet, uv_loop_t *loop, const struct config *config);

/* Takes a checkpoint that is recorded. */
void outlet_take(struct outlet *outlet, const tender_checkpoint *checkpoint);

/* Tells what was taken since. A file that cannot be written is logged, and tried again with the
 * next checkpoint. */
void outlet_tell(struct outlet *outlet);

#endif
