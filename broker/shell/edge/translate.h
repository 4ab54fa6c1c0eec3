/*
 * The edge: what a message must be before the book hears it, and what is answered where it is not.
 * The wire has checked types, limits and texts; here the rules of the session and of each
 * performative are applied. A bid with a bad cost or eta passes, so that it is recorded with its
 * reason; a bad text beside a report or a refusal is left out, so that what was reported still
 * counts.
 */
#ifndef TENDER_BROKER_SHELL_EDGE_TRANSLATE_H
#define TENDER_BROKER_SHELL_EDGE_TRANSLATE_H

#include "message.h"

enum translate_verdict {
    TRANSLATE_HEAR,   /* the book shall hear it */
    TRANSLATE_ANSWER, /* the answer goes back, the book hears nothing */
    TRANSLATE_LEAVE,  /* the peer says bye */
    TRANSLATE_SKIP    /* nothing follows from it */
};

/* An answer and the text that it points at. */
struct translate_answer {
    struct message message;
    char text[200];
};

/*
 * Judges `message`, the number `number` of its session (0: from the inbox). What can be mended is
 * mended in place. `answer_out` is filled in where the verdict is TRANSLATE_ANSWER; it borrows from
 * `message`.
 */
enum translate_verdict translate_check(struct message *message, uint64_t number,
                                       struct translate_answer *answer_out);

/* Fills in not-understood for something that is no message at all. */
void translate_no_message(uint64_t number, struct translate_answer *answer_out);

#endif
