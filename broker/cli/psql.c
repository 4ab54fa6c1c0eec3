/*
 * tender psql: becomes psql on the ledger.
 */
#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int run_psql(const struct arguments *arguments)
{
    const char *url = getenv("TENDER_DATABASE");
    char **words = calloc((size_t)arguments->rest_count + 5, sizeof(*words));
    if (words == NULL) {
        return command_fail(arguments, EXIT_AWAY, "out of memory");
    }
    size_t count = 0;
    words[count++] = "psql";
    words[count++] = "-X";
    if (url != NULL && *url != '\0') {
        words[count++] = "--dbname";
        words[count++] = (char *)url;
    }
    memcpy(words + count, arguments->rest, (size_t)arguments->rest_count * sizeof(*words));
    execvp("psql", words);
    free(words);
    return command_fail(arguments, EXIT_AWAY, "psql cannot be started: %s", strerror(errno));
}
