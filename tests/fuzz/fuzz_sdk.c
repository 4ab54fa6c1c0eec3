/*
 * Goal: whatever a broker answers, a contractor and a client hand out whole events, say only what
 * the protocol allows, keep within their memory and end cleanly. Method: the bytes are a script of
 * answers (raw frames, or messages made field by field), lost connections, time that passes and
 * things the program does; the SDK runs on the substitute of tests/sdk/offline.h. The first byte
 * chooses who there is: a contractor, a client, or both, and how many brokers they know. A
 * contractor of two has a session with each, and a byte before each step says which is meant.
 */
#include "fuzz.h"

#include <nng/nng.h>

#include "offline.h"
#include "tender/client.h"
#include "wire.h"

#define STEPS_MAX 256

/* A session: its identifier, the highest number told in it, and the highest that the SDK said. */
struct line {
    uint8_t session[16];
    uint64_t told;
    uint64_t said;
};

static struct {
    tender_contractor *contractor;
    tender_client *client;
    struct wire_reader *reader;
    struct line lines[OFFLINE_LINES_MAX];
    struct line *line; /* the one that is meant */
    unsigned line_count;
    tender_cfp cfp; /* the last one, without its texts */
    tender_commitment commitment;
} scene;

static uint8_t frame[TENDER_FRAME_MAX];

/* What the SDK asks is an exchange of whole messages, each with all that it must have. */
static void read_request(void)
{
    struct wire_header header;
    const char *why = NULL;
    struct message message;
    size_t size;
    const uint8_t *request = offline_request(&size);
    expect(wire_open(scene.reader, request, size, &header, &why) == 0);
    expect(header.version == WIRE_VERSION && header.first >= 1);
    if (memcmp(scene.line->session, header.session, sizeof scene.line->session) != 0) {
        memcpy(scene.line->session, header.session, sizeof scene.line->session);
        scene.line->told = 0;
        scene.line->said = 0;
    }
    for (uint32_t i = 0; i < header.count; i++) {
        expect(wire_next(scene.reader, &message) == 1);
        expect(message.faulty == 0 &&
               message_rule(MESSAGE_FROM_PEER, message.performative) != NULL);
        expect(wire_missing(&message) == 0);
    }
    uint64_t last = header.first + header.count - 1;
    scene.line->said = last > scene.line->said ? last : scene.line->said;
    expect(header.heard <= scene.line->told);
}

static const char text_of_test[] = "lowercase-and.dots/0";

static tender_bytes take_text(struct input *input)
{
    size_t size = input_byte(input) % sizeof text_of_test;
    return (tender_bytes){text_of_test, size == 0 ? 1 : size};
}

static int64_t take_integer(struct input *input, enum message_field field)
{
    int64_t low = 0;
    int64_t high = 0;
    uint8_t choice = input_byte(input);
    (void)message_field_range(field, &low, &high);
    return choice == 255              ? high
           : choice == 254            ? low
           : low + choice % 4 <= high ? low + choice % 4
                                      : low;
}

static tender_id take_id(struct input *input)
{
    tender_id id = {{0}};
    id.bytes[0] = input_byte(input) % 4;
    return id;
}

static tender_digest take_digest(struct input *input)
{
    return (tender_digest){{input_byte(input) % 4}};
}

static struct message_texts take_texts(struct input *input)
{
    static tender_bytes items[4];
    uint32_t count = input_byte(input) % 5;
    for (uint32_t i = 0; i < count; i++) {
        items[i] = take_text(input);
    }
    return (struct message_texts){count, items};
}

#define TAKE_INT(input, field)    take_integer(input, field)
#define TAKE_ENUM(input, field)   take_integer(input, field)
#define TAKE_TEXT(input, field)   take_text(input)
#define TAKE_BYTES(input, field)  take_text(input)
#define TAKE_ID(input, field)     take_id(input)
#define TAKE_DIGEST(input, field) take_digest(input)
#define TAKE_TEXTS(input, field)  take_texts(input)

