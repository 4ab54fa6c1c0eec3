/*
 * Goal: choose how the port serves thousands of parked exchanges (decision 0002).
 *
 * Method: a child serves REP on ipc, by cooked contexts or raw with a receive descriptor. The
 * parent parks `pipes * depth` requests; the server holds them until all have arrived and then
 * answers them in one go, `rounds` times. Printed: replies lost, processor time of the server per
 * exchange, time from the first reply to the last, and what a parked exchange costs in memory. A
 * run ends when no reply came for two seconds, which is how lost ones are found.
 *
 * With `stopped` the server stops the load (SIGSTOP) while it answers, as a peer that does not read
 * would look.
 *
 *     parked_exchanges contexts|raw PIPES DEPTH ROUNDS [stopped]
 */
#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BODY_SIZE 200
#define QUIET_US  2000000

static void must(int status, const char *what)
{
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", what, nng_strerror(status));
        exit(1);
    }
}

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t cpu_us(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
           usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static long resident_kib(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long size = 0;
    long resident = 0;
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) {
        resident = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static volatile sig_atomic_t is_told_to_end;
static int stops_load;

/* Stops the load, or lets it go on. */
static void load_signal(int number)
{
    if (stops_load) {
        kill(getppid(), number);
    }
}

static void on_term(int number)
{
    (void)number;
    is_told_to_end = 1;
}

static void report(const char *mode, int64_t answered, long before_kib, long parked_kib, int total)
{
    printf("server mode=%s answered=%lld cpu_us_per_exchange=%.2f kib_per_parked=%.2f\n", mode,
           (long long)answered, answered > 0 ? (double)cpu_us() / (double)answered : 0.0,
           (double)(parked_kib - before_kib) / total);
    fflush(stdout);
    _exit(0);
}

/* The cooked server: callbacks only enqueue, one thread answers, as the port does. */
struct served {
    nng_ctx context;
    nng_aio *aio;
    nng_msg *message;
    int is_sending;
    struct served *next;
};

static pthread_mutex_t served_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served_ready = PTHREAD_COND_INITIALIZER;
static struct served *served_first;

static void on_served(void *argument)
{
    struct served *served = argument;
    if (nng_aio_result(served->aio) != 0) {
        return;
    }
    if (served->is_sending) {
        served->is_sending = 0;
        nng_ctx_recv(served->context, served->aio);
        return;
    }
    served->message = nng_aio_get_msg(served->aio);
    pthread_mutex_lock(&served_lock);
    served->next = served_first;
    served_first = served;
    pthread_mutex_unlock(&served_lock);
    pthread_cond_signal(&served_ready);
}

static struct served *served_wait(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&served_lock);
    if (served_first == NULL) {
        pthread_cond_timedwait(&served_ready, &served_lock, &until);
    }
    struct served *list = served_first;
    served_first = NULL;
    pthread_mutex_unlock(&served_lock);
    return list;
}

static void serve_contexts(nng_socket socket, int total)
{
    struct served *all = calloc((size_t)total, sizeof(*all));
    struct served **parked = calloc((size_t)total, sizeof(struct served *));
    if (all == NULL || parked == NULL) {
        exit(1);
    }
    long before_kib = resident_kib();
    long parked_kib = before_kib;
    for (int i = 0; i < total; i++) {
        must(nng_ctx_open(&all[i].context, socket), "context");
        must(nng_aio_alloc(&all[i].aio, on_served, &all[i]), "aio");
        nng_ctx_recv(all[i].context, all[i].aio);
    }
    int64_t answered = 0;
    int count = 0;
    while (!is_told_to_end) {
        for (struct served *one = served_wait(); one != NULL; one = one->next) {
            parked[count++] = one;
        }
        if (count < total) {
            continue;
        }
        parked_kib = resident_kib() > parked_kib ? resident_kib() : parked_kib;
        load_signal(SIGSTOP);
        for (int i = 0; i < count; i++) {
            parked[i]->is_sending = 1;
            nng_aio_set_msg(parked[i]->aio, parked[i]->message);
            nng_ctx_send(parked[i]->context, parked[i]->aio);
        }
        load_signal(SIGCONT);
        answered += count;
        count = 0;
    }
    report("contexts", answered, before_kib, parked_kib, total);
}

static void serve_raw(nng_socket socket, int total)
{
    nng_msg **parked = calloc((size_t)total, sizeof(nng_msg *));
    int descriptor = -1;
    must(nng_socket_get_int(socket, NNG_OPT_RECVFD, &descriptor), "descriptor");
    long before_kib = resident_kib();
    long parked_kib = before_kib;
    int64_t answered = 0;
    int count = 0;
    while (!is_told_to_end && parked != NULL) {
        struct pollfd wait = {.fd = descriptor, .events = POLLIN};
        if (poll(&wait, 1, 1000) <= 0) {
            continue;
        }
        while (count < total && nng_recvmsg(socket, &parked[count], NNG_FLAG_NONBLOCK) == 0) {
            count++;
        }
        if (count < total) {
            continue;
        }
        parked_kib = resident_kib() > parked_kib ? resident_kib() : parked_kib;
        load_signal(SIGSTOP);
        for (int i = 0; i < count; i++) {
            must(nng_sendmsg(socket, parked[i], 0), "send");
        }
        load_signal(SIGCONT);
        answered += count;
        count = 0;
    }
    report("raw", answered, before_kib, parked_kib, total);
}

static void serve(const char *mode, const char *url, int total)
{
    nng_socket socket;
    int is_raw = strcmp(mode, "raw") == 0;
    signal(SIGTERM, on_term);
    must(is_raw ? nng_rep0_open_raw(&socket) : nng_rep0_open(&socket), "open");
    must(nng_listen(socket, url, NULL, 0), "listen");
    if (is_raw) {
        serve_raw(socket, total);
    } else {
        serve_contexts(socket, total);
    }
}

/* The load: every request is sent again as soon as it was answered. */
struct asking {
    nng_ctx context;
    nng_aio *aio;
    int is_receiving;
    int rounds;
};

static atomic_llong reply_count;
static atomic_llong first_us;
static atomic_llong last_us;
static atomic_llong spread_us;
static int asking_total;

static void ask(struct asking *asking)
{
    nng_msg *message = NULL;
    must(nng_msg_alloc(&message, BODY_SIZE), "message");
    memset(nng_msg_body(message), 7, BODY_SIZE);
    asking->is_receiving = 0;
    nng_aio_set_msg(asking->aio, message);
    nng_ctx_send(asking->context, asking->aio);
}

static void on_asked(void *argument)
{
    struct asking *asking = argument;
    if (nng_aio_result(asking->aio) != 0) {
        return;
    }
    if (!asking->is_receiving) {
        asking->is_receiving = 1;
        nng_ctx_recv(asking->context, asking->aio);
        return;
    }
    nng_msg_free(nng_aio_get_msg(asking->aio));
    long long number = atomic_fetch_add(&reply_count, 1) + 1;
    long long now = now_us();
    atomic_store(&last_us, now);
    if (number % asking_total == 1) {
        atomic_store(&first_us, now);
    } else if (number % asking_total == 0) {
        atomic_fetch_add(&spread_us, now - atomic_load(&first_us));
    }
    if (--asking->rounds > 0) {
        ask(asking);
    }
}

static void load(const char *url, int pipes, int depth, int rounds)
{
    int total = pipes * depth;
    struct asking *all = calloc((size_t)total, sizeof(*all));
    asking_total = total;
    atomic_store(&last_us, now_us());
    for (int i = 0; all != NULL && i < pipes; i++) {
        nng_socket socket;
        must(nng_req0_open(&socket), "request socket");
        must(nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME, NNG_DURATION_INFINITE), "resend");
        while (nng_dial(socket, url, NULL, 0) != 0) {
            usleep(1000);
        }
        for (int k = 0; k < depth; k++) {
            struct asking *asking = &all[i * depth + k];
            asking->rounds = rounds;
            must(nng_ctx_open(&asking->context, socket), "request context");
            must(nng_aio_alloc(&asking->aio, on_asked, asking), "aio");
            ask(asking);
        }
    }
    long long expected = (long long)total * rounds;
    while (atomic_load(&reply_count) < expected && now_us() - atomic_load(&last_us) < QUIET_US) {
        usleep(1000);
    }
    printf("load parked=%d pipes=%d depth=%d rounds=%d replies=%lld lost=%lld spread_ms=%.1f\n",
           total, pipes, depth, rounds, (long long)atomic_load(&reply_count),
           expected - (long long)atomic_load(&reply_count),
           (double)atomic_load(&spread_us) / 1000.0 / rounds);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: parked_exchanges contexts|raw PIPES DEPTH ROUNDS [stopped]\n");
        return 2;
    }
    char url[128];
    snprintf(url, sizeof(url), "ipc:///tmp/parked-%d.sock", (int)getpid());
    stops_load = argc > 5 && strcmp(argv[5], "stopped") == 0;
    pid_t server = fork();
    if (server == 0) {
        serve(argv[1], url, atoi(argv[2]) * atoi(argv[3]));
    }
    load(url, atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    unlink(url + 6);
    _exit(0);
}
