/*
 * Goal: a line of JSON that announces a task is taken within every limit or refused with one
 * printable line. Method: the bytes are the line; the flags beside it are few, or many by the first
 * byte. No file is opened, and nothing is read from standard input.
 */
#include "fuzz.h"

#include <ctype.h>

#include "commands.h"
#include "terms.h"

/* Files are kept from the code under test, not from the fuzzer. */
static bool is_under_test;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return is_under_test ? NULL : __real_fopen(path, mode);
}

static char said[65536]; /* what a complaint printed */

static struct arguments parse(bool is_rich)
{
    static char *poor[] = {"--url", "tcp://127.0.0.1:1", "-"};
    static char *rich[] = {"--skill",
                           "translate.de",
                           "--ceiling",
                           "10",
                           "--window",
                           "5s",
                           "--due",
                           "1h",
                           "--again",
                           "0190163d-8694-739b-aea5-966c26f8ad91",
                           "--principal",
                           "press-ltd",
                           "-"};
    char *copy[16] = {"announce"};
    char **words = is_rich ? rich : poor;
    int count = is_rich ? (int)(sizeof rich / sizeof rich[0]) : (int)(sizeof poor / sizeof poor[0]);
    for (int i = 0; i < count; i++) {
        copy[i + 1] = words[i];
    }
    char *name[] = {"announce"};
    int used = 0;
    struct arguments arguments;
    const struct command *command = command_find(commands, command_count, 1, name, &used);
    expect(command != NULL);
    expect(command_parse(command, count + 1, copy, &arguments, stderr) == EXIT_DONE);
    return arguments;
}

/* What the SDK and the broker would refuse is refused here already. */
static void check_terms(const struct terms *terms)
{
    const tender_task *task = &terms->task;
    expect(tender_skill_is_valid(task->skill, strlen(task->skill)));
    expect(task->key == NULL || (strlen(task->key) >= 1 && strlen(task->key) <= TENDER_KEY_MAX));
    expect(task->units >= 1 && task->ceiling_micro >= 0 && task->due_us >= 1);
    expect(task->deadline_at_us >= 0 && task->deadline_at_us <= TENDER_INSTANT_MAX);
    expect(task->content.size <= TENDER_CONTENT_MAX);
    expect(task->kill_fee_ppm >= 0 && task->kill_fee_ppm <= 1000000);
    expect(task->after_count <= TENDER_AFTER_MAX);
    expect(tender_partial_name(task->partial) != NULL);
    expect(tender_fallback_name(task->fallback) != NULL);
    expect((task->fallback == TENDER_FALLBACK_CONTRACTOR) == (task->contractor != NULL));
    size_t needs = 0;
    while (task->needs != NULL && task->needs[needs] != NULL) {
        expect(tender_skill_is_valid(task->needs[needs], strlen(task->needs[needs])));
        expect(++needs <= TENDER_NEEDS_MAX);
    }
}

/* One line, and nothing in it that could move a cursor. */
static void check_complaint(void)
{
    size_t size = strlen(said);
    expect(size > 1 && said[size - 1] == '\n');
    for (size_t i = 0; i + 1 < size; i++) {
        expect(isprint((unsigned char)said[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arguments arguments[2];
    static bool is_ready;
    if (!is_ready) {
        arguments[0] = parse(false);
        arguments[1] = parse(true);
        expect(freopen("/dev/null", "r", stdin) != NULL);
        is_ready = true;
    }
    struct input input = {data, size};
    bool is_rich = input_byte(&input) % 2 == 1;
    FILE *errors = stderr;
    FILE *captured = fmemopen(said, sizeof said, "w");
    struct terms terms;
    expect(captured != NULL);
    said[0] = '\0';
    stderr = captured;
    is_under_test = true;
    int code = terms_read_line(&arguments[is_rich], (const char *)input.data, input.size,
                               "line 1: ", &terms);
    is_under_test = false;
    stderr = errors;
    fclose(captured);
    if (code == EXIT_DONE) {
        check_terms(&terms);
    } else {
        expect(code == EXIT_BAD_INPUT);
        check_complaint();
    }
    terms_release(&terms);
    return 0;
}
