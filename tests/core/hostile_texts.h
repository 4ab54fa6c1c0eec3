/*
 * Texts that somebody might write in the hope that something reads them: a family for each reader
 * (model, JSON, SQL, printf, terminal, eye, renderer, msgpack), each from its seed.
 */
#ifndef TENDER_TESTS_CORE_HOSTILE_TEXTS_H
#define TENDER_TESTS_CORE_HOSTILE_TEXTS_H

#include "tender/vocabulary.h"

#define HOSTILE_FAMILIES 8

/*
 * Writes text number `number` (its family is number % HOSTILE_FAMILIES) into `text`: UTF-8 without
 * NUL, 1 to TENDER_TEXT_MAX bytes. Equal numbers give equal texts; other numbers other ones.
 * Returns its size.
 */
size_t hostile_text(uint32_t number, char text[TENDER_TEXT_MAX + 1]);

/* Bytes of any value, as a payload may be: msgpack that says more than there is. Returns the size.
 */
size_t hostile_bytes(uint32_t number, uint8_t bytes[TENDER_TEXT_MAX]);

#endif
