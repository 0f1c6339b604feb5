#ifndef CREMOTEWRITE_H
#define CREMOTEWRITE_H

#include <stddef.h>

/* Posts over HTTP by libcurl, whose functions of variable arguments Swift cannot call. */

typedef struct cremotewrite_connection cremotewrite_connection;

/* A receiver: its URL, the address to connect to (an IPv6 one in brackets), and header fields, one a
   line. It is asked nothing yet; NULL without memory. No proxy, no redirect, no other address. */
cremotewrite_connection *cremotewrite_open(const char *url, const char *address, const char *const *fields);
void cremotewrite_close(cremotewrite_connection *connection);

typedef struct {
    /* The status of HTTP; 0 where there was no answer, for which `reason` says why. */
    long status;
    char reason[256];
    /* The beginning of the body. */
    char body[512];
    size_t length;
} cremotewrite_answer;

/* Posts octets, and waits `patience` milliseconds for the answer at most, and only until the descriptor `stop`
   is readable or hung up; -1 is none. */
void cremotewrite_post(cremotewrite_connection *connection, const void *octets, size_t length, long patience,
                       int stop, cremotewrite_answer *answer);

#endif
