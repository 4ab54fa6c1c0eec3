/* Goal: tender/client.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/client.h>

int header_client(void);
int header_client(void)
{
    return TENDER_ENOMEM;
}
