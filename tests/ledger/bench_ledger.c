/*
 * What a plain lifecycle costs PostgreSQL: processor time of every process of the cluster, for
 * batches like those of a loaded broker.
 *
 *   bench_ledger [LIFECYCLES-PER-BATCH [BATCHES [PRINCIPALS]]]
 *
 * Each batch holds a third of three groups, as ledger before voice makes them: one group's
 * announcements and rounds, the bids and awards of the group before it, the settlements of the one
 * before that. `undisturbed_us` is the wall time of a lifecycle in the quickest batches, commit
 * included, and `backend_us` the backend's processor time in the cheapest ones: what a shared
 * machine disturbs least. Needs TENDER_DATABASE on this machine; migrates it.
 */
#include "house.h"

#include <dirent.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Parent, and processor time in ticks, of a process. */
static int read_process(long pid, long *parent_out, long *ticks_out)
{
    char path[64];
    char line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return -1;
    }
    size_t size = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[size] = '\0';
    long user = 0;
    long system = 0;
    char *rest = strrchr(line, ')');
    if (rest == NULL || sscanf(rest + 2, "%*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld",
                               parent_out, &user, &system) != 3) {
        return -1;
    }
    *ticks_out = user + system;
    return 0;
}

/* Seconds of processor time that the cluster of `backend` has used so far. */
static double cluster_seconds(long backend)
{
    long postmaster;
    long ticks;
    long total = 0;
    if (read_process(backend, &postmaster, &ticks) != 0) {
        return 0;
    }
    DIR *directory = opendir("/proc");
    const struct dirent *item;
    while (directory != NULL && (item = readdir(directory)) != NULL) {
        long pid = strtol(item->d_name, NULL, 10);
        long parent;
        if (pid > 0 && read_process(pid, &parent, &ticks) == 0 && parent == postmaster) {
            total += ticks;
        }
    }
    closedir(directory);
    return (double)total / (double)sysconf(_SC_CLK_TCK);
}

/* Nanoseconds for which a process has run so far. */
static int64_t run_ns(long pid)
{
    char path[64];
    long long total = 0;
    snprintf(path, sizeof path, "/proc/%ld/schedstat", pid);
    FILE *file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%lld", &total) != 1) {
        total = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return total;
}

static double own_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int compare_times(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The time of a batch that nothing else disturbed: of ten, one or two are quicker. */
static double undisturbed(int64_t *times, size_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return (double)times[count * 15 / 100];
}

static long backend_of(const char *database)
{
    PGconn *connection = PQconnectdb(database);
    PGresult *result = PQexec(connection, "checkpoint");
    PQclear(result);
    result = PQexec(connection, "select backend_pid from tender_ledger.reign");
    long pid = PQntuples(result) == 1 ? strtol(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    PQfinish(connection);
    return pid;
}

static void announce_group(struct house *house, struct chain *group, int size)
{
    for (int i = 0; i < size; i++) {
        char key[48];
        snprintf(key, sizeof key, "%08lx%08lx%08lx%08lx", random(), random(), random(), random());
        house_announce(house, &group[i], key, 30 * CREDIT, 40);
        house_open_round(house, &group[i], 1, 30 * CREDIT, 40);
    }
}

static void award_group(struct house *house, struct chain *group, int size)
{
    for (int i = 0; i < size; i++) {
        house_answer(house, &group[i], 1);
        house_award(house, &group[i], 1, 1, 15 * CREDIT, 40);
    }
}

static void settle_group(struct house *house, struct chain *group, int size)
{
    for (int i = 0; i < size; i++) {
        house_fulfil(house, &group[i], 1, 40, 15 * CREDIT, 30 * CREDIT);
    }
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 200;
    int batches = argc > 2 ? atoi(argv[2]) : 300;
    char error[256];
    const char *database = getenv("TENDER_DATABASE");
    if (size < 1 || batches < 3 || ledger_migrate(database, NULL, NULL, error, sizeof error) != 0) {
        fprintf(stderr, "bench_ledger: %s\n", error);
        return 1;
    }
    struct house house;
    srandom((unsigned)monotonic_us());
    house_open(&house, "bench");
    struct chain *groups = calloc((size_t)size * 3, sizeof *groups);
    int64_t *times = calloc((size_t)batches, sizeof *times);
    int64_t *runs = calloc((size_t)batches, sizeof *runs);
    house_fund(&house, "acme", INT64_C(1000000000) * CREDIT);
    if (groups == NULL || times == NULL || runs == NULL || house_commit(&house) != 0) {
        house_give_up(&house, "funding");
    }
    long backend = backend_of(database);
    double server = cluster_seconds(backend);
    double client = own_seconds();
    int64_t begin_us = monotonic_us();
    for (int batch = 0; batch < batches; batch++) {
        if (batch >= 2) {
            settle_group(&house, groups + (batch - 2) % 3 * size, size);
        }
        if (batch >= 1) {
            award_group(&house, groups + (batch - 1) % 3 * size, size);
        }
        announce_group(&house, groups + batch % 3 * size, size);
        runs[batch] = run_ns(backend);
        times[batch] = monotonic_us();
        if (house_commit(&house) != 0) {
            house_give_up(&house, "a batch");
        }
        times[batch] = monotonic_us() - times[batch];
        runs[batch] = run_ns(backend) - runs[batch];
    }
    double elapsed = (double)(monotonic_us() - begin_us) / 1e6;
    server = cluster_seconds(backend) - server;
    client = own_seconds() - client;
    double lifecycles = (double)size * (batches - 1);
    printf("batch=%d lifecycles=%.0f seconds=%.2f lifecycles_per_s=%.0f postgres_us=%.1f "
           "client_us=%.1f undisturbed_us=%.1f backend_us=%.1f\n",
           size, lifecycles, elapsed, lifecycles / elapsed, server / lifecycles * 1e6,
           client / lifecycles * 1e6, undisturbed(times, (size_t)batches) / size,
           undisturbed(runs, (size_t)batches) / size / 1e3);
    free(runs);
    free(times);
    free(groups);
    house_close(&house);
    return 0;
}
