#ifndef CDATA_H
#define CDATA_H

#include <stddef.h>

/* The files of data/. As resources of a package they would be arrays of Swift, which its compiler takes a
   quarter of a minute for. */
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

/* The octets of a file, which stay, and how many they are. */
const unsigned char *cdata_octets(cdata_name name, size_t *count);

/* The page of the guide with a number, its name, and the number of its octets; NULL after the last page.
   Number 0 is the index. */
const unsigned char *cdata_guide(size_t number, const char **name, size_t *count);

#endif
