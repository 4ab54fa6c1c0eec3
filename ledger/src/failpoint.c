/* See failpoint.h. */
#include "failpoint.h"

#ifdef TENDER_FAILPOINTS
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
#define FAILPOINT(NAME, name, help) name,
#include "failpoint.def"
#undef FAILPOINT
};

static struct {
    bool is_read;
    enum failpoint point;
    long left; /* times until it is reached; 0: none is set */
} armed;

static void arm(void)
{
    const char *text = getenv("TENDER_FAILPOINT");
    const char *colon = text == NULL ? NULL : strchr(text, ':');
    armed.is_read = true;
    for (int i = 0; colon != NULL && i < FAILPOINT_COUNT; i++) {
        size_t size = strlen(names[i]);
        if ((size_t)(colon - text) == size && strncmp(text, names[i], size) == 0) {
            armed.point = (enum failpoint)i;
            armed.left = strtol(colon + 1, NULL, 10);
        }
    }
    if (text != NULL && armed.left <= 0) {
        fprintf(stderr, "TENDER_FAILPOINT: %s is no failpoint\n", text);
        abort();
    }
}

void failpoint_reach(enum failpoint point)
{
    if (!armed.is_read) {
        arm();
    }
    if (armed.left > 0 && point == armed.point && --armed.left == 0) {
        (void)kill(getpid(), SIGKILL);
    }
}
#endif
