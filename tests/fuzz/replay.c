/*
 * Runs a fuzz target over files and directories of files: how a corpus is tested by a compiler
 * without libFuzzer.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t replayed;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        perror(path);
        return 1;
    }
    size_t size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size == 0 ? 1 : size); /* exact, so that ASan sees every overrun */
    if (bytes == NULL || fread(bytes, 1, size, file) != size) {
        perror(path);
        free(bytes);
        (void)fclose(file);
        return 1;
    }
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    replayed++;
    return 0;
}

static int replay_directory(const char *path, DIR *directory)
{
    int status = 0;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        char name[4096];
        if (entry->d_name[0] != '.') {
            (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
            status |= replay_file(name);
        }
    }
    return status;
}

int main(int argument_count, char **arguments)
{
    int status = 0;
    for (int i = 1; i < argument_count; i++) {
        DIR *directory = opendir(arguments[i]);
        if (directory == NULL) {
            status |= replay_file(arguments[i]);
        } else {
            status |= replay_directory(arguments[i], directory);
            (void)closedir(directory);
        }
    }
    printf("%zu inputs\n", replayed);
    return replayed == 0 ? 1 : status;
}
