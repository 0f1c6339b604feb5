/// Parts of the system's headers that Swift cannot import: control messages, time-stamp constants
/// and the names that they go by on each system. Functions return -1 and set errno on failure.
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

/// A moment of both clocks, in nanoseconds.
struct cs_clocks {
    int64_t monotonic;
    int64_t realtime;
};

/// Reads both clocks so close together that their difference is good to well below 50 µs.
struct cs_clocks cs_read_clocks(void);

/// Reads CLOCK_MONOTONIC, in nanoseconds.
int64_t cs_monotonic(void);

/// Has a descriptor not block, not be inherited by other programs, and raise no SIGPIPE.
int cs_configure(int descriptor);

/// A socket that is so configured, for a stream or for datagrams.
int cs_socket(int family, int is_stream);

/// Has what a socket sends leave by an interface alone.
int cs_bind_to_interface(int descriptor, const char *name, int family);

/// Has a stream that is bound to an address choose its port when it connects: as many connections as
/// without, since only those to one place need ports of their own.
void cs_bind_without_port(int descriptor);

/// Asks for kernel time stamps of what is received and, where the system can, of what is sent; on a
/// stream once it is established (before, OPT_ID is EINVAL).
void cs_enable_stamps(int descriptor);

/// Asks for ICMP errors (host or network unreachable) on a connected datagram socket; -1 where its error
/// queue does not tell who sent them (macOS).
int cs_enable_icmp_errors(int descriptor, int family);

/// Has datagrams leave with a TTL or hop limit of `hops`, from 1 to 255.
int cs_limit_hops(int descriptor, int family, int hops);

/// Has datagrams leave with a TTL or hop limit of 255 and, over IPv6, the flow label 0 where the system
/// can (Linux).
void cs_fix_header(int descriptor, int family);

/// Sends datagrams whole whatever path MTU ICMP reports, where the system can (Linux). With
/// `dont_fragment` no router may fragment them (RFC 9000 §14). Without it, a report to the socket does not
/// change the path MTU of other sockets either.
void cs_ignore_path_mtu(int descriptor, int family, int dont_fragment);

/// Has a connected datagram socket have neither peer nor port any more, so that it gets another port, at
/// random, where it is connected again. Returns -1 where ports are kept (macOS), and where something is
/// left in it to read.
int cs_disconnect(int descriptor);

/// Receives up to `capacity` octets. `*stamp` is the kernel's receive stamp of the last of them in
/// nanoseconds of CLOCK_REALTIME, or 0 without one.
ssize_t cs_receive(int descriptor, void *buffer, size_t capacity, int64_t *stamp);

/// Sends without raising SIGPIPE.
ssize_t cs_send(int descriptor, const void *buffer, size_t count);

/// An entry of a socket's error queue.
enum cs_queued {
    CS_QUEUED_NOTHING = 0,
    /// `stamp` is when the octets up to `identifier` were handed to the device.
    CS_QUEUED_SEND_STAMP = 1,
    /// ICMP reported `error`, an errno, at `stamp`, or 0 without one.
    CS_QUEUED_ICMP_ERROR = 2,
    /// Something that this program did not ask for.
    CS_QUEUED_OTHER = 3,
};

/// The meaning of an ICMP error (RFC 792, RFC 4443).
enum cs_icmp {
    CS_ICMP_OTHER = 0,
    /// The TTL or hop limit was used up on the way.
    CS_ICMP_TIME_EXCEEDED = 1,
    /// There is nobody at the port.
    CS_ICMP_PORT_UNREACHABLE = 2,
};

struct cs_queue_entry {
    enum cs_queued kind;
    uint32_t identifier;
    int error;
    int64_t stamp;
    enum cs_icmp icmp;
    /// The kernel itself reports the error: no packet from the network is its reason.
    int is_local;
    /// Octets of `sender`: 4 or 16, or 0 where ICMP did not report it.
    uint32_t sender_length;
    uint8_t sender[16];
    /// The number of bytes that an ICMP error quotes, from the beginning of the datagram that it is about.
    uint32_t quoted_length;
};

/// Takes one entry from the socket's error queue; never blocks. Writes to `quoted` up to `capacity` bytes
/// of the datagram that an ICMP error quotes.
struct cs_queue_entry cs_take_queued(int descriptor, void *quoted, size_t capacity);

/// Takes the socket's pending error (SO_ERROR): an errno, or 0.
int cs_pending_error(int descriptor);

/// Sends small segments at once (TCP_NODELAY).
void cs_send_at_once(int descriptor);

/// The kernel's smoothed round trip of an established connection in microseconds, or -1.
int64_t cs_network_round_trip(int descriptor);

/// Bytes taken from a TCP connection since it was established, or -1 where the system does not count them.
int64_t cs_received(int descriptor);

/// Bytes that wait in a socket's receive buffer.
int64_t cs_waiting(int descriptor);

/// Starts a thread, whose handle is a number, since its type differs between systems. Returns an
/// errno, or 0.
int cs_start_thread(uintptr_t *thread, void *(*body)(void *), void *context);

/// Waits until the thread has ended.
void cs_join_thread(uintptr_t thread);

/// The handle of the thread that calls.
static inline uintptr_t cs_this_thread(void) { return (uintptr_t)pthread_self(); }

/// Names this thread, and asks the kernel to wake it on time rather than together with others
/// (Linux: no timer slack).
void cs_wake_on_time(const char *name);

/// Raises the soft limit of open descriptors to the hard one; returns the soft limit.
uint64_t cs_raise_descriptor_limit(void);

#ifdef __linux__
/// epoll_wait with a time limit in nanoseconds (-1: none), or in whole milliseconds, rounded up,
/// before Linux 5.11.
int cs_epoll_wait(int poller, struct epoll_event *events, int capacity, int64_t limit);
#endif

#endif
