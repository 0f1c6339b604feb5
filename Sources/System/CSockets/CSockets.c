#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "KernelLayout.h"
#else
#include <mach/mach_time.h>
#endif

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t cs_monotonic(void) { return nanoseconds(CLOCK_MONOTONIC); }

struct cs_clocks cs_read_clocks(void) {
    struct cs_clocks clocks = {0};
    int64_t least = INT64_MAX;
    for (int attempt = 0; attempt < 3; attempt++) {
        int64_t before = nanoseconds(CLOCK_MONOTONIC);
        int64_t realtime = nanoseconds(CLOCK_REALTIME);
        int64_t gap = nanoseconds(CLOCK_MONOTONIC) - before;
        if (gap < least) {
            least = gap;
            clocks.monotonic = before + gap / 2;
            clocks.realtime = realtime;
        }
        // Repeats a reading that was interrupted. The pair would otherwise show a clock step.
        if (least < 5000) break;
    }
    return clocks;
}

int cs_configure(int descriptor) {
#ifndef __linux__
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

int cs_socket(int family, int is_stream) {
    int type = is_stream ? SOCK_STREAM : SOCK_DGRAM;
#ifdef __linux__
    return socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
    int descriptor = socket(family, type, 0);
    if (descriptor >= 0 && cs_configure(descriptor) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
#endif
}

int cs_bind_to_interface(int descriptor, const char *name, int family) {
    unsigned int index = if_nametoindex(name);
    if (index == 0) return -1;
#ifdef __linux__
    (void)family;
    return setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, (socklen_t)strlen(name) + 1);
#else
    if (family == AF_INET6)
        return setsockopt(descriptor, IPPROTO_IPV6, IPV6_BOUND_IF, &index, sizeof index);
    return setsockopt(descriptor, IPPROTO_IP, IP_BOUND_IF, &index, sizeof index);
#endif
}

void cs_bind_without_port(int descriptor) {
#ifdef __linux__
    int on = 1;
    setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
#else
    (void)descriptor;
#endif
}

int cs_mark(int descriptor, int family, unsigned char code_point) {
    // The code point is the upper six bits (RFC 2474 §3). The lower two are for ECN.
    int field = code_point << 2;
    return family == AF_INET6 ? setsockopt(descriptor, IPPROTO_IPV6, IPV6_TCLASS, &field, sizeof field)
                              : setsockopt(descriptor, IPPROTO_IP, IP_TOS, &field, sizeof field);
}

void cs_enable_stamps(int descriptor) {
#ifdef __linux__
    // Not SO_TIMESTAMP or SO_TIMESTAMPNS: for a packet without a stamp, these options use the time of reading
    // (net/socket.c, __sock_recv_timestamp).
    int received = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    int both = received | SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
               SOF_TIMESTAMPING_OPT_TSONLY;
    if (setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPING, &both, sizeof both) < 0)
        setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPING, &received, sizeof received);
#else
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMP_MONOTONIC, &on, sizeof on);
#endif
}

