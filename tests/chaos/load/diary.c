/* Journals and chance: see load.h. A line is one write, so that a kill leaves whole lines. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_SIZE 512

static void path_of(char *path, size_t size, const char *directory, const char *name)
{
    if (snprintf(path, size, "%s/%s.journal", directory, name) >= (int)size) {
        load_fail("the path of a journal is too long");
    }
}

void diary_open(struct diary *diary, const char *directory, const char *name)
{
    char path[1024];
    path_of(path, sizeof path, directory, name);
    diary->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (diary->fd < 0) {
        load_fail("%s: %s", path, strerror(errno));
    }
}

void diary_write(const struct diary *diary, const char *format, ...)
{
    char line[LINE_MAX_SIZE];
    int size = snprintf(line, sizeof line, "%" PRId64 " ", load_now());
    va_list arguments;
    va_start(arguments, format);
    size += vsnprintf(line + size, sizeof line - (size_t)size, format, arguments);
    va_end(arguments);
    if (size >= (int)sizeof line - 1) {
        load_fail("a line of a journal is too long");
    }
    line[size++] = '\n';
    if (write(diary->fd, line, (size_t)size) != size) {
        load_fail("a journal cannot be written: %s", strerror(errno));
    }
}

void diary_read(const char *directory, const char *name, void (*on_line)(void *context, char *line),
                void *context)
{
    char path[1024];
    char line[LINE_MAX_SIZE];
    path_of(path, sizeof path, directory, name);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *words = strchr(line, ' ');
        if (words != NULL && strchr(words, '\n') != NULL) {
            on_line(context, words + 1);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

const char *text_of(tender_id id)
{
    static char text[TENDER_ID_TEXT_SIZE];
    tender_id_format(id, text);
    return text;
}

static uint64_t chance(uint64_t *state)
{
    uint64_t mixed = (*state += UINT64_C(0x9e3779b97f4a7c15));
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

uint32_t chance_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(chance(state) % limit);
}

bool chance_of(uint64_t *state, uint32_t percent)
{
    return chance_below(state, 100) < percent;
}
