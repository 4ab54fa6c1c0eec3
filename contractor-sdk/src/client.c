/*
 * The client's functions: opening, the next event, and asking for things. See tender/client.h.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "contractor.h"
#include "fleet.h"

#define MADE_KEY_SIZE 32

/* In a new session: what was asked and not answered, and how the tasks stand that still run. */
static int renew(struct view *view)
{
    tender_client *self = (tender_client *)view;
    struct outbox *outbox = &view->session->outbox;
    int status = 0;
    for (struct table_node *node = self->requests.oldest; node != NULL && status == 0;
         node = node->newer) {
        const struct request *request = (const struct request *)node;
        status = outbox_add_packed(outbox, (tender_performative)node->number,
                                   (tender_bytes){request->packed, request->size});
    }
    for (struct table_node *node = self->followed.oldest; node != NULL && status == 0;
         node = node->newer) {
        struct message query = {.performative = TENDER_QUERY, .conversation = node->task};
        status = outbox_add(outbox, &query);
    }
    return status;
}

static void release(tender_client *self)
{
    inbox_release(&self->view.inbox);
    table_release(&self->requests, table_free);
    table_release(&self->followed, table_free);
    free(self);
}

static int init(tender_client *self)
{
    self->view.hear = client_hear;
    self->view.contact = client_hear_contact;
    self->view.renew = renew;
    self->view.inbox.descriptor = -1;
    int status = table_init(&self->requests);
    if (status == 0) {
        status = table_init(&self->followed);
    }
    return status == 0 ? inbox_init(&self->view.inbox) : status;
}

/* A client without a session; NULL with the particulars in `error`. */
static tender_client *make(struct error *error, int *status_out)
{
    tender_client *self = calloc(1, sizeof *self);
    *status_out = self == NULL ? TENDER_ENOMEM : init(self);
    if (*status_out == 0) {
        return self;
    }
    (void)error_set(error, *status_out, "%s", tender_strerror(*status_out));
    if (self != NULL) {
        release(self);
    }
    return NULL;
}

int tender_client_open(const tender_options *options, tender_client **client_out)
{
    struct error *error = error_of_open();
    if (client_out == NULL) {
        return error_set(error, TENDER_EINVAL, "client_out is NULL");
    }
    *client_out = NULL;
    int status;
    tender_client *self = make(error, &status);
    if (self == NULL) {
        return status;
    }
    status = session_open(options, false, &self->view, error, &self->view.session);
    if (status != 0) {
        release(self);
        return status;
    }
    *client_out = self;
    return 0;
}

int tender_contractor_client(tender_contractor *contractor, tender_client **client_out)
{
    if (contractor->fleet != NULL) {
        return fleet_client(contractor->fleet, client_out);
    }
    struct session *session = contractor->view.session;
    struct error *error = &contractor->view.error;
    int status;
    *client_out = NULL;
    tender_client *self = make(error, &status);
    if (self == NULL) {
        return status;
    }
    self->view.session = session;
    self->contractor = contractor;
    session_lock(session);
    if (session->client == NULL) {
        session->client = &self->view;
    } else {
        status = error_set(error, TENDER_ESTATE, "the contractor has an open client");
    }
    if (session->status != 0) {
        inbox_fail(&self->view.inbox);
    }
    session_unlock(session);
    if (status != 0) {
        release(self);
        return status;
    }
    *client_out = self;
    return 0;
}

void tender_client_close(tender_client *self)
{
    if (self == NULL) {
        return;
    }
    if (self->contractor == NULL) {
        session_close(self->view.session);
    } else {
        session_lock(self->view.session);
        self->view.session->client = NULL;
        session_unlock(self->view.session);
    }
    release(self);
}

static int leave(struct view *view)
{
    item_close(view->inbox.current);
    view->inbox.current = NULL;
    return 0;
}

static bool take(struct view *view, struct item *item)
{
    (void)view;
    (void)item;
    return true;
}

int tender_client_next(tender_client *self, int timeout_ms, const tender_client_event **event_out)
{
    int status = view_next(&self->view, timeout_ms, leave, take);
    *event_out = status == 1 ? &self->view.inbox.current->client_event : NULL;
    return status;
}

int tender_client_fd(const tender_client *self)
{
    return self->view.inbox.descriptor;
}

const char *tender_client_last_error(const tender_client *self)
{
    return self == NULL ? error_of_open()->text : self->view.error.text;
}

