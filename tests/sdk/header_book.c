/* Goal: tender/book.h compiles alone, as C11 and, by header_cpp.cpp, as C++. */
#include <tender/book.h>

int header_book(void);
int header_book(void)
{
    return TENDER_NONCE_SIZE;
}
