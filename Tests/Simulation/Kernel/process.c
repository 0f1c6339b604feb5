#ifdef __linux__
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "SimulatedKernel.h"

void simulated_fix_memory(char **arguments) {
    const char *name = "SWIFT_DETERMINISTIC_HASHING";
    if (getenv(name)) return;
    if (setenv(name, "1", 1)) return;
    // A container may forbid it.
    personality(ADDR_NO_RANDOMIZE);
    execv("/proc/self/exe", arguments);
}

int simulated_fork(unsigned seconds) {
    int child = fork();
    if (child == 0) {
        // A busy machine may give it little of a processor. A thread that waits forever uses none.
        struct rlimit limit = {seconds, RLIM_INFINITY};
        setrlimit(RLIMIT_CPU, &limit);
        alarm(10 * seconds);
    }
    return child;
}

int simulated_wait_for_child(int *status) {
    int code = 0, child = waitpid(-1, &code, 0);
    *status = WIFEXITED(code) ? WEXITSTATUS(code) : -WTERMSIG(code);
    return child;
}

int64_t simulated_memory(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage)) return 0;
    return usage.ru_maxrss * INT64_C(1024);
}
#endif
