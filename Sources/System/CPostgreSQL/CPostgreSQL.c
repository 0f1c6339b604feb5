#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifdef __linux__
#include <linux/tcp.h>
#include <netinet/in.h>
#endif

static cpostgresql_functions functions;
static int is_loaded;

static void load(void) {
#ifdef __APPLE__
    static const char *const names[] = {"libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"};
#else
    static const char *const names[] = {"libpq.so.5"};
#endif
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    static const struct {
        const char *name;
        size_t offset;
    } all[] = {
        {"PQconninfoParse", offsetof(cpostgresql_functions, conninfo_parse)},
        {"PQconninfoFree", offsetof(cpostgresql_functions, conninfo_free)},
        {"PQfreemem", offsetof(cpostgresql_functions, freemem)},
        {"PQconnectStartParams", offsetof(cpostgresql_functions, connect_start)},
        {"PQconnectPoll", offsetof(cpostgresql_functions, connect_poll)},
        {"PQfinish", offsetof(cpostgresql_functions, finish)},
        {"PQstatus", offsetof(cpostgresql_functions, status)},
        {"PQsocket", offsetof(cpostgresql_functions, socket)},
        {"PQerrorMessage", offsetof(cpostgresql_functions, error_message)},
        {"PQconnectionNeedsPassword", offsetof(cpostgresql_functions, connection_needs_password)},
        {"PQsetnonblocking", offsetof(cpostgresql_functions, set_nonblocking)},
        {"PQsetNoticeProcessor", offsetof(cpostgresql_functions, set_notice_processor)},
        {"PQnotifies", offsetof(cpostgresql_functions, notifies)},
        {"PQsetSingleRowMode", offsetof(cpostgresql_functions, set_single_row_mode)},
        {"PQsendQueryParams", offsetof(cpostgresql_functions, send_query_params)},
        {"PQflush", offsetof(cpostgresql_functions, flush)},
        {"PQconsumeInput", offsetof(cpostgresql_functions, consume_input)},
        {"PQisBusy", offsetof(cpostgresql_functions, is_busy)},
        {"PQgetResult", offsetof(cpostgresql_functions, get_result)},
        {"PQresultStatus", offsetof(cpostgresql_functions, result_status)},
        {"PQresultErrorMessage", offsetof(cpostgresql_functions, result_error_message)},
        {"PQresultErrorField", offsetof(cpostgresql_functions, result_error_field)},
        {"PQntuples", offsetof(cpostgresql_functions, ntuples)},
        {"PQnfields", offsetof(cpostgresql_functions, nfields)},
        {"PQgetisnull", offsetof(cpostgresql_functions, getisnull)},
        {"PQgetvalue", offsetof(cpostgresql_functions, getvalue)},
        {"PQgetlength", offsetof(cpostgresql_functions, getlength)},
        {"PQclear", offsetof(cpostgresql_functions, clear)},
    };
    is_loaded = 1;
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
        void *function = dlsym(library, all[index].name);
        *(void **)((char *)&functions + all[index].offset) = function;
        if (!function) is_loaded = 0;
    }
}

const cpostgresql_functions *cpostgresql(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

long long cpostgresql_waiting(int socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 && count > 0 ? count : 0;
}

long long cpostgresql_received(int socket) {
#ifdef __linux__
    struct tcp_info information;
    socklen_t length = sizeof information;
    size_t end = offsetof(struct tcp_info, tcpi_bytes_received) + sizeof information.tcpi_bytes_received;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &information, &length) == 0 && length >= end) {
        /* What comes between the two calls still waits, so that no octet is counted too early. */
        long long taken = (long long)information.tcpi_bytes_received - cpostgresql_waiting(socket);
        return taken > 0 ? taken : 0;
    }
#endif
    return -1;
}
