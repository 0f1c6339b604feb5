#define _GNU_SOURCE

#include "CProcess.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
/* The Swift runtime searches the arguments in front of the environment. If the constructor of a preloaded library
   sets a variable, the environment has moved, and the runtime finds no arguments. glibc passes the arguments of main
   to constructors, and musl passes none. The symbol is weak, because it belongs to the runtime. */
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) __attribute__((weak));

__attribute__((constructor)) static void take_arguments(int count, char **values) {
    if (_swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(values, count);
}
#endif

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

long cprocess_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

int cprocess_can_start_threads(long count) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    if (!threads || pthread_attr_init(&attributes) != 0) {
        free(threads);
        return 0;
    }
    /* A stack of the default size would count towards the memory limit. */
    pthread_attr_setstacksize(&attributes, 128 << 10);
    long started = 0;
    pthread_mutex_lock(&gate);
    while (started < count && pthread_create(&threads[started], &attributes, wait_at, &gate) == 0) started++;
    pthread_mutex_unlock(&gate);
    for (long thread = 0; thread < started; thread++) pthread_join(threads[thread], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return started == count;
}

int cprocess_has_stack(unsigned long size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= size) return 1;
    if (limit.rlim_max < size) return 0;
    limit.rlim_cur = size;
    if (setrlimit(RLIMIT_STACK, &limit) < 0) return 0;
#ifdef __GLIBC__
    /* The C library set the stack size of new threads from the limit at the start of the process. */
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return 0;
    int error = pthread_attr_setstacksize(&attributes, size);
    if (error == 0) error = pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    if (error != 0) return 0;
#endif
    return 1;
}
