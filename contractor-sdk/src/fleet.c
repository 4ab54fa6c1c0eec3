/*
 * Opening, merging and routing. What the pacer's thread does is fleet_tend.c's. See fleet.h.
 */
#include "fleet_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "clock.h"

bool fleet_is_wanted(const tender_options *options)
{
    return options != NULL && options->size >= sizeof *options && options->broker_url != NULL &&
           strchr(options->broker_url, ',') != NULL;
}

static bool watch(const struct fleet *fleet, const struct inbox *inbox)
{
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(fleet->epoll, EPOLL_CTL_ADD, inbox->descriptor, &event) == 0;
}

/* One more contractor, for one address. */
static int add_member(struct fleet *fleet, const tender_options *options, const char *url,
                      struct error *error)
{
    if (fleet->count == SESSION_URLS_MAX) {
        return error_set(error, TENDER_EINVAL, "broker_url has more than %d addresses",
                         SESSION_URLS_MAX);
    }
    tender_options one = *options;
    one.broker_url = url;
    one.connect_timeout_ms = 0;
    struct member *member = &fleet->members[fleet->count];
    int status = contractor_open_member(&one, error, &member->contractor);
    if (status != 0) {
        return status;
    }
    fleet->count++;
    return watch(fleet, &member->contractor->view.inbox)
               ? 0
               : error_set(error, TENDER_ESYSTEM, "no descriptor can be watched");
}

/* A copy of a text that may be NULL; false where memory is out. */
static bool keep(const char *text, char **copy_out)
{
    *copy_out = text == NULL ? NULL : strdup(text);
    return text == NULL || *copy_out != NULL;
}

static int add_members(struct fleet *fleet, const tender_options *options, struct error *error)
{
    char *urls = strdup(options->broker_url);
    char *rest = urls;
    bool is_copied = urls != NULL && keep(options->broker_url, &fleet->urls) &&
                     keep(options->key_file, &fleet->key_file) &&
                     keep(options->broker_key, &fleet->broker_key) &&
                     keep(options->known_brokers, &fleet->known_brokers) &&
                     keep(options->ca_file, &fleet->ca_file);
    int status = is_copied ? 0 : error_set(error, TENDER_ENOMEM, "out of memory");
    for (char *url = strsep(&rest, ","); status == 0 && url != NULL; url = strsep(&rest, ",")) {
        status = add_member(fleet, options, url, error);
    }
    free(urls);
    return status;
}

/* How many are welcomed; with the first that failed for good, or NULL. */
static size_t count_welcomed(struct fleet *fleet, struct session **failed_out)
{
    size_t welcomed = 0;
    size_t failures = 0;
    *failed_out = NULL;
    for (size_t i = 0; i < fleet->count; i++) {
        struct session *session = fleet->members[i].contractor->view.session;
        session_lock(session);
        welcomed += session->is_welcomed && session->status == 0;
        if (session->status != 0) {
            failures++;
            *failed_out = session;
        }
        session_unlock(session);
    }
    *failed_out = failures == fleet->count ? *failed_out : NULL;
    return welcomed;
}

/* Why there was no welcome in time: brokers that answered had no room, or none answered. */
static int say_away(struct fleet *fleet, const tender_options *options, struct error *error)
{
    bool is_said = false;
    for (size_t i = 0; i < fleet->count && !is_said; i++) {
        struct session *session = fleet->members[i].contractor->view.session;
        session_lock(session);
        is_said = session->is_short_of_room;
        *error = is_said ? session->shortage : *error;
        session_unlock(session);
    }
    return is_said ? TENDER_EAWAY
                   : error_set(error, TENDER_EAWAY, "no broker answered at %s within %u ms",
                               options->broker_url, options->connect_timeout_ms);
}

static int await_welcome(struct fleet *fleet, const tender_options *options, struct error *error)
{
    int64_t until_us = clock_us() + (int64_t)options->connect_timeout_ms * 1000;
    struct session *failed = NULL;
    while (options->connect_timeout_ms > 0 && count_welcomed(fleet, &failed) == 0) {
        if (failed != NULL) {
            return error_set(error, failed->status, "%s", failed->failure.text);
        }
        struct session *first = fleet->members[0].contractor->view.session;
        int64_t look_us = clock_us() + FLEET_TICK_US / 4;
        if (look_us > until_us) {
            return say_away(fleet, options, error);
        }
        session_lock(first);
        (void)session_wait(first, look_us);
        session_unlock(first);
    }
    return 0;
}

