/* The rule of quarantine.h. */
#include "quarantine.h"

#include <string.h>

static void forget(struct strike_sheet *sheet, uint32_t index)
{
    sheet->count--;
    memmove(&sheet->strikes[index], &sheet->strikes[index + 1],
            (sheet->count - index) * sizeof sheet->strikes[0]);
}

void quarantine_strike(struct strike_sheet *sheet, uint64_t client, int64_t at_us, uint32_t kept)
{
    for (uint32_t i = 0; i < sheet->count; i++) {
        if (sheet->strikes[i].client == client) {
            forget(sheet, i);
            break;
        }
    }
    if (sheet->count == QUARANTINE_STRIKES) {
        forget(sheet, 0);
    }
    sheet->strikes[sheet->count++] = (struct strike){client, at_us, kept};
}

void quarantine_keep(struct strike_sheet *sheet)
{
    for (uint32_t i = 0; i < sheet->count; i++) {
        sheet->strikes[i].kept++;
    }
}

static bool is_old(const struct strike *strike, int64_t now_us)
{
    return strike->at_us <= now_us - QUARANTINE_WINDOW_US;
}

uint32_t quarantine_is_due(const struct strike_sheet *sheet, int64_t now_us)
{
    for (uint32_t i = 0; i + QUARANTINE_CLIENTS <= sheet->count; i++) {
        uint32_t clients = sheet->count - i;
        if (!is_old(&sheet->strikes[i], now_us) && sheet->strikes[i].kept <= clients) {
            return clients;
        }
    }
    return 0;
}

bool quarantine_is_over(const struct strike_sheet *sheet, int64_t now_us)
{
    return sheet->count == 0 || is_old(&sheet->strikes[sheet->count - 1], now_us);
}
