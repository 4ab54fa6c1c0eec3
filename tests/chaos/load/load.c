/*
 * chaos_load: hundreds of contractors and several clients against a broker that others kill. Told
 * "stop" on its standard input it announces nothing more and ends when all its tasks have ended, or
 * at the end of that input at once. Says every 20 ms, where it is news, how far it is:
 *
 *   announced=N agreed=N refused=N ended=N newest_us=T agreed_us=T slowest_us=T
 *
 * newest_us   when the youngest task was announced that is agreed
 * agreed_us   when that was heard
 * slowest_us  the least newest_us of a client
 */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TICK_MS       5
#define SAY_US        20000
#define WHEEL_STEP_US 5000
#define WHEEL_SIZE    4096 /* 20 s */
#define EVENTS_MAX    64
#define CLOSE_S       20

struct later {
    struct later *next;
    void (*wake)(void *context);
    void *context;
};

static struct {
    int epoll;
    struct later *wheel[WHEEL_SIZE];
    int64_t wheel_us; /* everything up to here was woken */
    bool has_ended;   /* the input */
} loop;

static const char usage[] =
    "usage: chaos_load --url URL --directory DIR [options]\n"
    "  --contractors N    sessions that bid (0), numbered from --first N (0)\n"
    "  --skills N         how many skills there are (50)\n"
    "  --clients N        sessions that announce (0)\n"
    "  --rate N           announcements a second (500)\n"
    "  --open-max N       tasks that go on at a time (2000)\n"
    "  --asleep N         tasks for a skill that nobody has, announced first (0)\n"
    "  --window MS        how long bids are taken (500)\n"
    "  --due MS           how long a commitment may take (10000)\n"
    "  --seed N           of all chance (1)\n";

_Noreturn void load_fail(const char *format, ...)
{
    va_list arguments;
    fputs("chaos_load: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    _exit(1);
}

void *load_take(size_t count, size_t size)
{
    void *taken = calloc(count, size);
    if (taken == NULL) {
        load_fail("out of memory");
    }
    return taken;
}

int64_t load_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

void load_watch(struct peer *peer)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    if (epoll_ctl(loop.epoll, EPOLL_CTL_ADD, peer->fd, &event) != 0) {
        load_fail("epoll: %s", strerror(errno));
    }
}

void load_later(int64_t delay_us, void (*wake)(void *context), void *context)
{
    struct later *later = load_take(1, sizeof *later);
    int64_t at_us = load_now() + delay_us;
    if (at_us <= loop.wheel_us) {
        at_us = loop.wheel_us + WHEEL_STEP_US;
    }
    struct later **slot = &loop.wheel[at_us / WHEEL_STEP_US % WHEEL_SIZE];
    *later = (struct later){*slot, wake, context};
    *slot = later;
}

static void turn_wheel(int64_t now_us)
{
    while (loop.wheel_us + WHEEL_STEP_US <= now_us) {
        loop.wheel_us += WHEEL_STEP_US;
        struct later **slot = &loop.wheel[loop.wheel_us / WHEEL_STEP_US % WHEEL_SIZE];
        struct later *later = *slot;
        *slot = NULL;
        while (later != NULL) {
            struct later *next = later->next;
            later->wake(later->context);
            free(later);
            later = next;
        }
    }
}

static void on_input(struct peer *peer)
{
    char text[64];
    ssize_t size = read(peer->fd, text, sizeof text);
    if (size > 0) {
        clients_stop();
    } else if (size == 0) {
        loop.has_ended = true;
    }
}

static void report(int64_t now_us)
{
    static struct client_counts told;
    static int64_t told_us;
    struct client_counts counts = clients_count();
    if (now_us < told_us + SAY_US || memcmp(&counts, &told, sizeof counts) == 0) {
        return;
    }
    told = counts;
    told_us = now_us;
    printf("announced=%" PRIu64 " agreed=%" PRIu64 " refused=%" PRIu64 " ended=%" PRIu64
           " newest_us=%" PRId64 " agreed_us=%" PRId64 " slowest_us=%" PRId64 "\n",
           counts.announced, counts.agreed, counts.refused, counts.ended, counts.newest_us,
           counts.agreed_us, counts.slowest_us);
    fflush(stdout);
}

