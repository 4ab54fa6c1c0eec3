/*
 * tender: finds the command in the table, reads its words and runs it.
 */
#include "commands.h"

#include "tender/contractor.h"

#include <locale.h>
#include <signal.h>
#include <sodium.h>
#include <string.h>

/* tender help [COMMAND], tender --help. */
static int help(int argc, char **argv)
{
    int words = 0;
    const struct command *command = command_find(commands, command_count, argc, argv, &words);
    if (command == NULL) {
        command_overview(commands, command_count, stdout);
    } else {
        command_help(command, stdout);
    }
    return EXIT_DONE;
}

/* Lists the commands that begin with a word that is no command by itself: "ledger". */
static bool list_family(const char *word)
{
    bool is_family = false;
    size_t size = strlen(word);
    for (size_t i = 0; i < command_count; i++) {
        if (strncmp(commands[i].name, word, size) == 0 && commands[i].name[size] == ' ') {
            fprintf(stderr, "%s  tender %-18s %s\n", is_family ? "" : "tender: which one?\n",
                    commands[i].name, commands[i].summary);
            is_family = true;
        }
    }
    return is_family;
}

static int unknown(const char *word)
{
    const char *nearest = command_nearest(commands, command_count, word);
    if (!list_family(word)) {
        fprintf(stderr, "tender: no command \"%s\"%s%s%s; tender --help lists them\n", word,
                nearest == NULL ? "" : "; did you mean \"tender ", nearest == NULL ? "" : nearest,
                nearest == NULL ? "" : "\"?");
    }
    return EXIT_BAD_INPUT;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    signal(SIGPIPE, SIG_IGN);
    if (sodium_init() < 0) {
        fprintf(stderr, "tender: libsodium does not start\n");
        return EXIT_OTHERWISE;
    }
    if (argc < 2) {
        command_overview(commands, command_count, stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        return help(argc - 2, argv + 2);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("tender %s\n", tender_version());
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--manual") == 0) {
        command_manual(commands, command_count, stdout);
        return EXIT_DONE;
    }
    int words = 0;
    const struct command *command =
        command_find(commands, command_count, argc - 1, argv + 1, &words);
    if (command == NULL) {
        return unknown(argv[1]);
    }
    struct arguments arguments;
    int code = command_parse(command, argc - words, argv + words, &arguments, stderr);
    if (code < 0) {
        command_help(command, stdout);
        return EXIT_DONE;
    }
    return code == EXIT_DONE ? command->run(&arguments) : code;
}
