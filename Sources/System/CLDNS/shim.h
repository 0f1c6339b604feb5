// <stdbool.h> must come first: without it ldns defines bool as `char`, which Swift imports as Int8.
#include <stdbool.h>

#include <ldns/ldns.h>
