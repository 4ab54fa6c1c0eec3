/*
 * Prints the options of tenderd for its manual page, in scdoc, from the table that the parser uses.
 */
#include "tender/vocabulary.h"

#include <stdio.h>
#include <string.h>

struct row {
    const char *type;
    const char *name;
    const char *preset;
    int reloadable;
    const char *help;
};

static const struct row rows[] = {
#define OPTION(TYPE, member, name, preset, minimum, maximum, reloadable, help)                     \
    {#TYPE, name, preset, reloadable, help},
#include "options.def"
#undef OPTION
};

/* Escapes what scdoc would read as markup. */
static void print_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("_*\\#[]<>~`", *text) != NULL) {
            putchar('\\');
        }
        putchar(*text);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        printf("*%s* = _%s_\n\t", rows[i].name, rows[i].type);
        print_text(rows[i].help);
        printf(". Default: ");
        print_text(*rows[i].preset == '\0' ? "empty" : rows[i].preset);
        printf(rows[i].reloadable ? ". SIGHUP takes a new value over.\n\n" : ".\n\n");
    }
    return 0;
}