int fleet_open(const tender_options *options, tender_contractor *self, struct error *error)
{
    struct fleet *fleet = calloc(1, sizeof *fleet);
    self->fleet = fleet;
    if (fleet == NULL) {
        return error_set(error, TENDER_ENOMEM, "out of memory");
    }
    fleet->error = &self->view.error;
    fleet->slots = options->slots;
    fleet->heartbeat_ms = options->heartbeat_ms;
    fleet->epoll = epoll_create1(EPOLL_CLOEXEC);
    int status = table_init(&fleet->taken);
    status = status == 0 ? table_init(&fleet->strays) : status;
    if (status != 0 || fleet->epoll < 0 || !watch(fleet, &self->view.inbox)) {
        return error_set(error, status != 0 ? status : TENDER_ESYSTEM, "no descriptor to be had");
    }
    status = add_members(fleet, options, error);
    if (status == 0 && fleet_tend_begin(fleet) != 0) {
        status = error_set(error, TENDER_ESYSTEM, "no thread for timers");
    }
    return status == 0 ? await_welcome(fleet, options, error) : status;
}

void fleet_close(struct fleet *fleet)
{
    if (fleet == NULL) {
        return;
    }
    fleet_tend_end(fleet);
    for (size_t i = 0; i < fleet->count; i++) {
        tender_contractor_close(fleet->members[i].contractor);
    }
    table_release(&fleet->taken, table_free);
    table_release(&fleet->strays, table_free);
    free(fleet->urls);
    free(fleet->key_file);
    free(fleet->broker_key);
    free(fleet->known_brokers);
    free(fleet->ca_file);
    if (fleet->epoll >= 0) {
        (void)close(fleet->epoll);
    }
    free(fleet);
}

tender_contractor *fleet_member(tender_contractor *self, tender_id task)
{
    struct fleet *fleet = self->fleet;
    if (fleet == NULL) {
        return self;
    }
    /* Tasks whose identifiers end alike are of one shard, and so with one broker. */
    tender_contractor *member = fleet->members[fleet->route[task.bytes[15]]].contractor;
    fleet->error = &member->view.error;
    return member;
}

const char *fleet_error(const struct fleet *fleet)
{
    return fleet->error->text;
}

int fleet_fd(const struct fleet *fleet)
{
    return fleet->epoll;
}

int fleet_offer(struct fleet *fleet, const char *skill)
{
    int status = 0;
    for (size_t i = 0; i < fleet->count && status == 0; i++) {
        tender_contractor *member = fleet->members[i].contractor;
        status = tender_contractor_offer(member, skill);
        fleet->error = &member->view.error;
    }
    return status;
}

int fleet_client(struct fleet *fleet, tender_client **client_out)
{
    const struct session *first = fleet->members[0].contractor->view.session;
    char name[TENDER_NAME_MAX + 1];
    tender_options options = TENDER_OPTIONS_INIT;
    if (snprintf(name, sizeof name, "%s/client", first->name) >= (int)sizeof name) {
        return error_set(fleet->error, TENDER_EINVAL, "name is too long to add /client to it");
    }
    options.broker_url = fleet->urls;
    options.key_file = fleet->key_file;
    options.broker_key = fleet->broker_key;
    options.known_brokers = fleet->known_brokers;
    options.ca_file = fleet->ca_file;
    options.name = name;
    options.principal = first->principal;
    options.heartbeat_ms = fleet->heartbeat_ms;
    options.linger_ms = (uint32_t)(first->linger_us / 1000);
    options.connect_timeout_ms = 0;
    int status = tender_client_open(&options, client_out);
    return status == 0 ? 0 : error_set(fleet->error, status, "%s", tender_client_last_error(NULL));
}

/* The commitment that an event ends, if it does. */
static bool ends(const tender_event *event, tender_commitment *commitment_out)
{
    switch (event->kind) {
    case TENDER_EVENT_CANCEL:
        *commitment_out = event->cancel.commitment;
        return true;
    case TENDER_EVENT_LOST:
        *commitment_out = event->lost;
        return true;
    case TENDER_EVENT_INFORM:
        *commitment_out = event->inform.commitment;
        return tender_commitment_state_is_terminal(event->inform.state);
    default:
        return false;
    }
}

static bool task_of(const tender_event *event, tender_id *task_out)
{
    tender_commitment commitment;
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        *task_out = event->cfp.task;
        return true;
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        *task_out = event->accept_proposal.commitment.task;
        return true;
    case TENDER_EVENT_REJECT_PROPOSAL:
        *task_out = event->reject_proposal.task;
        return true;
    case TENDER_EVENT_INFORM:
        *task_out = event->inform.commitment.task;
        return true;
    default:
        if (ends(event, &commitment)) {
            *task_out = commitment.task;
            return true;
        }
        return false;
    }
}