int client_ask(tender_client *self, tender_id about, const struct message *message)
{
    size_t bound = outbox_bound(message);
    struct request *request = malloc(sizeof *request + bound);
    int size = request == NULL ? TENDER_ENOMEM : wire_pack_message(message, request->packed, bound);
    if (size < 0) {
        free(request);
        return error_set(&self->view.error, size, "%s", tender_strerror(size));
    }
    struct request *smaller = realloc(request, sizeof *request + (size_t)size);
    request = smaller == NULL ? request : smaller;
    request->size = (size_t)size;
    request->node.task = about;
    request->node.number = (uint64_t)message->performative;
    session_lock(self->view.session);
    int status = session_say_packed(self->view.session, &self->view, message->performative,
                                    (tender_bytes){request->packed, request->size});
    if (status == 0) {
        client_forget(self, about, message->performative);
        table_add(&self->requests, &request->node);
    }
    session_unlock(self->view.session);
    if (status != 0) {
        free(request);
        return error_set(&self->view.error, status, "%s: %s",
                         tender_performative_name(message->performative), tender_strerror(status));
    }
    return 0;
}

static tender_bytes text_of(const char *text)
{
    return (tender_bytes){text, strlen(text)};
}

static int check_integers(struct error *error, const tender_task *task)
{
    const struct {
        enum message_field field;
        int64_t value;
    } rows[] = {{MESSAGE_UNITS, task->units},
                {MESSAGE_CEILING, task->ceiling_micro},
                {MESSAGE_WINDOW, task->window_us},
                {MESSAGE_DUE, task->due_us},
                {MESSAGE_DEADLINE, task->deadline_at_us},
                {MESSAGE_ROUNDS, task->rounds},
                {MESSAGE_BACKOFF, task->backoff_us},
                {MESSAGE_ACK, task->ack_us},
                {MESSAGE_HEARTBEAT, task->heartbeat_us},
                {MESSAGE_PRIORITY, task->priority},
                {MESSAGE_PARTIAL, (int64_t)task->partial},
                {MESSAGE_KILL_FEE, task->kill_fee_ppm},
                {MESSAGE_FALLBACK, (int64_t)task->fallback},
                {MESSAGE_ACCEPT, task->accept_us},
                {MESSAGE_SPLIT_MAX, task->split_max},
                {MESSAGE_IMPROVE, task->improve},
                {MESSAGE_INVITE_MAX, task->invite_max < 0 ? 0 : task->invite_max},
                {MESSAGE_SHARE, task->newcomers_ppm < 0 ? 0 : task->newcomers_ppm}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int status = session_check_int(error, rows[i].field, rows[i].value);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static uint32_t count_needs(const tender_task *task)
{
    uint32_t count = 0;
    while (task->needs != NULL && count <= TENDER_NEEDS_MAX && task->needs[count] != NULL) {
        count++;
    }
    return count;
}

/* The texts of the further terms; the broker judges what they mean together. */
static int check_terms(struct error *error, const tender_task *task)
{
    uint32_t needs = count_needs(task);
    if (needs > TENDER_NEEDS_MAX) {
        return error_set(error, TENDER_EINVAL, "needs has more than %d names", TENDER_NEEDS_MAX);
    }
    for (uint32_t i = 0; i < needs; i++) {
        if (!tender_skill_is_valid(task->needs[i], strlen(task->needs[i]))) {
            return error_set(error, TENDER_EINVAL, "needs[%u] is no skill", (unsigned)i);
        }
    }
    if (task->tier != NULL && !tender_skill_is_valid(task->tier, strlen(task->tier))) {
        return error_set(error, TENDER_EINVAL, "tier is not of the form of a skill");
    }
    if (task->goal != NULL && !tender_name_is_valid(task->goal, strlen(task->goal))) {
        return error_set(error, TENDER_EINVAL, "goal is no name");
    }
    if (task->after_count > TENDER_AFTER_MAX || (task->after_count > 0 && task->after == NULL)) {
        return error_set(error, TENDER_EINVAL, "after_count is %zu and must be 0 to %d",
                         task->after_count, TENDER_AFTER_MAX);
    }
    return session_check_text(error, "evidence", task->evidence, TENDER_EVIDENCE_MAX);
}

static int check_task(struct error *error, const tender_task *task)
{
    if (task == NULL || task->size < sizeof *task) {
        return error_set(error, TENDER_EINVAL, "task does not start from TENDER_TASK_INIT");
    }
    if (task->skill == NULL || !tender_skill_is_valid(task->skill, strlen(task->skill))) {
        return error_set(error, TENDER_EINVAL,
                         "skill is not [a-z0-9]([a-z0-9._/-]{0,62}[a-z0-9])?");
    }
    if (task->key != NULL && task->key[0] == '\0') {
        return error_set(error, TENDER_EINVAL, "key has 0 bytes and must have 1 to %d",
                         TENDER_KEY_MAX);
    }
    if (task->fallback == TENDER_FALLBACK_CONTRACTOR &&
        (task->contractor == NULL ||
         !tender_name_is_valid(task->contractor, strlen(task->contractor)))) {
        return error_set(error, TENDER_EINVAL, "contractor is no name, and the fallback needs it");
    }
    int status = session_check_text(error, "key", task->key, TENDER_KEY_MAX);
    if (status == 0) {
        status = check_integers(error, task);
    }
    if (status == 0) {
        status = check_terms(error, task);
    }
    return status == 0 ? session_check_content(error, "content", task->content) : status;
}

/* Sets an optional field where it differs from the default that PROTOCOL.md names. */
#define set_unless(message, NAME, member, value, default_)                                         \
    do {                                                                                           \
        if ((value) != (default_)) {                                                               \
            message_set(message, NAME, member, value);                                             \
        }                                                                                          \
    } while (0)

/* What a plain task leaves out. `needs` has room for the list that the message borrows. */
static void add_terms(struct message *message, const tender_task *task,
                      tender_bytes needs[TENDER_NEEDS_MAX])
{
    struct message_texts texts = {count_needs(task), needs};
    for (uint32_t i = 0; i < texts.count; i++) {
        needs[i] = text_of(task->needs[i]);
    }
    if (texts.count > 0) {
        message_set(message, SKILLS, skills, texts);
    }
    if (task->tier != NULL) {
        message_set(message, TIER, tier, text_of(task->tier));
    }
    if (task->goal != NULL) {
        message_set(message, GOAL, goal, text_of(task->goal));
    }
    if (task->after_count > 0) {
        tender_bytes after = {task->after, task->after_count * sizeof task->after[0]};
        message_set(message, AFTER, after, after);
    }
    if (task->evidence != NULL && task->evidence[0] != '\0') {
        message_set(message, EVIDENCE, evidence, text_of(task->evidence));
    }
    set_unless(message, ACCEPT, accept_us, task->accept_us, 0);
    set_unless(message, SPLIT_MAX, split_max, task->split_max, 0);
    set_unless(message, COVER_ALL, cover_all, (int64_t)task->cover_all, 0);
    set_unless(message, IMPROVE, improve, task->improve, 0);
    set_unless(message, LEAD_ONLY, lead_only, (int64_t)task->lead_only, 0);
    set_unless(message, INVITE_MAX, invite_max, task->invite_max, -1);
    set_unless(message, SHARE, share_ppm, task->newcomers_ppm, -1);
}

static struct message announcement(const tender_task *task, const char *key)
{
    static const tender_task usual = TENDER_TASK_INIT;
    struct message message = {.performative = TENDER_ANNOUNCE};
    message_set(&message, KEY, key, text_of(key));
    message_set(&message, SKILL, skill, text_of(task->skill));
    message_set(&message, UNITS, units, task->units);
    message_set(&message, CEILING, ceiling_micro, task->ceiling_micro);
    message_set(&message, WINDOW, window_us, task->window_us);
    message_set(&message, DUE, due_us, task->due_us);
    set_unless(&message, DEADLINE, deadline_at_us, task->deadline_at_us, 0);
    set_unless(&message, ROUNDS, rounds, task->rounds, usual.rounds);
    set_unless(&message, BACKOFF, backoff_us, task->backoff_us, usual.backoff_us);
    set_unless(&message, ACK, ack_us, task->ack_us, usual.ack_us);
    set_unless(&message, HEARTBEAT, heartbeat_us, task->heartbeat_us, 0);
    set_unless(&message, PRIORITY, priority, task->priority, 0);
    set_unless(&message, PARTIAL, partial, (int64_t)task->partial, (int64_t)usual.partial);
    set_unless(&message, KILL_FEE, kill_fee_ppm, task->kill_fee_ppm, usual.kill_fee_ppm);
    set_unless(&message, CLOSE_ALONE, close_alone, (int64_t)task->close_alone, 0);
    set_unless(&message, FALLBACK, fallback, (int64_t)task->fallback, (int64_t)usual.fallback);
    if (task->fallback == TENDER_FALLBACK_CONTRACTOR) {
        message_set(&message, CONTRACTOR, contractor, text_of(task->contractor));
    }
    if (!tender_id_is_nil(task->again)) {
        message_set(&message, AGAIN, again, task->again);
    }
    if (task->content.size > 0) {
        message_set(&message, CONTENT, content, task->content);
    }
    return message;
}

static int make_key(char key_out[MADE_KEY_SIZE + 1])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[MADE_KEY_SIZE / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return TENDER_ESYSTEM;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        key_out[2 * i] = digits[bytes[i] >> 4];
        key_out[2 * i + 1] = digits[bytes[i] & 15];
    }
    key_out[MADE_KEY_SIZE] = '\0';
    return 0;
}

int tender_announce(tender_client *self, const tender_task *task, char *key_out)
{
    struct error *error = &self->view.error;
    char made[MADE_KEY_SIZE + 1];
    int status = check_task(error, task);
    if (status != 0) {
        return status;
    }
    if (task->key == NULL && make_key(made) != 0) {
        return error_set(error, TENDER_ESYSTEM, "no random bytes for a key");
    }
    const char *key = task->key == NULL ? made : task->key;
    if (key_out != NULL) {
        memcpy(key_out, key, strlen(key) + 1);
    }
    tender_bytes needs[TENDER_NEEDS_MAX];
    struct message message = announcement(task, key);
    add_terms(&message, task, needs);
    return client_ask(self, table_name(text_of(key)), &message);
}

static int ask_about(tender_client *self, tender_performative performative, tender_id task,
                     const char *text)
{
    if (tender_id_is_nil(task)) {
        return error_set(&self->view.error, TENDER_EINVAL, "task is nil");
    }
    struct message message = {.performative = performative, .conversation = task};
    if (text != NULL) {
        message_set(&message, TEXT, text, text_of(text));
    }
    return client_ask(self, task, &message);
}

int tender_cancel(tender_client *self, tender_id task, const char *text)
{
    int status = session_check_text(&self->view.error, "text", text, TENDER_TEXT_MAX);
    return status == 0 ? ask_about(self, TENDER_CANCEL, task, text) : status;
}

int tender_close_round(tender_client *self, tender_id task)
{
    return ask_about(self, TENDER_CLOSE, task, NULL);
}

int tender_release(tender_client *self, tender_id task)
{
    return ask_about(self, TENDER_RELEASE, task, NULL);
}

int tender_query(tender_client *self, tender_id task)
{
    return ask_about(self, TENDER_QUERY, task, NULL);
}

/* A message about one commitment. */
static int ask_of(tender_client *self, tender_commitment commitment, struct message *message)
{
    if (tender_id_is_nil(commitment.task) || commitment.generation == 0) {
        return error_set(&self->view.error, TENDER_EINVAL, "commitment is none");
    }
    message->conversation = commitment.task;
    message_set(message, PART, part, commitment.part);
    message_set(message, GENERATION, generation, commitment.generation);
    return client_ask(self, commitment.task, message);
}

int tender_accept(tender_client *self, tender_commitment commitment, int64_t units)
{
    struct message message = {.performative = TENDER_ACCEPT};
    if (units >= 0) {
        int status = session_check_int(&self->view.error, MESSAGE_UNITS_DONE, units);
        if (status != 0) {
            return status;
        }
        message_set(&message, UNITS_DONE, units_done, units);
    }
    return ask_of(self, commitment, &message);
}

int tender_reject(tender_client *self, tender_commitment commitment, tender_reason reason,
                  const char *text, int64_t units)
{
    struct error *error = &self->view.error;
    struct message message = {.performative = TENDER_REJECT};
    if (tender_reason_name(reason) == NULL) {
        return error_set(error, TENDER_EINVAL, "reason %d is none of TENDER_REASON_…", reason);
    }
    int status = session_check_int(error, MESSAGE_UNITS_DONE, units);
    if (status == 0) {
        status = session_check_text(error, "text", text, TENDER_TEXT_MAX);
    }
    if (status != 0) {
        return status;
    }
    message_set(&message, REASON, reason, (int64_t)reason);
    message_set(&message, UNITS_DONE, units_done, units);
    if (text != NULL) {
        message_set(&message, TEXT, text, text_of(text));
    }
    return ask_of(self, commitment, &message);
}

int tender_adopt(tender_client *self, tender_commitment commitment)
{
    struct message message = {.performative = TENDER_ADOPT};
    return ask_of(self, commitment, &message);
}
