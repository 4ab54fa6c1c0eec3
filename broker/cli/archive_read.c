/* Reads an archive and computes everything anew: see archive.h. */
#include "archive.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct arguments *arguments;
    const char *path;
    const tender_id *task;
    const struct archive_sink *sink;
    struct chains chains;
    struct archive_found found;
    uint64_t tasks; /* rows of tasks */
};

static int fail(const struct reader *reader, const char *name, const char *what)
{
    return command_fail(reader->arguments, EXIT_OTHERWISE, "%s/%s %s", reader->path, name, what);
}

static FILE *open_file(const struct reader *reader, const char *name)
{
    char path[ARCHIVE_PATH_MAX];
    bool fits = (size_t)snprintf(path, sizeof(path), "%s/%s", reader->path, name) < sizeof(path);
    return fits ? fopen(path, "re") : NULL;
}

/* "cannot be read", or what is wrong with the entry, or NULL. */
static const char *read_entry(struct reader *reader, const json_t *line)
{
    static uint8_t content[TENDER_CONTENT_MAX];
    const char *task = json_string_value(json_object_get(line, "task"));
    const char *hash = json_string_value(json_object_get(line, "hash"));
    const char *base64 = json_string_value(json_object_get(line, "content"));
    size_t hash_size = 0;
    struct stored stored = {.number = (uint64_t)json_integer_value(json_object_get(line, "number")),
                            .at_us = json_integer_value(json_object_get(line, "at_us")),
                            .kind = json_string_value(json_object_get(line, "kind")),
                            .body = json_string_value(json_object_get(line, "body")),
                            .content = content};
    if (task == NULL || hash == NULL || stored.kind == NULL || stored.body == NULL ||
        tender_id_parse(task, strlen(task), &stored.task) != 0 ||
        sodium_hex2bin(stored.hash.bytes, sizeof(stored.hash.bytes), hash, strlen(hash), NULL,
                       &hash_size, NULL) != 0 ||
        hash_size != sizeof(stored.hash.bytes)) {
        return "cannot be read";
    }
    if (base64 != NULL &&
        sodium_base642bin(content, sizeof(content), base64, strlen(base64), NULL,
                          &stored.content_size, NULL, sodium_base64_VARIANT_ORIGINAL) != 0) {
        return "cannot be read";
    }
    const char *fault =
        chains_add(&reader->chains, json_integer_value(json_object_get(line, "shard")), &stored);
    if (reader->task != NULL && memcmp(reader->task, &stored.task, sizeof(stored.task)) == 0) {
        reader->found =
            (struct archive_found){.entries = reader->chains.number, .head = stored.hash};
    }
    if (fault == NULL && reader->sink != NULL) {
        fault = reader->sink->on_entry(reader->sink->context, reader->chains.shard, &stored);
    }
    return fault;
}

static const char *read_row(struct reader *reader, const json_t *line)
{
    const char *table = json_string_value(json_object_get(line, "table"));
    reader->tasks += table != NULL && strcmp(table, "task") == 0;
    return table != NULL ? NULL : "cannot be read";
}

/* Each line of a file, with its digest. */
static int read_lines(struct reader *reader, const char *name,
                      const char *(*on_line)(struct reader *reader, const json_t *line),
                      tender_digest *digest_out)
{
    char *text = NULL;
    size_t capacity = 0;
    ssize_t size;
    uint64_t number = 0;
    int code = EXIT_DONE;
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    FILE *file = open_file(reader, name);
    if (file == NULL) {
        return fail(reader, name, strerror(errno));
    }
    while (code == EXIT_DONE && (size = getline(&text, &capacity, file)) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        const char *fault = line == NULL ? "cannot be read" : on_line(reader, line);
        json_decref(line);
        number++;
        crypto_hash_sha256_update(&state, (const uint8_t *)text, (size_t)size);
        if (fault != NULL) {
            code = command_fail(reader->arguments, EXIT_OTHERWISE,
                                "%s/%s: the entry in line %" PRIu64 " %s", reader->path, name,
                                number, fault);
        }
    }
    if (code == EXIT_DONE && ferror(file) != 0) {
        code = fail(reader, name, strerror(errno));
    }
    fclose(file);
    free(text);
    crypto_hash_sha256_final(&state, digest_out->bytes);
    return code;
}

/* Whether the manifest gives this digest under `name` in `object`. */
static bool gives_digest(const json_t *object, const char *name, const tender_digest *digest)
{
    return chain_is_hex(digest, json_string_value(json_object_get(object, name)));
}

static int check_file(struct reader *reader, const json_t *manifest, size_t index, const char *name,
                      const char *(*on_line)(struct reader *reader, const json_t *line))
{
    const json_t *row = json_array_get(json_object_get(manifest, "files"), index);
    tender_digest digest;
    int code = read_lines(reader, name, on_line, &digest);
    return code != EXIT_DONE ? code
           : gives_digest(row, "sha256", &digest)
               ? EXIT_DONE
               : fail(reader, name, "is not as its manifest says");
}

static int load_manifest(const struct reader *reader, json_t **manifest_out, tender_digest *digest)
{
    static char text[4 << 20]; /* the money of some ten thousand principals */
    FILE *file = open_file(reader, ARCHIVE_MANIFEST);
    if (file == NULL) {
        return fail(reader, ARCHIVE_MANIFEST, strerror(errno));
    }
    size_t size = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[size] = '\0';
    crypto_hash_sha256(digest->bytes, (const uint8_t *)text, size);
    *manifest_out = json_loads(text, 0, NULL);
    const char *format = json_string_value(json_object_get(*manifest_out, "format"));
    return format != NULL && strcmp(format, ARCHIVE_FORMAT) == 0
               ? EXIT_DONE
               : fail(reader, ARCHIVE_MANIFEST, "is not of the format " ARCHIVE_FORMAT);
}

int archive_read(const struct arguments *arguments, const char *path, const tender_id *task,
                 const struct archive_sink *sink, struct archive_proof *proof_out,
                 struct archive_found *found_out)
{
    struct reader reader = {.arguments = arguments, .path = path, .task = task, .sink = sink};
    json_t *manifest = NULL;
    int code = load_manifest(&reader, &manifest, &proof_out->manifest);
    if (code == EXIT_DONE) {
        code = check_file(&reader, manifest, 0, ARCHIVE_ENTRIES, read_entry);
    }
    if (code == EXIT_DONE) {
        code = check_file(&reader, manifest, 1, ARCHIVE_ROWS, read_row);
    }
    chains_end(&reader.chains);
    proof_out->tasks = reader.tasks;
    proof_out->entries = reader.chains.entries;
    proof_out->root = tree_root(&reader.chains.tree);
    *found_out = reader.found;
    bool agrees =
        gives_digest(manifest, "root", &proof_out->root) &&
        (uint64_t)json_integer_value(json_object_get(manifest, "tasks")) == proof_out->tasks &&
        (uint64_t)json_integer_value(json_object_get(manifest, "entries")) == proof_out->entries &&
        reader.chains.tree.count == proof_out->tasks;
    if (code == EXIT_DONE && !agrees) {
        code = fail(&reader, ARCHIVE_MANIFEST, "does not agree with the entries");
    }
    json_decref(manifest);
    return code;
}