/* Who took over tells an award again that was not acknowledged: the program has it already. */
static bool is_repeat(struct fleet *fleet, const tender_event *event)
{
    if (event->kind != TENDER_EVENT_ACCEPT_PROPOSAL) {
        return false;
    }
    tender_commitment commitment = event->accept_proposal.commitment;
    uint64_t number = table_number(commitment.part, commitment.generation);
    if (table_find(&fleet->taken, commitment.task, number) != NULL) {
        return true;
    }
    struct table_node *node = calloc(1, sizeof *node);
    if (node != NULL) { /* else it may be handed out twice */
        node->task = commitment.task;
        node->number = number;
        table_add(&fleet->taken, node);
    }
    return false;
}

/* The end of a commitment is the end of it at every broker that we heard of it from. */
static void forget(struct fleet *fleet, tender_commitment commitment)
{
    struct table_node *node = table_find(&fleet->taken, commitment.task,
                                         table_number(commitment.part, commitment.generation));
    if (node != NULL) {
        table_remove(&fleet->taken, node);
        free(node);
    }
    for (size_t i = 0; i < fleet->count; i++) {
        contractor_forget(fleet->members[i].contractor, commitment);
    }
}

static void count_connected(struct fleet *fleet, struct member *member, bool is_connected)
{
    fleet->connected += is_connected && !member->is_connected;
    fleet->connected -= !is_connected && member->is_connected;
    member->is_connected = is_connected;
}

/* One contact for all: there is a broker, or there is none. */
static bool is_news(struct fleet *fleet, struct member *member, const tender_contact *contact)
{
    size_t before = fleet->connected;
    if (contact->kind == TENDER_CONTACT_LOSS) {
        return true;
    }
    if (contact->kind == TENDER_CONTACT_GOING_DOWN) {
        return before <= 1;
    }
    if (contact->kind == TENDER_CONTACT_FULL) {
        return before == 0;
    }
    count_connected(fleet, member, contact->kind == TENDER_CONTACT_CONNECTED);
    return (before == 0) != (fleet->connected == 0);
}

/* Whether the program is to see the event; notes what it says. */
static bool take(struct fleet *fleet, size_t index, const tender_event *event)
{
    tender_id task;
    tender_commitment commitment;
    if (task_of(event, &task)) {
        fleet->route[task.bytes[15]] = (uint8_t)index;
    }
    if (ends(event, &commitment)) {
        forget(fleet, commitment);
    }
    if (event->kind == TENDER_EVENT_CONTACT) {
        return is_news(fleet, &fleet->members[index], &event->contact);
    }
    return !is_repeat(fleet, event);
}

/* The next event of one member that the program is to see. */
static int next_of(struct fleet *fleet, size_t index, const tender_event **event_out)
{
    tender_contractor *member = fleet->members[index].contractor;
    for (;;) {
        int status = tender_contractor_next(member, 0, event_out);
        if (status != 1 || take(fleet, index, *event_out)) {
            return status;
        }
    }
}

/* One that the broker does not want any more is left out, as long as there are others. */
static int drop(struct fleet *fleet, size_t index, int status)
{
    struct member *member = &fleet->members[index];
    fleet->error = &member->contractor->view.error;
    if (!member->has_failed) {
        member->has_failed = true;
        fleet->failed++;
        count_connected(fleet, member, false);
        (void)epoll_ctl(fleet->epoll, EPOLL_CTL_DEL, member->contractor->view.inbox.descriptor,
                        NULL);
    }
    return fleet->failed == fleet->count ? status : 0;
}

static int look(struct fleet *fleet, const tender_event **event_out)
{
    size_t first = fleet->turn;
    for (size_t i = 1; i <= fleet->count; i++) {
        size_t index = (first + i) % fleet->count;
        if (fleet->members[index].has_failed) {
            continue;
        }
        int status = next_of(fleet, index, event_out);
        if (status < 0) {
            status = drop(fleet, index, status);
        }
        if (status != 0) {
            fleet->turn = index;
            return status;
        }
    }
    return 0;
}

int fleet_next(tender_contractor *self, int timeout_ms, const tender_event **event_out)
{
    struct fleet *fleet = self->fleet;
    int64_t until_us = timeout_ms < 0 ? -1 : clock_us() + (int64_t)timeout_ms * 1000;
    *event_out = NULL;
    int status = contractor_leave(fleet->members[fleet->turn].contractor);
    while (status == 0) {
        if (atomic_load(&self->view.inbox.is_stopped)) {
            return TENDER_ECLOSED;
        }
        status = look(fleet, event_out);
        int64_t left_us = until_us < 0 ? INT64_MAX : until_us - clock_us();
        if (status != 0 || timeout_ms == 0 || left_us <= 0) {
            break;
        }
        struct epoll_event event;
        int64_t wait_ms = left_us / 1000 + 1;
        (void)epoll_wait(fleet->epoll, &event, 1, wait_ms < 1000 ? (int)wait_ms : 1000);
    }
    return status;
}
