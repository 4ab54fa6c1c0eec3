/* See pacer.h. The list is short and walked whole; arming is one atomic store in most cases. */
#include "pacer.h"

#include <pthread.h>

#include "clock.h"
#include "tender/vocabulary.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* by the monotonic clock */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t thread;
static struct paced *list;
static struct paced *waking;
static bool is_running;
static _Atomic int64_t sleeps_until_us = INT64_MAX;

static void prepare(void)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

/* Wakes one whose time has come; returns false when there is none, with the time of the next. */
static bool wake_one(int64_t now_us, int64_t *next_us_out)
{
    *next_us_out = INT64_MAX;
    for (struct paced *paced = list; paced != NULL; paced = paced->next) {
        int64_t at_us = atomic_load(&paced->wake_at_us);
        if (at_us <= now_us) {
            atomic_store(&paced->wake_at_us, INT64_MAX);
            waking = paced;
            (void)pthread_mutex_unlock(&mutex);
            paced->wake(paced);
            (void)pthread_mutex_lock(&mutex);
            waking = NULL;
            (void)pthread_cond_broadcast(&changed);
            return true;
        }
        *next_us_out = at_us < *next_us_out ? at_us : *next_us_out;
    }
    return false;
}

static void *run(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&mutex);
    while (list != NULL) {
        int64_t next_us;
        /* From here on whoever arms earlier than 0 … INT64_MAX must signal or be seen by the walk.
         */
        atomic_store(&sleeps_until_us, INT64_MAX);
        if (wake_one(clock_us(), &next_us)) {
            continue;
        }
        atomic_store(&sleeps_until_us, next_us);
        struct timespec until = clock_at(next_us);
        if (next_us == INT64_MAX) {
            (void)pthread_cond_wait(&changed, &mutex);
        } else {
            (void)pthread_cond_timedwait(&changed, &mutex, &until);
        }
    }
    is_running = false;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&mutex);
    return NULL;
}

int pacer_add(struct paced *paced)
{
    int status = 0;
    (void)pthread_once(&once, prepare);
    (void)pthread_mutex_lock(&mutex);
    while (is_running && list == NULL) { /* the last one's thread is about to end */
        (void)pthread_cond_wait(&changed, &mutex);
    }
    paced->next = list;
    list = paced;
    if (!is_running) {
        status = pthread_create(&thread, NULL, run, NULL) == 0 ? 0 : TENDER_ESYSTEM;
        is_running = status == 0;
        list = status == 0 ? list : paced->next;
    }
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&mutex);
    return status;
}

void pacer_remove(struct paced *paced)
{
    (void)pthread_mutex_lock(&mutex);
    while (waking == paced) {
        (void)pthread_cond_wait(&changed, &mutex);
    }
    struct paced **link = &list;
    while (*link != paced) {
        link = &(*link)->next;
    }
    *link = paced->next;
    bool is_last = list == NULL;
    pthread_t ending = thread;
    (void)pthread_cond_broadcast(&changed);
    (void)pthread_mutex_unlock(&mutex);
    if (is_last) {
        (void)pthread_join(ending, NULL);
    }
}

void pacer_arm(struct paced *paced, int64_t at_us)
{
    int64_t armed_us = atomic_load(&paced->wake_at_us);
    while (at_us < armed_us) {
        if (atomic_compare_exchange_weak(&paced->wake_at_us, &armed_us, at_us)) {
            break;
        }
    }
    if (at_us < armed_us && at_us < atomic_load(&sleeps_until_us)) {
        (void)pthread_mutex_lock(&mutex);
        (void)pthread_cond_broadcast(&changed);
        (void)pthread_mutex_unlock(&mutex);
    }
}
