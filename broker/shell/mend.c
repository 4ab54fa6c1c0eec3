/*
 * Two calls of the C library as nng makes them, answered better. nng is a shared library that is
 * taken as Debian builds it; the program's own definitions come before libc's, so tenderd mends
 * what its peers could break. Only tenderd links this file: the tests of the probe run without it.
 *
 * sendmsg  Writing to a peer that has left is EPIPE, which nng calls "closed". nng 1.5.2 takes that
 *          for the end of the listener while it is still greeting, and lets nobody in any more
 *          (nanomsg/nng#1518, mended in 1.6.0). "Reset by peer" means the same, and goes on.
 * listen   nng asks for 128 connections that wait to be let in. Of ten thousand peers that come
 *          back at one moment the rest would be turned away, and on TCP try again after seconds.
 */
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tender/vocabulary.h"

#define BACKLOG 4096 /* the kernel takes less where it allows less (net.core.somaxconn) */

TENDER_API ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    long size = syscall(SYS_sendmsg, descriptor, message, flags);
    if (size < 0 && errno == EPIPE) {
        errno = ECONNRESET;
    }
    return size;
}

TENDER_API int listen(int descriptor, int backlog)
{
    return (int)syscall(SYS_listen, descriptor, backlog > BACKLOG ? backlog : BACKLOG);
}
