/*
 * Reads and extends the file of known brokers. See known.h.
 */
#include "known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX   (1 << 20) /* bytes: some 9,000 brokers */
#define FILE_FLAGS (O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
#define LINE_MAX   (TENDER_ADDRESS_MAX + 1 + TENDER_KEY_TEXT_SIZE)

/* Makes the directories of a path from behind `from` on, for the user alone. */
static void make_directories(char *path, char *from)
{
    for (char *slash = strchr(from, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700); /* what cannot be made is noticed when the file is opened */
        *slash = '/';
    }
}

/* The usual file; NULL in *path_out where the user has no directory of his own. */
static int choose(char **path_out)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    bool has_state = state != NULL && state[0] == '/';
    *path_out = NULL;
    if (!has_state && (home == NULL || home[0] != '/')) {
        return 0;
    }
    const char *base = has_state ? state : home;
    size_t size = strlen(base) + 64;
    char *path = malloc(size);
    if (path == NULL) {
        return TENDER_ENOMEM;
    }
    (void)snprintf(path, size, "%s%s/tender/known-brokers", base, has_state ? "" : "/.local/state");
    make_directories(path, path + strlen(base) + 1);
    *path_out = path;
    return 0;
}

int known_init(struct known *known, const char *path, struct error *error)
{
    path = path != NULL ? path : getenv("TENDER_KNOWN_BROKERS");
    *known = (struct known){.is_named = path != NULL};
    int status = 0;
    if (path == NULL) {
        status = choose(&known->path);
    } else if (path[0] != '\0') {
        known->path = strdup(path);
        status = known->path == NULL ? TENDER_ENOMEM : 0;
    }
    return status == 0 ? 0 : error_set(error, status, "out of memory");
}

void known_release(struct known *known)
{
    free(known->path);
    known->path = NULL;
}

static int fail_of_system(const struct known *known, struct error *error)
{
    return error_set(error, TENDER_ESYSTEM, "known brokers: %.150s: %s", known->path,
                     strerror(errno));
}

/* Opens and locks the file; -1 in *file_out where there is none and none can be made, which only
 * matters where it was named. */
static int open_file(const struct known *known, int *file_out, bool *may_write_out,
                     struct error *error)
{
    struct stat status;
    int file = open(known->path, O_RDWR | O_CREAT | O_APPEND | FILE_FLAGS, 0600);
    *may_write_out = file >= 0;
    if (file < 0) {
        file = open(known->path, O_RDONLY | FILE_FLAGS);
    }
    *file_out = file;
    if (file < 0) {
        bool is_there = access(known->path, F_OK) == 0;
        return known->is_named || is_there ? fail_of_system(known, error) : 0;
    }
    if (fstat(file, &status) != 0 || flock(file, *may_write_out ? LOCK_EX : LOCK_SH) != 0) {
        return fail_of_system(known, error);
    }
    bool is_ours = status.st_uid == geteuid() || status.st_uid == 0;
    if (!S_ISREG(status.st_mode) || !is_ours || (status.st_mode & 022) != 0) {
        return error_set(error, TENDER_EREFUSED,
                         "known brokers: %.150s is no file that you alone may write", known->path);
    }
    return 0;
}

/* The whole lines of the file, ended by NUL. What follows them was cut off when a machine went down
 * and counts for nothing. */
static int read_all(const struct known *known, int file, char **text_out, size_t *size_out,
                    struct error *error)
{
    struct stat status;
    *text_out = NULL;
    if (fstat(file, &status) != 0) {
        return fail_of_system(known, error);
    }
    if (status.st_size > FILE_MAX) {
        return error_set(error, TENDER_EINVAL, "known brokers: %.150s has more than %d bytes",
                         known->path, FILE_MAX);
    }
    char *text = malloc((size_t)status.st_size + 1);
    if (text == NULL) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    ssize_t size = pread(file, text, (size_t)status.st_size, 0);
    if (size < 0) {
        free(text);
        return fail_of_system(known, error);
    }
    const char *last = memrchr(text, '\n', (size_t)size);
    *size_out = last == NULL ? 0 : (size_t)(last - text) + 1;
    text[*size_out] = '\0';
    if (strlen(text) != *size_out) {
        free(text);
        return error_set(error, TENDER_EINVAL, "known brokers: %.150s is no text", known->path);
    }
    *text_out = text;
    return 0;
}

