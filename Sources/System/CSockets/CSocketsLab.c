// glibc declares ppoll only with this macro, which must precede all headers.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CSockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Requests kernel time stamps for received data.
static void cs_lab_stamp(int fd) {
    int on = 1;
#if defined(SO_TIMESTAMPNS)
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
#else
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
#endif
}

// Closes a socket whose setup failed, and returns the error.
static int cs_lab_give_up(int fd) {
    int error = errno;
    close(fd);
    return -error;
}

static int cs_lab_bind(int fd, int v6, uint16_t port) {
    if (!v6) {
        struct sockaddr_in address = {
            .sin_family = AF_INET,
            .sin_port = htons(port),
            .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        };
        return bind(fd, (struct sockaddr *)&address, sizeof address);
    }
    struct sockaddr_in6 address = {
        .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int on = 1;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    return bind(fd, (struct sockaddr *)&address, sizeof address);
}

int cs_lab_open(int v6, int stream, uint16_t port) {
    int fd = cs_socket(v6 ? AF_INET6 : AF_INET, stream);
    if (fd < 0) return -errno;
    int on = 1;
    // Allows listening again at once on a port whose last connections are in TIME_WAIT.
    if (stream) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (cs_lab_bind(fd, v6, port) < 0 || (stream && listen(fd, 128) < 0)) return cs_lab_give_up(fd);
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
    if (cs_configure(fd) < 0) return cs_lab_give_up(fd);
    cs_send_at_once(fd);
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
        char bytes[128];
    } control;
    struct iovec piece = {buffer, capacity};
    struct msghdr message = {
        .msg_name = &peer->address,
        .msg_namelen = sizeof peer->address,
        .msg_iov = &piece,
        .msg_iovlen = 1,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    ssize_t count = recvmsg(fd, &message, 0);
    if (count < 0) return -errno;
    peer->length = message.msg_namelen;
    int64_t stamp = cs_lab_received_at(&message);
    struct cs_clocks now = cs_read_clocks();
    int64_t age = stamp == 0 ? 0 : now.realtime - stamp;
    *arrival = now.monotonic - (age < 0 || age > 1000000000 ? 0 : age);
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
    // Waits whole milliseconds in poll and sleeps for the rest. Data that arrives during the sleep has its
    // stamp.
    int milliseconds = timeout < 0 ? -1 : timeout > 60000000000 ? 60000 : (int)(timeout / 1000000);
    int ready = poll(descriptors, count, milliseconds);
    if (milliseconds == 0 && ready == 0 && timeout > 0) {
        struct timespec span = {0, timeout};
        nanosleep(&span, NULL);
    }
#endif
    return ready < 0 ? -errno : ready;
}

int cs_lab_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return -errno;
    if (cs_configure(ends[0]) == 0 && cs_configure(ends[1]) == 0) return 0;
    close(ends[1]);
    return cs_lab_give_up(ends[0]);
}
