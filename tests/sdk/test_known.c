/*
 * Goal: who was told no key of a broker keeps the first that answers at an address and refuses any
 * other there, naming file and line; the file is its owner's, survives a machine that goes down in
 * the middle of a line, and processes that write it at once; and it can be turned off.
 * Method: the lookup alone on files in a directory of the test's own, then a contractor with a
 * scripted broker (stage.h).
 */
#include "stage.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "known.h"
#include "proving.h"

#define URL       "ipc:///run/one broker.ipc" /* addresses may have blanks */
#define PROCESSES 8

static char directory[64];
static char path[128];
static struct known known;
static struct error error;
static uint8_t first[TENDER_PUBLIC_KEY_SIZE];
static uint8_t second[TENDER_PUBLIC_KEY_SIZE];

static void make_public(uint8_t key_out[TENDER_PUBLIC_KEY_SIZE])
{
    tender_key *key = NULL;
    assert_int_equal(tender_key_new(&key), 0);
    memcpy(key_out, tender_key_public(key), TENDER_PUBLIC_KEY_SIZE);
    tender_key_free(key);
}

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/tender-known-XXXXXX");
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/known", directory);
    make_public(first);
    make_public(second);
    return known_init(&known, path, &error);
}

static int remove_directory(void **state)
{
    char command[128];
    (void)state;
    known_release(&known);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static const char *text_of(const uint8_t *key)
{
    static char texts[2][TENDER_KEY_TEXT_SIZE];
    static int turn;
    char *text = texts[turn++ % 2];
    tender_key_text(key, text);
    return text;
}

static void put(const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
}

static const char *content(void)
{
    static char text[8192];
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void expect_refused(int status, const char *words)
{
    assert_int_equal(known_check(&known, URL, second, &error), status);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' has no '%s'", error.text, words);
    }
}

static void the_first_key_is_kept_and_another_is_refused_by_file_and_line(void **state)
{
    char line[256];
    struct stat status;
    (void)state;
    assert_int_equal(known_check(&known, "tcp://127.0.0.1:1", second, &error), 0);
    assert_int_equal(known_check(&known, URL, first, &error), 0);
    assert_int_equal(known_check(&known, URL, first, &error), 0);
    snprintf(line, sizeof line, "tcp://127.0.0.1:1 %s\n" URL " %s\n", text_of(second),
             text_of(first));
    assert_string_equal(content(), line);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    snprintf(line, sizeof line, "%s:2: the broker at " URL " had another key than %s", path,
             text_of(second));
    expect_refused(TENDER_EREFUSED, line);
    expect_refused(TENDER_EREFUSED, "delete that line");
}

static void an_address_may_have_several_keys_and_people_their_notes(void **state)
{
    char lines[512];
    (void)state;
    snprintf(lines, sizeof lines, "# ours\n\n" URL " %s\n" URL " %s\n", text_of(first),
             text_of(second));
    put(lines);
    assert_int_equal(known_check(&known, URL, first, &error), 0);
    assert_int_equal(known_check(&known, URL, second, &error), 0);
    assert_string_equal(content(), lines);
}

static void what_is_no_line_is_refused_by_its_number(void **state)
{
    char lines[512];
    (void)state;
    snprintf(lines, sizeof lines, "# ours\nnonsense\n" URL " %s\n", text_of(second));
    put(lines);
    assert_int_equal(known_check(&known, URL, second, &error), TENDER_EINVAL);
    assert_non_null(strstr(error.text, ":2 is no address with a blank and a key"));
    snprintf(lines, sizeof lines, " %s\n", text_of(second));
    put(lines);
    expect_refused(TENDER_EINVAL, ":1 is no address");
}

static void a_line_that_was_cut_off_is_written_again(void **state)
{
    char lines[512];
    (void)state;
    snprintf(lines, sizeof lines, "# ours\n" URL " %.20s", text_of(first));
    put(lines);
    assert_int_equal(known_check(&known, URL, second, &error), 0);
    snprintf(lines, sizeof lines, "# ours\n" URL " %s\n", text_of(second));
    assert_string_equal(content(), lines);
}

static void a_file_that_others_may_write_is_not_believed(void **state)
{
    (void)state;
    put("");
    assert_int_equal(chmod(path, 0620), 0);
    expect_refused(TENDER_EREFUSED, "alone may write");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(TENDER_EREFUSED, "alone may write");
}

static void a_file_that_was_named_must_be_usable_and_the_usual_one_need_not(void **state)
{
    (void)state;
    known_release(&known);
    snprintf(path, sizeof path, "%s/none/known", directory);
    assert_int_equal(known_init(&known, path, &error), 0);
    expect_refused(TENDER_ESYSTEM, "No such file");
    known.is_named = false;
    assert_int_equal(known_check(&known, URL, first, &error), 0);
    assert_int_equal(known_check(&known, URL, second, &error), 0);
}

static void the_usual_file_lies_in_the_users_state(void **state)
{
    char expected[160];
    (void)state;
    known_release(&known);
    assert_int_equal(unsetenv("TENDER_KNOWN_BROKERS"), 0);
    assert_int_equal(setenv("XDG_STATE_HOME", directory, 1), 0);
    assert_int_equal(known_init(&known, NULL, &error), 0);
    snprintf(expected, sizeof expected, "%s/tender/known-brokers", directory);
    assert_string_equal(known.path, expected);
    assert_int_equal(known_check(&known, URL, first, &error), 0);
    expect_refused(TENDER_EREFUSED, expected);
    known_release(&known);
    assert_int_equal(unsetenv("XDG_STATE_HOME"), 0);
    assert_int_equal(setenv("HOME", directory, 1), 0);
    assert_int_equal(known_init(&known, NULL, &error), 0);
    snprintf(expected, sizeof expected, "%s/.local/state/tender/known-brokers", directory);
    assert_string_equal(known.path, expected);
    assert_int_equal(known_check(&known, URL, first, &error), 0);
    assert_int_equal(access(expected, F_OK), 0);
    known_release(&known);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_int_equal(known_init(&known, NULL, &error), 0);
    assert_null(known.path);
    assert_int_equal(known_check(&known, URL, second, &error), 0);
    assert_int_equal(setenv("TENDER_KNOWN_BROKERS", "", 1), 0);
    assert_int_equal(known_init(&known, NULL, &error), 0);
    assert_null(known.path);
}

/* All meet another broker at the same address first: one of them is right from then on. */
static void processes_that_write_at_once_agree(void **state)
{
    pid_t processes[PROCESSES];
    int believed = 0;
    (void)state;
    for (int i = 0; i < PROCESSES; i++) {
        uint8_t key[TENDER_PUBLIC_KEY_SIZE];
        make_public(key);
        processes[i] = fork();
        if (processes[i] == 0) {
            _exit(known_check(&known, URL, key, &error) == 0 ? 0 : 1);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(processes[i], &status, 0), processes[i]);
        believed += status == 0;
    }
    assert_int_equal(believed, 1);
}

/* Opens a contractor, whose question is answered. */
static void open_contractor(const char *known_brokers)
{
    tender_options options = options_of_test();
    options.known_brokers = known_brokers;
    broker_open(&broker);
    assert_int_equal(tender_contractor_open(&options, &self), 0);
}

static void a_contractor_speaks_to_the_broker_that_it_knows_and_to_no_other(void **state)
{
    char lines[256];
    const tender_event *event = NULL;
    (void)state;
    open_contractor(path);
    broker_welcome(&broker);
    next(TENDER_EVENT_CONTACT);
    snprintf(lines, sizeof lines, "%s %s\n", broker.url, text_of(tender_key_public(proving_key())));
    assert_string_equal(content(), lines);
    snprintf(lines, sizeof lines, "%s %s\n", broker.url, text_of(first));
    put(lines); /* as if another one had answered */
    broker_restart(&broker);
    int status = 0;
    for (int tries = 0; tries < 100 && status >= 0; tries++) { /* it may hear first that it lost */
        (void)broker_listen(&broker, 100);
        status = tender_contractor_next(self, 0, &event);
    }
    assert_int_equal(status, TENDER_EREFUSED);
    assert_non_null(strstr(tender_contractor_last_error(self), "known:1: the broker at tcp://"));
    (void)tear_down(NULL);
    open_contractor("");
    broker_welcome(&broker); /* whoever it is */
    next(TENDER_EVENT_CONTACT);
    (void)tear_down(NULL);
}

#define claim(function) cmocka_unit_test_setup_teardown(function, make_directory, remove_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claim(the_first_key_is_kept_and_another_is_refused_by_file_and_line),
        claim(an_address_may_have_several_keys_and_people_their_notes),
        claim(what_is_no_line_is_refused_by_its_number),
        claim(a_line_that_was_cut_off_is_written_again),
        claim(a_file_that_others_may_write_is_not_believed),
        claim(a_file_that_was_named_must_be_usable_and_the_usual_one_need_not),
        claim(the_usual_file_lies_in_the_users_state),
        claim(processes_that_write_at_once_agree),
        claim(a_contractor_speaks_to_the_broker_that_it_knows_and_to_no_other),
    };
    return broker_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
