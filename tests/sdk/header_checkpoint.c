/* Goal: tender/checkpoint.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/checkpoint.h>

int header_checkpoint(void);
int header_checkpoint(void)
{
    return TENDER_CHECKPOINT_SIGNED_SIZE;
}
