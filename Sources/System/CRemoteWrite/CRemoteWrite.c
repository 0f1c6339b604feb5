#include "CRemoteWrite.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of curl.h, which never change within libcurl.so.4. */
enum {
    global_all = 3,
    option_writedata = 10001,
    option_url = 10002,
    option_proxy = 10004,
    option_errorbuffer = 10010,
    option_postfields = 10015,
    option_httpheader = 10023,
    option_nosignal = 99,
    option_timeout_ms = 155,
    option_protocols = 181,
    option_headerdata = 10029,
    option_writefunction = 20011,
    option_headerfunction = 20079,
    option_postfieldsize_large = 30120,
    option_connect_to = 10243,
    info_response_code = 0x200000 + 2,
    info_os_errno = 0x200000 + 25,
    fault_connection = 7,
    fault_memory = 27,
    message_done = 1,
    wait_in = 1,
    fault_patience = 28,
    protocol_http = 1,
    protocol_https = 2,
};

struct list;

/* struct curl_waitfd and CURLMsg of multi.h. */
typedef struct {
    int descriptor;
    short events;
    short found;
} wait_entry;

typedef struct {
    int message;
    void *handle;
    union {
        void *pointer;
        int fault;
    } data;
} multi_message;

static struct {
    size_t (*room)(size_t);
    int (*compress)(const char *, size_t, char *, size_t *);
    int (*global_init)(long);
    void *(*open)(void);
    int (*set)(void *, int, ...);
    void *(*open_multi)(void);
    int (*add)(void *, void *);
    int (*remove)(void *, void *);
    int (*perform)(void *, int *);
    int (*wait)(void *, wait_entry *, unsigned, int, int *);
    multi_message *(*read)(void *, int *);
    int (*close_multi)(void *);
    int (*info)(void *, int, ...);
    void (*close)(void *);
    const char *(*reason)(int);
    struct list *(*append)(struct list *, const char *);
    void (*release)(struct list *);
} functions;

static cremotewrite_state state;

typedef struct {
    const char *name;
    void *function;
} symbol;

