/*
 * Goal: an address to listen on is taken only where it is ipc in a private directory, tls+tcp,
 * or tcp on loopback, and refused with a sentence otherwise. Method: the bytes are the address; the
 * file system says that every directory is there and private, or by the first byte that none is.
 */
#include "fuzz.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "address.h"

static bool is_private;
static bool is_under_test; /* else the fuzzer asks for its own sake */

int __wrap_mkdir(const char *path, mode_t mode);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_stat(const char *path, struct stat *status_out);
int __real_stat(const char *path, struct stat *status_out);

int __wrap_mkdir(const char *path, mode_t mode)
{
    if (!is_under_test) {
        return __real_mkdir(path, mode);
    }
    expect(path[0] == '/' && mode == 0700);
    errno = EEXIST;
    return -1;
}

int __wrap_stat(const char *path, struct stat *status_out)
{
    if (!is_under_test) {
        return __real_stat(path, status_out);
    }
    expect(path[0] == '/' && strlen(path) < 108);
    *status_out =
        (struct stat){.st_mode = S_IFDIR | (is_private ? 0700 : 0755), .st_uid = geteuid()};
    return 0;
}

static bool begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    char why[256] = "";
    is_private = input_byte(&input) % 2 == 0;
    char *url = input_text(input);
    is_under_test = true;
    int status = address_prepare(url, why, sizeof why);
    is_under_test = false;
    if (status == 0) {
        bool is_tcp = begins(url, "tcp://") || begins(url, "tcp4://") || begins(url, "tcp6://");
        expect(is_tcp || address_is_tls(url) || (begins(url, "ipc://") && is_private));
        expect(!is_tcp || strcasestr(url, "localhost") != NULL || strstr(url, "127.") != NULL ||
               strchr(url, '[') != NULL);
    } else {
        expect(status == TENDER_EREFUSED || status == TENDER_ESYSTEM);
        expect(why[0] != '\0');
    }
    free(url);
    return 0;
}
