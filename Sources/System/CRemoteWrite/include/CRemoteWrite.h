#ifndef CREMOTEWRITE_H
#define CREMOTEWRITE_H

#include <stddef.h>

/* HTTP POST requests with libcurl. Swift cannot call its variadic functions. */

typedef struct cremotewrite_connection cremotewrite_connection;

/* Opens a receiver: its URL, the address to connect to (an IPv6 address in brackets), and header fields, one per
   line. Nothing is sent yet. NULL without memory. Uses no proxy, no redirect and no other address. */
cremotewrite_connection *cremotewrite_open(const char *url, const char *address, const char *const *fields);
void cremotewrite_close(cremotewrite_connection *connection);

typedef struct {
    /* The HTTP status; 0 without an answer. `reason` then has the cause. */
    long status;
    char reason[256];
    /* The start of the body. */
    char body[512];
    size_t length;
} cremotewrite_answer;

/* Posts bytes. Waits for the answer for at most `patience` milliseconds, and until the descriptor `stop` is readable
   or hung up; -1 for no descriptor. */
void cremotewrite_post(cremotewrite_connection *connection, const void *bytes, size_t length, long patience,
                       int stop, cremotewrite_answer *answer);

#endif
