#include "CSockets.h"

#include <stddef.h>
#include <sys/ioctl.h>

/* The tcp_info of the kernel is longer than that of the C library. A file cannot include both headers. */
#ifdef __linux__
#include <linux/tcp.h>
#include <netinet/in.h>
#endif

int64_t cs_waiting(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 && count > 0 ? count : 0;
}

int64_t cs_received(int descriptor) {
#ifdef __linux__
    struct tcp_info info;
    socklen_t length = sizeof info;
    size_t end = offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 && length >= end) {
        /* Bytes that arrive between the two calls are still waiting, so that no byte is counted too early. */
        int64_t taken = (int64_t)info.tcpi_bytes_received - cs_waiting(descriptor);
        return taken > 0 ? taken : 0;
    }
#endif
    return -1;
}
