#include "CNoLocales.h"

/* An ICU "common data" file (ucmndata.h) without any entry: its header, then a count of none. A linker that
 * has it takes nothing from the archive in which Foundation keeps the whole of it, 32 MB of languages,
 * calendars and places. The name has the version of ICU: where Swift's is another, only the room is lost. */
const struct cnolocales_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .char_size = 2,
    .format = {'C', 'm', 'n', 'D'},
    .format_version = {1, 0, 0, 0},
    .data_version = {76, 0, 0, 0},
};