int cs_enable_icmp_errors(int descriptor, int family) {
#ifdef __linux__
    int on = 1;
    if (family == AF_INET6)
        return setsockopt(descriptor, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
    return setsockopt(descriptor, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
#else
    // A connected socket reports these errors without this option, but without their sender.
    (void)descriptor;
    (void)family;
    errno = ENOTSUP;
    return -1;
#endif
}

int cs_limit_hops(int descriptor, int family, int hops) {
    if (family == AF_INET6)
        return setsockopt(descriptor, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &hops, sizeof hops);
    return setsockopt(descriptor, IPPROTO_IP, IP_TTL, &hops, sizeof hops);
}

void cs_fix_header(int descriptor, int family) {
    cs_limit_hops(descriptor, family, 255);
#ifdef __linux__
    if (family != AF_INET6) return;
    // Linux <linux/in6.h>, which cannot be included together with <netinet/in.h>.
    int auto_flow_label = 70, off = 0;
    setsockopt(descriptor, IPPROTO_IPV6, auto_flow_label, &off, sizeof off);
#endif
}

void cs_ignore_path_mtu(int descriptor, int family, int dont_fragment) {
#ifdef __linux__
    int v4 = dont_fragment ? IP_PMTUDISC_PROBE : IP_PMTUDISC_OMIT;
    int v6 = dont_fragment ? IPV6_PMTUDISC_PROBE : IPV6_PMTUDISC_OMIT;
    if (family == AF_INET6)
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &v6, sizeof v6);
    else
        setsockopt(descriptor, IPPROTO_IP, IP_MTU_DISCOVER, &v4, sizeof v4);
#else
    (void)descriptor;
    (void)family;
    (void)dont_fragment;
#endif
}

int cs_disconnect(int descriptor) {
#ifdef __linux__
    struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    if (connect(descriptor, &nowhere, sizeof nowhere) < 0) return -1;
    char byte;
    // The error queue reports ICMP errors as well.
    if (recv(descriptor, &byte, sizeof byte, MSG_DONTWAIT) >= 0) return -1;
    return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
#else
    (void)descriptor;
    errno = ENOTSUP;
    return -1;
#endif
}

#ifdef __linux__
static int64_t software_stamp(struct cmsghdr *header) {
    struct scm_timestamping stamps;
    memcpy(&stamps, CMSG_DATA(header), sizeof stamps);
    return (int64_t)stamps.ts[0].tv_sec * 1000000000 + stamps.ts[0].tv_nsec;
}

static int is_stamp(struct cmsghdr *header) {
    return header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMPING &&
           header->cmsg_len >= CMSG_LEN(sizeof(struct scm_timestamping));
}

static enum cs_icmp meaning(const struct sock_extended_err *details) {
    int is_v6 = details->ee_origin == SO_EE_ORIGIN_ICMP6;
    if (!is_v6 && details->ee_origin != SO_EE_ORIGIN_ICMP) return CS_ICMP_OTHER;
    if (details->ee_type == (is_v6 ? 3 : 11)) return CS_ICMP_TIME_EXCEEDED;
    if (details->ee_type == (is_v6 ? 1 : 3) && details->ee_code == (is_v6 ? 4 : 3))
        return CS_ICMP_PORT_UNREACHABLE;
    return CS_ICMP_OTHER;
}

/// Records the sender of an ICMP error: the address after the error's details (SO_EE_OFFENDER). Its family is
/// 0 if the sender is unknown.
static void note_sender(struct cs_queue_entry *entry, struct cmsghdr *header) {
    size_t start = CMSG_LEN(sizeof(struct sock_extended_err));
    unsigned char *place = CMSG_DATA(header) + sizeof(struct sock_extended_err);
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    if (header->cmsg_len < start + sizeof v4) return;
    memcpy(&v4, place, sizeof v4);
    if (v4.sin_family == AF_INET) {
        entry->sender_length = sizeof v4.sin_addr;
        memcpy(entry->sender, &v4.sin_addr, sizeof v4.sin_addr);
    } else if (v4.sin_family == AF_INET6 && header->cmsg_len >= start + sizeof v6) {
        memcpy(&v6, place, sizeof v6);
        entry->sender_length = sizeof v6.sin6_addr;
        memcpy(entry->sender, &v6.sin6_addr, sizeof v6.sin6_addr);
    }
}
#endif

ssize_t cs_receive(int descriptor, void *buffer, size_t capacity, int64_t *stamp) {
    struct iovec vector = {.iov_base = buffer, .iov_len = capacity};
    union {
        char bytes[256];
        struct cmsghdr align;
    } control;
    struct msghdr message = {
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    *stamp = 0;
    ssize_t count;
    do count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
#ifdef __linux__
        if (is_stamp(header)) *stamp = software_stamp(header);
#else
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMP_MONOTONIC &&
            header->cmsg_len >= CMSG_LEN(sizeof(uint64_t))) {
            // Ticks that stop while the system sleeps. Their age converts them to CLOCK_REALTIME.
            uint64_t ticks, now = mach_absolute_time();
            memcpy(&ticks, CMSG_DATA(header), sizeof ticks);
            mach_timebase_info_data_t base;
            mach_timebase_info(&base);
            int64_t age = (int64_t)((now - ticks) * base.numer / base.denom);
            *stamp = nanoseconds(CLOCK_REALTIME) - age;
        }
#endif
    }
    return count;
}

