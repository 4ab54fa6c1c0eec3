#include "exec_child.h"

#include "mark.h"
#include "output_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_is_there(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') != NULL) {
        return access(name, X_OK) == 0;
    }
    for (const char *next = path == NULL ? "/bin:/usr/bin" : path; next != NULL;) {
        char file[4096];
        int length = (int)strcspn(next, ":");
        int size =
            snprintf(file, sizeof(file), "%.*s%s%s", length, next, length == 0 ? "" : "/", name);
        if (size < (int)sizeof(file) && access(file, X_OK) == 0) {
            return true;
        }
        next = next[length] == ':' ? next + length + 1 : NULL;
    }
    errno = ENOENT;
    return false;
}

/* Three pipes; ours[i] does not block, theirs[i] is what the program gets as descriptor i. */
static int open_pipes(int ours[CHILD_FDS], int theirs[CHILD_FDS])
{
    for (int i = 0; i < CHILD_FDS; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) < 0) {
            return TENDER_ESYSTEM;
        }
        ours[i] = i == 0 ? ends[1] : ends[0];
        theirs[i] = i == 0 ? ends[0] : ends[1];
        if (fcntl(ours[i], F_SETFL, O_NONBLOCK) < 0) {
            return TENDER_ESYSTEM;
        }
    }
    return 0;
}

static void close_all(int fds[CHILD_FDS])
{
    for (int i = 0; i < CHILD_FDS; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
            fds[i] = -1;
        }
    }
}

/* In a group of its own, with all signals as they are by default. Returns 0 or an errno. */
static int spawn(pid_t *pid, char *const *words, char *const *environment, const int *theirs)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return ENOMEM;
    }
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int error = 0;
    for (int i = 0; i < CHILD_FDS && error == 0; i++) {
        error = posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
    }
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    if (error == 0) {
        error = posix_spawnp(pid, words[0], &actions, &attributes, words, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int child_start(struct child *child, char *const *words, char *const *environment,
                const char *payload, size_t payload_size)
{
    int theirs[CHILD_FDS] = {-1, -1, -1};
    *child = (struct child){.fds = {-1, -1, -1}, .payload = payload, .payload_size = payload_size};
    int status = TENDER_ENOMEM;
    int error = ENOMEM;
    child->result = malloc(TENDER_CONTENT_MAX + 1);
    if (child->result == NULL) {
        goto done;
    }
    status = open_pipes(child->fds, theirs);
    error = errno;
    if (status < 0) {
        goto done;
    }
    error = spawn(&child->pid, words, environment, theirs);
    status = error == 0 ? 0 : TENDER_ESYSTEM;
done:
    close_all(theirs);
    if (status < 0) {
        child_release(child);
        errno = error;
    }
    return status;
}

void child_poll(const struct child *child, struct pollfd fds[CHILD_FDS])
{
    for (int i = 0; i < CHILD_FDS; i++) {
        fds[i] = (struct pollfd){.fd = child->fds[i], .events = i == 0 ? POLLOUT : POLLIN};
    }
}

static void close_one(int *fd)
{
    close(*fd);
    *fd = -1;
}

static void feed(struct child *child)
{
    while (child->fds[0] >= 0) {
        size_t left = child->payload_size - child->payload_sent;
        ssize_t sent =
            left == 0 ? 0 : write(child->fds[0], child->payload + child->payload_sent, left);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (sent <= 0) {
            close_one(&child->fds[0]); /* all is said, or nobody listens */
            return;
        }
        child->payload_sent += (size_t)sent;
    }
}

/* Reads once. Returns whether there may be more. */
static bool read_some(int *fd, char *buffer, size_t capacity, size_t *size_out)
{
    ssize_t size = *fd < 0 ? -1 : read(*fd, buffer, capacity);
    *size_out = size > 0 ? (size_t)size : 0;
    if (size == 0) {
        close_one(fd);
    }
    return size > 0;
}

static void hear_result(struct child *child)
{
    char beyond[4096];
    size_t size = 0;
    bool has_more = child->fds[1] >= 0;
    while (has_more) {
        size_t room = TENDER_CONTENT_MAX + 1 - child->result_size;
        has_more = room > 0
                       ? read_some(&child->fds[1], child->result + child->result_size, room, &size)
                       : read_some(&child->fds[1], beyond, sizeof(beyond), &size);
        child->result_size += room > 0 ? size : 0;
    }
}

/* Keeps the last bytes. */
static void hear_errors(struct child *child)
{
    char heard[CHILD_ERRORS_MAX];
    size_t size = 0;
    while (child->fds[2] >= 0 && read_some(&child->fds[2], heard, sizeof(heard), &size)) {
        size_t keep = CHILD_ERRORS_MAX - size;
        keep = child->error_size < keep ? child->error_size : keep;
        memmove(child->errors, child->errors + child->error_size - keep, keep);
        memcpy(child->errors + keep, heard, size);
        child->error_size = keep + size;
    }
}

void child_turn(struct child *child)
{
    feed(child);
    hear_result(child);
    hear_errors(child);
}

void child_signal(const struct child *child, int signal_number)
{
    if (child->pid > 0) {
        kill(-child->pid, signal_number);
    }
}

void child_drain(struct child *child)
{
    hear_result(child);
    hear_errors(child);
    close_all(child->fds);
}

void child_release(struct child *child)
{
    close_all(child->fds);
    free(child->result);
    *child = (struct child){.fds = {-1, -1, -1}};
}

void child_verdict(const struct child *child, int wait_status, char *text, size_t capacity)
{
    char tail[CHILD_ERRORS_MAX + 1];
    size_t used = 0;
    if (child->result_size > TENDER_CONTENT_MAX) {
        used =
            (size_t)snprintf(text, capacity, "it printed more than %d bytes", TENDER_CONTENT_MAX);
    } else if (WIFSIGNALED(wait_status)) {
        used = (size_t)snprintf(text, capacity, "it was ended by signal %d (%s)",
                                WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
    } else {
        used = (size_t)snprintf(text, capacity, "it ended with exit code %d",
                                WEXITSTATUS(wait_status));
    }
    /* A NUL in what it wrote must not end the text early. */
    for (size_t i = 0; i < child->error_size; i++) {
        tail[i] = child->errors[i];
        if (tail[i] == '\0') {
            tail[i] = ' ';
        }
    }
    tail[child->error_size] = '\0';
    const char *at = tail;
    const char *gap = ": ";
    while (*at != '\0' && used + 8 < capacity) {
        const char *from = at;
        int32_t point = output_next(&at);
        used += (size_t)snprintf(text + used, capacity - used, "%s", gap);
        gap = "";
        if (point < 0) {
            used += (size_t)snprintf(text + used, capacity - used, "\xef\xbf\xbd");
        } else if (point == '\n' || !mark_is_unsafe((uint32_t)point)) {
            used += (size_t)snprintf(text + used, capacity - used, "%.*s", (int)(at - from), from);
        }
    }
    while (used > 0 && (text[used - 1] == '\n' || text[used - 1] == ' ')) {
        text[--used] = '\0';
    }
}
