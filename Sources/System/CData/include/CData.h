#ifndef CDATA_H
#define CDATA_H

#include <stddef.h>

/* The files of data/. Package resources would be arrays in Swift, which take the compiler 15 seconds. */
typedef enum {
    cdata_resolvers,
    cdata_domains,
    cdata_popular,
    cdata_zones,
    cdata_checks,
    cdata_lab_checks,
    cdata_lab_default,
    cdata_lab_hostile,
    cdata_campaign_2009,
} cdata_name;

/* Returns the bytes of a file, which live as long as the program, and their number. */
const unsigned char *cdata_bytes(cdata_name name, size_t *count);

/* Returns a page of the guide by its number, with its name and the number of its bytes. Number 0 is the
   index. NULL after the last page. */
const unsigned char *cdata_guide(size_t number, const char **name, size_t *count);

#endif
