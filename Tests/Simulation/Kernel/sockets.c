#ifdef __linux__
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kernel.h"

enum { descriptors = 1024, second = 1000000000, backlog = 16 };

/* A datagram, a piece of a stream, or an entry of the error queue. */
typedef struct packet {
    struct packet *next;
    int64_t stamp;
    /* For the error queue: what sock_extended_err(7) has. */
    struct sock_extended_err details;
    uint32_t offender;
    size_t count, taken;
    unsigned char bytes[];
} packet;

typedef struct {
    packet *first, *last;
} packets;

typedef enum { fresh, listening, connecting, connected, ended } stream_state;

typedef struct {
    simulated_socket number;
    int family, is_stream, machine, has_stamps, has_errors;
    stream_state state;
    uint16_t port, peer_port;
    uint32_t peer, address;
    int error, is_reset;
    uint32_t sent;
    packets received, errors;
    /* Of a server: whether it is one, and the descriptors of the connections that wait to be accepted. */
    int is_served;
    int waiting[backlog], waiting_count;
} socket_state;

static struct {
    socket_state *of[descriptors];
    uint64_t numbers;
} sockets;

/* MARK: Queues */

static packet *new_packet(const void *bytes, size_t count, int64_t stamp) {
    packet *made = malloc(sizeof *made + count);
    if (!made) abort();
    memset(made, 0, sizeof *made);
    made->count = count;
    made->stamp = stamp;
    if (count) memcpy(made->bytes, bytes, count);
    return made;
}

static void append(packets *queue, packet *added) {
    if (queue->last) queue->last->next = added;
    else queue->first = added;
    queue->last = added;
}

static void remove_first(packets *queue) {
    packet *first = queue->first;
    queue->first = first->next;
    if (!queue->first) queue->last = NULL;
    free(first);
}

static void clear(packets *queue) {
    while (queue->first) remove_first(queue);
}

/* MARK: Descriptors */

static socket_state *find(int descriptor) {
    return descriptor >= 0 && descriptor < descriptors ? sockets.of[descriptor] : NULL;
}

static int descriptor_of(simulated_socket number) {
    for (int descriptor = 0; descriptor < descriptors; descriptor++)
        if (sockets.of[descriptor] && sockets.of[descriptor]->number == number) return descriptor;
    return -1;
}

static int new_socket(int family) {
    // A real descriptor reserves the number.
    int descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return -1;
    if (descriptor >= descriptors) {
        close(descriptor);
        errno = EMFILE;
        return -1;
    }
    socket_state *made = calloc(1, sizeof *made);
    if (!made) abort();
    *made = (socket_state){.number = ++sockets.numbers, .family = family};
    sockets.of[descriptor] = made;
    return descriptor;
}

int socket(int domain, int type, int protocol) {
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (!kernel_owns_thread() || (domain != AF_INET && domain != AF_INET6))
        return REAL(socket)(domain, type, protocol);
    int descriptor = new_socket(domain);
    if (descriptor < 0) return -1;
    sockets.of[descriptor]->is_stream = kind == SOCK_STREAM;
    sockets.of[descriptor]->machine = kernel_network.machine();
    return descriptor;
}

void kernel_close_socket(int descriptor) {
    socket_state *own = find(descriptor);
    if (!own) return;
    sockets.of[descriptor] = NULL;
    if (own->is_stream && own->state != listening) kernel_network.closed(own->number);
    clear(&own->received);
    clear(&own->errors);
    free(own);
}

uint16_t simulated_port(simulated_socket number) {
    int descriptor = descriptor_of(number);
    return descriptor < 0 ? 0 : sockets.of[descriptor]->port;
}

/* The events that epoll(7) would report. */
uint32_t kernel_events_of_socket(int descriptor) {
    socket_state *own = find(descriptor);
    if (!own) return 0;
    uint32_t events = 0;
    if (own->state == listening) return own->waiting_count ? EPOLLIN : 0;
    if (own->received.first || own->state == ended) events |= EPOLLIN;
    if (own->state == ended) events |= EPOLLRDHUP;
    if (own->errors.first || own->error) events |= EPOLLERR;
    if (!own->is_stream || own->state == connected) events |= EPOLLOUT;
    if (own->is_stream && own->state == fresh) events |= EPOLLHUP | EPOLLOUT;
    return events;
}

/* MARK: Connecting */

static int fail(int error) {
    errno = error;
    return -1;
}

static uint16_t free_port(void) {
    // Sometimes few ports are free, so that late answers of earlier queries meet a later one.
    int is_scarce = simulated_random() % 4 != 0;
    return (uint16_t)(is_scarce ? 40000 + simulated_random() % 2 : 32768 + simulated_random() % 28000);
}

