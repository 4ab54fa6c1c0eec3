/*
 * Characters that must not reach a terminal, a table or a log as they are: they move the cursor,
 * turn the writing direction, or say what nobody sees. One list for whatever prints what others
 * wrote.
 */
#ifndef TENDER_CONTRACTOR_SDK_WIRE_MARK_H
#define TENDER_CONTRACTOR_SDK_WIRE_MARK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether `point`, of Unicode, is such a character: control characters, surrogates, line and
 * paragraph separators, bidirectional marks, and what has no width of its own (joiners, fillers,
 * soft hyphen, annotations, tags). Combining and variation marks belong to the letters before them.
 * Source: Unicode Technical Report 36 and Standard Annex 9.
 */
static inline bool mark_is_unsafe(uint32_t point)
{
    static const uint32_t ranges[][2] = {
        {0x00, 0x1f},       {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
        {0x115f, 0x1160},   {0x17b4, 0x17b5}, {0x180e, 0x180e}, {0x200b, 0x200f},
        {0x2028, 0x202e},   {0x2060, 0x206f}, {0x3164, 0x3164}, {0xd800, 0xdfff},
        {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a},
        {0xe0000, 0xe007f},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (point >= ranges[i][0] && point <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

#endif
