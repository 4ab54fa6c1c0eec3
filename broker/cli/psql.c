/*
 * tender psql: becomes psql on the ledger.
 */
#include "commands.h"

#include "ledger.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Says by libpq's variables where the ledger is: what is in arguments everybody can read, and a
 * connection string may hold a password. What has no variable is about sockets, and left out; but
 * the password of a client's key cannot be, and is refused.
 */
static int export_settings(const struct arguments *arguments, const char *url)
{
    char shown[1024];
    if (ledger_database_show(url, shown, sizeof(shown)) != 0) {
        return command_fail(arguments, EXIT_BAD_INPUT, "TENDER_DATABASE: %s", shown);
    }
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    int code =
        options == NULL ? command_fail(arguments, EXIT_OTHERWISE, "out of memory") : EXIT_DONE;
    for (PQconninfoOption *one = options; code == EXIT_DONE && one->keyword != NULL; one++) {
        if (one->val == NULL || *one->val == '\0') {
            continue;
        }
        if (strcmp(one->keyword, "sslpassword") == 0) {
            code = command_fail(arguments, EXIT_BAD_INPUT,
                                "TENDER_DATABASE has sslpassword, which psql takes from its "
                                "arguments alone, where others could read it");
        } else if (one->envvar != NULL && setenv(one->envvar, one->val, 1) != 0) {
            code = command_fail(arguments, EXIT_OTHERWISE, "out of memory");
        }
    }
    PQconninfoFree(options);
    return code;
}

int run_psql(const struct arguments *arguments)
{
    const char *url = getenv("TENDER_DATABASE");
    char **words = calloc((size_t)arguments->rest_count + 3, sizeof(*words));
    if (words == NULL) {
        return command_fail(arguments, EXIT_AWAY, "out of memory");
    }
    size_t count = 0;
    words[count++] = "psql";
    words[count++] = "-X";
    if (url != NULL && *url != '\0') {
        int code = export_settings(arguments, url);
        if (code != EXIT_DONE) {
            free(words);
            return code;
        }
    }
    memcpy(words + count, arguments->rest, (size_t)arguments->rest_count * sizeof(*words));
    execvp("psql", words);
    free(words);
    return command_fail(arguments, EXIT_AWAY, "psql cannot be started: %s", strerror(errno));
}
