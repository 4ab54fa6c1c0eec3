#include "processor.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct usage {
    int parent;
    double seconds;
};

/* Fields 4 and 14 to 17 of /proc/PID/stat; the name before them may hold anything but ends at ')'.
 */
static struct usage usage_of(int pid)
{
    char path[64];
    char text[1024];
    struct usage usage = {0, 0};
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return usage;
    }
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *rest = strrchr(text, ')');
    unsigned long ticks[4] = {0};
    if (rest != NULL &&
        sscanf(rest + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu",
               &usage.parent, &ticks[0], &ticks[1], &ticks[2], &ticks[3]) == 5) {
        usage.seconds =
            (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK);
    }
    return usage;
}

double processor_of(int pid)
{
    return pid > 0 ? usage_of(pid).seconds : 0;
}

double processor_of_family(int pid)
{
    double seconds = processor_of(pid);
    DIR *directory = pid > 0 ? opendir("/proc") : NULL;
    if (directory == NULL) {
        return seconds;
    }
    for (struct dirent *item = readdir(directory); item != NULL; item = readdir(directory)) {
        struct usage usage = usage_of((int)strtol(item->d_name, NULL, 10));
        seconds += usage.parent == pid ? usage.seconds : 0;
    }
    closedir(directory);
    return seconds;
}

double processor_of_self(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
