#include <stddef.h>
#include <stdint.h>

/// Has libFuzzer try inputs until its options, which it takes from the arguments, end it. Scripts/fuzz
/// links it.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*take)(const uint8_t *octets, size_t count));
