#ifndef SIMULATED_POSTGRESQL_H
#define SIMULATED_POSTGRESQL_H

#include <stddef.h>
#include <stdint.h>

/* A server of PostgreSQL behind the functions of libpq. It gets statements with their parameters in binary form. */

/* The rows of a statement. */
typedef struct simulated_rows simulated_rows;

/* Answers a statement of `user` on a connection. Returns NULL if the connection breaks. */
typedef simulated_rows *(*simulated_server)(
    int64_t connection, const char *user, const char *statement, int count, const unsigned *types,
    const char *const *values, const int *lengths);

/* Becomes the server. `end` is called for each connection that ends. Without it, libpq is the real one. */
void simulated_postgresql_begin(simulated_server server, void (*end)(int64_t connection));

simulated_rows *simulated_rows_new(int rows, int columns);
void simulated_rows_set(simulated_rows *, int row, int column, const void *bytes, size_t count);
/* An error with this SQLSTATE. */
simulated_rows *simulated_rows_error(const char *state, const char *message);

/* A real server, whose socket is in a folder. Returns 0 without libpq. */
int simulated_postgresql_use(const char *folder, const char *database);
/* Runs a statement at the real server, on a connection of its own for each number. */
simulated_rows *simulated_postgresql_ask(
    int64_t connection, const char *user, const char *statement, int count, const unsigned *types,
    const char *const *values, const int *lengths);
/* Closes such a connection. */
void simulated_postgresql_leave(int64_t connection);

/* The rows of an answer. NULL is a value that is absent. */
int simulated_rows_count(const simulated_rows *, int *columns);
const void *simulated_rows_value(const simulated_rows *, int row, int column, size_t *count);
/* The message of an error; NULL for others. */
const char *simulated_rows_message(const simulated_rows *);
void simulated_rows_free(simulated_rows *);

#endif
