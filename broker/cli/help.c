/*
 * Help texts and the manual page, both from the rows of the command table.
 */
#include "command.h"

#include <ctype.h>
#include <string.h>

#define WIDTH 80

static const char exits_always[] =
    "0 done, 1 ended otherwise, 2 bad input, 3 broker or database away, 4 refused or conflict";

/* Prints `text` in lines of at most WIDTH columns, each after `indent` spaces; `column` is where
 * the first line stands already. Lines that begin with white space stay as they are. */
static void wrap(FILE *out, const char *text, int indent, int column)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        if (column > indent && column + 1 + (int)length > WIDTH) {
            fprintf(out, "\n");
            column = 0;
        } else if (column > indent) {
            fprintf(out, " ");
            column++;
        }
        if (column < indent) {
            fprintf(out, "%*s", indent - column, "");
            column = indent;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += (int)length;
        text += length;
        if (*text == '\n') {
            bool is_paragraph = text[1] == '\n';
            fprintf(out, is_paragraph ? "\n\n" : "");
            column = is_paragraph ? 0 : column;
            text += is_paragraph ? 1 : 0;
        }
        text += *text != '\0';
    }
    fprintf(out, "\n");
}

/* "--window DURATION" */
static int flag_words(const struct flag *flag, char *words, size_t capacity)
{
    char letter[8] = "    ";
    if (flag->letter != 0) {
        snprintf(letter, sizeof(letter), "-%c, ", flag->letter);
    }
    return snprintf(words, capacity, "%s--%s%s%s", letter, flag->name,
                    flag->metavar == NULL ? "" : " ", flag->metavar == NULL ? "" : flag->metavar);
}

/* Help, form and default of a flag in one sentence or two. */
static void flag_sentence(const struct flag *flag, char *sentence, size_t capacity)
{
    char form[VALUE_FORM_MAX] = "";
    if (flag->rule.type != VALUE_SWITCH && flag->rule.type != VALUE_FILE &&
        (flag->rule.type != VALUE_TEXT || flag->rule.maximum > 0)) {
        value_describe(&flag->rule, form);
    }
    snprintf(sentence, capacity, "%s%s%s%s%s%s%s%s", flag->help, form[0] == '\0' ? "" : ": ", form,
             flag->preset == NULL ? "" : " (default ", flag->preset == NULL ? "" : flag->preset,
             flag->preset == NULL ? "" : ")", flag->is_required ? " (required)" : "", ".");
}

static void print_flags(const struct command *command, FILE *out)
{
    const struct flag *flags[COMMAND_FLAGS_MAX];
    size_t count = command_flags(command, flags);
    fprintf(out, "\nFlags:\n");
    for (size_t i = 0; i < count; i++) {
        char words[128];
        char sentence[1024];
        int column = 2 + flag_words(flags[i], words, sizeof(words));
        flag_sentence(flags[i], sentence, sizeof(sentence));
        fprintf(out, "  %s", words);
        if (column > 28) {
            fprintf(out, "\n");
            column = 0;
        }
        wrap(out, sentence, 30, column);
    }
}

static void print_usage(const struct command *command, FILE *out)
{
    fprintf(out, "tender %s", command->name);
    for (const struct flag *flag = command->flags; flag != NULL && flag->name != NULL; flag++) {
        if (flag->is_required) {
            fprintf(out, " --%s %s", flag->name, flag->metavar);
        }
    }
    if ((command->common & COMMAND_PASSES_ALL) == 0) {
        fprintf(out, " [FLAGS]");
    }
    for (const struct operand *row = command->operands; row != NULL && row->name != NULL; row++) {
        fprintf(out, row->is_optional ? " [%s]" : " %s", row->name);
    }
    if (command->rest_name != NULL) {
        fprintf(out, "%s %s", (command->common & COMMAND_PASSES_ALL) != 0 ? "" : " --",
                command->rest_name);
    }
    fprintf(out, "\n");
}

