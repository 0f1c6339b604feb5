#ifdef __linux__
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kernel.h"

enum { second = 1000000000 };

/* A thread of the program, such as its event loop, or one that schedules. It runs only while it has the baton. */
typedef struct thread {
    struct thread *next;
    sem_t baton;
    void *(*body)(void *);
    void *context;
    int (*is_ready)(void *);
    void *ready_context;
    int64_t deadline;
    int schedules;
} thread;

/* One thread schedules: it chooses the next job or the next thread. If a job blocks, another thread schedules until
   the job can go on. */
static struct {
    /* Threads that wait for something. */
    thread *waiting;
    /* Threads that can schedule, and have nothing to do. */
    thread *spare;
    /* The thread that schedules, while it waits for a thread of the program. */
    thread *scheduler;
    int (*is_done)(void);
    /* The baton of the thread that called simulated_kernel_run. */
    sem_t caller;
} threads;

static __thread thread *own;
static __thread int is_caller;

int kernel_has_thread(void) { return is_caller || own; }

void kernel_begin_threads(void) {
    sem_init(&threads.caller, 0, 0);
    is_caller = 1;
}

static void take(sem_t *baton) {
    while (sem_wait(baton)) {}
}

static void pass_to(thread *other) {
    sem_t *baton = &own->baton;
    sem_post(&other->baton);
    take(baton);
}

static thread *new_thread(void *(*body)(void *), void *context) {
    thread *made = kernel_allocated(NULL, sizeof *made);
    *made = (thread){.body = body, .context = context};
    sem_init(&made->baton, 0, 0);
    return made;
}

/* MARK: Scheduling */

static void *schedule(void *context) {
    own = context;
    take(&own->baton);
    while (1) {
        if (!threads.is_done() && kernel_go_on()) continue;
        own->next = threads.spare;
        threads.spare = own;
        sem_post(&threads.caller);
        take(&own->baton);
    }
    return NULL;
}

static thread *take_spare(void) {
    thread *found = threads.spare;
    if (found) {
        threads.spare = found->next;
        return found;
    }
    found = new_thread(NULL, NULL);
    found->schedules = 1;
    pthread_t handle;
    if (REAL(pthread_create)(&handle, NULL, schedule, found)) abort();
    return found;
}

void simulated_kernel_run(int (*is_done)(void)) {
    threads.is_done = is_done;
    sem_post(&take_spare()->baton);
    take(&threads.caller);
}

/* MARK: Waiting */

static int is_ready(const thread *one) {
    return one->deadline <= simulated_now() || one->is_ready(one->ready_context);
}

size_t kernel_ready_threads(void) {
    size_t ready = 0;
    for (thread *one = threads.waiting; one; one = one->next) ready += (size_t)is_ready(one);
    return ready;
}

int64_t kernel_first_deadline(void) {
    int64_t first = INT64_MAX;
    for (thread *one = threads.waiting; one; one = one->next)
        if (one->deadline < first) first = one->deadline;
    return first;
}

void kernel_run_thread(size_t number) {
    thread **place = &threads.waiting;
    while (!is_ready(*place) || number-- > 0) place = &(*place)->next;
    thread *chosen = *place;
    *place = chosen->next;
    if (chosen->schedules) {
        // Its job goes on, and then it schedules.
        own->next = threads.spare;
        threads.spare = own;
    } else {
        threads.scheduler = own;
    }
    pass_to(chosen);
}

static void wait_for(thread *one, int (*is_ready)(void *), void *context, int64_t deadline) {
    one->is_ready = is_ready;
    one->ready_context = context;
    one->deadline = deadline;
    one->next = threads.waiting;
    threads.waiting = one;
}

void kernel_park(int (*is_ready)(void *), void *context, int64_t deadline) {
    if (own) {
        wait_for(own, is_ready, context, deadline);
        pass_to(own->schedules ? take_spare() : threads.scheduler);
        return;
    }
    // The caller of simulated_kernel_run cannot wait for itself: only time passes.
    while (!is_ready(context) && simulated_now() < deadline && kernel_next_event() < INT64_MAX) {
        int64_t next = kernel_next_event();
        kernel_happen_until(next < deadline ? next : deadline);
    }
}

