/*
 * Which broker is dialed, and when: of several addresses the next one when one does not answer, and
 * the one that a broker names which does not answer for us. Between attempts that lead nowhere the
 * pauses grow, and differ from peer to peer, so that many do not come back at once. See session.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "session.h"

#define RECONNECT_FIRST_MS 50
#define RECONNECT_LAST_MS  1000
/* How long the only address may take to take a request, until it is dialed anew. */
#define PATIENCE_ALONE_US 5000000
/* How long one of several may take, at first and at most; and how long a pause lasts. */
#define PATIENCE_FIRST_US 500000
#define PATIENCE_LAST_US  2000000
#define PAUSE_FIRST_US    100000
#define PAUSE_LAST_US     1000000
/* How long one of several may leave unheard what was said to it, and be asked all the same. Doubled
 * each time until all is heard: a broker that has too much to do would have it again and again. */
#define DEAF_US          INT64_C(6000000)
#define DEAF_DOUBLED_MAX 4
/* The longest where the broker has no room. */
#define PAUSE_FULL_US 5000000

/* From half of it to one and a half. */
static int64_t scatter(int64_t pause_us)
{
    uint32_t random = 0;
    (void)!getrandom(&random, sizeof random, 0);
    return pause_us / 2 + (int64_t)((uint64_t)pause_us * random >> 32);
}

/* Doubled with each dial that led to no welcome. */
static int64_t grow(const struct session *session, int64_t first_us, int64_t last_us)
{
    int64_t grown_us = first_us << (session->dials < 8 ? session->dials : 8);
    return scatter(grown_us < last_us ? grown_us : last_us);
}

static int64_t pause_of(const struct session *session)
{
    return grow(session, PAUSE_FIRST_US, session->is_short_of_room ? PAUSE_FULL_US : PAUSE_LAST_US);
}

int session_dial(struct session *session)
{
    nng_dialer dialer;
    session->patience_us = session->url_count > 1
                               ? grow(session, PATIENCE_FIRST_US, PATIENCE_LAST_US)
                               : PATIENCE_ALONE_US;
    struct channel *channel = session->channel;
    const char *url = session->url[session->url_index];
    int result = nng_dialer_create(&dialer, channel->socket, url);
    if (result != 0) {
        return result;
    }
    (void)nng_dialer_set_ms(dialer, NNG_OPT_RECONNMINT, RECONNECT_FIRST_MS);
    (void)nng_dialer_set_ms(dialer, NNG_OPT_RECONNMAXT, RECONNECT_LAST_MS);
    if (session_is_tls(url)) {
        result = session_dial_tls(session, dialer, url);
    }
    if (result == 0) {
        result = nng_dialer_start(dialer, NNG_FLAG_NONBLOCK);
    }
    if (result != 0) {
        (void)nng_dialer_close(dialer);
        return result;
    }
    channel->dialer = dialer;
    channel->has_dialer = true;
    return 0;
}

static bool find_url(const struct session *session, const char *url, size_t *index_out)
{
    for (size_t i = 0; i < session->url_count; i++) {
        if (strcmp(session->url[i], url) == 0) {
            *index_out = i;
            return true;
        }
    }
    return false;
}

/* Whether two addresses are of one kind, so that who reaches the one may reach the other. */
static bool is_alike(const char *left, const char *right)
{
    const char *end = strstr(left, "://");
    return end != NULL && strncmp(left, right, (size_t)(end - left) + 3) == 0;
}

/* Keeps an address that was not among ours, in place of the one before. */
static void add_url(struct session *session, const char *url)
{
    bool has_added = session->added[0] != '\0';
    if (!has_added && session->url_count == SESSION_URLS_MAX) {
        return;
    }
    memcpy(session->added, url, strlen(url) + 1);
    if (!has_added) {
        session->url[session->url_count++] = session->added;
    }
}

/* The address to dial: of those that were named one of ours, else one like the present one; else
 * the next of ours. Locked. */
static void choose(struct session *session)
{
    char named[sizeof session->address];
    char *rest = named;
    const char *alike = NULL;
    if (session->is_pinned) {
        return;
    }
    size_t index = (session->url_index + 1) % session->url_count;
    memcpy(named, session->address, sizeof named);
    session->address[0] = '\0';
    for (char *url = strsep(&rest, " "); url != NULL; url = strsep(&rest, " ")) {
        if (find_url(session, url, &index)) {
            session->url_index = index;
            return;
        }
        if (alike == NULL && is_alike(session->url[session->url_index], url)) {
            alike = url;
        }
    }
    if (alike != NULL) {
        add_url(session, alike);
        (void)find_url(session, alike, &index);
    }
    session->url_index = index;
}

void session_dial_again(struct session *session)
{
    session_lock(session);
    if (!channel_leave(session)) {
        session_unlock(session);
        channel_hang_up(session->channel);
        session_lock(session);
    }
    choose(session);
    session->dials++;
    session->unheard = 0; /* the next one has its time */
    session->is_turned_away = false;
    session->dial_after_us = 0;
    /* What is lost is lost before the new connection can be there. */
    session_lose(session, session->epoch);
    for (size_t i = 0; i < 2; i++) { /* what waits for a connection waits anew */
        session->channel->lanes[i].since_us = clock_us();
    }
    session_pump(session);
    session_unlock(session);
    if (session_dial(session) != 0) {
        session_lock(session);
        session->wants_dialing = true;
        session->dial_after_us = clock_us() + pause_of(session);
        pacer_arm(&session->paced, session->dial_after_us);
        session_unlock(session);
    }
}

void session_note_elsewhere(struct session *session, tender_bytes address)
{
    size_t size = address.size <= TENDER_ADDRESS_MAX ? address.size : 0;
    if (size > 0) {
        memcpy(session->address, address.data, size);
    }
    session->address[size] = '\0';
    session->is_turned_away = true;
    session->dial_after_us = 0;
}

void session_note_shortage(struct session *session, tender_bytes text)
{
    (void)error_set(&session->shortage, TENDER_EAWAY,
                    "the broker has no room for the session%s%.*s", text.size == 0 ? "" : ": ",
                    (int)text.size, text.size == 0 ? "" : (const char *)text.data);
    if (!session->is_short_of_room) {
        session->is_short_of_room = true;
        session_contact(session, TENDER_CONTACT_FULL, "the broker has no room; it is asked again");
    }
    session_note_elsewhere(session, (tender_bytes){0});
}

bool session_is_deaf(struct session *session, int64_t now_us)
{
    const struct outbox *outbox = &session->outbox;
    if (outbox->count == 0 || outbox->first != session->unheard) {
        session->deaf_count = outbox->count == 0 ? 0 : session->deaf_count;
        session->unheard = outbox->count == 0 ? 0 : outbox->first;
        session->unheard_us = now_us;
    }
    if (now_us - session->unheard_us <= DEAF_US << session->deaf_count) {
        return false;
    }
    session->deaf_count += session->deaf_count < DEAF_DOUBLED_MAX;
    session->unheard_us = now_us;
    return true;
}

/* Who is told where to go goes at once, but not round in a circle. */
void session_move(struct session *session)
{
    bool is_direct = session->address[0] != '\0' && session->dials == 0 && !session->is_pinned;
    session_renew(session);
    session->wants_dialing = true;
    session->dial_after_us = clock_us() + (is_direct ? 1 : pause_of(session));
    pacer_arm(&session->paced, session->dial_after_us);
}
