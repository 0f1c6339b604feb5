#ifndef CNOLOCALES_H
#define CNOLOCALES_H

#include <stdint.h>

struct cnolocales_data {
    _Alignas(16) uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved;
    uint8_t is_big_endian;
    uint8_t char_family;
    uint8_t char_size;
    uint8_t reserved_octet;
    uint8_t format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t rest_of_header[8];
    uint32_t entries;
};

extern const struct cnolocales_data icudt76_dat;

#endif
