/*
 * tender key, principal and agent: makes keys, and enrols who may take part by them. A secret is
 * read from its file and written to no other place. Enrolling goes through the ledger's inbox,
 * where the database says who may act as an operator.
 */
#include "commands.h"

#include "inbox.h"

#include "tender/key.h"

#include <string.h>

static int show_public(const tender_key *key)
{
    char text[TENDER_KEY_TEXT_SIZE];
    tender_key_text(tender_key_public(key), text);
    return printf("%s\n", text) < 0 || fflush(stdout) != 0 ? EXIT_OTHERWISE : EXIT_DONE;
}

int run_key_new(const struct arguments *arguments)
{
    char problem[TENDER_KEY_PROBLEM_SIZE];
    tender_key *key = NULL;
    if (tender_key_new(&key) != 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "no memory for a key");
    }
    int code = tender_key_write(key, operand(arguments, 0)->text, problem) == 0
                   ? show_public(key)
                   : command_fail(arguments, EXIT_OTHERWISE, "%s", problem);
    tender_key_free(key);
    return code;
}

int run_key_show(const struct arguments *arguments)
{
    char problem[TENDER_KEY_PROBLEM_SIZE];
    tender_key *key = NULL;
    if (tender_key_read(operand(arguments, 0)->text, &key, problem) != 0) {
        return command_fail(arguments, EXIT_OTHERWISE, "%s", problem);
    }
    int code = show_public(key);
    tender_key_free(key);
    return code;
}

/* Whether --key, where it is given, is a key: the database knows only its form. */
static int check_key(const struct arguments *arguments)
{
    const char *text = argument_text(arguments, "key");
    uint8_t key[TENDER_PUBLIC_KEY_SIZE];
    if (text == NULL || tender_key_parse(text, strlen(text), key) == 0) {
        return EXIT_DONE;
    }
    char quoted[VALUE_QUOTED_MAX];
    value_quote(text, quoted);
    return command_fail(arguments, EXIT_BAD_INPUT,
                        "--key is \"%s\", which is no public key: tender key show prints it",
                        quoted);
}

static int enrol(const struct arguments *arguments, const char *sql, int count,
                 const char *const *parameters)
{
    int code = check_key(arguments);
    return code == EXIT_DONE ? inbox_request(arguments, sql, count, parameters) : code;
}

int run_principal_add(const struct arguments *arguments)
{
    const char *parameters[] = {operand(arguments, 0)->text, argument_text(arguments, "key"),
                                argument_text(arguments, "parent")};
    return enrol(arguments, "select tender.add_principal($1, $2, $3)", 3, parameters);
}

int run_principal_rotate(const struct arguments *arguments)
{
    const char *parameters[] = {operand(arguments, 0)->text, argument_text(arguments, "key")};
    return enrol(arguments, "select tender.rotate_principal($1, $2)", 2, parameters);
}

int run_principal_revoke(const struct arguments *arguments)
{
    return inbox_request(arguments, "select tender.revoke_principal($1)", 1,
                         &(const char *){operand(arguments, 0)->text});
}

int run_principals(const struct arguments *arguments)
{
    return database_show(arguments, "principal", OUTPUT_LIST,
                         "select principal, parent, key, is_revoked, said_by, said_at "
                         "from tender.principal order by principal",
                         0, NULL);
}

int run_agent_enrol(const struct arguments *arguments)
{
    const char *parameters[] = {operand(arguments, 0)->text, argument_text(arguments, "principal"),
                                argument_text(arguments, "key"), argument_text(arguments, "skill")};
    return enrol(arguments, "select tender.enrol_agent($1, $2, $3, string_to_array($4, ','))", 4,
                 parameters);
}

int run_agent_rotate(const struct arguments *arguments)
{
    const char *parameters[] = {operand(arguments, 0)->text, argument_text(arguments, "key")};
    return enrol(arguments, "select tender.rotate_agent($1, $2)", 2, parameters);
}

int run_agent_revoke(const struct arguments *arguments)
{
    return inbox_request(arguments, "select tender.revoke_agent($1)", 1,
                         &(const char *){operand(arguments, 0)->text});
}

int run_agents(const struct arguments *arguments)
{
    return database_show(arguments, "agent", OUTPUT_LIST,
                         "select agent, principal, key, array_to_string(skills, ',') as skills, "
                         "is_revoked, said_by, said_at from tender.agent order by agent",
                         0, NULL);
}