static void run(void)
{
    struct epoll_event events[EVENTS_MAX];
    int64_t noted_us = 0;
    while (!loop.has_ended && !clients_are_done()) {
        int count = epoll_wait(loop.epoll, events, EVENTS_MAX, TICK_MS);
        for (int i = 0; i < count; i++) {
            struct peer *peer = events[i].data.ptr;
            peer->turn(peer);
        }
        int64_t now_us = load_now();
        turn_wheel(now_us);
        clients_announce(now_us);
        if (now_us > noted_us + SAY_US) {
            noted_us = now_us;
            contractors_note();
        }
        report(now_us);
    }
}

static int64_t number_of(const char *text)
{
    char *end = NULL;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || value < 0) {
        load_fail("%s is no number", text);
    }
    return value;
}

static void options_read(struct load_options *options, int count, char **arguments)
{
    static const struct option known[] = {
        {"url", 1, NULL, 'u'},    {"directory", 1, NULL, 'd'}, {"contractors", 1, NULL, 'c'},
        {"first", 1, NULL, 'f'},  {"skills", 1, NULL, 'k'},    {"clients", 1, NULL, 'l'},
        {"rate", 1, NULL, 'r'},   {"open-max", 1, NULL, 'o'},  {"asleep", 1, NULL, 'a'},
        {"window", 1, NULL, 'w'}, {"due", 1, NULL, 't'},       {"seed", 1, NULL, 's'},
        {NULL, 0, NULL, 0}};
    for (int code = 0; (code = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        int64_t number = code == 'u' || code == 'd' || code == '?' ? 0 : number_of(optarg);
        switch (code) {
        case 'u':
            options->url = optarg;
            break;
        case 'd':
            options->directory = optarg;
            break;
        case 'c':
            options->contractors = (uint32_t)number;
            break;
        case 'f':
            options->first = (uint32_t)number;
            break;
        case 'k':
            options->skills = (uint32_t)number;
            break;
        case 'l':
            options->clients = (uint32_t)number;
            break;
        case 'r':
            options->rate = (uint32_t)number;
            break;
        case 'o':
            options->open_max = (uint32_t)number;
            break;
        case 'a':
            options->asleep = (uint32_t)number;
            break;
        case 'w':
            options->window_us = number * 1000;
            break;
        case 't':
            options->due_us = number * 1000;
            break;
        case 's':
            options->seed = (uint64_t)number;
            break;
        default:
            fputs(usage, stderr);
            exit(2);
        }
    }
    if (options->url == NULL || options->directory == NULL || options->skills == 0 ||
        options->rate > 1000000 || optind != count) {
        fputs(usage, stderr);
        exit(2);
    }
}

/* nng 1.5 now and then never returns from closing a socket, and then all that follow take long. */
static void leave(int number)
{
    (void)number;
    _exit(0);
}

/* A session takes some five descriptors, and where there are two brokers each contractor has two:
 * more than a login's usual 1,024. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int count, char **arguments)
{
    struct load_options options = {.skills = 50,
                                   .rate = 500,
                                   .open_max = 2000,
                                   .window_us = 500000,
                                   .due_us = 10000000,
                                   .seed = 1};
    struct peer input = {STDIN_FILENO, on_input};
    options_read(&options, count, arguments);
    raise_descriptors();
    loop.epoll = epoll_create1(EPOLL_CLOEXEC);
    loop.wheel_us = load_now();
    (void)fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    load_watch(&input);
    contractors_open(&options);
    clients_open(&options);
    run();
    contractors_note();
    puts("ended");
    fflush(stdout);
    (void)signal(SIGALRM, leave);
    (void)alarm(CLOSE_S);
    clients_close();
    contractors_close();
    return 0;
}
