/*
 * What the tests of a contractor share: a scripted broker, a contractor that is connected to it,
 * and one task that is called, bid for and awarded.
 */
#ifndef TENDER_TESTS_SDK_STAGE_H
#define TENDER_TESTS_SDK_STAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "broker.h"
#include "tender/contractor.h"

extern struct broker broker;
extern tender_contractor *self;
extern const tender_id task;

tender_options options_of_test(void);
int set_up(void **state);
int tear_down(void **state);
const tender_event *next(tender_event_kind kind);
void assert_quiet(void);
void connect_and_offer(void);
/* That broker has no room for the session of the hello that comes next. */
void refuse_room(struct broker *one, tender_performative performative);
struct message make_cfp(int64_t round);
struct message make_award(int64_t round, int64_t generation);
void say_cfp(int64_t round);
void bid(const tender_cfp *cfp);
tender_commitment win(void);

#endif
