/*
 * What the files of hearing share. Others use hearing.h.
 */
#ifndef TENDER_BROKER_SHELL_HEARING_INTERNAL_H
#define TENDER_BROKER_SHELL_HEARING_INTERNAL_H

#include "edge/translate.h"
#include "hearing.h"

void hearing_take(struct hearing *hearing);
struct event hearing_speaker(const struct hearing *hearing, const struct session *session,
                             const struct frame *frame);

/* The shard that the message of an event is about; one of those held where it is about none. */
uint32_t elsewhere_shard(const struct hearing *hearing, const struct event *event);

/* Says that another broker answers, in the form that fits what was said; borrows from both. */
void elsewhere_answer(const struct hearing *hearing, const struct message *said, uint32_t shard,
                      struct message *answer_out);

/*
 * Hears hello, or whatever else a session without a name says: names the session and welcomes the
 * peer, or refuses it and ends the session.
 */
void welcome_hear(struct hearing *hearing, struct session *session, struct message *message,
                  uint64_t number);

/* Where what keys may do has changed: ends the sessions whose keys may not speak any more. */
void welcome_again(struct hearing *hearing);

/*
 * Whether the event may be heard now; `event->prior` is then set where the book wants it, and
 * points at `prior`. Otherwise the question was put to the ledger.
 */
bool question_settle(struct hearing *hearing, struct frame *frame, struct event *event);

/* Puts the questions of the messages that follow in a frame that waits. */
void question_prefetch(struct hearing *hearing, const struct session *session, struct frame *frame);

#endif
