#include "CSockets.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>

/* The tcp_info of the kernel is longer than that of the C library. A file cannot include both headers. */
#ifdef __linux__
#include <linux/tcp.h>
#include <netinet/in.h>

/* The kernel appends fields to the structure, and never moves one. */
#define FIELD(field, offset) _Static_assert(offsetof(struct tcp_info, field) == (offset), #field)
FIELD(tcpi_state, 0);
FIELD(tcpi_options, 5);
FIELD(tcpi_rtt, 68);
FIELD(tcpi_total_retrans, 100);
FIELD(tcpi_bytes_received, 128);
FIELD(tcpi_segs_out, 136);
FIELD(tcpi_segs_in, 140);
FIELD(tcpi_bytes_sent, 200);
FIELD(tcpi_bytes_retrans, 208);
FIELD(tcpi_rcv_ooopack, 224);
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

#ifdef __linux__
enum {
    /* RFC 9293 §3.1, and the layout of options in the kernel's tcp_syn_options(): the option that permits
     * selective acknowledgements is in the padding of the time stamps. */
    TCP_HEADER = 20,
    OPTION_MSS = 4,
    OPTION_TIMESTAMPS = 12,
    OPTION_WINDOW_SCALE = 4,
    OPTION_SACK_ALONE = 4,
    /* include/net/tcp_states.h */
    STATE_ESTABLISHED = 1,
};

static unsigned options_of_syn(int timestamps, int sack, int scale) {
    unsigned size = OPTION_MSS;
    if (timestamps) size += OPTION_TIMESTAMPS;
    if (sack && !timestamps) size += OPTION_SACK_ALONE;
    if (scale) size += OPTION_WINDOW_SCALE;
    return size;
}

/* The value of a setting of TCP; 1, the kernel's default, if it cannot be read. */
static int setting(const char *path) {
    int value = 1;
    FILE *file = fopen(path, "re");
    if (file == NULL) return value;
    if (fscanf(file, "%d", &value) != 1) value = 1;
    fclose(file);
    return value;
}

/* The size of the options in a SYN that this system sends. */
static unsigned options_of_own_syn(void) {
    static unsigned size = 0;
    if (size == 0) {
        size = options_of_syn(
            setting("/proc/sys/net/ipv4/tcp_timestamps"), setting("/proc/sys/net/ipv4/tcp_sack"),
            setting("/proc/sys/net/ipv4/tcp_window_scaling"));
    }
    return size;
}
#endif

int cs_count_segments(int descriptor, struct cs_segments *found) {
#ifdef __linux__
    struct tcp_info info;
    socklen_t length = sizeof info;
    size_t end = offsetof(struct tcp_info, tcpi_rcv_ooopack) + sizeof info.tcpi_rcv_ooopack;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || length < end) return -1;
    if (info.tcpi_segs_out == 0 || info.tcpi_segs_in == 0) return -1;
    /* If data was retransmitted too, the difference between two counts is still exact. */
    unsigned syns = 1 + info.tcpi_total_retrans;
    if (info.tcpi_segs_out < syns) return -1;
    int has_timestamps = (info.tcpi_options & TCPI_OPT_TIMESTAMPS) != 0;
    unsigned header = TCP_HEADER + (has_timestamps ? OPTION_TIMESTAMPS : 0);
    unsigned answer = options_of_syn(
        has_timestamps, info.tcpi_options & TCPI_OPT_SACK, info.tcpi_options & TCPI_OPT_WSCALE);
    /* The kernel counts the end of the peer's data as one byte. */
    uint64_t ending = info.tcpi_state != STATE_ESTABLISHED && info.tcpi_bytes_received > 0 ? 1 : 0;
    found->bytes_sent =
        (uint32_t)(info.tcpi_bytes_sent + (uint64_t)header * (info.tcpi_segs_out - syns) +
                   (uint64_t)(TCP_HEADER + options_of_own_syn()) * syns);
    found->bytes_received =
        (uint32_t)(info.tcpi_bytes_received - ending + (uint64_t)header * (info.tcpi_segs_in - 1) +
                   TCP_HEADER + answer);
    found->disturbances = (uint32_t)info.tcpi_bytes_retrans + info.tcpi_rcv_ooopack;
    found->segments = info.tcpi_segs_out + info.tcpi_segs_in;
    return 0;
#else
    (void)descriptor;
    (void)found;
    return -1;
#endif
}
