#include "session.h"

#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SESSION_END_S       5
#define SESSION_URL_DEFAULT "ipc:///run/tender/tenderd.ipc"

const char *session_url(const struct arguments *arguments)
{
    const char *url = argument_text(arguments, "url");
    if (url == NULL) {
        url = getenv("TENDER_URL");
    }
    return url == NULL || *url == '\0' ? SESSION_URL_DEFAULT : url;
}

tender_options session_options(const struct arguments *arguments)
{
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = session_url(arguments);
    options.ca_file = argument_text(arguments, "ca-file");
    return options;
}

void session_name(const char *prefix, char name_out[TENDER_NAME_MAX + 1])
{
    uint8_t random[8];
    char hex[2 * sizeof(random) + 1];
    randombytes_buf(random, sizeof(random));
    sodium_bin2hex(hex, sizeof(hex), random, sizeof(random));
    snprintf(name_out, TENDER_NAME_MAX + 1, "%.40s-%s", prefix, hex);
}

int session_timeout_ms(const struct arguments *arguments)
{
    return (int)(argument_number(arguments, "timeout") / 1000);
}

int64_t session_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int session_fail(const struct arguments *arguments, int status, const tender_client *client)
{
    const char *detail = tender_client_last_error(client);
    int code = status == TENDER_EINVAL || status == TENDER_ELIMIT        ? EXIT_BAD_INPUT
               : status == TENDER_EREFUSED || status == TENDER_ECONFLICT ? EXIT_REFUSED
               : status == TENDER_ENOMEM || status == TENDER_ESYSTEM     ? EXIT_OTHERWISE
                                                                         : EXIT_AWAY;
    command_fail(arguments, code, "%s%s%s", tender_strerror(status), *detail == '\0' ? "" : ": ",
                 detail);
    if (code == EXIT_AWAY) {
        fprintf(stderr, "The broker was asked at %s; --url or TENDER_URL name another place.\n",
                session_url(arguments));
    }
    return code;
}

int session_open(const struct arguments *arguments, const char *principal,
                 tender_client **client_out)
{
    char name[TENDER_NAME_MAX + 1];
    session_name("cli", name);
    tender_options options = session_options(arguments);
    options.name = name;
    options.principal = principal;
    options.connect_timeout_ms = (uint32_t)session_timeout_ms(arguments);
    int status = tender_client_open(&options, client_out);
    return status == 0 ? EXIT_DONE : session_fail(arguments, status, NULL);
}

static volatile sig_atomic_t end_code;

static void on_late(int signal_number)
{
    (void)signal_number;
    _exit(end_code);
}

void session_end(tender_client *client, tender_contractor *contractor, int code)
{
    fflush(NULL);
    end_code = code;
    signal(SIGALRM, on_late);
    alarm(SESSION_END_S);
    tender_client_close(client);
    tender_contractor_close(contractor);
    alarm(0);
}

void session_say_reason(const struct arguments *arguments, const char *where, const char *what,
                        tender_reason reason, const char *field, const char *text)
{
    const char *name = tender_reason_name(reason);
    const char *sentence = tender_reason_text(reason);
    bool is_news = text != NULL && (sentence == NULL || strcmp(text, sentence) != 0);
    char *said = output_plain(is_news ? text : "");
    bool has_field = field != NULL && *field != '\0';
    command_fail(arguments, EXIT_REFUSED, "%s%s, %s: %s%s%s%s%s%s", where, what,
                 name == NULL ? "other" : name, sentence == NULL ? "see the text" : sentence,
                 has_field ? " (field " : "", has_field ? field : "", has_field ? ")" : "",
                 said == NULL || *said == '\0' ? "" : ": ", said == NULL ? "" : said);
    free(said);
    if (reason == TENDER_REASON_INSUFFICIENT_FUNDS) {
        fprintf(stderr, "tender account PRINCIPAL shows what there is, "
                        "tender account fund PRINCIPAL CREDITS puts money in\n");
    }
}

static int code_of(tender_reason reason)
{
    return reason == TENDER_REASON_MALFORMED || reason == TENDER_REASON_OUT_OF_RANGE
               ? EXIT_BAD_INPUT
               : EXIT_REFUSED;
}

int session_refused(const struct arguments *arguments, const char *where,
                    const tender_refusal *refusal)
{
    session_say_reason(arguments, where, "refused", refusal->reason, refusal->field, refusal->text);
    return code_of(refusal->reason);
}

int session_complaint(const struct arguments *arguments, const tender_complaint *complaint)
{
    session_say_reason(arguments, "", "not understood", complaint->reason, complaint->field,
                       complaint->text);
    return code_of(complaint->reason);
}

int session_lost(const struct arguments *arguments, tender_id task)
{
    char name[TENDER_ID_TEXT_SIZE];
    tender_id_format(task, name);
    return command_fail(arguments, EXIT_REFUSED,
                        "task %s was recorded, and the database has lost it when it failed over: "
                        "announce it again",
                        name);
}

int session_await(const struct arguments *arguments, tender_client *client, tender_id task)
{
    const tender_client_event *event = NULL;
    int64_t until_us = session_now_us() + argument_number(arguments, "timeout");
    for (;;) {
        int64_t left_us = until_us - session_now_us();
        int status =
            tender_client_next(client, left_us <= 0 ? 0 : (int)(left_us / 1000) + 1, &event);
        if (status <= 0) {
            return session_fail(arguments, status == 0 ? TENDER_ETIMEDOUT : status, client);
        }
        if (event->kind == TENDER_CLIENT_AGREED && tender_id_equal(event->agreed.task, task)) {
            return EXIT_DONE;
        }
        if (event->kind == TENDER_CLIENT_REFUSED && tender_id_equal(event->refused.task, task)) {
            return session_refused(arguments, "", &event->refused);
        }
        if (event->kind == TENDER_CLIENT_NOT_UNDERSTOOD) {
            return session_complaint(arguments, &event->not_understood);
        }
    }
}
