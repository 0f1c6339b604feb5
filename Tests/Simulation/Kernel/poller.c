#ifdef __linux__
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "kernel.h"

enum { descriptors = 1024, pollers = 8 };

/* A descriptor that a poller watches. */
typedef struct {
    uint32_t wanted, pending;
    epoll_data_t data;
} watch;

typedef struct {
    int descriptor;
    size_t pending;
    watch *watches[descriptors];
} poller;

static poller *all[pollers];
static unsigned char is_bell[descriptors];
/* The number of settings of a timer; 0 of other descriptors. */
static uint64_t timers[descriptors];

static poller *find(int descriptor) {
    for (int index = 0; index < pollers; index++)
        if (all[index] && all[index]->descriptor == descriptor) return all[index];
    return NULL;
}

int epoll_create(int size) {
    (void)size;
    return epoll_create1(0);
}

int epoll_create1(int flags) {
    int descriptor = REAL(epoll_create1)(flags);
    if (descriptor < 0 || !kernel_owns_thread()) return descriptor;
    for (int index = 0; index < pollers; index++) {
        if (all[index]) continue;
        all[index] = calloc(1, sizeof *all[index]);
        if (!all[index]) abort();
        all[index]->descriptor = descriptor;
        return descriptor;
    }
    abort();
}

int eventfd(unsigned count, int flags) {
    int descriptor = REAL(eventfd)(count, flags);
    if (descriptor >= 0 && descriptor < descriptors && kernel_owns_thread()) is_bell[descriptor] = 1;
    return descriptor;
}

static void note(poller *own, int descriptor, uint32_t events) {
    watch *found = own->watches[descriptor];
    if (!found) return;
    events &= found->wanted | EPOLLERR | EPOLLHUP;
    if (events && !found->pending) own->pending++;
    found->pending |= events;
}

void kernel_notify(int descriptor, uint32_t events) {
    for (int index = 0; index < pollers; index++)
        if (all[index]) note(all[index], descriptor, events);
}

int eventfd_write(int descriptor, eventfd_t value) {
    if (descriptor < 0 || descriptor >= descriptors || !is_bell[descriptor] || !kernel_owns_thread())
        return REAL(eventfd_write)(descriptor, value);
    kernel_notify(descriptor, EPOLLIN);
    return 0;
}

int eventfd_read(int descriptor, eventfd_t *value) {
    if (descriptor < 0 || descriptor >= descriptors || !is_bell[descriptor] || !kernel_owns_thread())
        return REAL(eventfd_read)(descriptor, value);
    *value = 1;
    return 0;
}

/* MARK: Timers, which are read after each event */

int timerfd_create(int clock, int flags) {
    int descriptor = REAL(timerfd_create)(clock, flags);
    if (descriptor >= 0 && descriptor < descriptors && kernel_owns_thread()) timers[descriptor] = 1;
    return descriptor;
}

typedef struct {
    int descriptor;
    uint64_t setting;
} alarm_clock;

static void ring(void *context) {
    alarm_clock *own = context;
    if (timers[own->descriptor] == own->setting) kernel_notify(own->descriptor, EPOLLIN);
    free(own);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old) {
    if (!kernel_is_timer(descriptor)) return REAL(timerfd_settime)(descriptor, flags, value, old);
    int64_t span = value->it_value.tv_sec * 1000000000 + value->it_value.tv_nsec;
    timers[descriptor]++;
    if (!span) return 0;
    alarm_clock *made = kernel_allocated(NULL, sizeof *made);
    *made = (alarm_clock){descriptor, timers[descriptor]};
    simulated_call(simulated_now() + span, ring, made);
    return 0;
}

int kernel_is_timer(int descriptor) { return descriptor >= 0 && descriptor < descriptors && timers[descriptor]; }

ssize_t kernel_read_timer(void *bytes, size_t count) {
    uint64_t one = 1;
    if (count < sizeof one) abort();
    memcpy(bytes, &one, sizeof one);
    return sizeof one;
}

static void forget(poller *own, int descriptor) {
    watch *found = own->watches[descriptor];
    if (!found) return;
    if (found->pending) own->pending--;
    free(found);
    own->watches[descriptor] = NULL;
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
    poller *own = find(epoll);
    if (!own) return REAL(epoll_ctl)(epoll, operation, descriptor, event);
    if (descriptor < 0 || descriptor >= descriptors) abort();
    if (operation == EPOLL_CTL_DEL) {
        forget(own, descriptor);
        return 0;
    }
    watch *found = own->watches[descriptor];
    if ((operation == EPOLL_CTL_ADD) == (found != NULL)) {
        errno = found ? EEXIST : ENOENT;
        return -1;
    }
    if (!found) found = own->watches[descriptor] = calloc(1, sizeof *found);
    if (!found) abort();
    found->wanted = event->events;
    found->data = event->data;
    if (found->pending) own->pending--;
    found->pending = 0;
    note(own, descriptor, kernel_events_of_socket(descriptor));
    return 0;
}

/* A level-triggered descriptor reports its events until they are gone. */
static void refresh(poller *own) {
    for (int descriptor = 0; descriptor < descriptors; descriptor++) {
        watch *found = own->watches[descriptor];
        if (found && !(found->wanted & EPOLLET)) note(own, descriptor, kernel_events_of_socket(descriptor));
    }
}

static int has_events(void *context) { return ((poller *)context)->pending > 0; }

int kernel_poll(int epoll, struct epoll_event *events, int capacity, int64_t limit) {
    poller *own = find(epoll);
    if (!own) abort();
    refresh(own);
    if (!own->pending && limit != 0)
        kernel_park(has_events, own, limit < 0 ? INT64_MAX : simulated_now() + limit);
    int count = 0;
    // The events come in a random order.
    int start = (int)(simulated_random() % descriptors);
    for (int step = 0; step < descriptors && own->pending && count < capacity; step++) {
        int descriptor = (start + step) % descriptors;
        watch *found = own->watches[descriptor];
        if (!found || !found->pending) continue;
        events[count++] = (struct epoll_event){.events = found->pending, .data = found->data};
        found->pending = 0;
        own->pending--;
    }
    return count;
}

int epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    if (!find(epoll)) return REAL(epoll_wait)(epoll, events, capacity, milliseconds);
    return kernel_poll(epoll, events, capacity, milliseconds < 0 ? -1 : (int64_t)milliseconds * 1000000);
}

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < descriptors && kernel_owns_thread()) {
        for (int index = 0; index < pollers; index++) {
            if (!all[index]) continue;
            forget(all[index], descriptor);
            if (all[index]->descriptor != descriptor) continue;
            for (int watched = 0; watched < descriptors; watched++) forget(all[index], watched);
            free(all[index]);
            all[index] = NULL;
        }
        is_bell[descriptor] = 0;
        timers[descriptor] = 0;
        kernel_close_socket(descriptor);
    }
    return REAL(close)(descriptor);
}
#endif
