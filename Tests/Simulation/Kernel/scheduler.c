#ifdef __linux__
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "SplitMix.h"
#include "kernel.h"

enum { machines = 16, second = 1000000000 };
/* The time that a job takes, and that reading a clock takes. */
static const int64_t job_time = 1000, clock_time = 50;

simulated_network kernel_network;

/* MARK: Real functions */

void *kernel_real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

/* MARK: State */

/* Work for the thread that schedules. Work with the same queue keeps its order. */
typedef struct {
    void *job;
    void (^block)(void);
    void (*function)(void *);
    void *context, *queue;
    /* The process that made a block. */
    const void *process;
} work;

typedef struct {
    int64_t moment;
    uint64_t order;
    void (*action)(void *);
    void *context;
} event;

static struct {
    int is_active;
    uint64_t random, jobs, orders;
    int64_t now, suspended, start, offset[machines];
    work *works;
    size_t work_count, work_room;
    event *events;
    size_t event_count, event_room;
} kernel;

int kernel_owns_thread(void) { return kernel.is_active && kernel_has_thread(); }

void *kernel_allocated(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory) abort();
    return memory;
}

uint64_t simulated_random(void) { return split_mix(&kernel.random); }

uint64_t simulated_jobs(void) { return kernel.jobs; }

/* MARK: Clocks */

int64_t simulated_now(void) { return kernel.now; }

int64_t simulated_wall(int machine) {
    return kernel.start + kernel.now + kernel.suspended + (machine < 0 ? 0 : kernel.offset[machine % machines]);
}

void simulated_step(int machine, int64_t by) { kernel.offset[machine % machines] += by; }

static int64_t reading(clockid_t clock) {
    kernel.now += clock_time;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return simulated_wall(kernel_network.machine());
    case CLOCK_BOOTTIME: return kernel.now + kernel.suspended;
    default: return kernel.now;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int is_simulated = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC ||
                       clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
    if (!is_simulated || !kernel_owns_thread()) return REAL(clock_gettime)(clock, time);
    int64_t found = reading(clock);
    *time = (struct timespec){.tv_sec = found / second, .tv_nsec = found % second};
    return 0;
}

int64_t simulated_real_time(void) {
    struct timespec found;
    REAL(clock_gettime)(CLOCK_MONOTONIC, &found);
    return found.tv_sec * (int64_t)second + found.tv_nsec;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    if (!kernel_owns_thread()) return REAL(gettimeofday)(time, zone);
    int64_t found = reading(CLOCK_REALTIME);
    *time = (struct timeval){.tv_sec = found / second, .tv_usec = found % second / 1000};
    return 0;
}

time_t time(time_t *result) {
    if (!kernel_owns_thread()) return REAL(time)(result);
    time_t found = reading(CLOCK_REALTIME) / second;
    if (result) *result = found;
    return found;
}

/* MARK: Events */

static int precedes(const event *one, const event *other) {
    return one->moment != other->moment ? one->moment < other->moment : one->order < other->order;
}

