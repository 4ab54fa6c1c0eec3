/*
 * The attacks that need more than the command line: what each tries over the wire. What the ledger
 * made of it is asked by the script of the same name in attacks/.
 */
#ifndef TENDER_EXAMPLES_REDTEAM_PLAYS_H
#define TENDER_EXAMPLES_REDTEAM_PLAYS_H

#include "stage.h"

/* Each plays on a stage that is open and empty, with a skill of its own. */
typedef void play_fn(struct stage *stage, const char *skill);

/* market.c */
void play_pair(struct stage *stage, const char *skill);
void play_shill(struct stage *stage, const char *skill);
void play_injected(struct stage *stage, const char *skill);
void play_last_words(struct stage *stage, const char *skill);
void play_story(struct stage *stage, const char *skill);
void play_other_story(struct stage *stage, const char *skill);

/* claims.c */
void play_claims(struct stage *stage, const char *skill);
void play_impostor(struct stage *stage, const char *skill);
void play_idle(struct stage *stage, const char *skill);

/* replay.c */
void play_replay(struct stage *stage, const char *skill);
void play_race(struct stage *stage, const char *skill);

#endif
