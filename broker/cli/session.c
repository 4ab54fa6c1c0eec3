#include "session.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SESSION_URL_DEFAULT "ipc:///run/tender/tenderd.ipc"

const char *session_url(const struct arguments *arguments)
{
    const char *url = argument_text(arguments, "url");
    if (url == NULL) {
        url = getenv("TENDER_URL");
    }
    return url == NULL || *url == '\0' ? SESSION_URL_DEFAULT : url;
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
    tender_options options = TENDER_OPTIONS_INIT;
    options.broker_url = session_url(arguments);
    options.name = name;
    options.principal = principal;
    options.connect_timeout_ms = (uint32_t)session_timeout_ms(arguments);
    int status = tender_client_open(&options, client_out);
    return status == 0 ? EXIT_DONE : session_fail(arguments, status, NULL);
}

int session_refused(const struct arguments *arguments, const char *where,
                    const tender_refusal *refusal)
{
    bool is_input =
        refusal->reason == TENDER_REASON_MALFORMED || refusal->reason == TENDER_REASON_OUT_OF_RANGE;
    const char *text = tender_reason_text(refusal->reason);
    const char *name = tender_reason_name(refusal->reason);
    char *said = output_plain(refusal->text == NULL ? "" : refusal->text);
    command_fail(arguments, EXIT_REFUSED, "%srefused, %s: %s%s%s%s%s%s", where,
                 name == NULL ? "other" : name, text == NULL ? "" : text,
                 *refusal->field == '\0' ? "" : " (field ", refusal->field,
                 *refusal->field == '\0' ? "" : ")", said == NULL || *said == '\0' ? "" : ": ",
                 said == NULL ? "" : said);
    free(said);
    return is_input ? EXIT_BAD_INPUT : EXIT_REFUSED;
}
