/*
 * tenderd: reads the configuration, and runs the daemon or says what was asked.
 */
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "certificate.h"
#include "config.h"
#include "daemon.h"
#include "ledger.h"
#include "log.h"

/* Says what is wrong, in the form that editors understand. */
static void complain(const struct config_request *request, const struct config_error *error)
{
    if (error->line > 0) {
        fprintf(stderr, "%s:%d:%d: %s\n", request->path, error->line, error->column, error->text);
    } else if (request->path != NULL) {
        fprintf(stderr, "tenderd: %s: %s\n", request->path, error->text);
    } else {
        fprintf(stderr, "tenderd: %s; try --help\n", error->text);
    }
}

/* Checks what the table of options cannot. */
static int check(const struct config *config)
{
    char shown[CONFIG_TEXT_SIZE];
    if (log_level_parse(config->log_level) < 0) {
        fprintf(stderr, "tenderd: '%s' is no value of 'log-level': error, warning, info or debug\n",
                config->log_level);
        return TENDER_EINVAL;
    }
    if (ledger_database_show(config->database, shown, sizeof(shown)) != 0) {
        fprintf(stderr, "tenderd: database: %s\n", shown);
        return TENDER_EINVAL;
    }
    if (!tender_name_is_valid(config->broker, strlen(config->broker))) {
        fprintf(stderr, "tenderd: '%s' is no name for a broker\n", config->broker);
        return TENDER_EINVAL;
    }
    return 0;
}

/* Prints what is in force, without passwords. */
static void show(const struct config *config)
{
    struct config shown = *config;
    if (ledger_database_show(config->database, shown.database, sizeof(shown.database)) == 0) {
        config_write(&shown, false, stdout);
    }
}

/* Whether certificate and key are right, and there where they are needed. */
static int check_certificate(const struct config *config)
{
    char why[512];
    nng_tls_config *tls = NULL;
    int64_t until_s = 0;
    bool has_certificate = config->tls_certificate[0] != '\0';
    bool has_key = config->tls_key[0] != '\0';
    int status = TENDER_EINVAL;
    if (!has_certificate && !has_key && strstr(config->listen, "tls+tcp") == NULL) {
        return 0;
    }
    snprintf(why, sizeof(why), "%s",
             has_certificate || has_key ? "one of tls-certificate and tls-key is missing"
                                        : "to listen on tls+tcp takes tls-certificate and tls-key");
    if (has_certificate && has_key) {
        status = certificate_read(config->tls_certificate, config->tls_key, &tls, &until_s, why,
                                  sizeof(why));
    }
    if (status != 0) {
        fprintf(stderr, "tenderd: %s\n", why);
        return status;
    }
    nng_tls_config_free(tls);
    return 0;
}

/* Whether the database that is configured may be served, as far as it can be reached now. */
static int check_database(const struct config *config, const char *name)
{
    char sentence[512];
    int status = ledger_durability(config->database, sentence, sizeof(sentence));
    if (status == TENDER_EUNSAFE && !config->may_lose_commits) {
        fprintf(stderr, "%s: %s, or give that up by 'may-lose-commits = yes'\n", name, sentence);
        return DAEMON_EXIT_CONFIG;
    }
    if (status != 0) {
        fprintf(stderr, "%s: the database%s: %s\n", name,
                status == TENDER_EUNSAFE ? "" : " is not looked at", sentence);
    }
    printf("%s: good\n", name);
    return DAEMON_EXIT_DONE;
}

/* The broker's key. Returns 0, or an error after saying what would be right. */
static int read_key(const struct config *config, struct tender_key **key_out)
{
    char problem[TENDER_KEY_PROBLEM_SIZE] =
        "there is none: make one by \"tender key new FILE\", and name FILE by --key, by key in the "
        "configuration, or by TENDERD_KEY";
    *key_out = NULL;
    int status =
        config->key[0] == '\0' ? TENDER_EINVAL : tender_key_read(config->key, key_out, problem);
    if (status != 0) {
        fprintf(stderr, "tenderd: key: %s\n", problem);
    }
    return status;
}

/* Answers what asks for no broker. Returns whether it did, with the exit code. */
static bool tell(const struct config *config, const struct config_request *request, int *code_out)
{
    struct config defaults;
    *code_out = DAEMON_EXIT_DONE;
    if (request->wants_help) {
        config_help(stdout);
    } else if (request->wants_version) {
        printf("tenderd %s\n", TENDER_VERSION);
    } else if (request->wants_sample) {
        config_init(&defaults);
        config_write(&defaults, true, stdout);
    } else if (request->wants_show) {
        show(config);
    } else if (request->wants_check && check_certificate(config) != 0) {
        *code_out = DAEMON_EXIT_CONFIG;
    } else if (request->wants_check) {
        *code_out = check_database(config, request->path != NULL ? request->path : "configuration");
    } else {
        return false;
    }
    return true;
}

/* A peer is a descriptor, and a login's usual 1,024 are soon used up: takes what is allowed. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* The same program in the same process, on the same addresses; returns only where that fails. */
static void begin_anew(const struct config *config, int argc, char **argv)
{
    static char option[] = "--listen";
    static char listen[CONFIG_TEXT_SIZE];
    char **arguments = calloc((size_t)argc + 3, sizeof(*arguments));
    if (arguments != NULL) {
        memcpy(listen, config->listen, sizeof(listen));
        memcpy(arguments, argv, (size_t)argc * sizeof(*arguments));
        arguments[argc] = option;
        arguments[argc + 1] = listen;
        (void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        execv("/proc/self/exe", arguments);
    }
    perror("tenderd: cannot begin anew");
}

int main(int argc, char **argv)
{
    static struct config config;
    struct config_request request;
    struct config_error error;
    int status = config_gather(&config, argc, argv, &request, &error);
    if (status != 0 && !request.wants_help) {
        complain(&request, &error);
        return DAEMON_EXIT_CONFIG;
    }
    if (check(&config) != 0) {
        return DAEMON_EXIT_CONFIG;
    }
    int code;
    if (tell(&config, &request, &code)) {
        return code;
    }
    if (sodium_init() < 0) {
        fprintf(stderr, "tenderd: libsodium has no source of random numbers\n");
        return DAEMON_EXIT_CONFIG;
    }
    struct tender_key *key = NULL;
    if (read_key(&config, &key) != 0) {
        return DAEMON_EXIT_CONFIG;
    }
    signal(SIGPIPE, SIG_IGN);
    raise_descriptors();
    code = daemon_run(&config, key, argc, argv);
    fflush(NULL);
    if (code == DAEMON_EXIT_PORT) {
        begin_anew(&config, argc, argv);
    }
    _exit(code);
}
