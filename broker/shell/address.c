/*
 * Checks of addresses: see address.h.
 */
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

__attribute__((format(printf, 4, 5))) static int refuse(int status, char *why, size_t size,
                                                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, size, format, arguments);
    va_end(arguments);
    return status;
}

/* Whether a directory on the way to `path`, which is changed, lets nobody but the broker's user
 * pass. */
static bool is_private(char *path)
{
    struct stat found;
    for (char *slash = strrchr(path, '/'); slash != NULL && slash != path;
         slash = strrchr(path, '/')) {
        if (stat(path, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0) {
            return true;
        }
        *slash = '\0';
    }
    return false;
}

/* The directory must exist, or be made, and nobody else may get to it. */
static int prepare_directory(const char *path, char *why, size_t size)
{
    char directory[sizeof(((struct sockaddr_un *)0)->sun_path)];
    struct stat found;
    const char *slash = strrchr(path, '/');
    if (path[0] != '/' || slash == path || strlen(path) >= sizeof(directory)) {
        return refuse(TENDER_EREFUSED, why, size,
                      "an ipc address takes an absolute path below a directory of its own, of at "
                      "most %zu bytes",
                      sizeof(directory) - 1);
    }
    memcpy(directory, path, (size_t)(slash - path));
    directory[slash - path] = '\0';
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        return refuse(TENDER_ESYSTEM, why, size, "%s: %s", directory, strerror(errno));
    }
    if (stat(directory, &found) != 0 || !S_ISDIR(found.st_mode)) {
        return refuse(TENDER_ESYSTEM, why, size, "%s is no directory", directory);
    }
    if (!is_private(directory)) {
        return refuse(TENDER_EREFUSED, why, size,
                      "%.*s must belong to the broker's user and be closed to others (mode 0700): "
                      "whoever reaches the socket may speak under any name",
                      (int)(slash - path), path);
    }
    return 0;
}

static bool is_loopback(const char *host)
{
    struct in_addr four;
    struct in6_addr six;
    if (strcmp(host, "localhost") == 0) {
        return true;
    }
    if (inet_pton(AF_INET, host, &four) == 1) {
        return ntohl(four.s_addr) >> 24 == 127;
    }
    return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

/* An address of this machine, or all of them. */
static bool is_numeric(const char *host)
{
    struct in6_addr number;
    return host[0] == '\0' || strcmp(host, "*") == 0 || strcmp(host, "localhost") == 0 ||
           inet_pton(AF_INET, host, &number) == 1 || inet_pton(AF_INET6, host, &number) == 1;
}

bool address_is_tls(const char *url)
{
    return strncasecmp(url, "tls+tcp://", 10) == 0;
}

static int check_url(const nng_url *url, char *why, size_t size)
{
    if (strcmp(url->u_scheme, "ipc") == 0) {
        return prepare_directory(url->u_path, why, size);
    }
    if (strcmp(url->u_scheme, "tls+tcp") == 0) {
        return is_numeric(url->u_hostname)
                   ? 0
                   : refuse(TENDER_EREFUSED, why, size,
                            "'%s' is no address of this machine: a number is, 0.0.0.0 stands for "
                            "all",
                            url->u_hostname);
    }
    bool is_tcp = strcmp(url->u_scheme, "tcp") == 0 || strcmp(url->u_scheme, "tcp4") == 0 ||
                  strcmp(url->u_scheme, "tcp6") == 0;
    if (!is_tcp) {
        return refuse(TENDER_EREFUSED, why, size,
                      "'%s' is not spoken here: ipc://, tls+tcp://, or tcp:// on loopback",
                      url->u_scheme);
    }
    if (!is_loopback(url->u_hostname)) {
        return refuse(
            TENDER_EREFUSED, why, size,
            "'%s' is not loopback, and tcp hides and protects nothing on the way: listen on "
            "tls+tcp:// there, or on 127.0.0.1",
            url->u_hostname);
    }
    return 0;
}

int address_prepare(const char *url, char *why_out, size_t why_size)
{
    nng_url *parsed = NULL;
    /* nng 1.5 reads past the end of an address that ends with a user's name. */
    if (strncmp(url, "ipc://", 6) != 0 && strchr(url, '@') != NULL) {
        return refuse(TENDER_EREFUSED, why_out, why_size,
                      "'%s' names a user, which nothing does here", url);
    }
    if (nng_url_parse(&parsed, url) != 0) {
        return refuse(TENDER_EREFUSED, why_out, why_size, "'%s' is no address", url);
    }
    int status = check_url(parsed, why_out, why_size);
    nng_url_free(parsed);
    return status;
}

void address_in_use(nng_listener listener, const char *url, char *text_out, size_t size)
{
    nng_sockaddr address;
    const char *colon = strrchr(url, ':');
    snprintf(text_out, size, "%s", url);
    if (nng_listener_get_addr(listener, NNG_OPT_LOCADDR, &address) != 0) {
        return;
    }
    int port = address.s_family == NNG_AF_INET    ? ntohs(address.s_in.sa_port)
               : address.s_family == NNG_AF_INET6 ? ntohs(address.s_in6.sa_port)
                                                  : -1;
    if (port > 0 && colon != NULL) {
        snprintf(text_out, size, "%.*s:%d", (int)(colon - url), url, port);
    }
}
