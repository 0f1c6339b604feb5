/* What the files of the simulated kernel share. */
#ifndef KERNEL_H
#define KERNEL_H

#include "SimulatedKernel.h"

extern simulated_network kernel_network;

/* Whether the calling thread is one of the simulation. All other threads use the real system. */
int kernel_owns_thread(void);
/* A function of the library that this file replaces. */
void *kernel_real(const char *name);
#define REAL(name) \
    ({ \
        static void *found; \
        if (!found) found = kernel_real(#name); \
        (__typeof__(&name))found; \
    })

/* epoll_pwait2(2), with a limit in nanoseconds; without one if it is negative. */
struct epoll_event;
int kernel_poll(int epoll, struct epoll_event *events, int capacity, int64_t limit);

/* The pollers. `mask` has the events of epoll(7). */
void kernel_notify(int descriptor, uint32_t mask);
/* The events that a descriptor would report now. */
uint32_t kernel_events_of_socket(int descriptor);

/* Gives the baton away until the poller has events or the deadline has come. */
void kernel_park(int (*is_ready)(void *), void *context, int64_t deadline);

/* Closes a descriptor if it is a simulated socket. */
void kernel_close_socket(int descriptor);

#endif
