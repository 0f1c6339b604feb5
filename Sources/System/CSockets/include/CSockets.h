/// Parts of the system's headers that Swift cannot import: control messages and time-stamp constants, with
/// the differences between systems. Functions return -1 and set errno on failure.
#ifndef CSOCKETS_H
#define CSOCKETS_H

#include "CSocketsLab.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#else
#include <sys/event.h>
#endif

/// A simultaneous reading of both clocks, in nanoseconds.
struct cs_clocks {
    int64_t monotonic;
    int64_t realtime;
};

/// Reads both clocks in quick succession. The error of their difference is well below 50 µs.
struct cs_clocks cs_read_clocks(void);

/// Reads CLOCK_MONOTONIC, in nanoseconds.
int64_t cs_monotonic(void);

/// Makes a descriptor nonblocking and close-on-exec, and disables SIGPIPE.
int cs_configure(int descriptor);

/// Opens a socket with this configuration, for a stream or for datagrams.
int cs_socket(int family, int is_stream);

/// Makes a socket send through one interface only.
int cs_bind_to_interface(int descriptor, const char *name, int family);

/// Makes a bound stream choose its port when it connects. This allows as many connections as without binding,
/// because only connections to the same destination need different ports.
void cs_bind_without_port(int descriptor);

/// Marks the packets that the socket sends with a DSCP (RFC 2474), 0 to 63. Returns -1 on failure.
int cs_mark(int descriptor, int family, unsigned char code_point);

/// Requests kernel time stamps of received data and, if the system supports it, of sent data. Call it for a
/// stream after it is established; before, OPT_ID fails with EINVAL.
void cs_enable_stamps(int descriptor);

/// Requests ICMP errors (host or network unreachable) on a connected datagram socket. Returns -1 if the
/// system's error queue does not contain the senders (macOS).
int cs_enable_icmp_errors(int descriptor, int family);

/// Sets the TTL or hop limit of datagrams to `hops`, from 1 to 255.
int cs_limit_hops(int descriptor, int family, int hops);

/// Sets the TTL or hop limit of datagrams to 255. Over IPv6 it also sets the flow label to 0, if the system
/// supports it (Linux).
void cs_fix_header(int descriptor, int family);

/// Sends whole datagrams regardless of the path MTU that ICMP reports, if the system supports it (Linux).
/// With `dont_fragment` no router may fragment them (RFC 9000 §14). Without it, a report to the socket also
/// leaves the path MTU of other sockets unchanged.
void cs_ignore_path_mtu(int descriptor, int family, int dont_fragment);

/// Removes the peer and the port of a connected datagram socket. The socket gets a new random port when it is
/// connected again. Returns -1 if the system keeps ports (macOS), or if the socket has unread data.
int cs_disconnect(int descriptor);

/// Receives up to `capacity` bytes. `*stamp` is the kernel's receive stamp of the last byte in nanoseconds of
/// CLOCK_REALTIME, or 0 without a stamp.
ssize_t cs_receive(int descriptor, void *buffer, size_t capacity, int64_t *stamp);

/// Sends without raising SIGPIPE.
ssize_t cs_send(int descriptor, const void *buffer, size_t count);

/// An entry of a socket's error queue.
enum cs_queued {
    CS_QUEUED_NOTHING = 0,
    /// `stamp` is the time when the bytes up to `identifier` were passed to the device.
    CS_QUEUED_SEND_STAMP = 1,
    /// ICMP reported `error`, an errno, at `stamp`, or at an unknown time if it is 0.
    CS_QUEUED_ICMP_ERROR = 2,
    /// An entry that this program did not request.
    CS_QUEUED_OTHER = 3,
};

/// The meaning of an ICMP error (RFC 792, RFC 4443).
enum cs_icmp {
    CS_ICMP_OTHER = 0,
    /// The TTL or hop limit reached zero on the path.
    CS_ICMP_TIME_EXCEEDED = 1,
    /// No process uses the port.
    CS_ICMP_PORT_UNREACHABLE = 2,
};

struct cs_queue_entry {
    enum cs_queued kind;
    uint32_t identifier;
    int error;
    int64_t stamp;
    enum cs_icmp icmp;
    /// Whether the kernel itself reports the error, without a packet from the network.
    int is_local;
    /// The number of bytes in `sender`: 4 or 16, or 0 if ICMP did not report it.
    uint32_t sender_length;
    uint8_t sender[16];
    /// The number of bytes that an ICMP error quotes, from the beginning of the datagram that caused it.
    uint32_t quoted_length;
};

/// Takes one entry from the socket's error queue; never blocks. Writes to `quoted` up to `capacity` bytes
/// of the datagram that an ICMP error quotes.
struct cs_queue_entry cs_take_queued(int descriptor, void *quoted, size_t capacity);

/// Takes the socket's pending error (SO_ERROR): an errno, or 0.
int cs_pending_error(int descriptor);

/// Limits the size of segments in both directions, with options and without headers (TCP_MAXSEG). Call it before
/// the connect.
void cs_limit_segments(int descriptor, int most);

/// Sends small segments at once (TCP_NODELAY).
void cs_send_at_once(int descriptor);

/// The kernel's smoothed round trip of an established connection in microseconds, or -1 if unknown.
int64_t cs_network_round_trip(int descriptor);

/// The number of bytes read from a TCP connection since it was established, or -1 if the system does not
/// count them.
int64_t cs_received(int descriptor);

/// The segments of a TCP connection from its first one until now. Bytes include TCP headers with their options.
struct cs_segments {
    uint32_t bytes_sent;
    uint32_t bytes_received;
    uint32_t segments;
    /// A number that changes when data is retransmitted or arrives out of order. The sizes of the acknowledgements
    /// are then unknown, because they have additional options (RFC 2018, RFC 2883).
    uint32_t disturbances;
};

/// Counts the segments. Returns -1 if the system does not report them.
int cs_count_segments(int descriptor, struct cs_segments *found);

/// The number of unread bytes in a socket's receive buffer.
int64_t cs_waiting(int descriptor);

/// Starts a thread. Its handle is a number, because the handle's type differs between systems. Returns an
/// errno, or 0.
int cs_start_thread(uintptr_t *thread, void *(*body)(void *), void *context);

/// Waits until the thread has ended.
void cs_join_thread(uintptr_t thread);

/// The handle of the calling thread.
static inline uintptr_t cs_this_thread(void) { return (uintptr_t)pthread_self(); }

/// Names this thread, and requests exact wake-ups from the kernel instead of grouped ones (Linux: no timer
/// slack).
void cs_wake_on_time(const char *name);

/// Raises the soft limit of open descriptors to the hard limit. Returns the soft limit.
uint64_t cs_raise_descriptor_limit(void);

#ifdef __linux__
/// epoll_wait with a time limit in nanoseconds (-1: none), or in whole milliseconds, rounded up,
/// before Linux 5.11.
int cs_epoll_wait(int poller, struct epoll_event *events, int capacity, int64_t limit);
#endif

#endif
