/*
 * Certificates for tests, which sign themselves: also such that are over, or not yet in force.
 */
#ifndef TENDER_TESTS_SUPPORT_CERTIFICATES_H
#define TENDER_TESTS_SUPPORT_CERTIFICATES_H

/*
 * Writes DIRECTORY/NAME.pem and NAME.key (mode 0600), for 127.0.0.1, in force from `from_s` to
 * `until_s` seconds from now. Aborts where it cannot.
 */
void certificate_make(const char *directory, const char *name, long from_s, long until_s);

/* DIRECTORY/NAME.KIND, with "pem" or "key"; valid until the next but one call. */
const char *certificate_path(const char *directory, const char *name, const char *kind);

#endif
