/* Goal: tender/contractor.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/contractor.h>

int header_contractor(void);
int header_contractor(void)
{
    return TENDER_ENOMEM;
}
