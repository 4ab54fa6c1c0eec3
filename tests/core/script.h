/* The words of one line of a play, and what lines say. The language is in script.c. */
#ifndef TENDER_TESTS_CORE_SCRIPT_H
#define TENDER_TESTS_CORE_SCRIPT_H

#include "stage.h"

#define WORDS_MAX 24

struct words {
    char text[512];
    char *items[WORDS_MAX];
    size_t count;
};

/* The value of `name=value` among the words, or NULL; the other one, or `otherwise`. */
const char *words_option(const struct words *words, const char *name);
const char *words_option_or(const struct words *words, const char *name, const char *otherwise);
/* Credits in micro-credits; a duration such as 20s or 5m in µs. */
int64_t words_credits(const char *text);
int64_t words_duration(const char *text);

/* script_say.c: whoever speaks is word `first`, 1 behind `op`. */
void script_announce(struct stage *stage, const struct words *words);
void script_bid(struct stage *stage, const struct words *words);
void script_report(struct stage *stage, const struct words *words,
                   tender_performative performative);
void script_ask(struct stage *stage, const struct words *words, size_t first,
                tender_performative performative);
void script_decide(struct stage *stage, const struct words *words, size_t first,
                   tender_performative performative);
void script_believe(struct stage *stage, const struct words *words, size_t first,
                    tender_performative performative);
void script_operate(struct stage *stage, const struct words *words, size_t first,
                    tender_performative performative);
void script_enrol(struct stage *stage, const struct words *words, size_t first,
                  tender_performative performative);

#endif