struct cs_queue_entry cs_take_queued(int descriptor, void *quoted, size_t capacity) {
    struct cs_queue_entry entry = {.kind = CS_QUEUED_NOTHING};
#ifdef __linux__
    union {
        char bytes[512];
        struct cmsghdr align;
    } control;
    struct iovec vector = {.iov_base = quoted, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
    };
    ssize_t count = recvmsg(descriptor, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
    if (count < 0) return entry;
    entry.kind = CS_QUEUED_OTHER;
    entry.quoted_length = (uint32_t)count;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (is_stamp(header)) {
            entry.stamp = software_stamp(header);
        } else if ((header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_RECVERR) ||
                   (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_RECVERR)) {
            struct sock_extended_err details;
            memcpy(&details, CMSG_DATA(header), sizeof details);
            if (details.ee_origin == SO_EE_ORIGIN_TIMESTAMPING) {
                if (details.ee_info != SCM_TSTAMP_SND) continue;
                entry.kind = CS_QUEUED_SEND_STAMP;
                entry.identifier = details.ee_data;
            } else if (details.ee_origin == SO_EE_ORIGIN_ICMP ||
                       details.ee_origin == SO_EE_ORIGIN_ICMP6 ||
                       details.ee_origin == SO_EE_ORIGIN_LOCAL) {
                entry.kind = CS_QUEUED_ICMP_ERROR;
                entry.error = (int)details.ee_errno;
                entry.is_local = details.ee_origin == SO_EE_ORIGIN_LOCAL;
                entry.icmp = meaning(&details);
                note_sender(&entry, header);
            }
        }
    }
    if (entry.kind == CS_QUEUED_SEND_STAMP && entry.stamp == 0) entry.kind = CS_QUEUED_OTHER;
#else
    (void)descriptor;
    (void)quoted;
    (void)capacity;
#endif
    return entry;
}

int cs_pending_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return errno;
    return error;
}

void cs_limit_segments(int descriptor, int most) {
    setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, &most, sizeof most);
}

void cs_send_at_once(int descriptor) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int64_t cs_network_round_trip(int descriptor) {
#ifdef __linux__
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) < 0) return -1;
    return info.tcpi_rtt;
#else
    struct tcp_connection_info info;
    socklen_t length = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &length) < 0) return -1;
    return (int64_t)info.tcpi_srtt * 1000;
#endif
}

ssize_t cs_send(int descriptor, const void *buffer, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(descriptor, buffer, count, MSG_NOSIGNAL);
#else
    return send(descriptor, buffer, count, 0);
#endif
}

int cs_start_thread(uintptr_t *thread, void *(*body)(void *), void *context) {
    pthread_t handle;
    int error = pthread_create(&handle, NULL, body, context);
    if (error == 0) *thread = (uintptr_t)handle;
    return error;
}

void cs_join_thread(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

void cs_wake_on_time(const char *name) {
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    prctl(PR_SET_NAME, name, 0UL, 0UL, 0UL);
#else
    pthread_setname_np(name);
#endif
}

uint64_t cs_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return 0;
    rlim_t soft = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return soft;
    return limit.rlim_cur;
}

#ifdef __linux__
int cs_epoll_wait(int poller, struct epoll_event *events, int capacity, int64_t limit) {
#ifdef SYS_epoll_pwait2
    static int missing = 0;
    if (!missing) {
        // The kernel's own structure: the C library's times may have 32 bits on 32-bit systems.
        struct __kernel_timespec time = {.tv_sec = limit / 1000000000, .tv_nsec = limit % 1000000000};
        int count = (int)syscall(
            SYS_epoll_pwait2, poller, events, capacity, limit < 0 ? NULL : &time, NULL, 0);
        // A container's filter that is older than the call may reject it with another error than ENOSYS.
        if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
        missing = 1;
    }
#endif
    int64_t milliseconds = (limit + 999999) / 1000000;
    if (milliseconds > INT32_MAX) milliseconds = INT32_MAX;
    return epoll_wait(poller, events, capacity, limit < 0 ? -1 : (int)milliseconds);
}
#endif