static int find(const char *const *names, const symbol *symbols, size_t count) {
    void *library = NULL;
    for (; !library && *names; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    for (size_t index = 0; index < count; index++) {
        void *function = dlsym(library, symbols[index].name);
        if (!function) return 0;
        *(void **)symbols[index].function = function;
    }
    return 1;
}

static void load(void) {
#ifdef __APPLE__
    static const char *const snappy[] = {
        "libsnappy.1.dylib", "/opt/homebrew/opt/snappy/lib/libsnappy.1.dylib", NULL};
    static const char *const curl[] = {"/usr/lib/libcurl.4.dylib", NULL};
#else
    static const char *const snappy[] = {"libsnappy.so.1", NULL};
    static const char *const curl[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
#endif
    const symbol compressing[] = {
        {"snappy_max_compressed_length", &functions.room},
        {"snappy_compress", &functions.compress},
    };
    const symbol posting[] = {
        {"curl_global_init", &functions.global_init},
        {"curl_easy_init", &functions.open},
        {"curl_easy_setopt", &functions.set},
        {"curl_multi_init", &functions.open_multi},
        {"curl_multi_add_handle", &functions.add},
        {"curl_multi_remove_handle", &functions.remove},
        {"curl_multi_perform", &functions.perform},
        {"curl_multi_wait", &functions.wait},
        {"curl_multi_info_read", &functions.read},
        {"curl_multi_cleanup", &functions.close_multi},
        {"curl_easy_getinfo", &functions.info},
        {"curl_easy_cleanup", &functions.close},
        {"curl_easy_strerror", &functions.reason},
        {"curl_slist_append", &functions.append},
        {"curl_slist_free_all", &functions.release},
    };
    if (!find(snappy, compressing, sizeof compressing / sizeof *compressing))
        state = cremotewrite_no_snappy;
    else if (!find(curl, posting, sizeof posting / sizeof *posting) || functions.global_init(global_all))
        state = cremotewrite_no_curl;
}

cremotewrite_state cremotewrite_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return state;
}

size_t cremotewrite_room(size_t length) { return functions.room(length); }

int cremotewrite_compress(const void *input, size_t length, void *output, size_t *room) {
    return functions.compress(input, length, output, room) == 0;
}

struct cremotewrite_connection {
    void *handle;
    void *multi;
    struct list *fields;
    struct list *place;
    char error[256];
};

/* Keeps what there is room for, and gives up on a body that does not end soon. */
static size_t take(char *octets, size_t size, size_t count, void *context) {
    static const size_t most = 64 * 1024;
    cremotewrite_answer *answer = context;
    size_t length = size * count;
    size_t kept = answer->length < sizeof answer->body ? sizeof answer->body - answer->length : 0;
    if (kept > length) kept = length;
    memcpy(answer->body + answer->length, octets, kept);
    answer->length += length;
    return answer->length > most ? 0 : length;
}

/* Gives up on a head that does not end soon; libcurl may keep all of it. */
static size_t count_head(char *octets, size_t size, size_t count, void *context) {
    static const size_t most = 64 * 1024;
    size_t *length = context;
    (void)octets;
    *length += size * count;
    return *length > most ? 0 : size * count;
}

static struct list *append(struct list *list, const char *text) {
    struct list *longer = functions.append(list, text);
    if (!longer) functions.release(list);
    return longer;
}

cremotewrite_connection *cremotewrite_open(const char *url, const char *address, const char *const *fields) {
    cremotewrite_connection *new = calloc(1, sizeof *new);
    char place[128];
    if (!new) return NULL;
    /* Whatever the host and the port, that address and the same port. */
    snprintf(place, sizeof place, "::%s:", address);
    new->handle = functions.open();
    new->multi = functions.open_multi();
    new->place = append(NULL, place);
    for (; *fields; fields++)
        if (!(new->fields = append(new->fields, *fields))) break;
    void *handle = new->handle;
    if (!handle || !new->multi || !new->place || !new->fields || functions.set(handle, option_url, url) ||
        functions.set(handle, option_connect_to, new->place) ||
        functions.set(handle, option_httpheader, new->fields) ||
        functions.set(handle, option_proxy, "") ||
        functions.set(handle, option_protocols, (long)(protocol_http | protocol_https)) ||
        functions.set(handle, option_nosignal, 1L) ||
        functions.set(handle, option_errorbuffer, new->error) ||
        functions.set(handle, option_headerfunction, count_head) ||
        functions.set(handle, option_writefunction, take)) {
        cremotewrite_close(new);
        return NULL;
    }
    return new;
}

void cremotewrite_close(cremotewrite_connection *connection) {
    if (connection->multi) functions.close_multi(connection->multi);
    if (connection->handle) functions.close(connection->handle);
    functions.release(connection->fields);
    functions.release(connection->place);
    free(connection);
}

/* Performs what the handle is set for, as curl_easy_perform does, but until `stop` at most. The answer is
   libcurl's fault, or -1 if it was stopped. */
static int perform(cremotewrite_connection *connection, int stop) {
    void *multi = connection->multi;
    wait_entry entry = {stop, wait_in, 0};
    int fault = fault_memory, running = 1, count = 0;
    if (functions.add(multi, connection->handle)) return fault;
    while (!functions.perform(multi, &running) && running) {
        struct pollfd end = {stop, POLLIN, 0};
        if (stop >= 0 && poll(&end, 1, 0) > 0) {
            fault = -1;
            break;
        }
        if (functions.wait(multi, &entry, stop >= 0, 1000, &count)) break;
    }
    multi_message *message;
    while ((message = functions.read(multi, &count)))
        if (message->message == message_done) fault = message->data.fault;
    functions.remove(multi, connection->handle);
    return fault;
}

void cremotewrite_post(cremotewrite_connection *connection, const void *octets, size_t length, long patience,
                       int stop, cremotewrite_answer *answer) {
    void *handle = connection->handle;
    size_t head = 0;
    memset(answer, 0, sizeof *answer);
    *connection->error = '\0';
    functions.set(handle, option_postfieldsize_large, (long long)length);
    functions.set(handle, option_postfields, octets);
    functions.set(handle, option_timeout_ms, patience);
    functions.set(handle, option_writedata, answer);
    functions.set(handle, option_headerdata, &head);
    int fault = perform(connection, stop);
    /* What was answered is known, even if its body did not come to its end. */
    functions.info(handle, info_response_code, &answer->status);
    if (answer->length > sizeof answer->body) answer->length = sizeof answer->body;
    if (!fault) return;
    if (fault < 0) {
        answer->status = 0;
        snprintf(answer->reason, sizeof answer->reason, "the work was ended");
        return;
    }
    /* Where libcurl's words have times in them, which are others each time, these are said instead. */
    long number = 0;
    functions.info(handle, info_os_errno, &number);
    const char *reason = *connection->error ? connection->error : functions.reason(fault);
    if (fault == fault_connection && number) reason = strerror((int)number);
    if (fault == fault_patience) reason = "no answer in time";
    snprintf(answer->reason, sizeof answer->reason, "%s", reason);
}