static int is_taken(const socket_state *own, uint16_t port) {
    for (int descriptor = 0; descriptor < descriptors; descriptor++) {
        socket_state *other = sockets.of[descriptor];
        if (other && other != own && other->machine == own->machine && other->is_stream == own->is_stream &&
            other->port == port)
            return 1;
    }
    return 0;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(connect)(descriptor, address, length);
    if (address->sa_family == AF_UNSPEC) {
        own->peer = 0;
        own->port = own->peer_port = 0;
        return 0;
    }
    if (address->sa_family != AF_INET) return fail(ENETUNREACH);
    int machine = kernel_network.machine();
    const struct sockaddr_in *to = (const struct sockaddr_in *)address;
    if (!kernel_network.is_online(machine)) return fail(ENETUNREACH);
    own->machine = machine;
    if (!own->port) {
        do own->port = free_port();
        while (is_taken(own, own->port) && (own->port = (uint16_t)(32768 + simulated_random() % 28000)) &&
               is_taken(own, own->port));
    }
    own->address = kernel_network.address(machine);
    own->peer = ntohl(to->sin_addr.s_addr);
    own->peer_port = ntohs(to->sin_port);
    if (!own->is_stream) return 0;
    own->state = connecting;
    kernel_network.connecting(own->number, machine, own->peer, own->peer_port);
    return fail(EINPROGRESS);
}

void simulated_connect(simulated_socket number, int error) {
    int descriptor = descriptor_of(number);
    if (descriptor < 0 || sockets.of[descriptor]->state != connecting) return;
    sockets.of[descriptor]->state = error ? ended : connected;
    sockets.of[descriptor]->error = error;
    kernel_notify(descriptor, error ? EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP : EPOLLOUT);
}

/* MARK: Serving */

int bind(int descriptor, const struct sockaddr *address, socklen_t length) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(bind)(descriptor, address, length);
    if (own->is_stream && address->sa_family == AF_INET) {
        const struct sockaddr_in *to = (const struct sockaddr_in *)address;
        if (is_taken(own, ntohs(to->sin_port))) return fail(EADDRINUSE);
        own->port = ntohs(to->sin_port);
        own->address = ntohl(to->sin_addr.s_addr);
    }
    return 0;
}

int listen(int descriptor, int count) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(listen)(descriptor, count);
    own->state = listening;
    return 0;
}

simulated_socket simulated_dial(uint16_t port) {
    for (int server = 0; server < descriptors; server++) {
        socket_state *own = sockets.of[server];
        if (!own || own->state != listening || own->port != port || own->waiting_count == backlog) continue;
        int descriptor = new_socket(AF_INET);
        if (descriptor < 0) return 0;
        socket_state *made = sockets.of[descriptor];
        made->is_stream = made->is_served = 1;
        made->machine = own->machine;
        made->state = connected;
        made->address = made->peer = own->address;
        made->port = port;
        made->peer_port = (uint16_t)(32768 + simulated_random() % 28000);
        own->waiting[own->waiting_count++] = descriptor;
        kernel_notify(server, EPOLLIN);
        return made->number;
    }
    return 0;
}

static void write_address(struct sockaddr *address, socklen_t *length, uint32_t host, uint16_t port) {
    if (!address) return;
    struct sockaddr_in found = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(host)};
    memcpy(address, &found, *length < sizeof found ? *length : sizeof found);
    *length = sizeof found;
}

int accept4(int descriptor, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(accept4)(descriptor, address, length, flags);
    if (!own->waiting_count) return fail(EAGAIN);
    int accepted = own->waiting[0];
    own->waiting_count--;
    memmove(own->waiting, own->waiting + 1, (size_t)own->waiting_count * sizeof own->waiting[0]);
    write_address(address, length, sockets.of[accepted]->peer, sockets.of[accepted]->peer_port);
    return accepted;
}

int accept(int descriptor, struct sockaddr *restrict address, socklen_t *restrict length) {
    if (!find(descriptor)) return REAL(accept)(descriptor, address, length);
    return accept4(descriptor, address, length, 0);
}

int getpeername(int descriptor, struct sockaddr *restrict address, socklen_t *restrict length) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(getpeername)(descriptor, address, length);
    if (own->state == listening || own->state == fresh) return fail(ENOTCONN);
    write_address(address, length, own->peer, own->peer_port);
    return 0;
}

int shutdown(int descriptor, int how) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(shutdown)(descriptor, how);
    if (own->state != connected) return fail(ENOTCONN);
    if (how != SHUT_RD) kernel_network.closed(own->number);
    return 0;
}

