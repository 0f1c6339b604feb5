/* What the files of the simulated kernel share. */
#ifndef KERNEL_H
#define KERNEL_H

#include <sys/types.h>

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

/* Lets others run until `is_ready` returns other than 0, or the deadline has come. */
void kernel_park(int (*is_ready)(void *), void *context, int64_t deadline);
/* Waits for the lock of a futex, and takes it. */
int kernel_take_futex(uint32_t *futex);

/* Threads. The ready ones are numbered from 0 in the order of their list. */
void kernel_begin_threads(void);
int kernel_has_thread(void);
size_t kernel_ready_threads(void);
int64_t kernel_first_deadline(void);
void kernel_run_thread(size_t number);

/* Runs a job or a thread, or lets time pass. Returns 0 if nothing is left that can happen. */
int kernel_go_on(void);
/* Lets the events up to a moment happen. */
void kernel_happen_until(int64_t moment);
/* The moment of the next event. */
int64_t kernel_next_event(void);
void *kernel_allocated(void *old, size_t size);

/* The timers of timerfd_create(2). */
int kernel_is_timer(int descriptor);
ssize_t kernel_read_timer(void *bytes, size_t count);

/* Closes a descriptor if it is a simulated socket. */
void kernel_close_socket(int descriptor);

#endif
