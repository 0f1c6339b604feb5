#ifndef SIMULATED_POSTGRESQL_H
#define SIMULATED_POSTGRESQL_H

#include <stddef.h>
#include <stdint.h>

/* A server of PostgreSQL behind the functions of libpq. It gets statements with their parameters in binary form. */

/* The rows of a statement. */
typedef struct simulated_rows simulated_rows;

/* Answers a statement of `user` on a connection. Returns NULL if the connection breaks. */
typedef simulated_rows *(*simulated_server)(
    int64_t connection, const char *user, const char *statement, int count, const char *const *values,
    const int *lengths);

/* Becomes the server. `end` is called for each connection that ends. Without it, libpq is the real one. */
void simulated_postgresql_begin(simulated_server server, void (*end)(int64_t connection));

simulated_rows *simulated_rows_new(int rows, int columns);
void simulated_rows_set(simulated_rows *, int row, int column, const void *bytes, size_t count);
/* An error with this SQLSTATE. */
simulated_rows *simulated_rows_error(const char *state, const char *message);

#endif
