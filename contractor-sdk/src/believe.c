/*
 * What clients and contractors believe of tasks and goals, said. See tender/client.h and
 * tender/contractor.h.
 */
#include <string.h>

#include "client.h"
#include "contractor.h"
#include "fleet.h"

static int check_belief(struct error *error, const char *goal, tender_reason belief,
                        const char *text)
{
    bool is_lifting = belief == TENDER_REASON_NONE && goal != NULL;
    if (!is_lifting && belief != TENDER_REASON_ACHIEVED && belief != TENDER_REASON_IMPOSSIBLE &&
        belief != TENDER_REASON_IRRELEVANT) {
        return error_set(error, TENDER_EINVAL, "belief %d is none", (int)belief);
    }
    if (goal != NULL && !tender_name_is_valid(goal, strlen(goal))) {
        return error_set(error, TENDER_EINVAL, "goal is no name");
    }
    return session_check_text(error, "text", text, TENDER_TEXT_MAX);
}

static struct message belief_of(tender_id task, const char *goal, tender_reason belief,
                                const char *text)
{
    struct message message = {.performative = TENDER_BELIEVE, .conversation = task};
    message_set(&message, REASON, reason, (int64_t)belief);
    if (goal != NULL) {
        message_set(&message, GOAL, goal, ((tender_bytes){goal, strlen(goal)}));
    }
    if (text != NULL) {
        message_set(&message, TEXT, text, ((tender_bytes){text, strlen(text)}));
    }
    return message;
}

int tender_believe(tender_client *self, tender_id task, const char *goal, tender_reason belief,
                   const char *text)
{
    struct error *error = &self->view.error;
    int status = check_belief(error, goal, belief, text);
    if (status == 0 && goal == NULL && tender_id_is_nil(task)) {
        status = error_set(error, TENDER_EINVAL, "neither a task nor a goal");
    }
    if (status != 0) {
        return status;
    }
    struct message message = belief_of(task, goal, belief, text);
    return client_ask(self, goal != NULL ? table_name(((tender_bytes){goal, strlen(goal)})) : task,
                      &message);
}

int tender_contractor_believe(tender_contractor *self, tender_commitment commitment,
                              const char *goal, tender_reason belief, const char *text)
{
    self = fleet_member(self, commitment.task);
    struct error *error = &self->view.error;
    int status = check_belief(error, goal, belief, text);
    if (status == 0 && tender_id_is_nil(commitment.task)) {
        status = error_set(error, TENDER_EINVAL, "task is nil");
    }
    if (status != 0) {
        return status;
    }
    struct message message = belief_of(commitment.task, goal, belief, text);
    if (commitment.generation != 0) {
        message_set(&message, PART, part, commitment.part);
        message_set(&message, GENERATION, generation, commitment.generation);
    }
    return contractor_say_of(self, commitment, &message);
}
