/*
 * What libpq is told when it connects: the operator's connection string over defaults of ours, and
 * with several hosts, another one first each time. libpq tries them in turn, but leaves the time
 * that each may take to us where we do not wait: a host that swallows packets would be tried for
 * ever and the next one never. And how the string is shown: without the passwords in it.
 */
#include "private.h"

#include <stdio.h>
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

/* Whether a password with an @ or a / in it, where URIs have them in percent, became a host or
 * port. */
static bool is_misread(const PQconninfoOption *option)
{
    if (strcmp(option->keyword, "port") == 0) {
        return option->val[strspn(option->val, "0123456789,")] != '\0';
    }
    if (strcmp(option->keyword, "host") != 0) {
        return false;
    }
    for (const char *host = option->val; *host != '\0'; host += *host == ',') {
        size_t size = strcspn(host, ",");
        if (*host != '/' && *host != '@' && memchr(host, '@', size) != NULL) {
            return true;
        }
        host += size;
    }
    return false;
}

/* keyword='value', with what libpq calls a password as three stars. */
static void show_option(const PQconninfoOption *option, FILE *file)
{
    fprintf(file, "%s%s='", ftell(file) > 0 ? " " : "", option->keyword);
    const char *value = *option->dispchar == '*' ? "***" : option->val;
    for (; *value != '\0'; value++) {
        fprintf(file, "%s%c", *value == '\'' || *value == '\\' ? "\\" : "", *value);
    }
    fputc('\'', file);
}

/* Returns 0, or TENDER_EINVAL where one of them is not what was meant. */
static int show_options(const PQconninfoOption *options, const char *database, char *text_out,
                        size_t size)
{
    bool has_secret = false;
    FILE *file = fmemopen(text_out, size, "w");
    if (file == NULL) {
        return TENDER_ENOMEM;
    }
    int status = 0;
    for (const PQconninfoOption *one = options; one->keyword != NULL && status == 0; one++) {
        if (one->val != NULL) {
            has_secret = has_secret || *one->dispchar == '*';
            status = is_misread(one) ? TENDER_EINVAL : 0;
            show_option(one, file);
        }
    }
    fclose(file);
    if (status == 0 && !has_secret) {
        (void)snprintf(text_out, size, "%s", database);
    }
    text_out[size - 1] = '\0';
    return status;
}

int ledger_database_show(const char *database, char *text_out, size_t size)
{
    database = database == NULL ? "" : database;
    PQconninfoOption *options = parse(database);
    int status = options == NULL ? TENDER_EINVAL : show_options(options, database, text_out, size);
    PQconninfoFree(options);
    if (status != 0) {
        (void)snprintf(text_out, size, "%s",
                       status == TENDER_ENOMEM
                           ? "out of memory"
                           : "the connection string is none that libpq reads; it is not shown, "
                             "since it may hold a password. In a URI, a password's special "
                             "characters are written in percent (%40 for @); elsewhere a value "
                             "with blanks stands in single quotes");
    }
    return status;
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
