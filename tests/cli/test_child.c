/*
 * Goal: a program gets its payload and leaves its result, however it reads, writes and ends.
 * Method: small shells, polled as tender contractor exec does, until they are gone.
 */
#include "exec_child.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

extern char **environ;

/* Starts a shell and serves it until its process is gone. Returns the wait status. */
static int run(struct child *child, const char *script, const char *payload, size_t size)
{
    char *words[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    int status = 0;
    assert_int_equal(child_start(child, words, environ, payload, size), 0);
    while (waitpid(child->pid, &status, WNOHANG) == 0) {
        struct pollfd fds[CHILD_FDS];
        child_poll(child, fds);
        poll(fds, CHILD_FDS, 20);
        child_turn(child);
        if (child->result_size > TENDER_CONTENT_MAX) {
            child_signal(child, SIGKILL);
        }
    }
    child_drain(child);
    return status;
}

static void a_result_is_what_was_printed(void **state)
{
    (void)state;
    struct child child;
    assert_int_equal(run(&child, "tr a-z A-Z", "hello", 5), 0);
    assert_int_equal(child.result_size, 5);
    assert_memory_equal(child.result, "HELLO", 5);
    child_release(&child);
}

static void a_full_payload_comes_back_as_a_full_result(void **state)
{
    (void)state;
    struct child child;
    char *payload = malloc(TENDER_CONTENT_MAX);
    memset(payload, 'x', TENDER_CONTENT_MAX);
    assert_int_equal(run(&child, "cat", payload, TENDER_CONTENT_MAX), 0);
    assert_int_equal(child.result_size, TENDER_CONTENT_MAX);
    assert_memory_equal(child.result, payload, TENDER_CONTENT_MAX);
    child_release(&child);
    free(payload);
}

static void a_program_may_ignore_its_payload(void **state)
{
    (void)state;
    struct child child;
    char *payload = calloc(1, TENDER_CONTENT_MAX);
    assert_int_equal(run(&child, "exec <&-; echo done", payload, TENDER_CONTENT_MAX), 0);
    assert_memory_equal(child.result, "done\n", 5);
    child_release(&child);
    free(payload);
}

static void too_much_output_is_told_from_a_result(void **state)
{
    (void)state;
    struct child child;
    char text[256];
    int status = run(&child, "yes", NULL, 0);
    assert_true(child.result_size > TENDER_CONTENT_MAX);
    child_verdict(&child, status, text, sizeof(text));
    assert_string_equal(text, "it printed more than 65536 bytes");
    child_release(&child);
}

static void L9_the_last_errors_become_a_clean_text(void **state)
{
    (void)state;
    struct child child;
    char text[TENDER_TEXT_MAX];
    int status = run(&child, "printf 'a\\377\\000b\\033[31m\\n' >&2; exit 3", NULL, 0);
    child_verdict(&child, status, text, sizeof(text));
    assert_string_equal(text, "it ended with exit code 3: a\xef\xbf\xbd b[31m");
    assert_true(tender_text_is_valid(text, strlen(text)));
    child_release(&child);
    status = run(&child, "head -c 1000000 /dev/zero | tr '\\000' e >&2; printf END >&2; exit 1",
                 NULL, 0);
    child_verdict(&child, status, text, sizeof(text));
    assert_string_equal(text + strlen(text) - 4, "eEND");
    assert_true(strlen(text) < TENDER_TEXT_MAX);
    child_release(&child);
}

static void a_signal_is_named(void **state)
{
    (void)state;
    struct child child;
    char text[256];
    int status = run(&child, "kill -9 $$", NULL, 0);
    child_verdict(&child, status, text, sizeof(text));
    assert_string_equal(text, "it was ended by signal 9 (Killed)");
    child_release(&child);
}

static void the_whole_group_is_signalled(void **state)
{
    (void)state;
    struct child child;
    char *words[] = {"sh", "-c", "sleep 1000 & echo $!; wait", NULL};
    int status = 0;
    assert_int_equal(child_start(&child, words, environ, NULL, 0), 0);
    while (child.result_size == 0) {
        struct pollfd fds[CHILD_FDS];
        child_poll(&child, fds);
        poll(fds, CHILD_FDS, 20);
        child_turn(&child);
    }
    child.result[child.result_size] = '\0';
    pid_t grandchild = (pid_t)strtol(child.result, NULL, 10);
    child_signal(&child, SIGKILL);
    assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
    /* Orphans are reaped by others; gone or a zombie are both dead. */
    char path[64];
    char line[256] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", grandchild);
    for (int i = 0; i < 500; i++) {
        FILE *file = fopen(path, "r");
        if (file == NULL || fgets(line, sizeof(line), file) == NULL ||
            strstr(line, ") Z") != NULL) {
            line[0] = '\0';
        }
        if (file != NULL) {
            fclose(file);
        }
        if (line[0] == '\0') {
            break;
        }
        poll(NULL, 0, 10);
    }
    assert_string_equal(line, "");
    child_drain(&child);
    child_release(&child);
}

static void a_program_that_is_not_there_is_said(void **state)
{
    (void)state;
    struct child child;
    char *words[] = {"no-such-program-here", NULL};
    assert_int_equal(child_start(&child, words, environ, NULL, 0), TENDER_ESYSTEM);
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_is_what_was_printed),
        cmocka_unit_test(a_full_payload_comes_back_as_a_full_result),
        cmocka_unit_test(a_program_may_ignore_its_payload),
        cmocka_unit_test(too_much_output_is_told_from_a_result),
        cmocka_unit_test(L9_the_last_errors_become_a_clean_text),
        cmocka_unit_test(a_signal_is_named),
        cmocka_unit_test(the_whole_group_is_signalled),
        cmocka_unit_test(a_program_that_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