void simulated_call(int64_t moment, void (*action)(void *), void *context) {
    if (kernel.event_count == kernel.event_room) {
        kernel.event_room = kernel.event_room ? kernel.event_room * 2 : 64;
        kernel.events = kernel_allocated(kernel.events, kernel.event_room * sizeof *kernel.events);
    }
    size_t place = kernel.event_count++;
    event added = {moment < kernel.now ? kernel.now : moment, kernel.orders++, action, context};
    while (place > 0 && precedes(&added, &kernel.events[(place - 1) / 2])) {
        kernel.events[place] = kernel.events[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    kernel.events[place] = added;
}

static event take_event(void) {
    event first = kernel.events[0], last = kernel.events[--kernel.event_count];
    size_t place = 0;
    while (1) {
        size_t child = place * 2 + 1;
        if (child >= kernel.event_count) break;
        if (child + 1 < kernel.event_count && precedes(&kernel.events[child + 1], &kernel.events[child])) child++;
        if (!precedes(&kernel.events[child], &last)) break;
        kernel.events[place] = kernel.events[child];
        place = child;
    }
    if (kernel.event_count) kernel.events[place] = last;
    return first;
}

void kernel_happen_until(int64_t moment) {
    while (kernel.event_count && kernel.events[0].moment <= moment) {
        event due = take_event();
        if (due.moment > kernel.now) kernel.now = due.moment;
        due.action(due.context);
    }
    if (moment > kernel.now) kernel.now = moment;
}

int64_t kernel_next_event(void) { return kernel.event_count ? kernel.events[0].moment : INT64_MAX; }

void simulated_pass(int64_t time) { kernel_happen_until(kernel.now + time); }

/* MARK: Work */

static void add_work(work added) {
    if (kernel.work_count == kernel.work_room) {
        kernel.work_room = kernel.work_room ? kernel.work_room * 2 : 64;
        kernel.works = kernel_allocated(kernel.works, kernel.work_room * sizeof *kernel.works);
    }
    kernel.works[kernel.work_count++] = added;
}

/* A random piece of work, or the oldest one of its queue. */
static work take_work(void) {
    size_t place = simulated_random() % kernel.work_count;
    void *queue = kernel.works[place].queue;
    for (size_t other = 0; queue && other < place; other++)
        if (kernel.works[other].queue == queue) place = other;
    work found = kernel.works[place];
    kernel.work_count--;
    memmove(&kernel.works[place], &kernel.works[place + 1], (kernel.work_count - place) * sizeof found);
    return found;
}

typedef struct {
    void *identity, *implementation;
} executor;

/* Swift's runtime: include/swift/Runtime/Concurrency.h. */
#define SWIFT __attribute__((swiftcall))
extern SWIFT void swift_job_run(void *job, executor on);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, void *original);
extern SWIFT void (*swift_task_enqueueMainExecutor_hook)(void *job, void *original);

static SWIFT void enqueue_job(void *job, void *original) {
    (void)original;
    add_work((work){.job = job});
}

/* A job that sleeps. */
typedef struct {
    int is_continuous;
    void *context;
    void (*function)(void *);
} sleeper;

static void wake_sleeper(void *context) {
    sleeper *own = context;
    add_work((work){.context = own->context, .function = own->function});
    free(own);
}

void simulated_suspend(int64_t time) {
    kernel.suspended += time;
    event *before = kernel.events;
    size_t count = kernel.event_count;
    kernel.events = NULL;
    kernel.event_count = kernel.event_room = 0;
    for (size_t index = 0; index < count; index++) {
        event one = before[index];
        int goes_on = one.action == wake_sleeper && ((sleeper *)one.context)->is_continuous;
        simulated_call(one.moment - (goes_on ? time : 0), one.action, one.context);
    }
    free(before);
}

/* A time of libdispatch: its highest bit is set for the clock that goes on while the machine is suspended. */
void dispatch_after_f(uint64_t moment, void *queue, void *context, void (*function)(void *)) {
    if (!kernel_owns_thread()) {
        REAL(dispatch_after_f)(moment, queue, context, function);
        return;
    }
    const uint64_t continuous = UINT64_C(1) << 63, never_comes = UINT64_MAX;
    if (moment == never_comes) return;
    sleeper *own = kernel_allocated(NULL, sizeof *own);
    *own = (sleeper){(moment & continuous) != 0, context, function};
    simulated_call((int64_t)(moment & ~continuous) - (moment & continuous ? kernel.suspended : 0), wake_sleeper, own);
}

/* The runtime of blocks, whose header is not in the search path. */
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

/* libdispatch, as far as the program uses it. */
void dispatch_async(void *queue, void (^block)(void)) {
    if (!kernel_owns_thread()) {
        REAL(dispatch_async)(queue, block);
        return;
    }
    const void *process = kernel_network.process();
    add_work((work){.block = _Block_copy((const void *)block), .queue = queue, .process = process});
}

void dispatch_async_f(void *queue, void *context, void (*function)(void *)) {
    if (!kernel_owns_thread()) REAL(dispatch_async_f)(queue, context, function);
    else add_work((work){.context = context, .function = function});
}

/* Swift's runtime makes queues for its sleeps. This call would start a thread of libdispatch. */
void dispatch_queue_set_width(void *queue, long width) {
    if (!kernel_owns_thread()) REAL(dispatch_queue_set_width)(queue, width);
}

void dispatch_apply(size_t count, void *queue, void (^block)(size_t)) {
    if (!kernel_owns_thread()) {
        REAL(dispatch_apply)(count, queue, block);
        return;
    }
    for (size_t index = 0; index < count; index++) block(index);
}

/* MARK: Randomness, and calls without a function of their own */

static long fill(void *bytes, size_t count) {
    unsigned char *place = bytes;
    for (size_t index = 0; index < count; index++) place[index] = (unsigned char)(simulated_random() >> 32);
    return (long)count;
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    if (!kernel_owns_thread()) return REAL(getrandom)(bytes, count, flags);
    return fill(bytes, count);
}

int getentropy(void *bytes, size_t count) {
    if (!kernel_owns_thread()) return REAL(getentropy)(bytes, count);
    return fill(bytes, count) < 0;
}

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (kernel_owns_thread()) {
        if (number == SYS_getrandom) return fill((void *)a, (size_t)b);
        // The slow path of Swift's Mutex.
        if (number == SYS_futex && (b & FUTEX_CMD_MASK) == FUTEX_LOCK_PI) return kernel_take_futex((uint32_t *)a);
#ifdef SYS_epoll_pwait2
        if (number == SYS_epoll_pwait2) {
            const struct timespec *limit = (const struct timespec *)d;
            int64_t time = limit ? limit->tv_sec * second + limit->tv_nsec : -1;
            return kernel_poll((int)a, (struct epoll_event *)b, (int)c, time);
        }
#endif
    }
    return REAL(syscall)(number, a, b, c, d, e, f);
}

