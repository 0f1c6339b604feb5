/// System calls of the simulated resolvers: loopback sockets, receive stamps and a precise wait. A negative
/// result is a negated errno.
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

/// Opens a nonblocking socket on the loopback address, for datagrams or listening. With port 0 the kernel
/// chooses a port.
int cs_lab_open(int v6, int stream, uint16_t port);

/// The port that a socket is bound to.
int cs_lab_port(int fd);

/// Accepts the next connection, nonblocking and with stamps.
int cs_lab_accept(int listener);

/// Receives bytes. `arrival` is the kernel's receive stamp, converted to CLOCK_MONOTONIC by its age. It is
/// the current time if there is no stamp, or if the age is not between 0 and 1 s (the clock was set).
ssize_t cs_lab_receive(
    int fd, void *buffer, size_t capacity, struct cs_lab_peer *peer, int64_t *arrival);

/// Sends bytes to `peer`, or over the connection if `peer` is NULL.
ssize_t cs_lab_send(int fd, const void *buffer, size_t count, const struct cs_lab_peer *peer);

/// Waits for an event or for `timeout` nanoseconds; a negative value means no limit.
int cs_lab_wait(struct pollfd *descriptors, unsigned count, int64_t timeout);

/// Creates two connected sockets, nonblocking and close-on-exec.
int cs_lab_pair(int ends[2]);

#endif
