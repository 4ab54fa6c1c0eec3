/*
 * Opening, running and ending: see daemon.h. A reign's begin is begin.c's, the turn is turn.c's.
 */
#include "daemon.h"

#include <errno.h>
#include <libpq-fe.h>
#include <msgpack.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "certificate.h"
#include "daemon_internal.h"
#include "failpoint.h"
#include "log.h"
#include "notify.h"

#define LISTEN_SEPARATORS " ,\t"
#define CLOSE_SECONDS     2 /* for nng to close; then the process leaves all the same */

static void on_wake(void *context)
{
    struct daemon *daemon = context;
    uv_async_send(&daemon->wake);
}

static void on_async(uv_async_t *wake)
{
    (void)wake; /* the turn follows */
}

static void on_prepare(uv_prepare_t *prepare)
{
    daemon_turn(prepare->data);
}

/* Descriptors that are not for peers: the database, listeners, the log, and some to spare. */
#define DESCRIPTORS_KEPT 128

/* As many connections as the option says, or as there are descriptors for. */
static uint32_t connections_allowed(const struct config *config)
{
    struct rlimit limit;
    int64_t allowed = config->connection_count;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        allowed > (int64_t)limit.rlim_cur - DESCRIPTORS_KEPT) {
        struct log_line line;
        allowed = (int64_t)limit.rlim_cur - DESCRIPTORS_KEPT;
        allowed = allowed > 2 ? allowed : 2;
        log_begin(&line, LOG_LEVEL_WARNING, "fewer-connections");
        log_int(&line, "wanted", config->connection_count);
        log_int(&line, "allowed", allowed);
        log_string(&line, "why", "the limit of open descriptors (ulimit -n, LimitNOFILE)");
        log_end(&line);
    }
    return (uint32_t)allowed;
}

/* Takes certificate and key from their files, for whoever connects from now on. */
static int certify(struct daemon *daemon)
{
    const struct config *config = daemon->config;
    char why[512] = "nng does not take them";
    nng_tls_config *tls = NULL;
    int64_t until_s = 0;
    struct log_line line;
    if (config->tls_certificate[0] == '\0' && config->tls_key[0] == '\0') {
        return 0;
    }
    int status = certificate_read(config->tls_certificate, config->tls_key, &tls, &until_s, why,
                                  sizeof(why));
    if (status == 0) {
        status = port_certify(daemon->port, tls);
        nng_tls_config_free(tls);
    }
    log_begin(&line, status == 0 ? LOG_LEVEL_INFO : LOG_LEVEL_ERROR,
              status == 0 ? "certificate" : "certificate-refused");
    log_string(&line, "file", config->tls_certificate);
    if (status == 0) {
        log_int(&line, "days_left", (until_s - (int64_t)time(NULL)) / 86400);
    } else {
        log_string(&line, "why", why);
    }
    log_end(&line);
    return status;
}

static void reload(struct daemon *daemon)
{
    struct config fresh;
    struct config_request request;
    struct config_error error;
    const char *name = NULL;
    if (config_gather(&fresh, daemon->argc, daemon->argv, &request, &error) != 0) {
        log_event(LOG_LEVEL_ERROR, "reload-refused", "why", error.text);
        return;
    }
    if (config_reload(daemon->config, &fresh, &name) > 0) {
        log_event(LOG_LEVEL_WARNING, "needs-restart", "option", name);
    }
    struct postbox_options options = daemon_postbox_options(daemon);
    postbox_configure(daemon->postbox, &options);
    log_open(STDERR_FILENO, (enum log_level)log_level_parse(daemon->config->log_level));
    (void)certify(daemon); /* where it cannot, the one before goes on */
    log_event(LOG_LEVEL_INFO, "reloaded", "config", request.path);
}

static void on_signal(uv_signal_t *signal, int number)
{
    struct daemon *daemon = signal->data;
    if (number == SIGHUP) {
        reload(daemon);
    } else {
        daemon->wants_end = true;
        daemon->end_code = DAEMON_EXIT_DONE;
    }
}

