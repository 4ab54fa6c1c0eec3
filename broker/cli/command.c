#include "command.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct flag flag_output =
    {"output", 'o', {VALUE_CHOICE, 0, 0, "table|json|csv"}, "FORMAT", "table", false,
     "how rows are printed"};
static const struct flag flag_database =
    {"database", 0, {VALUE_TEXT, 0, 0, NULL}, "URL", NULL, false,
     "libpq connection string, without a password, since others can read arguments; else "
     "TENDER_DATABASE, else libpq's own PG* variables"};
static const struct flag flag_url =
    {"url", 0, {VALUE_TEXT, 1, 1024, NULL}, "URL", NULL, false,
     "where the broker listens, such as ipc:///run/tender/tenderd.ipc; of several brokers all "
     "addresses, with commas between; else TENDER_URL"};
static const struct flag flag_ca_file =
    {"ca-file", 0, {VALUE_TEXT, 1, 4000, NULL}, "FILE", NULL, false,
     "certificates, in PEM, by which a broker on tls+tcp is known; else TENDER_CA"};
static const struct flag flag_timeout =
    {"timeout", 0, {VALUE_DURATION, 1000, INT64_C(86400000000), NULL}, "DURATION", "10s", false,
     "how long to wait for the broker before giving up with exit code 3"};
static const struct flag flag_help =
    {"help", 'h', {VALUE_SWITCH, 0, 0, NULL}, NULL, NULL, false, "print this help"};
/* clang-format on */

size_t command_flags(const struct command *command, const struct flag **flags_out)
{
    size_t count = 0;
    for (const struct flag *flag = command->flags; flag != NULL && flag->name != NULL; flag++) {
        assert(count < COMMAND_FLAGS_MAX - 6);
        flags_out[count++] = flag;
    }
    static const struct {
        unsigned bit;
        const struct flag *flag;
    } commons[] = {{COMMAND_HAS_OUTPUT, &flag_output},
                   {COMMAND_READS_SQL, &flag_database},
                   {COMMAND_SPEAKS_WIRE, &flag_url},
                   {COMMAND_SPEAKS_WIRE, &flag_ca_file},
                   {COMMAND_HAS_TIMEOUT, &flag_timeout}};
    for (size_t i = 0; i < sizeof(commons) / sizeof(commons[0]); i++) {
        if ((command->common & commons[i].bit) != 0) {
            flags_out[count++] = commons[i].flag;
        }
    }
    flags_out[count++] = &flag_help;
    return count;
}

const struct command *command_find(const struct command *commands, size_t command_count, int argc,
                                   char **argv, int *words_out)
{
    const struct command *found = NULL;
    *words_out = 0;
    for (size_t i = 0; i < command_count && argc > 0; i++) {
        const char *name = commands[i].name;
        size_t first = strcspn(name, " ");
        if (strlen(argv[0]) != first || memcmp(name, argv[0], first) != 0) {
            continue;
        }
        bool is_pair = name[first] == ' ';
        if (!is_pair && *words_out < 1) {
            found = &commands[i];
            *words_out = 1;
        } else if (is_pair && argc > 1 && strcmp(name + first + 1, argv[1]) == 0) {
            found = &commands[i];
            *words_out = 2;
        }
    }
    return found;
}

