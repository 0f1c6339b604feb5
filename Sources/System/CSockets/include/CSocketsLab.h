/// System calls of the simulated resolvers: loopback sockets, receive stamps and a precise
/// wait. A negative result is an errno with its sign changed.
#ifndef CSOCKETS_LAB_H
#define CSOCKETS_LAB_H

#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/// The sender of a datagram.
struct cs_lab_peer {
    struct sockaddr_storage address;
    socklen_t length;
};

/// A nonblocking socket on the loopback address, for datagrams or listening; with port 0 the kernel
/// chooses one.
int cs_lab_open(int v6, int stream, uint16_t port);

/// The port that a socket is bound to.
int cs_lab_port(int fd);

/// The next connection, nonblocking and stamped.
int cs_lab_accept(int listener);

/// Receives octets. `arrival` is the kernel's receive stamp carried over to CLOCK_MONOTONIC by its
/// age; now, where there is no stamp or its age is not between 0 and 1 s (the clock was set).
ssize_t cs_lab_receive(
    int fd, void *buffer, size_t capacity, struct cs_lab_peer *peer, int64_t *arrival);

/// Sends octets to `peer`, or along the connection where it is NULL.
ssize_t cs_lab_send(int fd, const void *buffer, size_t count, const struct cs_lab_peer *peer);

/// Waits for an event or `timeout` nanoseconds; without end where it is negative.
int cs_lab_wait(struct pollfd *descriptors, unsigned count, int64_t timeout);

/// Two sockets that are connected with each other, nonblocking and closed on exec.
int cs_lab_pair(int ends[2]);

#endif
