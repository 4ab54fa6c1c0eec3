/*
 * Tells the service manager how the broker is: one datagram to the socket that NOTIFY_SOCKET names,
 * nothing where it is not set. Needs no library of the service manager's.
 */
#ifndef TENDER_BROKER_SHELL_NOTIFY_H
#define TENDER_BROKER_SHELL_NOTIFY_H

/* Sends `state`, as "READY=1" or "STOPPING=1". Failures are nobody's concern. */
void notify_send(const char *state);

#endif
