#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer on inputs until its options end the run. It reads the options from the arguments.
/// Scripts/fuzz links this function.
int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*take)(const uint8_t *octets, size_t count));
