#include "commands.h"

int run_explain(const struct arguments *arguments)
{
    (void)arguments;
    return EXIT_OTHERWISE;
}