/* MARK: The loop */

void simulated_kernel_begin(const simulated_network *network) {
    kernel_network = *network;
    kernel_begin_threads();
    kernel.is_active = 1;
    swift_task_enqueueGlobal_hook = enqueue_job;
    swift_task_enqueueMainExecutor_hook = enqueue_job;
}

void simulated_start(int64_t wall) { kernel.start = wall - kernel.now - kernel.suspended; }
void simulated_seed(uint64_t seed) { kernel.random = seed; }

static void call_block(void *block) { ((void (^)(void))block)(); }

static void run_work(void) {
    work due = take_work();
    if (due.block) {
        kernel_network.act_as(due.process, call_block, (void *)due.block);
        _Block_release((const void *)due.block);
    } else if (due.function) {
        due.function(due.context);
    } else {
        swift_job_run(due.job, (executor){NULL, NULL});
    }
}

/* Runs one job, or one thread until it waits. Returns 0 if none is ready. */
static int run_next(void) {
    size_t ready = kernel_ready_threads();
    if (!ready && !kernel.work_count) return 0;
    kernel.jobs++;
    kernel.now += job_time;
    if (kernel.work_count && (!ready || simulated_random() % 2)) run_work();
    else kernel_run_thread(simulated_random() % ready);
    return 1;
}

int kernel_go_on(void) {
    // Events are due as soon as their time has come, also while jobs are ready.
    kernel_happen_until(kernel.now);
    if (run_next()) return 1;
    int64_t event = kernel_next_event(), next = kernel_first_deadline();
    if (event < next) next = event;
    if (next == INT64_MAX) return 0;
    kernel_happen_until(next);
    return 1;
}

#endif