int getsockname(int descriptor, struct sockaddr *restrict address, socklen_t *restrict length) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(getsockname)(descriptor, address, length);
    write_address(address, length, own->address, own->port);
    return 0;
}

/* MARK: Options */

int setsockopt(int descriptor, int level, int name, const void *value, socklen_t length) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(setsockopt)(descriptor, level, name, value, length);
    if (level == SOL_SOCKET && name == SO_TIMESTAMPING) own->has_stamps = *(const int *)value != 0;
    if (level == IPPROTO_IP && name == IP_RECVERR) own->has_errors = *(const int *)value != 0;
    return 0;
}

int getsockopt(int descriptor, int level, int name, void *restrict value, socklen_t *restrict length) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(getsockopt)(descriptor, level, name, value, length);
    if (level != SOL_SOCKET || name != SO_ERROR) return fail(ENOPROTOOPT);
    *(int *)value = own->error;
    own->error = 0;
    return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    socket_state *own = find(descriptor);
    if (!own) return REAL(ioctl)(descriptor, request, argument);
    if (request != FIONREAD) return fail(ENOTTY);
    int count = 0;
    for (packet *one = own->received.first; one; one = one->next) count += (int)(one->count - one->taken);
    *(int *)argument = count;
    return 0;
}

/* MARK: Sending */

static int take_error(socket_state *own) {
    int error = own->error;
    own->error = 0;
    return error;
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(send)(descriptor, bytes, count, flags);
    int error = take_error(own), machine = kernel_network.machine();
    if (error) return fail(error);
    if (own->is_stream && own->state != connected) return fail(own->is_reset ? ECONNRESET : EPIPE);
    if (!own->is_stream && !own->port) return fail(EDESTADDRREQ);
    if (own->is_served) {
        kernel_network.sent(own->number, machine, bytes, count);
        return (ssize_t)count;
    }
    if (!kernel_network.is_online(machine)) {
        if (own->is_stream) return (ssize_t)count;
        return fail(ENETUNREACH);
    }
    if (own->has_stamps && (!own->is_stream || !own->sent)) {
        packet *stamp = new_packet(NULL, 0, simulated_wall(machine));
        stamp->details = (struct sock_extended_err){
            .ee_errno = ENOMSG, .ee_origin = SO_EE_ORIGIN_TIMESTAMPING, .ee_info = SCM_TSTAMP_SND,
            .ee_data = own->is_stream ? (uint32_t)count - 1 : own->sent};
        append(&own->errors, stamp);
    }
    own->sent++;
    if (own->is_stream) kernel_network.sent(own->number, machine, bytes, count);
    else kernel_network.datagram(own->number, machine, own->peer, own->peer_port, bytes, count);
    return (ssize_t)count;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (!find(descriptor)) return REAL(write)(descriptor, bytes, count);
    return send(descriptor, bytes, count, 0);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!find(descriptor)) return REAL(writev)(descriptor, parts, count);
    ssize_t total = 0;
    for (int part = 0; part < count; part++) {
        ssize_t sent = send(descriptor, parts[part].iov_base, parts[part].iov_len, 0);
        if (sent < 0) return total ? total : sent;
        total += sent;
    }
    return total;
}

/* MARK: Arriving */

static int has_port(const socket_state *own, int machine, uint16_t port) {
    return own && !own->is_stream && own->machine == machine && own->port == port && port;
}

void simulated_arrive(
    int machine, uint32_t machine_address, uint16_t port, uint32_t from, uint16_t from_port, const void *bytes,
    size_t count, int stamps) {
    if (!kernel_network.is_online(machine) || kernel_network.address(machine) != machine_address) return;
    for (int descriptor = 0; descriptor < descriptors; descriptor++) {
        socket_state *own = sockets.of[descriptor];
        if (!has_port(own, machine, port) || own->peer != from || own->peer_port != from_port) continue;
        append(&own->received, new_packet(bytes, count, stamps ? simulated_wall(machine) : 0));
        kernel_notify(descriptor, EPOLLIN);
        return;
    }
}

void simulated_icmp(
    int machine, uint16_t port, uint32_t to, uint16_t to_port, uint32_t from, int type, int code, int error,
    const void *quoted, size_t count) {
    if (!kernel_network.is_online(machine)) return;
    for (int descriptor = 0; descriptor < descriptors; descriptor++) {
        socket_state *own = sockets.of[descriptor];
        if (!has_port(own, machine, port) || own->peer != to || own->peer_port != to_port) continue;
        own->error = error;
        if (own->has_errors) {
            packet *entry = new_packet(quoted, count, 0);
            entry->details = (struct sock_extended_err){
                .ee_errno = (uint32_t)error, .ee_origin = SO_EE_ORIGIN_ICMP, .ee_type = (uint8_t)type,
                .ee_code = (uint8_t)code};
            entry->offender = from;
            append(&own->errors, entry);
        }
        kernel_notify(descriptor, EPOLLERR | EPOLLIN);
        return;
    }
}

