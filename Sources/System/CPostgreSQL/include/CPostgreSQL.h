#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

/* What is used of libpq, which is loaded when it is first asked for: linked, it would cost every start a
   third more. The interface is that of libpq.so.5, stable since PostgreSQL 8; pipeline mode is not used. */

typedef struct pg_conn cpostgresql_connection;
typedef struct pg_result cpostgresql_result;

/* An option of a connection, as PQconninfoOption. */
typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} cpostgresql_option;

enum {
    cpostgresql_connection_ok = 0,
    cpostgresql_polling_failed = 0,
    cpostgresql_polling_reading = 1,
    cpostgresql_polling_writing = 2,
    cpostgresql_polling_ok = 3,
    cpostgresql_command_ok = 1,
    cpostgresql_tuples_ok = 2,
    cpostgresql_nonfatal_error = 6,
    cpostgresql_fatal_error = 7,
    cpostgresql_single_tuple = 9,
    cpostgresql_diag_sqlstate = 'C',
};

typedef struct {
    cpostgresql_option *(*conninfo_parse)(const char *, char **);
    void (*conninfo_free)(cpostgresql_option *);
    void (*freemem)(void *);
    cpostgresql_connection *(*connect_start)(const char *const *, const char *const *, int);
    int (*connect_poll)(cpostgresql_connection *);
    void (*finish)(cpostgresql_connection *);
    int (*status)(const cpostgresql_connection *);
    int (*socket)(const cpostgresql_connection *);
    char *(*error_message)(const cpostgresql_connection *);
    int (*connection_needs_password)(const cpostgresql_connection *);
    int (*set_nonblocking)(cpostgresql_connection *, int);
    void (*(*set_notice_processor)(cpostgresql_connection *, void (*)(void *, const char *), void *))(
        void *, const char *);
    void *(*notifies)(cpostgresql_connection *);
    int (*set_single_row_mode)(cpostgresql_connection *);
    int (*send_query_params)(cpostgresql_connection *, const char *, int, const unsigned *,
                             const char *const *, const int *, const int *, int);
    int (*flush)(cpostgresql_connection *);
    int (*consume_input)(cpostgresql_connection *);
    int (*is_busy)(cpostgresql_connection *);
    cpostgresql_result *(*get_result)(cpostgresql_connection *);
    int (*result_status)(const cpostgresql_result *);
    char *(*result_error_message)(const cpostgresql_result *);
    char *(*result_error_field)(const cpostgresql_result *, int);
    int (*ntuples)(const cpostgresql_result *);
    int (*nfields)(const cpostgresql_result *);
    int (*getisnull)(const cpostgresql_result *, int, int);
    char *(*getvalue)(const cpostgresql_result *, int, int);
    int (*getlength)(const cpostgresql_result *, int, int);
    void (*clear)(cpostgresql_result *);
} cpostgresql_functions;

/* libpq's functions; NULL where it is not installed, or lacks one of them. */
const cpostgresql_functions *cpostgresql(void);

/* Octets taken from a socket since it was connected; -1 if the system does not count them. */
long long cpostgresql_received(int socket);

/* Octets that wait in the socket's receive buffer. */
long long cpostgresql_waiting(int socket);

#endif
