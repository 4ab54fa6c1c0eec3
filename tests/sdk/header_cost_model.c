/* Goal: tender/cost_model.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/cost_model.h>

int header_cost_model(void);
int header_cost_model(void)
{
    return TENDER_ENOMEM;
}
