/*
 * Goal: a configuration, from a file or from the command line, is taken within its ranges or
 * refused with a sentence; what was taken is written and read again to the same. Method: the first
 * byte chooses file or command line; there NUL parts the arguments. No file is opened.
 */
#include "fuzz.h"

#include "config.h"

#define ARGUMENTS_MAX 64

/* Files are kept from the code under test, not from the fuzzer. */
static bool is_under_test;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return is_under_test ? NULL : __real_fopen(path, mode);
}

static void check_error(int status, const struct config_error *error)
{
    expect(status == TENDER_EINVAL || status == TENDER_ESYSTEM);
    expect(error->text[0] != '\0' && strchr(error->text, '\n') == NULL);
    expect(error->line >= 0 && error->column >= 0);
}

static int read_bytes(struct config *config, const void *bytes, size_t size,
                      struct config_error *error)
{
    FILE *file = fmemopen((void *)(uintptr_t)bytes, size, "r");
    expect(file != NULL);
    int status = config_read(config, file, error);
    fclose(file);
    return status;
}

/* Written and read again it is the same. */
static void write_again(const struct config *config)
{
    static struct config again;
    struct config_error error;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    expect(file != NULL);
    config_write(config, false, file);
    fclose(file);
    config_init(&again);
    expect(read_bytes(&again, text, size, &error) == 0);
    const char *name = NULL;
    expect(config_reload(&again, config, &name) == 0);
    free(text);
}

/* Every option on its own: nothing is outside of what its row allows. */
static void check_ranges(const struct config *config)
{
#define CHECK_TEXT(member, low, high)                                                              \
    expect(memchr(config->member, '\0', sizeof config->member) != NULL);                           \
    expect(strlen(config->member) + 1 > (low) && strlen(config->member) <= (high));
#define CHECK_DURATION(member, low, high) expect(config->member >= low && config->member <= high);
#define CHECK_COUNT                       CHECK_DURATION
#define CHECK_SIZE                        CHECK_DURATION
#define CHECK_FLAG                        CHECK_DURATION
#define OPTION(TYPE, member, name, value, minimum, maximum, reloadable, help)                      \
    CHECK_##TYPE(member, minimum, maximum)
#include "options.def"
#undef OPTION
}

static void read_arguments(struct input input, struct config *config)
{
    char *arguments[ARGUMENTS_MAX + 2] = {(char *)(uintptr_t) "tenderd"};
    char *text = input_text(input);
    int count = 1;
    for (size_t at = 0; at < input.size && count <= ARGUMENTS_MAX; at += strlen(text + at) + 1) {
        arguments[count++] = text + at;
    }
    struct config_request request;
    struct config_error error;
    is_under_test = true;
    int status = config_gather(config, count, arguments, &request, &error);
    is_under_test = false;
    if (status != 0) {
        check_error(status, &error);
    } else {
        check_ranges(config);
        write_again(config);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct config config;
    struct input input = {data, size};
    if (input_byte(&input) % 2 == 1) {
        read_arguments(input, &config);
        return 0;
    }
    struct config_error error;
    if (input.size == 0) {
        return 0; /* fmemopen has no file of no bytes */
    }
    config_init(&config);
    int status = read_bytes(&config, input.data, input.size, &error);
    check_ranges(&config);
    if (status != 0) {
        check_error(status, &error);
        expect(error.line >= 1);
    } else {
        write_again(&config);
    }
    return 0;
}
