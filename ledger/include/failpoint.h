/*
 * Named places at which a test lets the broker die, as kill -9 does: failpoint.def is their table.
 * Built only with the CMake option TENDER_FAILPOINTS, which development builds set; elsewhere a
 * failpoint is nothing at all. tests/chaos goes through all of them.
 *
 *     TENDER_FAILPOINT=NAME:COUNT     the process dies when it reaches NAME for the COUNT-th time
 */
#ifndef TENDER_LEDGER_INCLUDE_FAILPOINT_H
#define TENDER_LEDGER_INCLUDE_FAILPOINT_H

#ifdef TENDER_FAILPOINTS
#include <stdint.h>

enum failpoint {
#define FAILPOINT(NAME, name, help) FAILPOINT_##NAME,
#include "failpoint.def"
#undef FAILPOINT
    FAILPOINT_COUNT
};

/* Dies here, where the environment says so. For the broker's one thread that decides. */
void failpoint_reach(enum failpoint point);

#define failpoint(NAME) failpoint_reach(FAILPOINT_##NAME)
#else
#define failpoint(NAME) ((void)0)
#endif

#endif
