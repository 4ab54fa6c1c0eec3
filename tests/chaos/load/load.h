/*
 * What the files of the load share: one process with many sessions, each with a journal of its own.
 * Clients announce at a set rate and follow their tasks; contractors bid, work, report and fail by
 * chance. All of it goes by one epoll loop on one thread, over the SDK.
 */
#ifndef TENDER_TESTS_CHAOS_LOAD_LOAD_H
#define TENDER_TESTS_CHAOS_LOAD_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tender/client.h"
#include "tender/contractor.h"

/*
 * url               of the broker; several, separated by commas
 * directory         where the journals are
 * contractors       sessions, named contractor-N from `first` on
 * skills            how many skills there are; contractor N offers number N modulo `skills`
 * clients           sessions, named client-N
 * rate              announcements a second, of all clients together
 * open_max          tasks announced and not ended, of all clients; above it nothing is announced
 * asleep            tasks for a skill that nobody has, announced first and not counted there
 * window_us, due_us of each task
 * seed              of all chance
 */
struct load_options {
    const char *url;
    const char *directory;
    uint32_t contractors;
    uint32_t first;
    uint32_t skills;
    uint32_t clients;
    uint32_t rate;
    uint32_t open_max;
    uint32_t asleep;
    int64_t window_us;
    int64_t due_us;
    uint64_t seed;
};

/* What a session is to the loop. `turn` takes all events there are. */
struct peer {
    int fd;
    void (*turn)(struct peer *peer);
};

/* Ends the program with a sentence. */
_Noreturn void load_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Has `peer` be called when its descriptor is readable. load.c. */
void load_watch(struct peer *peer);
/* µs by the monotonic clock, the same for all processes of the machine. */
int64_t load_now(void);
/* Calls `wake` once after `delay_us` (at most 16 s); `wake` frees what `context` is. load.c. */
void load_later(int64_t delay_us, void (*wake)(void *context), void *context);
void *load_take(size_t count, size_t size);

/* The text of an identifier, until the next call. */
const char *text_of(tender_id id);

/* A journal: one line for each thing that was said or heard, written before anything follows. */
struct diary {
    int fd;
};
void diary_open(struct diary *diary, const char *directory, const char *name);
void diary_write(const struct diary *diary, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Hands out each line that an earlier process wrote, without its time. */
void diary_read(const char *directory, const char *name, void (*on_line)(void *context, char *line),
                void *context);

/* The state of a sequence of chance (splitmix64), and a number below `limit`. */
uint32_t chance_below(uint64_t *state, uint32_t limit);
bool chance_of(uint64_t *state, uint32_t percent);

/* Clients. */
struct client_counts {
    uint64_t announced;
    uint64_t agreed;
    uint64_t refused;
    uint64_t ended;
    int64_t newest_us;  /* when the task was announced whose agreement came last */
    int64_t agreed_us;  /* when that came */
    int64_t slowest_us; /* the least of the clients' own newest */
};
void clients_open(const struct load_options *options);
/* Announces what is due by the rate. */
void clients_announce(int64_t now_us);
void clients_stop(void);
bool clients_are_done(void);
struct client_counts clients_count(void);
void clients_close(void);

/* Contractors. */
void contractors_open(const struct load_options *options);
/* Writes down what the broker has heard by now. */
void contractors_note(void);
void contractors_close(void);

/* A bid or a report that was said. `generation` is a bid's round. */
struct fact {
    const char *kind;
    tender_id task;
    uint32_t part;
    uint32_t generation;
    int64_t units;
};

/* What a contractor has said and may not have been heard. heard.c. */
struct facts *facts_open(tender_contractor *contractor);
/* Before it is said. */
void facts_say(struct facts *facts, const struct fact *fact);
/* The last one was not said. */
void facts_unsay(struct facts *facts);
/* Hands out what a broker has heard by now, once. */
void facts_note(struct facts *facts, void (*on_heard)(void *context, const struct fact *fact),
                void *context);

#endif
