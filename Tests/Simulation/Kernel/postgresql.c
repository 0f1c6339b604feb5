#ifdef __linux__
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "SimulatedPostgreSQL.h"
#include "kernel.h"

enum { most_connections = 64 };

/* libpq-fe.h: ConnStatusType, PostgresPollingStatusType, ExecStatusType, PG_DIAG_SQLSTATE. */
enum { polling_ok = 3, command_ok = 1, tuples_ok = 2, fatal_error = 7, sqlstate = 'C' };

struct simulated_rows {
    int rows, columns;
    char state[6];
    char *message;
    struct {
        unsigned char *bytes;
        int count;
    } values[];
};

typedef struct {
    int64_t number;
    int descriptor, is_broken;
    char *user;
    simulated_rows *result;
    int is_done;
} session;

static simulated_server server;
static void (*ended)(int64_t);
static int64_t numbers;

/* The functions of the real libpq. */
typedef void *real_connection;
typedef struct answer answer;
static struct {
    void *library;
    char *folder, *database;
    real_connection connections[most_connections];
    int64_t numbers[most_connections];
    real_connection (*connect)(const char *const *keywords, const char *const *values, int expand);
    void (*finish)(real_connection);
    answer *(*run)(
        real_connection, const char *statement, int count, const unsigned *types, const char *const *values,
        const int *lengths, const int *formats, int format);
    int (*status)(const answer *), (*rows)(const answer *), (*columns)(const answer *);
    int (*is_null)(const answer *, int row, int column), (*length)(const answer *, int row, int column);
    char *(*value)(const answer *, int row, int column), *(*field)(const answer *, int field);
    char *(*message)(const answer *);
    void (*clear)(answer *);
} real;

static void *allocated(size_t size) {
    void *memory = calloc(1, size);
    if (!memory) abort();
    return memory;
}

void simulated_postgresql_begin(simulated_server made, void (*end)(int64_t)) {
    server = made;
    ended = end;
}

/* MARK: Rows */

simulated_rows *simulated_rows_new(int rows, int columns) {
    simulated_rows *made = allocated(sizeof *made + sizeof made->values[0] * (size_t)(rows * columns));
    made->rows = rows;
    made->columns = columns;
    return made;
}

void simulated_rows_set(simulated_rows *own, int row, int column, const void *bytes, size_t count) {
    int place = row * own->columns + column;
    own->values[place].bytes = allocated(count + 1);
    own->values[place].count = (int)count;
    if (count) memcpy(own->values[place].bytes, bytes, count);
}

simulated_rows *simulated_rows_error(const char *state, const char *message) {
    simulated_rows *made = simulated_rows_new(0, 0);
    strncpy(made->state, state, sizeof made->state - 1);
    made->message = strdup(message);
    return made;
}

int simulated_rows_count(const simulated_rows *own, int *columns) {
    *columns = own->columns;
    return own->rows;
}

const void *simulated_rows_value(const simulated_rows *own, int row, int column, size_t *count) {
    int place = row * own->columns + column;
    *count = (size_t)own->values[place].count;
    return own->values[place].bytes;
}

const char *simulated_rows_message(const simulated_rows *own) { return own->message; }

void simulated_rows_free(simulated_rows *own) {
    if (!own) return;
    for (int place = 0; place < own->rows * own->columns; place++) free(own->values[place].bytes);
    free(own->message);
    free(own);
}

static int count_rows(const simulated_rows *own) { return own->rows; }
static int count_columns(const simulated_rows *own) { return own->columns; }
static int is_null(const simulated_rows *own, int row, int column) {
    return !own->values[row * own->columns + column].bytes;
}
static char *value(const simulated_rows *own, int row, int column) {
    return (char *)own->values[row * own->columns + column].bytes;
}
static int length(const simulated_rows *own, int row, int column) {
    return own->values[row * own->columns + column].count;
}
static int status(const simulated_rows *own) { return own->message ? fatal_error : tuples_ok; }
static char *error_field(const simulated_rows *own, int field) {
    return field == sqlstate && own->state[0] ? (char *)own->state : NULL;
}
static char *error_message(const simulated_rows *own) { return own->message ? own->message : ""; }

/* MARK: Connections */

static session *start(const char *const *keywords, const char *const *values, int expand) {
    (void)expand;
    session *made = allocated(sizeof *made);
    made->number = ++numbers;
    made->user = strdup("");
    // The program waits for this descriptor, which is always ready.
    made->descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int index = 0; keywords[index]; index++) {
        if (strcmp(keywords[index], "user") || !values[index]) continue;
        free(made->user);
        made->user = strdup(values[index]);
    }
    return made;
}

static int poll_connection(session *own) {
    (void)own;
    return polling_ok;
}

static void finish(session *own) {
    if (!own) return;
    ended(own->number);
    close(own->descriptor);
    simulated_rows_free(own->result);
    free(own->user);
    free(own);
}

