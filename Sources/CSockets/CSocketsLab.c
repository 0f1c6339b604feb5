// glibc declares ppoll only with this, before any of its headers.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CSocketsLab.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#endif

static int64_t cs_lab_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t cs_lab_now(void) {
    return cs_lab_clock(CLOCK_MONOTONIC);
}

// Makes a descriptor nonblocking and closed on exec.
static int cs_lab_configure(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    return fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ? -errno : 0;
}

// Asks the kernel to stamp what arrives, and for an error instead of SIGPIPE.
static void cs_lab_stamp(int fd) {
    int on = 1;
#if defined(SO_TIMESTAMPNS)
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
#else
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
#endif
#if defined(SO_NOSIGPIPE)
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

static int cs_lab_bind(int fd, int v6, uint16_t port) {
    int on = 1;
    if (!v6) {
        struct sockaddr_in address;
        memset(&address, 0, sizeof address);
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return bind(fd, (struct sockaddr *)&address, sizeof address);
    }
    struct sockaddr_in6 address;
    memset(&address, 0, sizeof address);
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(port);
    address.sin6_addr = in6addr_loopback;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    return bind(fd, (struct sockaddr *)&address, sizeof address);
}

int cs_lab_open(int v6, int stream, uint16_t port) {
    int fd = socket(v6 ? AF_INET6 : AF_INET, stream ? SOCK_STREAM : SOCK_DGRAM, 0);
    if (fd < 0) return -errno;
    int on = 1;
    int failed = cs_lab_configure(fd);
    // A port whose last connections linger in TIME_WAIT may be listened on again at once.
    if (stream) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (failed == 0 && (cs_lab_bind(fd, v6, port) < 0 || (stream && listen(fd, 128) < 0)))
        failed = -errno;
    if (failed < 0) {
        close(fd);
        return failed;
    }
    cs_lab_stamp(fd);
    return fd;
}

int cs_lab_port(int fd) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

int cs_lab_accept(int listener) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) return -errno;
    int failed = cs_lab_configure(fd);
    if (failed < 0) {
        close(fd);
        return failed;
    }
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    cs_lab_stamp(fd);
    return fd;
}

// Nanoseconds of CLOCK_REALTIME at which the kernel received the message; 0 without a stamp.
static int64_t cs_lab_received_at(struct msghdr *message) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET) continue;
#if defined(SCM_TIMESTAMPNS)
        if (c->cmsg_type != SCM_TIMESTAMPNS) continue;
        struct timespec stamp;
        memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
        return (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
#else
        if (c->cmsg_type != SCM_TIMESTAMP) continue;
        struct timeval stamp;
        memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
        return (int64_t)stamp.tv_sec * 1000000000 + (int64_t)stamp.tv_usec * 1000;
#endif
    }
    return 0;
}

ssize_t cs_lab_receive(
    int fd, void *buffer, size_t capacity, struct cs_lab_peer *peer, int64_t *arrival) {
    union {
        struct cmsghdr aligned;
        char octets[128];
    } control;
    struct iovec piece = {buffer, capacity};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_name = &peer->address;
    message.msg_namelen = sizeof peer->address;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    ssize_t count = recvmsg(fd, &message, 0);
    if (count < 0) return -errno;
    peer->length = message.msg_namelen;
    int64_t stamp = cs_lab_received_at(&message);
    int64_t age = stamp == 0 ? 0 : cs_lab_clock(CLOCK_REALTIME) - stamp;
    *arrival = cs_lab_now() - (age < 0 || age > 1000000000 ? 0 : age);
    return count;
}

ssize_t cs_lab_send(int fd, const void *buffer, size_t count, const struct cs_lab_peer *peer) {
#if defined(MSG_NOSIGNAL)
    int flags = MSG_NOSIGNAL;
#else
    int flags = 0;
#endif
    const struct sockaddr *address = peer == NULL ? NULL : (const struct sockaddr *)&peer->address;
    ssize_t sent = sendto(fd, buffer, count, flags, address, peer == NULL ? 0 : peer->length);
    return sent < 0 ? -errno : sent;
}

int cs_lab_wait(struct pollfd *descriptors, unsigned count, int64_t timeout) {
#if defined(__linux__)
    struct timespec span = {timeout / 1000000000, timeout % 1000000000};
    int ready = ppoll(descriptors, count, timeout < 0 ? NULL : &span, NULL);
#else
    // Whole milliseconds in poll, then the rest asleep: what arrives meanwhile has its stamp.
    int milliseconds = timeout < 0 ? -1 : timeout > 60000000000 ? 60000 : (int)(timeout / 1000000);
    int ready = poll(descriptors, count, milliseconds);
    if (milliseconds == 0 && ready == 0 && timeout > 0) {
        struct timespec span = {0, timeout};
        nanosleep(&span, NULL);
    }
#endif
    return ready < 0 ? -errno : ready;
}

int cs_lab_pipe(int ends[2]) {
    if (pipe(ends) < 0) return -errno;
    int failed = cs_lab_configure(ends[0]);
    if (failed == 0) failed = cs_lab_configure(ends[1]);
    if (failed < 0) {
        close(ends[0]);
        close(ends[1]);
    }
    return failed;
}

int cs_lab_thread_start(struct cs_lab_thread *thread, void *(*body)(void *), void *context) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t handle;
    int failed = pthread_create(&handle, NULL, body, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0) thread->handle = (uintptr_t)handle;
    return -failed;
}

void cs_lab_thread_join(struct cs_lab_thread thread) {
    pthread_join((pthread_t)thread.handle, NULL);
}