/* A message that a broker may say: all that it must have, but for what the mask takes away. */
static void take_message(struct input *input, struct message *message)
{
    static const tender_performative said[] = {
        TENDER_WELCOME, TENDER_AGREE,           TENDER_REFUSE,          TENDER_CFP,
        TENDER_FAILURE, TENDER_ACCEPT_PROPOSAL, TENDER_REJECT_PROPOSAL, TENDER_INFORM_PROGRESS,
        TENDER_CANCEL,  TENDER_INFORM_DONE,     TENDER_INFORM,          TENDER_NOT_UNDERSTOOD,
        TENDER_BYE};
    *message =
        (struct message){.performative = said[input_byte(input) % (sizeof said / sizeof said[0])]};
    const struct message_rule *rule = message_rule(MESSAGE_FROM_BROKER, message->performative);
    message_mask chosen = input_number(input, 8);
    chosen |= (message_mask)input_byte(input) << 64;
    message_mask wanted = rule->required | (rule->optional & chosen);
    if (input_byte(input) == 1) {
        wanted &= ~MESSAGE_BIT(input_byte(input) % MESSAGE_KEYS); /* now and then one is missing */
    }
    message->conversation = take_id(input);
#define X(key, NAME, member, TYPE, name)                                                           \
    if ((wanted & MESSAGE_BIT(MESSAGE_##NAME)) != 0) {                                             \
        message_set(message, NAME, member, TAKE_##TYPE(input, MESSAGE_##NAME));                    \
    }
    MESSAGE_FIELDS(X)
#undef X
}

/* An answer with the right head: `first` and `heard` as the byte says, usually as they should be.
 */
static void reply_in_form(struct input *input, bool is_raw)
{
    uint8_t choice = input_byte(input);
    struct wire_header header = {.version = WIRE_VERSION,
                                 .first = scene.line->told + 1,
                                 .heard = scene.line->said,
                                 .count = choice % 4};
    memcpy(header.session, scene.line->session, sizeof header.session);
    header.first -= (choice & 0xf0) == 0x10 && scene.line->told > 0; /* told again */
    header.first += (choice & 0xf0) == 0x20;                         /* one went by another way */
    header.heard -= (choice & 0xf0) == 0x30 && scene.line->said > 0;
    header.heard += (choice & 0xf0) == 0x40;
    int size = wire_pack_header(&header, frame, sizeof frame);
    for (uint32_t i = 0; i < header.count && !is_raw; i++) {
        struct message message;
        take_message(input, &message);
        int packed = wire_pack_message(&message, frame + size, sizeof frame - (size_t)size);
        expect(packed > 0);
        size += packed;
    }
    if (is_raw) {
        struct input body = input_take(input, input_number(input, 1));
        if (body.size > 0) {
            memcpy(frame + size, body.data, body.size);
        }
        size += (int)body.size;
    }
    uint64_t last = header.first + header.count - 1;
    scene.line->told = last > scene.line->told ? last : scene.line->told;
    offline_reply(frame, (size_t)size);
}

/* Outside of the numbering: the session is not known, or not wanted. */
static void reply_verdict(struct input *input)
{
    struct wire_header header = {.version = WIRE_VERSION, .count = 1};
    uint8_t choice = input_byte(input);
    struct message message = {.performative =
                                  choice % 2 == 0 ? TENDER_NOT_UNDERSTOOD : TENDER_REFUSE};
    memcpy(header.session, scene.line->session, sizeof header.session);
    int64_t reason = input_byte(input);
    message_set(&message, REASON, reason, choice % 4 == 0 ? TENDER_REASON_UNKNOWN_SESSION : reason);
    int size = wire_pack_header(&header, frame, sizeof frame);
    size += wire_pack_message(&message, frame + size, sizeof frame - (size_t)size);
    offline_reply(frame, (size_t)size);
}

static void check_text(const char *text)
{
    expect(text != NULL && tender_text_is_valid(text, strlen(text)));
}

static void check_cfp(const tender_cfp *cfp)
{
    expect(tender_skill_is_valid(cfp->skill, strlen(cfp->skill)));
    expect(cfp->units >= 1 && cfp->due_us >= 1 && cfp->content.size <= TENDER_CONTENT_MAX);
    check_text(cfp->needs);
    check_text(cfp->evidence);
    scene.cfp = *cfp;
    scene.cfp.skill = "a"; /* borrowed only until the next event */
    scene.cfp.needs = scene.cfp.evidence = "";
    scene.cfp.content = (tender_bytes){NULL, 0};
}

static void check_event(const tender_event *event)
{
    switch (event->kind) {
    case TENDER_EVENT_CFP:
        check_cfp(&event->cfp);
        break;
    case TENDER_EVENT_ACCEPT_PROPOSAL:
        check_text(event->accept_proposal.skill);
        check_text(event->accept_proposal.needs);
        check_text(event->accept_proposal.evidence);
        expect(event->accept_proposal.units >= 1);
        scene.commitment = event->accept_proposal.commitment;
        break;
    case TENDER_EVENT_NOT_UNDERSTOOD:
        check_text(event->not_understood.field);
        check_text(event->not_understood.text);
        break;
    case TENDER_EVENT_CONTACT:
        check_text(event->contact.text);
        break;
    case TENDER_EVENT_BELIEF:
        check_text(event->belief.goal);
        check_text(event->belief.by);
        break;
    default:
        break;
    }
}

static void check_client_event(const tender_client_event *event)
{
    switch (event->kind) {
    case TENDER_CLIENT_AGREED:
        check_text(event->agreed.key);
        check_text(event->agreed.goal);
        break;
    case TENDER_CLIENT_REFUSED:
        check_text(event->refused.key);
        check_text(event->refused.field);
        check_text(event->refused.text);
        break;
    case TENDER_CLIENT_STATE:
        check_text(event->state.contractor);
        break;
    case TENDER_CLIENT_REPORT:
        check_text(event->report.contractor);
        check_text(event->report.text);
        check_text(event->report.evidence);
        expect(event->report.content.size <= TENDER_CONTENT_MAX);
        break;
    case TENDER_CLIENT_LATE:
        check_text(event->late.contractor);
        scene.commitment = event->late.commitment;
        break;
    default:
        break;
    }
}

/* What a contractor's program may do next; whether it may, the SDK says. */
static int act(struct input *input)
{
    static const tender_bid bid = {.cost_micro = 1, .eta_us = 1, .text = "soon"};
    tender_contractor *self = scene.contractor;
    tender_bytes result = take_text(input);
    switch (input_byte(input) % 9) {
    case 0:
        return tender_propose(self, &scene.cfp, &bid);
    case 1:
        return tender_refuse(self, &scene.cfp, (tender_reason)input_byte(input));
    case 2:
        return tender_withdraw(self, &scene.cfp);
    case 3:
        return tender_acknowledge(self, scene.commitment);
    case 4:
        return tender_inform_progress(self, scene.commitment, input_byte(input), result);
    case 5:
        return tender_inform_done(self, scene.commitment, input_byte(input), result);
    case 6:
        return tender_failure(self, scene.commitment, 1, TENDER_REASON_OTHER, "no", result);
    case 7:
        return tender_standing(self, scene.commitment);
    default:
        return tender_contractor_offer(self, input_byte(input) % 2 == 0 ? "a" : "b.c");
    }
}

static int ask(struct input *input)
{
    tender_client *self = scene.client;
    tender_id task = take_id(input);
    tender_task terms = TENDER_TASK_INIT;
    switch (input_byte(input) % 8) {
    case 0:
        terms.skill = "a";
        terms.key = input_byte(input) % 2 == 0 ? "l" : "lo";
        return tender_announce(self, &terms, NULL);
    case 1:
        return tender_cancel(self, task, "no more");
    case 2:
        return tender_close_round(self, task);
    case 3:
        return tender_release(self, task);
    case 4:
        return tender_query(self, task);
    case 5:
        return tender_accept(self, scene.commitment, input_byte(input));
    case 6:
        return tender_reject(self, scene.commitment, TENDER_REASON_OTHER, "no", 1);
    default:
        return tender_adopt(self, scene.commitment);
    }
}

static void take_events(void)
{
    const tender_event *event = NULL;
    const tender_client_event *client_event = NULL;
    if (scene.contractor != NULL && tender_contractor_next(scene.contractor, 0, &event) == 1) {
        check_event(event);
    }
    if (scene.client != NULL && tender_client_next(scene.client, 0, &client_event) == 1) {
        check_client_event(client_event);
    }
}

static void step(struct input *input)
{
    unsigned line = scene.line_count > 1 ? input_byte(input) % scene.line_count : 0;
    uint8_t choice = input_byte(input) % 10;
    scene.line = &scene.lines[line];
    offline_choose(line);
    bool is_asked = offline_is_asked();
    int status = 0;
    if (is_asked) {
        read_request();
    }
    if (choice <= 3 && is_asked) {
        reply_in_form(input, choice == 3);
    } else if (choice == 4 && is_asked) {
        struct input raw = input_take(input, input_byte(input));
        offline_reply(raw.data, raw.size);
    } else if (choice == 5 && is_asked) {
        input_byte(input) % 2 == 0 ? offline_fail(NNG_ECONNRESET) : reply_verdict(input);
    } else if (choice == 6) {
        offline_advance((int64_t)input_byte(input) * 100000);
    } else if (choice == 7 && scene.contractor != NULL) {
        status = act(input);
    } else if (choice == 8 && scene.client != NULL) {
        status = ask(input);
    } else {
        take_events();
    }
    expect(status <= 0 && (status == 0 || tender_strerror(status) != NULL));
}

static void open_scene(uint8_t choice)
{
    struct wire_reader *reader = scene.reader;
    tender_options options = TENDER_OPTIONS_INIT;
    bool has_two = choice % 2 != 0;
    options.broker_url = has_two ? "tcp://127.0.0.1:1,ipc:///x" : "tcp://127.0.0.1:1";
    options.name = "kiln-2";
    options.connect_timeout_ms = 0;
    options.linger_ms = 0;
    memset(&scene, 0, sizeof scene);
    scene.reader = reader;
    if (reader == NULL) {
        expect(wire_reader_open(&scene.reader) == 0);
    }
    offline_reset();
    /* The session of a client alone moves; a contractor has one for each broker, and its client,
     * which shares it where there is one, has another beside several. */
    scene.line_count = !has_two || choice % 3 == 1 ? 1 : choice % 3 == 0 ? 2 : 3;
    if (choice % 3 == 1) {
        expect(tender_client_open(&options, &scene.client) == 0);
        return;
    }
    expect(tender_contractor_open(&options, &scene.contractor) == 0);
    if (choice % 3 == 2) {
        expect(tender_contractor_client(scene.contractor, &scene.client) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    open_scene(input_byte(&input));
    for (int i = 0; i < STEPS_MAX && input.size > 0; i++) {
        step(&input);
    }
    tender_client_close(scene.client);
    tender_contractor_close(scene.contractor);
    return 0;
}
