/*
 * What libpq is told when it connects: the operator's connection string over defaults of ours, and
 * with several hosts, another one first each time. libpq tries them in turn, but leaves the time
 * that each may take to us where we do not wait: a host that swallows packets would be tried for
 * ever and the next one never.
 */
#include "private.h"

#include <stdlib.h>
#include <string.h>

#define PARAMETERS_MAX 96 /* libpq 15 knows 41 */

struct parameters {
    const char *keys[PARAMETERS_MAX + 1];
    const char *values[PARAMETERS_MAX + 1];
    size_t count;
};

/* The ledger is written, so a standby is of no use; and a host that is gone is noticed within
 * seconds, also where it did not say so. */
static const char *const defaults[][2] = {
    {"target_session_attrs", "read-write"},
    {"connect_timeout", "5"},
    {"client_encoding", "UTF8"},
    {"tcp_user_timeout", "5000"},
    {"keepalives_idle", "5"},
    {"keepalives_interval", "2"},
    {"keepalives_count", "3"},
};

static void add(struct parameters *parameters, const char *key, const char *value)
{
    if (parameters->count < PARAMETERS_MAX) {
        parameters->keys[parameters->count] = key;
        parameters->values[parameters->count] = value;
        parameters->count++;
    }
}

static size_t list_size(const char *list)
{
    size_t size = 1;
    while (list != NULL && (list = strchr(list, ',')) != NULL) {
        list++;
        size++;
    }
    return size;
}

/* The list from its item `turn` on, then those before it. NULL when memory is out. */
static char *rotate(const char *list, size_t turn)
{
    const char *rest = list;
    while (turn-- > 0) {
        rest = strchr(rest, ',') + 1;
    }
    size_t size = strlen(list);
    char *rotated = malloc(size + 2);
    if (rotated == NULL || rest == list) {
        return rotated == NULL ? NULL : strcpy(rotated, list);
    }
    size_t tail = strlen(rest);
    memcpy(rotated, rest, tail);
    rotated[tail] = ',';
    memcpy(rotated + tail + 1, list, size - tail - 1); /* without the comma before `rest` */
    rotated[size] = '\0';
    return rotated;
}

/* The value of one of the three lists that belong together, and where libpq would find it. */
static const char *list_of(const PQconninfoOption *options, const char *key)
{
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (strcmp(option->keyword, key) == 0) {
            return option->val != NULL      ? option->val
                   : option->envvar != NULL ? getenv(option->envvar)
                                            : NULL;
        }
    }
    return NULL;
}

static PGconn *start(const struct parameters *parameters, bool is_async, int expands)
{
    return is_async ? PQconnectStartParams(parameters->keys, parameters->values, expands)
                    : PQconnectdbParams(parameters->keys, parameters->values, expands);
}

/* With several hosts: all that the string says, the lists turned. */
static PGconn *connect_turned(struct parameters *parameters, const PQconninfoOption *options,
                              size_t hosts, unsigned turn, bool is_async)
{
    static const char *const lists[] = {"host", "hostaddr", "port"};
    char *turned[3] = {NULL, NULL, NULL};
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (option->val != NULL) {
            add(parameters, option->keyword, option->val);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        const char *list = list_of(options, lists[i]);
        if (list != NULL && list_size(list) == hosts) {
            turned[i] = rotate(list, turn % hosts);
            add(parameters, lists[i], turned[i]);
        }
    }
    PGconn *connection = start(parameters, is_async, 0);
    for (size_t i = 0; i < 3; i++) {
        free(turned[i]);
    }
    return connection;
}

static PQconninfoOption *parse(const char *database)
{
    return PQconninfoParse(database == NULL ? "" : database, NULL);
}

static size_t host_count(const PQconninfoOption *options)
{
    if (options == NULL) {
        return 1;
    }
    const char *address = list_of(options, "hostaddr");
    return list_size(address != NULL && address[0] != '\0' ? address : list_of(options, "host"));
}

size_t schema_host_count(const char *database)
{
    PQconninfoOption *options = parse(database);
    size_t hosts = host_count(options);
    PQconninfoFree(options);
    return hosts;
}

PGconn *schema_connect(const char *database, const char *name, bool is_async, unsigned turn)
{
    struct parameters parameters = {.count = 0};
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        add(&parameters, defaults[i][0], defaults[i][1]);
    }
    add(&parameters, "fallback_application_name", name);
    bool has_database = database != NULL && database[0] != '\0';
    PQconninfoOption *options = parse(database);
    PGconn *connection = NULL;
    size_t hosts = host_count(options);
    if (hosts > 1) {
        connection = connect_turned(&parameters, options, hosts, turn, is_async);
    } else {
        if (has_database) {
            add(&parameters, "dbname", database);
        }
        connection = start(&parameters, is_async, 1);
    }
    PQconninfoFree(options);
    return connection;
}
