#ifndef CREMOTEWRITE_H
#define CREMOTEWRITE_H

#include <stddef.h>

/* What a remote write needs of libsnappy and libcurl, which are loaded when they are first asked for: linked,
   they would slow every start down. The interfaces are those of libsnappy.so.1 and libcurl.so.4. */

typedef enum {
    cremotewrite_ready,
    cremotewrite_no_snappy,
    cremotewrite_no_curl,
} cremotewrite_state;

/* Whether both libraries are there, or which one is not. */
cremotewrite_state cremotewrite_load(void);

/* The room that a block of so many octets may take once it is compressed. */
size_t cremotewrite_room(size_t length);

/* Compresses a block (snappy's block format) into `output`, whose `room` becomes the length; 0 where
   that failed. */
int cremotewrite_compress(const void *input, size_t length, void *output, size_t *room);

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