/* A line into its address and its key, which stands behind the last blank. */
static bool read_line(const char *line, size_t size, size_t *address_size_out,
                      uint8_t key_out[TENDER_PUBLIC_KEY_SIZE])
{
    size_t text_size = TENDER_KEY_TEXT_SIZE - 1;
    if (size < text_size + 2 || line[size - text_size - 1] != ' ') {
        return false;
    }
    *address_size_out = size - text_size - 1;
    return tender_key_parse(line + size - text_size, text_size, key_out) == 0;
}

/* Whether the lines know the broker by that key (1) or not at all (0), or a negative error. */
static int look_up(const struct known *known, const char *text, const char *url, const uint8_t *key,
                   struct error *error)
{
    int other = 0;
    int number = 1;
    const char *end = strchr(text, '\n');
    for (; end != NULL; text = end + 1, end = strchr(text, '\n'), number++) {
        uint8_t found[TENDER_PUBLIC_KEY_SIZE];
        size_t size = (size_t)(end - text);
        size_t address_size = 0;
        if (size == 0 || text[0] == '#') {
            continue;
        }
        if (!read_line(text, size, &address_size, found)) {
            return error_set(error, TENDER_EINVAL,
                             "known brokers: %.150s:%d is no address with a blank and a key",
                             known->path, number);
        }
        bool is_same = address_size == strlen(url) && memcmp(text, url, address_size) == 0;
        if (is_same && memcmp(found, key, sizeof found) == 0) {
            return 1;
        }
        other = is_same && other == 0 ? number : other;
    }
    if (other == 0) {
        return 0;
    }
    char name[TENDER_KEY_TEXT_SIZE];
    tender_key_text(key, name);
    return error_set(error, TENDER_EREFUSED,
                     "%.120s:%d: the broker at %.80s had another key than %s, by which one answers "
                     "now. If its operator has changed it, delete that line",
                     known->path, other, url, name);
}

/* Adds a line, in one write; what was cut off when a machine went down is taken off before. */
static int append(const struct known *known, int file, size_t whole, const char *url,
                  const uint8_t *key, struct error *error)
{
    char name[TENDER_KEY_TEXT_SIZE];
    char line[LINE_MAX + 2];
    tender_key_text(key, name);
    int size = snprintf(line, sizeof line, "%s %s\n", url, name);
    if (size >= (int)sizeof line || strchr(url, '\n') != NULL || url[0] == '#') {
        return error_set(error, TENDER_EINVAL, "known brokers: the address is too long to be kept");
    }
    bool is_written = ftruncate(file, (off_t)whole) == 0 &&
                      write(file, line, (size_t)size) == size && fsync(file) == 0;
    return is_written || !known->is_named ? 0 : fail_of_system(known, error);
}

int known_check(const struct known *known, const char *url,
                const uint8_t key[TENDER_PUBLIC_KEY_SIZE], struct error *error)
{
    int file = -1;
    bool may_write = false;
    char *text = NULL;
    size_t size = 0;
    if (known->path == NULL || strncmp(url, "inproc:", 7) == 0) {
        return 0;
    }
    int status = open_file(known, &file, &may_write, error);
    if (status != 0 || file < 0) {
        goto done;
    }
    status = read_all(known, file, &text, &size, error);
    if (status != 0) {
        goto done;
    }
    status = look_up(known, text, url, key, error);
    if (status == 0 && may_write) {
        status = append(known, file, size, url, key, error);
    }
done:
    free(text);
    if (file >= 0) {
        (void)close(file); /* which unlocks it */
    }
    return status < 0 ? status : 0;
}
