/*
 * Puts the configuration together from environment, file and command line: see config.h.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Arguments that are no options of the table, and where their presence is noted. */
static bool take_request(struct config_request *request, const char *name)
{
    struct {
        const char *name;
        bool *is_wanted;
    } const words[] = {
        {"check-config", &request->wants_check},   {"show-config", &request->wants_show},
        {"sample-config", &request->wants_sample}, {"help", &request->wants_help},
        {"version", &request->wants_version},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(name, words[i].name) == 0) {
            *words[i].is_wanted = true;
            return true;
        }
    }
    return false;
}

static int complain(struct config_error *error, const char *what, const char *which)
{
    return config_fail(error, 0, "%s '%s'", what, which);
}

/*
 * Walks over the arguments. With `config` NULL it only fills in the request; otherwise it sets the
 * options.
 */
static int walk(struct config *config, int argc, char **argv, struct config_request *request,
                struct config_error *error)
{
    for (int i = 1; i < argc; i++) {
        char name[64];
        const char *argument = argv[i];
        const char *equals = strchr(argument, '=');
        if (strncmp(argument, "--", 2) != 0) {
            return complain(error, "expected --NAME VALUE, not", argument);
        }
        size_t size = equals != NULL ? (size_t)(equals - argument) - 2 : strlen(argument) - 2;
        if (size >= sizeof(name)) {
            return complain(error, "there is no option", argument);
        }
        memcpy(name, argument + 2, size);
        name[size] = '\0';
        if (equals == NULL && take_request(request, name)) {
            continue;
        }
        const char *value = equals != NULL ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (value == NULL) {
            return complain(error, "a value is missing after", argument);
        }
        if (strcmp(name, "config") == 0) {
            request->path = value;
        } else if (config != NULL && config_set(config, name, value, error) != 0) {
            return TENDER_EINVAL;
        }
    }
    return 0;
}

static int read_file(struct config *config, const char *path, struct config_error *error)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        snprintf(error->text, sizeof(error->text), "%s", strerror(errno));
        return TENDER_ESYSTEM;
    }
    int status = config_read(config, file, error);
    fclose(file);
    return status;
}

int config_gather(struct config *config, int argc, char **argv, struct config_request *request_out,
                  struct config_error *error)
{
    memset(request_out, 0, sizeof(*request_out));
    memset(error, 0, sizeof(*error));
    config_init(config);
    int status = walk(NULL, argc, argv, request_out, error);
    if (status == 0 && request_out->path != NULL) {
        status = read_file(config, request_out->path, error);
    }
    if (status == 0) {
        memset(error, 0, sizeof(*error));
        status = walk(config, argc, argv, request_out, error);
    }
    const char *database = getenv("TENDER_DATABASE");
    const char *key = getenv("TENDERD_KEY");
    if (status == 0 && config->database[0] == '\0' && database != NULL) {
        status = config_set(config, "database", database, error);
    }
    if (status == 0 && config->key[0] == '\0' && key != NULL) {
        status = config_set(config, "key", key, error);
    }
    return status;
}
