/*
 * The SDK without threads, sockets and time: nng's functions and the pacer as one single-threaded
 * substitute. Linked before the SDK's library it takes their place. What the SDK asks is answered
 * by whoever drives it, in the same thread, so a run is the same each time: fuzzing and failing
 * each allocation in turn stand on it. Timing and transports are other tests' matter.
 */
#ifndef TENDER_TESTS_SDK_OFFLINE_H
#define TENDER_TESTS_SDK_OFFLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OFFLINE_LINES_MAX 4

/* Begins afresh: no request is open and the clock stands at a second. */
void offline_reset(void);

/* Each session has a line, the first that is free, from 0; the functions below are about the
 * one that was chosen last, at first 0. */
void offline_choose(unsigned line);

/* Whether a request waits for a reply; the oldest is that which is answered next. */
bool offline_is_asked(void);

/* The oldest request's bytes, borrowed until it is answered. */
const uint8_t *offline_request(size_t *size_out);

/* Answers the oldest request, or fails it with an error of nng's. */
void offline_reply(const void *bytes, size_t size);
void offline_fail(int error);

/* Moves the clock on, and wakes whoever asked for that. */
void offline_advance(int64_t us);

/* Whether whatever nng allocates fails; of messages and replies only. */
void offline_fail_allocation(bool (*fails)(void));

#endif
