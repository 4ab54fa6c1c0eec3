/* Goal: tender/key.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/key.h>

int header_key(void);
int header_key(void)
{
    return TENDER_SIGNATURE_SIZE;
}
