/*
 * Who a connection is: asks who answers, and proves who asks, before anything else is said on it.
 * PROTOCOL.md is the text it follows. See session.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "session.h"

/* The keys of brokers that may answer, as text with commas between them. */
static int take_pins(struct session *session, const char *text, struct error *error)
{
    while (text != NULL && text[0] != '\0') {
        size_t size = strcspn(text, ",");
        if (session->pin_count == SESSION_PINS_MAX ||
            tender_key_parse(text, size, session->pins[session->pin_count]) != 0) {
            return error_set(error, TENDER_EINVAL,
                             "broker_key is not 1 to %d keys with commas between them, each "
                             "\"ed25519:\" and 64 lower-case hexadecimal digits",
                             SESSION_PINS_MAX);
        }
        session->pin_count++;
        text += size + (text[size] == ',');
    }
    return 0;
}

int session_take_keys(struct session *session, const tender_options *options, struct error *error)
{
    char problem[TENDER_KEY_PROBLEM_SIZE];
    const char *path = options->key_file != NULL ? options->key_file : getenv("TENDER_KEY");
    const char *pins =
        options->broker_key != NULL ? options->broker_key : getenv("TENDER_BROKER_KEY");
    if (path == NULL || path[0] == '\0') {
        session->proof = PROOF_TAKEN; /* there is none to give */
        return pins == NULL ? 0
                            : error_set(error, TENDER_EINVAL,
                                        "broker_key is given, and no key to answer its challenge "
                                        "with: key_file or TENDER_KEY names the file of one");
    }
    int status = tender_key_read(path, &session->key, problem);
    if (status != 0) {
        return error_set(error, status, "key_file: %s", problem);
    }
    status = take_pins(session, pins, error);
    return status != 0 || session->pin_count > 0
               ? status
               : known_init(&session->known, options->known_brokers, error);
}

/* Whether the broker that has this key may be spoken to: by the keys that were named, or where
 * there are none by what was found at its address before. 0, or an error with its sentence. */
static int check_broker(const struct session *session, const uint8_t *key, struct error *error)
{
    char text[TENDER_KEY_TEXT_SIZE];
    for (uint32_t i = 0; i < session->pin_count; i++) {
        if (memcmp(session->pins[i], key, TENDER_PUBLIC_KEY_SIZE) == 0) {
            return 0;
        }
    }
    if (session->pin_count == 0) {
        return known_check(&session->known, session->url[session->url_index], key, error);
    }
    tender_key_text(key, text);
    return error_set(error, TENDER_EREFUSED,
                     "the broker has the key %s, which is none of broker_key or TENDER_BROKER_KEY",
                     text);
}

/* What the question was answered with: whether the answer is in form. */
static bool hear_answer(struct session *session, tender_bytes challenge)
{
    struct error error;
    session->proof = PROOF_NONE;
    if (challenge.size != PROOF_CHALLENGE_SIZE ||
        !proof_is_challenge(challenge.data, session->question, session->id)) {
        return false;
    }
    memcpy(session->challenge, challenge.data, PROOF_CHALLENGE_SIZE);
    session->proof = PROOF_CHALLENGED;
    int status = check_broker(session, session->challenge + PROOF_NONCE_SIZE, &error);
    if (status != 0) {
        session_fail(session, status, "%s", error.text);
    }
    return true;
}

bool session_hear_challenge(struct session *session, enum proof_state step, tender_bytes challenge)
{
    char text[TENDER_KEY_TEXT_SIZE];
    if (session->key == NULL) {
        session_fail(session, TENDER_EREFUSED,
                     "the broker wants a proof: key_file or TENDER_KEY names the file of a key, "
                     "which \"tender key new\" makes");
        return true;
    }
    if (step == PROOF_ASKED && session->proof == PROOF_ASKED) {
        return hear_answer(session, challenge);
    }
    if (step == PROOF_GIVEN && session->proof == PROOF_GIVEN &&
        challenge.size == PROOF_CHALLENGE_SIZE &&
        memcmp(session->challenge, challenge.data, PROOF_NONCE_SIZE) == 0) {
        tender_key_text(tender_key_public(session->key), text);
        session_fail(session, TENDER_EREFUSED, "the broker does not take the proof by key %s",
                     text);
        return true;
    }
    if (session->proof == PROOF_GIVEN || session->proof == PROOF_TAKEN) {
        session->proof = PROOF_NONE; /* another connection than the one that was proved */
        outbox_rewind(&session->outbox);
    }
    return true;
}

bool session_next_step(struct session *session, uint8_t tail_out[SESSION_STEP_MAX],
                       size_t *size_out)
{
    struct proof_claim claim = {.challenge = session->challenge,
                                .session = session->id,
                                .name = {session->name, strlen(session->name)},
                                .principal = {session->principal, strlen(session->principal)}};
    switch (session->proof) {
    case PROOF_NONE:
        if (getrandom(session->question, PROOF_QUESTION_SIZE, 0) != PROOF_QUESTION_SIZE) {
            return false;
        }
        memcpy(tail_out, session->question, PROOF_QUESTION_SIZE);
        *size_out = PROOF_QUESTION_SIZE;
        session->proof = PROOF_ASKED;
        return true;
    case PROOF_CHALLENGED:
        proof_make(session->key, &claim, tail_out);
        *size_out = PROOF_SIZE;
        session->proof = PROOF_GIVEN;
        return true;
    case PROOF_ASKED:
    case PROOF_GIVEN:
    case PROOF_TAKEN:
        return false;
    }
    return false;
}

void session_end_step(struct session *session, enum proof_state step, bool is_answered)
{
    if (step == PROOF_NONE || session->proof != step) {
        return;
    }
    session->proof = step == PROOF_GIVEN && is_answered ? PROOF_TAKEN : PROOF_NONE;
}