static int send_query(
    session *own, const char *statement, int count, const unsigned *types, const char *const *values,
    const int *lengths, const int *formats, int format) {
    (void)formats, (void)format;
    if (own->is_broken) return 0;
    simulated_rows_free(own->result);
    own->is_done = 0;
    own->result = server(own->number, own->user, statement, count, types, values, lengths);
    if (!own->result) {
        own->is_broken = 1;
        own->result = simulated_rows_error("", "server closed the connection unexpectedly");
    }
    return 1;
}

static simulated_rows *next_result(session *own) {
    simulated_rows *result = own->result;
    own->result = NULL;
    return result;
}

static int descriptor_of(session *own) { return own->descriptor; }
static int one(session *own) { return own != NULL; }
static int zero(session *own) {
    (void)own;
    return 0;
}
static void *nothing(session *own) {
    (void)own;
    return NULL;
}
static char *no_message(session *own) { return own->is_broken ? "the connection is gone" : ""; }

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"PQclear", simulated_rows_free}, {"PQconnectPoll", poll_connection}, {"PQconnectStartParams", start},
    {"PQconnectionNeedsPassword", zero}, {"PQconsumeInput", one}, {"PQerrorMessage", no_message},
    {"PQfinish", finish}, {"PQflush", zero}, {"PQgetResult", next_result}, {"PQgetisnull", is_null},
    {"PQgetlength", length}, {"PQgetvalue", value}, {"PQisBusy", zero}, {"PQnfields", count_columns},
    {"PQnotifies", nothing}, {"PQntuples", count_rows}, {"PQresultErrorField", error_field},
    {"PQresultErrorMessage", error_message}, {"PQresultStatus", status}, {"PQsendQueryParams", send_query},
    {"PQsetNoticeProcessor", nothing}, {"PQsetSingleRowMode", one}, {"PQsetnonblocking", zero},
    {"PQsocket", descriptor_of},
};

static void *real_dlsym(void *library, const char *name) {
    // It has this version since glibc 2.34, and had the other one before.
    static void *(*found)(void *, const char *);
    if (!found) *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!found) *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (!found) abort();
    return found(library, name);
}

void *dlsym(void *restrict library, const char *restrict name) {
    for (size_t place = 0; server && place < sizeof functions / sizeof functions[0]; place++)
        if (!strcmp(functions[place].name, name)) return functions[place].function;
    return real_dlsym(library, name);
}

/* MARK: A real server */

int simulated_postgresql_use(const char *folder, const char *database) {
    free(real.folder);
    free(real.database);
    real.folder = strdup(folder);
    real.database = strdup(database);
    if (real.library) return 1;
    real.library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!real.library) return 0;
    const struct {
        void *place;
        const char *name;
    } wanted[] = {
        {&real.connect, "PQconnectdbParams"}, {&real.finish, "PQfinish"}, {&real.run, "PQexecParams"},
        {&real.status, "PQresultStatus"}, {&real.rows, "PQntuples"}, {&real.columns, "PQnfields"},
        {&real.is_null, "PQgetisnull"}, {&real.length, "PQgetlength"}, {&real.value, "PQgetvalue"},
        {&real.field, "PQresultErrorField"}, {&real.message, "PQresultErrorMessage"}, {&real.clear, "PQclear"},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof wanted[0]; index++) {
        void *function = real_dlsym(real.library, wanted[index].name);
        if (!function) return 0;
        memcpy(wanted[index].place, &function, sizeof function);
    }
    return 1;
}

static int slot_of(int64_t number) {
    for (int slot = 0; slot < most_connections; slot++)
        if (real.connections[slot] && real.numbers[slot] == number) return slot;
    return -1;
}

void simulated_postgresql_leave(int64_t connection) {
    int slot = slot_of(connection);
    if (slot < 0) return;
    real.finish(real.connections[slot]);
    real.connections[slot] = NULL;
}

static int join(int64_t connection, const char *user) {
    const char *keywords[] = {"host", "user", "dbname", NULL};
    const char *values[] = {real.folder, user, real.database, NULL};
    for (int slot = 0; slot < most_connections; slot++) {
        if (real.connections[slot]) continue;
        real.connections[slot] = real.connect(keywords, values, 0);
        real.numbers[slot] = connection;
        return slot;
    }
    abort();
}

simulated_rows *simulated_postgresql_ask(
    int64_t connection, const char *user, const char *statement, int count, const unsigned *types,
    const char *const *values, const int *lengths) {
    int slot = slot_of(connection);
    if (slot < 0) slot = join(connection, user);
    int formats[count + 1];
    for (int index = 0; index < count; index++) formats[index] = 1;
    answer *found = real.run(real.connections[slot], statement, count, types, values, lengths, formats, 1);
    int status = real.status(found);
    simulated_rows *made;
    if (status == command_ok || status == tuples_ok) {
        made = simulated_rows_new(real.rows(found), real.columns(found));
        for (int row = 0; row < made->rows; row++)
            for (int column = 0; column < made->columns; column++)
                if (!real.is_null(found, row, column))
                    simulated_rows_set(
                        made, row, column, real.value(found, row, column),
                        (size_t)real.length(found, row, column));
    } else {
        const char *state = real.field(found, sqlstate);
        made = simulated_rows_error(state ? state : "", real.message(found));
    }
    real.clear(found);
    return made;
}
#endif