/* How many letters must change to make one word of the other; words beyond 31 are never near. */
static size_t distance(const char *left, const char *right)
{
    size_t row[32];
    size_t width = strlen(right);
    if (width >= 32) {
        return width;
    }
    for (size_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (size_t i = 0; left[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= width; j++) {
            size_t change = diagonal + (left[i] != right[j - 1]);
            size_t insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < insert ? change : insert;
        }
    }
    return row[width];
}

const char *command_nearest(const struct command *commands, size_t command_count, const char *word)
{
    const char *nearest = NULL;
    size_t best = 3;
    for (size_t i = 0; i < command_count; i++) {
        size_t steps = distance(commands[i].name, word);
        if (steps < best && steps < strlen(word)) {
            best = steps;
            nearest = commands[i].name;
        }
    }
    return nearest;
}

static int complain(const struct command *command, FILE *errors, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int complain(const struct command *command, FILE *errors, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(errors, "tender %s: ", command->name);
    vfprintf(errors, format, list);
    fprintf(errors, "\n");
    va_end(list);
    return EXIT_BAD_INPUT;
}

int command_fail(const struct arguments *arguments, int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "tender %s: ", arguments->command->name);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    return code;
}

/* Fills `options` and `letters` for getopt_long; the value of an option is its index + 1000. */
static void list_options(const struct arguments *arguments, struct option *options, char *letters)
{
    size_t used = 0;
    letters[used++] = ':';
    for (size_t i = 0; i < arguments->flag_count; i++) {
        const struct flag *flag = arguments->flags[i];
        bool is_switch = flag->rule.type == VALUE_SWITCH;
        options[i] = (struct option){.name = flag->name,
                                     .has_arg = is_switch ? no_argument : required_argument,
                                     .val = (int)i + 1000};
        if (flag->letter != 0) {
            letters[used++] = flag->letter;
            if (!is_switch) {
                letters[used++] = ':';
            }
        }
    }
    options[arguments->flag_count] = (struct option){0};
    letters[used] = '\0';
}

static size_t flag_index(const struct arguments *arguments, int option)
{
    size_t index = option >= 1000 ? (size_t)option - 1000 : 0;
    while (option < 1000 && index < arguments->flag_count &&
           arguments->flags[index]->letter != (char)option) {
        index++;
    }
    return index;
}

static int take_flag(struct arguments *arguments, int option, FILE *errors)
{
    char why[VALUE_WHY_MAX];
    size_t index = flag_index(arguments, option);
    assert(index < arguments->flag_count);
    const struct flag *flag = arguments->flags[index];
    const char *text = flag->rule.type == VALUE_SWITCH ? "" : optarg;
    if (flag == &flag_help) {
        return -1;
    }
    if (value_read(&flag->rule, text, &arguments->values[index], why) < 0) {
        return complain(arguments->command, errors, "--%s: %s", flag->name, why);
    }
    arguments->values[index].is_given = true;
    return EXIT_DONE;
}

/* Says what is wrong with the word that getopt_long stopped at. */
static int reject_word(const struct arguments *arguments, int option, char **argv, FILE *errors)
{
    const char *word = argv[optind - 1];
    if (option == ':') {
        return complain(arguments->command, errors, "%s needs a value", word);
    }
    if (optopt >= '0' && optopt <= '9') {
        return complain(arguments->command, errors,
                        "no flag -%c; a negative number goes behind --, as in "
                        "tender account fund -- PRINCIPAL -5",
                        optopt);
    }
    if (optopt != 0 && optopt < 1000) {
        return complain(arguments->command, errors, "no flag -%c; see tender %s --help", optopt,
                        arguments->command->name);
    }
    if (optopt >= 1000) {
        return complain(arguments->command, errors, "--%s takes no value",
                        arguments->flags[optopt - 1000]->name);
    }
    for (size_t i = 0; i < arguments->flag_count && strncmp(word, "--", 2) == 0; i++) {
        if (distance(arguments->flags[i]->name, word + 2) <= 2) {
            return complain(arguments->command, errors, "no flag %s; did you mean --%s?", word,
                            arguments->flags[i]->name);
        }
    }
    return complain(arguments->command, errors,
                    "no flag %s, or not the only one it could be; see "
                    "tender %s --help",
                    word, arguments->command->name);
}

static void take_presets(struct arguments *arguments)
{
    char why[VALUE_WHY_MAX];
    for (size_t i = 0; i < arguments->flag_count; i++) {
        const struct flag *flag = arguments->flags[i];
        if (!arguments->values[i].is_set && flag->preset != NULL) {
            int status = value_read(&flag->rule, flag->preset, &arguments->values[i], why);
            assert(status == 0);
            (void)status;
        }
    }
}

int command_complete(const struct arguments *arguments, FILE *errors)
{
    for (size_t i = 0; i < arguments->flag_count; i++) {
        const struct flag *flag = arguments->flags[i];
        if (!arguments->values[i].is_set && flag->is_required) {
            char form[VALUE_FORM_MAX];
            value_describe(&flag->rule, form);
            return complain(arguments->command, errors, "--%s is missing: %s (%s)", flag->name,
                            flag->help, form);
        }
    }
    return EXIT_DONE;
}

static int take_operands(struct arguments *arguments, int argc, char **argv, FILE *errors)
{
    char why[VALUE_WHY_MAX];
    const struct operand *row = arguments->command->operands;
    int i = 0;
    for (; row != NULL && row->name != NULL; row++) {
        if (i >= argc && !row->is_optional) {
            return complain(arguments->command, errors, "%s is missing: %s", row->name, row->help);
        }
        if (i < argc) {
            struct value *value = &arguments->operands[arguments->operand_count++];
            if (value_read(&row->rule, argv[i], value, why) < 0) {
                return complain(arguments->command, errors, "%s: %s", row->name, why);
            }
            value->is_given = true;
            i++;
        }
    }
    if (i < argc) {
        return complain(arguments->command, errors, "\"%s\" is one word too many", argv[i]);
    }
    return EXIT_DONE;
}

/* Splits what follows "--" off for commands that start another program. Returns the words left. */
static int split_rest(struct arguments *arguments, int argc, char **argv)
{
    if ((arguments->command->common & COMMAND_PASSES_ALL) != 0) {
        arguments->rest = argv + 1;
        arguments->rest_count = argc - 1;
        return 1;
    }
    for (int i = 1; i < argc && (arguments->command->common & COMMAND_TAKES_REST) != 0; i++) {
        if (strcmp(argv[i], "--") == 0) {
            arguments->rest = argv + i + 1;
            arguments->rest_count = argc - i - 1;
            return i;
        }
    }
    return argc;
}

int command_parse(const struct command *command, int argc, char **argv,
                  struct arguments *arguments_out, FILE *errors)
{
    struct arguments *arguments = arguments_out;
    *arguments = (struct arguments){.command = command};
    arguments->flag_count = command_flags(command, arguments->flags);
    if ((command->common & COMMAND_PASSES_ALL) != 0 && argc > 1 && strcmp(argv[1], "--help") == 0) {
        return -1;
    }
    argc = split_rest(arguments, argc, argv);
    struct option options[COMMAND_FLAGS_MAX + 1];
    char letters[2 * COMMAND_FLAGS_MAX + 2];
    list_options(arguments, options, letters);
    optind = 0;
    opterr = 0;
    int option;
    while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        int status = option == '?' || option == ':' ? reject_word(arguments, option, argv, errors)
                                                    : take_flag(arguments, option, errors);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    int status = take_operands(arguments, argc - optind, argv + optind, errors);
    take_presets(arguments);
    if (status == EXIT_DONE && (command->common & COMMAND_READS_LINES) == 0) {
        status = command_complete(arguments, errors);
    }
    if (status == EXIT_DONE && (command->common & COMMAND_TAKES_REST) != 0 &&
        arguments->rest_count == 0) {
        return complain(command, errors, "-- %s is missing", command->rest_name);
    }
    return status;
}

size_t argument_index(const struct arguments *arguments, const char *flag)
{
    size_t i = 0;
    while (i < arguments->flag_count && strcmp(arguments->flags[i]->name, flag) != 0) {
        i++;
    }
    return i;
}

const struct value *argument(const struct arguments *arguments, const char *flag)
{
    size_t index = argument_index(arguments, flag);
    assert(index < arguments->flag_count);
    return &arguments->values[index];
}

int64_t argument_number(const struct arguments *arguments, const char *flag)
{
    return argument(arguments, flag)->number;
}

const char *argument_text(const struct arguments *arguments, const char *flag)
{
    return argument(arguments, flag)->text;
}

const struct value *operand(const struct arguments *arguments, size_t index)
{
    assert(index < COMMAND_OPERANDS_MAX);
    return &arguments->operands[index];
}

enum output_format argument_format(const struct arguments *arguments)
{
    return (enum output_format)argument_number(arguments, "output");
}
