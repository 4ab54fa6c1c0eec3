/*
 * The certificate of tls+tcp listeners: read with its key from files, checked, and made what nng
 * takes. A certificate that peers would refuse is refused here, with a sentence. Who a peer is, TLS
 * does not say here: peers prove that by their keys (PROTOCOL.md).
 */
#ifndef TENDER_BROKER_SHELL_CERTIFICATE_H
#define TENDER_BROKER_SHELL_CERTIFICATE_H

#include <nng/nng.h>
#include <nng/supplemental/tls/tls.h>

#include "tender/vocabulary.h"

/*
 * Reads the certificate, and those that it rests on, from `path`, its private key from `key_path`,
 * both PEM. The key's file must be its owner's alone, the two must fit each other, and the
 * certificate must be in force.
 *
 * config_out  for listeners; the caller's
 * until_s_out  when the certificate ends, in seconds since the epoch
 *
 * Returns 0, TENDER_EREFUSED, TENDER_EINVAL, TENDER_ESYSTEM or TENDER_ENOMEM with a sentence in
 * `why_out` [why_size], which has nothing of the key.
 */
TENDER_MUST_CHECK int certificate_read(const char *path, const char *key_path,
                                       nng_tls_config **config_out, int64_t *until_s_out,
                                       char *why_out, size_t why_size);

#endif
