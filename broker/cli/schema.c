/*
 * tender ledger check: names each object of the schema that is not what this program expects.
 */
#include "commands.h"

#include "database.h"
#include "ledger.h"

/* As monitoring systems count; the same as those of `tender check`. */
enum { SCHEMA_FINE, SCHEMA_MORE, SCHEMA_OTHER, SCHEMA_UNKNOWN };

struct findings {
    struct sheet *sheet;
    int worst;
};

static void on_difference(void *context, const struct ledger_difference *difference)
{
    struct findings *findings = context;
    bool is_extra = difference->expected == NULL;
    sheet_cell(findings->sheet, difference->object);
    sheet_cell(findings->sheet, is_extra                    ? "extra"
                                : difference->found == NULL ? "missing"
                                                            : "different");
    sheet_cell(findings->sheet, difference->expected);
    sheet_cell(findings->sheet, difference->found);
    int health = is_extra ? SCHEMA_MORE : SCHEMA_OTHER;
    findings->worst = health > findings->worst ? health : findings->worst;
}

/* Another version is said as such: it differs in too much to be listed. */
static int check_version(const struct arguments *arguments)
{
    char error[1024] = "";
    struct ledger_schema schema = {0};
    if (ledger_schema(database_url(arguments), &schema, error, sizeof(error)) < 0) {
        command_fail(arguments, EXIT_AWAY, "%s", error);
        return SCHEMA_UNKNOWN;
    }
    if (schema.version != schema.known) {
        command_fail(arguments, EXIT_OTHERWISE, "the schema has version %d and this program %d: %s",
                     schema.version, schema.known,
                     schema.version > schema.known ? "use a newer program"
                                                   : "tender ledger migrate brings it up to date");
        return SCHEMA_OTHER;
    }
    return SCHEMA_FINE;
}

int run_ledger_check(const struct arguments *arguments)
{
    char error[1024] = "";
    struct findings findings = {.sheet = sheet_open(), .worst = check_version(arguments)};
    if (findings.worst != SCHEMA_FINE || findings.sheet == NULL) {
        sheet_close(findings.sheet);
        return findings.sheet == NULL ? SCHEMA_UNKNOWN : findings.worst;
    }
    sheet_column(findings.sheet, "object", COLUMN_TEXT);
    sheet_column(findings.sheet, "difference", COLUMN_TEXT);
    sheet_column(findings.sheet, "expected", COLUMN_TEXT);
    sheet_column(findings.sheet, "found", COLUMN_TEXT);
    int count =
        ledger_compare(database_url(arguments), on_difference, &findings, error, sizeof(error));
    if (count < 0) {
        command_fail(arguments, EXIT_AWAY, "%s", error);
        findings.worst = SCHEMA_UNKNOWN;
    } else if (sheet_print(findings.sheet, argument_format(arguments), OUTPUT_LIST, stdout) < 0) {
        findings.worst = SCHEMA_UNKNOWN;
    }
    sheet_close(findings.sheet);
    return findings.worst;
}
