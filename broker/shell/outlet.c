/*
 * The newest checkpoints, to a file and a command: see outlet.h.
 */
#include "outlet.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"

#define TEXT_SIZE ((size_t)SHARDS_MAX * TENDER_CHECKPOINT_TEXT_MAX)

void outlet_init(struct outlet *outlet, uv_loop_t *loop, const struct config *config)
{
    memset(outlet, 0, sizeof(*outlet));
    outlet->loop = loop;
    outlet->config = config;
}

void outlet_take(struct outlet *outlet, const tender_checkpoint *checkpoint)
{
    outlet->newest[checkpoint->shard] = *checkpoint;
    outlet->is_new = true;
}

static size_t format(const struct outlet *outlet, char text_out[TEXT_SIZE])
{
    size_t size = 0;
    for (uint32_t shard = 0; shard < SHARDS_MAX; shard++) {
        if (outlet->newest[shard].size > 0) {
            size += tender_checkpoint_format(&outlet->newest[shard], text_out + size);
        }
    }
    return size;
}

static void complain(const char *what, const char *why)
{
    struct log_line line;
    log_begin(&line, LOG_LEVEL_ERROR, "checkpoint-not-exported");
    log_string(&line, "to", what);
    log_string(&line, "why", why);
    log_end(&line);
}

/* Beside its place first, so that who reads finds whole ones. */
static void write_file(const char *path, const char *text, size_t size)
{
    char beside[CONFIG_TEXT_SIZE + 8];
    snprintf(beside, sizeof(beside), "%s.new", path);
    FILE *file = fopen(beside, "we");
    bool is_written = file != NULL && fwrite(text, 1, size, file) == size;
    is_written = (file == NULL || fclose(file) == 0) && is_written;
    if (!is_written || rename(beside, path) != 0) {
        complain(path, strerror(errno));
    }
}

static void on_closed(uv_handle_t *handle)
{
    struct outlet *outlet = handle->data;
    outlet->is_running = false;
}

static void on_exit(uv_process_t *process, int64_t code, int number)
{
    const struct outlet *outlet = process->data;
    if (code != 0 || number != 0) {
        char why[64];
        snprintf(why, sizeof(why), number != 0 ? "ended by signal %d" : "it returned %d",
                 number != 0 ? number : (int)code);
        complain(outlet->config->checkpoint_command, why);
    }
    uv_close((uv_handle_t *)process, on_closed);
}

/* Its input is a file without a name: it may read as slowly as it likes. */
static void run_command(struct outlet *outlet, const char *text, size_t size)
{
    static char shell[] = "/bin/sh";
    static char option[] = "-c";
    char *arguments[] = {shell, option, (char *)outlet->config->checkpoint_command, NULL};
    int input = memfd_create("checkpoint", MFD_CLOEXEC);
    if (input < 0 || write(input, text, size) != (ssize_t)size || lseek(input, 0, SEEK_SET) != 0) {
        complain(outlet->config->checkpoint_command, strerror(errno));
    } else {
        uv_stdio_container_t stdio[3] = {{.flags = UV_INHERIT_FD, .data.fd = input},
                                         {.flags = UV_IGNORE},
                                         {.flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO}};
        uv_process_options_t options = {
            .exit_cb = on_exit, .file = shell, .args = arguments, .stdio_count = 3, .stdio = stdio};
        int status = uv_spawn(outlet->loop, &outlet->process, &options);
        outlet->process.data = outlet;
        outlet->is_running = true;
        if (status != 0) {
            complain(outlet->config->checkpoint_command, uv_strerror(status));
            uv_close((uv_handle_t *)&outlet->process, on_closed);
        }
    }
    if (input >= 0) {
        close(input);
    }
}

void outlet_tell(struct outlet *outlet)
{
    static char text[TEXT_SIZE];
    bool has_command = outlet->config->checkpoint_command[0] != '\0';
    if (!outlet->is_new || (has_command && outlet->is_running)) {
        return;
    }
    size_t size = format(outlet, text);
    outlet->is_new = false;
    if (outlet->config->checkpoint_file[0] != '\0') {
        write_file(outlet->config->checkpoint_file, text, size);
    }
    if (has_command) {
        run_command(outlet, text, size);
    }
}
