/// The layout of the structures that Linux reads and writes: fields of its interface, which never change. Each build
/// compares them with the headers of its C library. Included after those headers.
#ifndef KERNEL_LAYOUT_H
#define KERNEL_LAYOUT_H

#include <stddef.h>

#define WORDS(of_32_bits, of_64_bits) (sizeof(void *) == 4 ? (of_32_bits) : (of_64_bits))
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define FIELD(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)

SIZE(struct iovec, WORDS(8, 16));
SIZE(struct msghdr, WORDS(28, 56));
FIELD(struct msghdr, msg_control, WORDS(16, 32));
FIELD(struct msghdr, msg_controllen, WORDS(20, 40));
SIZE(struct cmsghdr, WORDS(12, 16));
FIELD(struct cmsghdr, cmsg_level, WORDS(4, 8));
FIELD(struct cmsghdr, cmsg_type, WORDS(8, 12));
_Static_assert(CMSG_LEN(0) == sizeof(struct cmsghdr), "the data follows the header");

// A C library for 32 bits has times of 32 or 64 bits, and requests the stamps that match.
SIZE(struct timespec, 2 * sizeof(time_t));
SIZE(struct scm_timestamping, 6 * sizeof(time_t));
SIZE(struct __kernel_timespec, 16);

SIZE(struct sock_extended_err, 16);
FIELD(struct sock_extended_err, ee_errno, 0);
FIELD(struct sock_extended_err, ee_origin, 4);
FIELD(struct sock_extended_err, ee_type, 5);
FIELD(struct sock_extended_err, ee_code, 6);
FIELD(struct sock_extended_err, ee_info, 8);
FIELD(struct sock_extended_err, ee_data, 12);
SIZE(struct sockaddr_in, 16);
FIELD(struct sockaddr_in, sin_addr, 4);
SIZE(struct sockaddr_in6, 28);
FIELD(struct sockaddr_in6, sin6_addr, 8);

// CSockets.c reads only this field from the shorter structure of the C library.
FIELD(struct tcp_info, tcpi_rtt, 68);

// The kernel packs this structure on x86_64. On i386, numbers of 64 bits are aligned to 32 bits.
#if defined(__x86_64__) || defined(__i386__)
SIZE(struct epoll_event, 12);
FIELD(struct epoll_event, data, 4);
#else
SIZE(struct epoll_event, 16);
FIELD(struct epoll_event, data, 8);
#endif

#endif