static void log_versions(const struct daemon *daemon)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "starting");
    log_string(&line, "broker", daemon->config->broker);
    log_string(&line, "version", TENDER_VERSION);
    log_string(&line, "nng", nng_version());
    log_string(&line, "libuv", uv_version_string());
    log_int(&line, "libpq", PQlibVersion());
    log_string(&line, "msgpack", MSGPACK_VERSION);
    log_string(&line, "sodium", sodium_version_string());
    log_end(&line);
}

static int open_loop(struct daemon *daemon)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    if (uv_loop_init(&daemon->loop) != 0 || uv_prepare_init(&daemon->loop, &daemon->prepare) != 0 ||
        uv_timer_init(&daemon->loop, &daemon->timer) != 0 ||
        uv_async_init(&daemon->loop, &daemon->wake, on_async) != 0) {
        return TENDER_ESYSTEM;
    }
    daemon->prepare.data = daemon;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        daemon->signals[i].data = daemon;
        if (uv_signal_init(&daemon->loop, &daemon->signals[i]) != 0 ||
            uv_signal_start(&daemon->signals[i], on_signal, numbers[i]) != 0) {
            return TENDER_ESYSTEM;
        }
    }
    return uv_prepare_start(&daemon->prepare, on_prepare) == 0 ? 0 : TENDER_ESYSTEM;
}

static int open_port(struct daemon *daemon)
{
    const struct config *config = daemon->config;
    struct port_options port = {.exchange_count = (uint32_t)config->exchange_count,
                                .spare_count = (uint32_t)config->spare_count,
                                .gate = {.connection_count = connections_allowed(config),
                                         .address_count = (uint32_t)config->address_connections,
                                         .hello_us = config->hello_us},
                                .on_wake = on_wake,
                                .context = daemon};
    return port_open(&port, &daemon->port);
}

/* Listens on every address of the option, before the ledger is touched: so a second broker by
 * mistake on the same addresses ends here. */
static int listen_all(struct daemon *daemon)
{
    char urls[CONFIG_TEXT_SIZE];
    char why[256] = "no address";
    char *rest = NULL;
    int status = TENDER_EREFUSED;
    memcpy(urls, daemon->config->listen, sizeof(urls));
    for (char *url = strtok_r(urls, LISTEN_SEPARATORS, &rest); url != NULL;
         url = strtok_r(NULL, LISTEN_SEPARATORS, &rest)) {
        status = port_listen(daemon->port, url, why, sizeof(why));
        if (status != 0) {
            struct log_line line;
            log_begin(&line, LOG_LEVEL_ERROR, "listen-refused");
            log_string(&line, "address", url);
            log_string(&line, "why", why);
            log_end(&line);
            return status;
        }
    }
    return status;
}

/* Writes the addresses in use, whole or not at all. */
static int write_ports(const struct daemon *daemon)
{
    char partial[CONFIG_TEXT_SIZE + 8];
    const char *path = daemon->config->ports_file;
    if (path[0] == '\0') {
        return 0;
    }
    snprintf(partial, sizeof(partial), "%s.new", path);
    FILE *file = fopen(partial, "we");
    if (file == NULL) {
        log_event(LOG_LEVEL_ERROR, "ports-file", "why", strerror(errno));
        return TENDER_ESYSTEM;
    }
    for (size_t i = 0; port_url(daemon->port, i) != NULL; i++) {
        fprintf(file, "%s\n", port_url(daemon->port, i));
    }
    bool is_written = fclose(file) == 0 && rename(partial, path) == 0;
    if (!is_written) {
        log_event(LOG_LEVEL_ERROR, "ports-file", "why", strerror(errno));
    }
    return is_written ? 0 : TENDER_ESYSTEM;
}

static void log_ready(const struct daemon *daemon)
{
    for (size_t i = 0; port_url(daemon->port, i) != NULL; i++) {
        log_event(LOG_LEVEL_INFO, "listening", "address", port_url(daemon->port, i));
    }
    log_event(LOG_LEVEL_INFO, "ready", "broker", daemon->config->broker);
}

