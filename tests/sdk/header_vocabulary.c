/* Goal: tender/vocabulary.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/vocabulary.h>

int header_vocabulary(void);
int header_vocabulary(void)
{
    return TENDER_ENOMEM;
}
