/*
 * The wire's side of the attacks: plays one against the broker of TENDER_URL.
 *
 * usage: redteam-agents ATTACK TAG   the names of all that take part begin with TAG
 */
#include "plays.h"

#include <stdio.h>
#include <string.h>

static const struct play {
    const char *name;
    play_fn *play;
} plays[] = {
    {"pair", play_pair},
    {"shill", play_shill},
    {"injected", play_injected},
    {"claims", play_claims},
    {"replay", play_replay},
    {"race", play_race},
    {"idle", play_idle},
    {"impostor", play_impostor},
    {"last-words", play_last_words},
    {"story", play_story},
    {"other-story", play_other_story},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof plays / sizeof plays[0]; i++) {
        if (strcmp(argv[1], plays[i].name) == 0) {
            struct stage stage;
            stage_open(&stage, argv[2]);
            plays[i].play(&stage, argv[2]);
            stage_close(&stage);
            return 0;
        }
    }
    fprintf(stderr, "usage: redteam-agents ATTACK TAG\n");
    return 2;
}