/* Prints lines as they are, each after `indent`. */
static void print_lines(const char *lines, const char *indent, FILE *out)
{
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        fprintf(out, "%s%.*s\n", length > 0 ? indent : "", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void command_help(const struct command *command, FILE *out)
{
    fprintf(out, "%s\n\nUsage: ", command->summary);
    print_usage(command, out);
    fprintf(out, "\n");
    wrap(out, command->about, 0, 0);
    if (command->operands != NULL && command->operands->name != NULL) {
        fprintf(out, "\nOperands:\n");
    }
    for (const struct operand *row = command->operands; row != NULL && row->name != NULL; row++) {
        int column = fprintf(out, "  %s", row->name);
        wrap(out, row->help, 30, column);
    }
    if ((command->common & COMMAND_PASSES_ALL) == 0) {
        print_flags(command, out);
    }
    fprintf(out, "\nExamples:\n");
    print_lines(command->examples, "  ", out);
    fprintf(out, "\nExit codes:\n");
    fprintf(out, "  ");
    wrap(out, command->exits != NULL ? command->exits : exits_always, 2, 2);
}

void command_overview(const struct command *commands, size_t command_count, FILE *out)
{
    fprintf(out, "tender: hand work to contractors by call for proposals, and see every promise\n\n"
                 "Usage: tender COMMAND [FLAGS] [OPERANDS]\n\nCommands:\n");
    for (size_t i = 0; i < command_count; i++) {
        fprintf(out, "  %-18s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(
        out,
        "\nA first look:\n"
        "  tender account fund acme 100\n"
        "  tender announce --principal acme --skill translate.de --units 40 \\\n"
        "      --ceiling 30 --window 20s --due 60m --wait\n"
        "  tender tasks                  # what there is\n"
        "  tender explain TASK           # who bid what, who won, and the price's reason\n"
        "\nTENDER_URL says where the broker listens, TENDER_DATABASE where the ledger is; "
        "TENDER_KEY names\n"
        "the file of your key, TENDER_BROKER_KEY the keys of brokers that may answer. Without it\n"
        "the key met first at an address counts there, kept in TENDER_KNOWN_BROKERS (\"\": not) "
        "or\n"
        "~/.local/state/tender/known-brokers.\n"
        "Durations are an integer with us, ms, s, m, h or d; instants are RFC 3339 with a\n"
        "zone; credits have at most six decimals. Every list takes -o table|json|csv.\n\n"
        "Exit codes: ");
    wrap(out, exits_always, 12, 12);
    fprintf(out, "\ntender COMMAND --help says more, with examples.\n");
}

/* Escapes what scdoc would read as markup. */
static void manual_text(const char *text, FILE *out)
{
    for (char before = '\n'; *text != '\0'; before = *text++) {
        /* A line that begins with one of these would be a list, a table or a comment. */
        bool is_mark = before == '\n' && strchr("-.|;", *text) != NULL;
        if (is_mark || strchr("_*\\#[]<>~`", *text) != NULL) {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

/* Copies lines into a block that scdoc leaves as they are, but for the backslash. */
static void manual_lines(const char *lines, FILE *out)
{
    for (; *lines != '\0'; lines++) {
        if (*lines == '\\') {
            fputc('\\', out);
        }
        fputc(*lines, out);
    }
    fputc('\n', out);
}

static void manual_flags(const struct command *command, FILE *out)
{
    const struct flag *flags[COMMAND_FLAGS_MAX];
    size_t count = command_flags(command, flags);
    for (size_t i = 0; i < count; i++) {
        char sentence[1024];
        flag_sentence(flags[i], sentence, sizeof(sentence));
        if (flags[i]->letter != 0) {
            fprintf(out, "*-%c*, ", flags[i]->letter);
        }
        fprintf(out, "*--%s*", flags[i]->name);
        if (flags[i]->metavar != NULL) {
            fprintf(out, " _%s_", flags[i]->metavar);
        }
        fprintf(out, "\n\t");
        manual_text(sentence, out);
        fprintf(out, "\n\n");
    }
}

static void manual_command(const struct command *command, FILE *out)
{
    fprintf(out, "## tender %s\n\n_Usage:_ ", command->name);
    char usage[1024];
    FILE *memory = fmemopen(usage, sizeof(usage), "w");
    if (memory != NULL) {
        print_usage(command, memory);
        fclose(memory);
        manual_text(usage, out);
    }
    fprintf(out, "\n");
    manual_text(command->about, out);
    fprintf(out, "\n\n");
    for (const struct operand *row = command->operands; row != NULL && row->name != NULL; row++) {
        fprintf(out, "_%s_\n\t", row->name);
        manual_text(row->help, out);
        fprintf(out, "\n\n");
    }
    if ((command->common & COMMAND_PASSES_ALL) == 0) {
        manual_flags(command, out);
    }
    fprintf(out, "```\n");
    manual_lines(command->examples, out);
    fprintf(out, "```\n\n");
    if (command->exits != NULL) {
        fprintf(out, "Exit codes: ");
        manual_text(command->exits, out);
        fprintf(out, "\n\n");
    }
}

void command_manual(const struct command *commands, size_t command_count, FILE *out)
{
    fprintf(out,
            "tender(1)\n\n"
            "# NAME\n\ntender - announce work, follow its promises, and look into the ledger\n\n"
            "# SYNOPSIS\n\n*tender* _COMMAND_ [FLAGS] [OPERANDS]\n\n"
            "# DESCRIPTION\n\n"
            "A client announces a task with a ceiling; contractors bid; the lowest cost wins "
            "and is paid the lowest cost of another principal, else the ceiling. *tender* "
            "speaks to the broker for what changes work, and reads the ledger for the rest.\n\n"
            "Durations are an integer with us, ms, s, m, h or d. Instants are RFC 3339 with a "
            "zone. Credits have at most six decimals.\n\n# COMMANDS\n\n");
    for (size_t i = 0; i < command_count; i++) {
        manual_command(&commands[i], out);
    }
    fprintf(out, "# EXIT STATUS\n\n");
    manual_text(exits_always, out);
    fprintf(out,
            ".\n\n# ENVIRONMENT\n\n"
            "*TENDER\\_URL*\n\tWhere the broker listens.\n\n"
            "*TENDER\\_DATABASE*\n\tlibpq connection string of the ledger. Without it libpq's "
            "own *PG*\\* variables count.\n\n"
            "*TENDER\\_KEY*\n\tFile of the key that you speak by.\n\n"
            "*TENDER\\_BROKER\\_KEY*\n\tKeys of brokers that may answer, commas between.\n\n"
            "*TENDER\\_KNOWN\\_BROKERS*\n\tWhere that is not set: file of the keys that answered "
            "first at each address, by which others there are refused; empty: none. Without it "
            "_tender/known-brokers_ in _$XDG\\_STATE\\_HOME_ or _~/.local/state_.\n\n"
            "# SEE ALSO\n\n*tenderd*(8), *psql*(1)\n");
}
