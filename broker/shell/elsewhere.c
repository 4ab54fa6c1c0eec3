/*
 * What another broker answers: which shard a message is about, and what is said where this broker
 * does not hold it. See hearing.h.
 */
#include "hearing_internal.h"

uint32_t elsewhere_shard(const struct hearing *hearing, const struct event *event)
{
    const struct message *message = event->message;
    if (event->request != 0) {
        return event->shard;
    }
    if (!tender_id_is_nil(message->conversation)) {
        return shard_of_task(message->conversation, hearing->shard_count);
    }
    bool is_of_account =
        message->performative == TENDER_ANNOUNCE || message_has(message, MESSAGE_GOAL);
    return is_of_account ? shard_of_principal(event->principal, hearing->shard_count)
                         : shard_first(hearing->shards);
}

/* Whether it is what a contractor says of its work, which is not refused but not understood. */
static bool is_report(const struct message *said)
{
    switch ((int)said->performative) {
    case TENDER_PROPOSE:
    case TENDER_REFUSE:
    case TENDER_WITHDRAW:
    case TENDER_ACKNOWLEDGE:
    case TENDER_INFORM_PROGRESS:
    case TENDER_INFORM_DONE:
    case TENDER_FAILURE:
        return true;
    default:
        return false;
    }
}

/* What it was about, by which who said it knows it again. */
static void name_subject(const struct message *said, struct message *answer)
{
    if (said->performative == TENDER_ANNOUNCE) {
        message_set(answer, KEY, key, said->key);
    }
    if (message_has(said, MESSAGE_GOAL)) {
        message_set(answer, GOAL, goal, said->goal);
    }
    if (message_has(said, MESSAGE_ROUND)) {
        message_set(answer, ROUND, round, said->round);
    }
    if (is_report(said) && message_has(said, MESSAGE_GENERATION)) {
        message_set(answer, PART, part, said->part);
        message_set(answer, GENERATION, generation, said->generation);
    }
}

void elsewhere_answer(const struct hearing *hearing, const struct message *said, uint32_t shard,
                      struct message *answer_out)
{
    const struct seat *seat = &hearing->seats[shard];
    *answer_out = (struct message){
        .performative = is_report(said) ? TENDER_NOT_UNDERSTOOD : TENDER_REFUSE,
        .conversation = said->conversation,
    };
    message_set(answer_out, REASON, reason, TENDER_REASON_ELSEWHERE);
    name_subject(said, answer_out);
    if (!seat->is_free && seat->urls_size > 0) {
        tender_bytes address = {seat->urls, seat->urls_size};
        message_set(answer_out, ADDRESS, address, address);
    }
}