void simulated_wait(int (*is_ready)(void *), void *context, int64_t limit) {
    kernel_park(is_ready, context, simulated_now() + limit);
}

/* MARK: Threads of the program */

static void *run(void *context) {
    own = context;
    take(&own->baton);
    void *result = own->body(own->context);
    sem_destroy(&own->baton);
    free(own);
    own = NULL;
    sem_post(&threads.scheduler->baton);
    return result;
}

static int always(void *context) {
    (void)context;
    return 1;
}

static int never(void *context) {
    (void)context;
    return 0;
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    if (!kernel_owns_thread()) return REAL(pthread_create)(handle, attributes, body, context);
    thread *made = new_thread(body, context);
    wait_for(made, always, NULL, INT64_MAX);
    return REAL(pthread_create)(handle, attributes, run, made);
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
    if (!kernel_owns_thread()) return REAL(nanosleep)(time, rest);
    int64_t span = time->tv_sec * second + time->tv_nsec;
    if (own) kernel_park(never, NULL, simulated_now() + span);
    else simulated_pass(span);
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    if (!kernel_owns_thread()) return REAL(clock_nanosleep)(clock, flags, time, rest);
    int64_t span = time->tv_sec * second + time->tv_nsec;
    if (flags & TIMER_ABSTIME) {
        struct timespec now;
        clock_gettime(clock, &now);
        span -= now.tv_sec * second + now.tv_nsec;
    }
    struct timespec left = {.tv_sec = span > 0 ? span / second : 0, .tv_nsec = span > 0 ? span % second : 0};
    return nanosleep(&left, rest);
}

int usleep(useconds_t time) {
    struct timespec span = {.tv_sec = time / 1000000, .tv_nsec = (long)(time % 1000000) * 1000};
    return nanosleep(&span, NULL);
}

/* MARK: Locks, which another thread may hold while it waits */

static int is_zero(void *context) { return __atomic_load_n((uint32_t *)context, __ATOMIC_ACQUIRE) == 0; }

int kernel_take_futex(uint32_t *futex) {
    while (!is_zero(futex)) kernel_park(is_zero, futex, INT64_MAX);
    __atomic_store_n(futex, (uint32_t)gettid(), __ATOMIC_RELEASE);
    return 0;
}

static int is_free(void *context) { return ((pthread_mutex_t *)context)->__data.__lock == 0; }

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!kernel_owns_thread()) return REAL(pthread_mutex_lock)(mutex);
    int code;
    while ((code = pthread_mutex_trylock(mutex)) == EBUSY) kernel_park(is_free, mutex, INT64_MAX);
    return code;
}

/* A thread that waits for a condition variable. */
typedef struct waiter {
    struct waiter *next;
    pthread_cond_t *condition;
    int is_woken;
} waiter;

static waiter *waiters;

static int is_woken(void *context) { return ((waiter *)context)->is_woken; }

static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline) {
    waiter added = {NULL, condition, 0}, **place = &waiters;
    while (*place) place = &(*place)->next;
    *place = &added;
    pthread_mutex_unlock(mutex);
    kernel_park(is_woken, &added, deadline);
    for (place = &waiters; *place != &added;) place = &(*place)->next;
    *place = added.next;
    pthread_mutex_lock(mutex);
    return added.is_woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    if (!kernel_owns_thread()) return REAL(pthread_cond_wait)(condition, mutex);
    return wait_until(condition, mutex, INT64_MAX);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    if (!kernel_owns_thread()) return REAL(pthread_cond_timedwait)(condition, mutex, time);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t span = (time->tv_sec - now.tv_sec) * second + time->tv_nsec - now.tv_nsec;
    return wait_until(condition, mutex, simulated_now() + span);
}

static int wake(pthread_cond_t *condition, int all) {
    int count = 0;
    for (waiter *one = waiters; one && (all || !count); one = one->next) {
        if (one->condition != condition || one->is_woken) continue;
        one->is_woken = 1;
        count++;
    }
    return count;
}

int pthread_cond_signal(pthread_cond_t *condition) {
    if (kernel_owns_thread() && wake(condition, 0)) return 0;
    return REAL(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (kernel_owns_thread()) wake(condition, 1);
    return REAL(pthread_cond_broadcast)(condition);
}
#endif