/* The addresses that are `stated`, or else those in use, as many as there is room for. */
static void list_urls(const struct daemon *daemon, const char *stated, char *urls, size_t capacity)
{
    size_t size = (size_t)snprintf(urls, capacity, "%s", stated);
    for (size_t i = 0; stated[0] == '\0' && port_url(daemon->port, i) != NULL; i++) {
        int more = snprintf(urls + size, capacity - size, "%s%s", i > 0 ? " " : "",
                            port_url(daemon->port, i));
        size += more > 0 && (size_t)more < capacity - size ? (size_t)more : 0;
        urls[size] = '\0';
    }
}

/* Everything before the loop runs. Returns 0 or the exit code. */
static int start(struct daemon *daemon)
{
    log_versions(daemon);
    if (open_loop(daemon) != 0 || open_port(daemon) != 0 || daemon_open_parts(daemon) != 0) {
        log_event(LOG_LEVEL_ERROR, "start-failed", "why", "out of memory or descriptors");
        return DAEMON_EXIT_CONFIG;
    }
    if (certify(daemon) != 0 || listen_all(daemon) != 0) {
        return DAEMON_EXIT_CONFIG;
    }
    list_urls(daemon, daemon->config->advertise, daemon->urls, sizeof(daemon->urls));
    int status = daemon_begin(daemon);
    if (status == TENDER_EREIGN) {
        daemon_stand_by(daemon);
    } else if (status != 0) {
        return DAEMON_EXIT_LEDGER;
    }
    if (port_start(daemon->port) != 0 || write_ports(daemon) != 0) {
        return DAEMON_EXIT_CONFIG;
    }
    probe_init(&daemon->probe, daemon->port, daemon->hearing.at_us);
    notify_send("READY=1");
    log_ready(daemon);
    failpoint(READY);
    return 0;
}

static void log_ended(const struct daemon *daemon)
{
    struct journal_counts counts = {.batches = 0};
    struct log_line line;
    if (daemon->journal != NULL) {
        counts = journal_count(daemon->journal);
    }
    log_begin(&line, LOG_LEVEL_INFO, "ended");
    log_int(&line, "code", daemon->exit_code);
    log_int(&line, "batches", (int64_t)counts.batches);
    log_int(&line, "entries", (int64_t)counts.entries);
    log_int(&line, "promises", (int64_t)counts.promises);
    log_int(&line, "turns", (int64_t)daemon->turns);
    log_int(&line, "messages", (int64_t)daemon->hearing.said);
    log_int(&line, "exchanges",
            daemon->postbox != NULL ? (int64_t)postbox_answered(daemon->postbox) : 0);
    log_end(&line);
}

void daemon_stop(struct daemon *daemon, int exit_code)
{
    daemon->exit_code = exit_code;
    uv_prepare_stop(&daemon->prepare);
    uv_stop(&daemon->loop);
}

static int exit_code_of_alarm;

static void on_alarm(int number)
{
    (void)number;
    _exit(exit_code_of_alarm);
}

/* Closing nng may hang in the version of Debian 12, so an alarm bounds it. */
static void finish(struct daemon *daemon)
{
    if (daemon->exit_code == DAEMON_EXIT_PORT) {
        /* There is no closing what is stuck. Port 0 took a free port; the program that begins anew
         * takes the same one, where peers look. */
        list_urls(daemon, "", daemon->config->listen, CONFIG_TEXT_SIZE);
    } else {
        exit_code_of_alarm = daemon->exit_code;
        signal(SIGALRM, on_alarm);
        alarm(CLOSE_SECONDS);
        port_close(daemon->port);
        alarm(0);
    }
    if (daemon->link.ledger != NULL) {
        link_disconnect(&daemon->link);
    }
}

int daemon_run(struct config *config, const struct tender_key *key, int argc, char **argv)
{
    static struct daemon daemon; /* large, and pointed at until the process ends */
    daemon.config = config;
    daemon.key = key;
    daemon.argc = argc;
    daemon.argv = argv;
    log_open(STDERR_FILENO, (enum log_level)log_level_parse(config->log_level));
    daemon.exit_code = start(&daemon);
    if (daemon.exit_code == 0) {
        uv_run(&daemon.loop, UV_RUN_DEFAULT);
    }
    log_ended(&daemon);
    finish(&daemon);
    return daemon.exit_code;
}
