// <stdbool.h> first: without it ldns falls back to `char` for bool, and Swift would see Int8.
#include <stdbool.h>

#include <ldns/ldns.h>
