/*
 * Goal: whatever stands in the file of known brokers, a broker is believed or refused with a
 * sentence; what was there stays as it is, and who was believed is known from then on, and another
 * one at that address is not. Method: the input is the file.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "known.h"

#define URL           "ipc:///b"
#define SIZE_MAX_READ (1 << 16)

static int file = -1;
static char path[32];
static uint8_t keys[2][TENDER_PUBLIC_KEY_SIZE];
static uint8_t before[SIZE_MAX_READ];
static uint8_t after[SIZE_MAX_READ];

static void open_file(void)
{
    static const char *const texts[2] = {
        "ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"};
    file = memfd_create("known", MFD_CLOEXEC);
    expect(file >= 0 && fchmod(file, 0600) == 0);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int i = 0; i < 2; i++) {
        expect(tender_key_parse(texts[i], strlen(texts[i]), keys[i]) == 0);
    }
}

static size_t read_file(uint8_t *bytes)
{
    ssize_t size = pread(file, bytes, SIZE_MAX_READ, 0);
    expect(size >= 0);
    return (size_t)size;
}

static int check(int which)
{
    struct known known = {path, true};
    struct error error = {""};
    int status = known_check(&known, URL, keys[which], &error);
    expect(status == 0 ||
           ((status == TENDER_EINVAL || status == TENDER_EREFUSED) && error.text[0] != '\0'));
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (file < 0) {
        open_file();
    }
    size = size < SIZE_MAX_READ / 2 ? size : SIZE_MAX_READ / 2;
    expect(ftruncate(file, 0) == 0);
    expect(size == 0 || pwrite(file, data, size, 0) == (ssize_t)size);
    size_t before_size = read_file(before);
    int status = check(0);
    size_t after_size = read_file(after);
    bool is_same = after_size == before_size && memcmp(after, before, after_size) == 0;
    expect(status == 0 || is_same);
    if (status == 0) {
        size_t kept = before_size; /* whole lines */
        while (kept > 0 && before[kept - 1] != '\n') {
            kept--;
        }
        expect(after_size >= kept && memcmp(after, before, kept) == 0);
        expect(check(0) == 0 && read_file(before) == after_size);
        expect(is_same || check(1) == TENDER_EREFUSED);
    }
    return 0;
}
