#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

/* HTTP requests with libcurl. Swift cannot call its variadic functions. */

typedef struct ccurl_connection ccurl_connection;

/* Opens a receiver: its URL, the address to connect to (an IPv6 address in brackets), and header fields, one per
   line. Nothing is sent yet. NULL without memory. Uses no proxy, no redirect and no other address. */
ccurl_connection *ccurl_open(const char *url, const char *address, const char *const *fields);
void ccurl_close(ccurl_connection *connection);

typedef struct {
    /* The HTTP status; 0 without an answer. `reason` then has the cause. */
    long status;
    char reason[256];
    /* The start of the body. */
    char body[512];
    size_t length;
    /* Whether a part of the posted bytes was sent. */
    int was_sent;
} ccurl_answer;

/* Posts bytes. Waits for the answer for at most `patience` milliseconds, and until the descriptor `stop` is readable
   or hung up; -1 for no descriptor. */
void ccurl_post(ccurl_connection *connection, const void *bytes, size_t length, long patience,
                int stop, ccurl_answer *answer);

/* Transfers of one URL that are repeated without an end, to load a line. */
typedef struct ccurl_load ccurl_load;

/* Opens a load: its URL, the address to connect to (an IPv6 address in brackets), whether it sends, and the name of
   this program. Nothing is sent yet. NULL without memory. Uses no proxy, no redirect and no other address. */
ccurl_load *ccurl_load_open(const char *url, const char *address, int sends, const char *agent);
/* Closes all connections at once. Unsent data is discarded. */
void ccurl_load_close(ccurl_load *load);

typedef struct {
    /* The bytes of bodies that were received and sent so far. */
    long long received;
    long long sent;
    /* The last HTTP status that is not 200 to 299; 0 without one. */
    long status;
    /* The last reason why a transfer failed; empty without one. */
    char reason[256];
} ccurl_load_state;

/* Continues the transfers for at most `patience` milliseconds, with this number of streams, each over its own
   connection. Streams above the number are closed, missing ones are opened. A transfer that has ended begins again,
   unless it failed. */
void ccurl_load_run(ccurl_load *load, int streams, int patience, ccurl_load_state *state);

#endif
