/* Goal: tender/options.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/options.h>

int header_options(void);
int header_options(void)
{
    tender_options options = TENDER_OPTIONS_INIT;
    return (int)options.slots;
}