int simulated_feed(simulated_socket number, const void *bytes, size_t count) {
    int descriptor = descriptor_of(number);
    if (descriptor < 0 || sockets.of[descriptor]->state != connected) return 0;
    socket_state *own = sockets.of[descriptor];
    append(&own->received, new_packet(bytes, count, own->has_stamps ? simulated_wall(own->machine) : 0));
    kernel_notify(descriptor, EPOLLIN);
    return 1;
}

void simulated_end(simulated_socket number, int is_reset) {
    int descriptor = descriptor_of(number);
    if (descriptor < 0 || sockets.of[descriptor]->state == ended) return;
    socket_state *own = sockets.of[descriptor];
    own->state = ended;
    own->is_reset = is_reset;
    if (is_reset) {
        own->error = ECONNRESET;
        clear(&own->received);
    }
    kernel_notify(descriptor, EPOLLIN | EPOLLRDHUP | (is_reset ? EPOLLERR | EPOLLHUP : 0));
}

/* MARK: Receiving */

static void add_control(struct msghdr *message, size_t *used, int level, int type, const void *data, size_t size) {
    if (!message->msg_control || *used + CMSG_SPACE(size) > message->msg_controllen) return;
    struct cmsghdr *header = (struct cmsghdr *)((char *)message->msg_control + *used);
    memset(header, 0, CMSG_SPACE(size));
    *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(size), .cmsg_level = level, .cmsg_type = type};
    memcpy(CMSG_DATA(header), data, size);
    *used += CMSG_SPACE(size);
}

static size_t copy_out(struct msghdr *message, packet *from) {
    size_t count = from->count - from->taken, done = 0;
    for (size_t part = 0; part < message->msg_iovlen && done < count; part++) {
        size_t room = message->msg_iov[part].iov_len, length = count - done < room ? count - done : room;
        if (length) memcpy(message->msg_iov[part].iov_base, from->bytes + from->taken + done, length);
        done += length;
    }
    return done;
}

static void add_stamp(struct msghdr *message, size_t *used, int64_t stamp) {
    struct scm_timestamping stamps = {{{stamp / second, stamp % second}}};
    if (stamp) add_control(message, used, SOL_SOCKET, SCM_TIMESTAMPING, &stamps, sizeof stamps);
}

static ssize_t take_queued_error(socket_state *own, struct msghdr *message) {
    packet *entry = own->errors.first;
    if (!entry) return fail(EAGAIN);
    struct {
        struct sock_extended_err details;
        struct sockaddr_in offender;
    } found = {
        entry->details, {.sin_family = entry->offender ? AF_INET : 0, .sin_addr.s_addr = htonl(entry->offender)}};
    size_t used = 0;
    add_stamp(message, &used, entry->stamp);
    add_control(message, &used, IPPROTO_IP, IP_RECVERR, &found, sizeof found);
    message->msg_controllen = used;
    message->msg_flags = MSG_ERRQUEUE;
    size_t count = copy_out(message, entry);
    remove_first(&own->errors);
    // net/core/skbuff.c, sock_dequeue_err_skb: the next ICMP error is the pending one.
    packet *next = own->errors.first;
    own->error = next && next->details.ee_origin == SO_EE_ORIGIN_ICMP ? (int)next->details.ee_errno : 0;
    return (ssize_t)count;
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    socket_state *own = find(descriptor);
    if (!own) return REAL(recvmsg)(descriptor, message, flags);
    if (flags & MSG_ERRQUEUE) return take_queued_error(own, message);
    int error = own->is_stream && own->received.first ? 0 : take_error(own);
    if (error) return fail(error);
    packet *first = own->received.first;
    if (!first) {
        if (!own->is_stream || own->state != ended) return fail(EAGAIN);
        message->msg_controllen = 0;
        return 0;
    }
    size_t used = 0, count = copy_out(message, first);
    add_stamp(message, &used, first->stamp);
    message->msg_controllen = used;
    message->msg_flags = 0;
    first->taken += count;
    if (!own->is_stream || first->taken == first->count) remove_first(&own->received);
    return (ssize_t)count;
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
    if (!find(descriptor)) return REAL(recv)(descriptor, bytes, count, flags);
    struct iovec part = {bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return recvmsg(descriptor, &message, flags);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    if (find(descriptor)) return recv(descriptor, bytes, count, 0);
    if (kernel_is_timer(descriptor)) return kernel_read_timer(bytes, count);
    return REAL(read)(descriptor, bytes, count);
}
#endif
