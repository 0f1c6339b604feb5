#include "CCurl.h"
#include "begin.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_streams = 64 };

typedef struct {
    CURL *handle;
    ccurl_load *load;
    /* Whether the handle belongs to the multi handle. */
    int is_running;
    /* Whether the transfer failed. It is not repeated, because it would fail again at once. */
    int has_failed;
    curl_off_t left;
    char error[CURL_ERROR_SIZE];
} stream;

struct ccurl_load {
    CURLM *multi;
    struct curl_slist *fields;
    struct curl_slist *place;
    char *url;
    char *agent;
    int sends;
    long long received, sent;
    long status;
    char reason[256];
    stream streams[most_streams];
    /* Data that no device on the path can compress. */
    unsigned char noise[65536];
};

/* The size of a request with a body. Servers limit it, often to 32 MB or more. */
static const curl_off_t body_size = 25 * 1000 * 1000;

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    stream *own = context;
    (void)bytes;
    own->load->received += (long long)(size * count);
    return size * count;
}

static size_t give(char *bytes, size_t size, size_t count, void *context) {
    stream *own = context;
    size_t length = size * count;
    if (length > sizeof own->load->noise) length = sizeof own->load->noise;
    if ((curl_off_t)length > own->left) length = (size_t)own->left;
    memcpy(bytes, own->load->noise, length);
    own->left -= (curl_off_t)length;
    own->load->sent += (long long)length;
    return length;
}

/* Discards unsent data. Otherwise the system would go on sending up to some megabytes after the close. */
static int discard(void *context, curl_socket_t descriptor) {
    struct linger none = {1, 0};
    (void)context;
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    return close(descriptor);
}

ccurl_load *ccurl_load_open(const char *url, const char *address, int sends, const char *agent) {
    ccurl_begin();
    ccurl_load *new = calloc(1, sizeof *new);
    ccurl_place_text place;
    if (!new) return NULL;
    ccurl_place(place, address);
    new->multi = curl_multi_init();
    new->place = curl_slist_append(NULL, place);
    /* Sends the body at once, without asking the server first (`100-continue`). */
    new->fields = curl_slist_append(NULL, "Expect:");
    new->url = strdup(url);
    new->agent = strdup(agent);
    new->sends = sends;
    /* xorshift64 (Marsaglia 2003). */
    unsigned long long state = 88172645463325252ULL;
    for (size_t index = 0; index + sizeof state <= sizeof new->noise; index += sizeof state) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(new->noise + index, &state, sizeof state);
    }
    if (new->multi && new->place && new->fields && new->url && new->agent) return new;
    ccurl_load_close(new);
    return NULL;
}

static void end(stream *own) {
    if (own->is_running) curl_multi_remove_handle(own->load->multi, own->handle);
    if (own->handle) curl_easy_cleanup(own->handle);
    own->handle = NULL;
    own->is_running = own->has_failed = 0;
}

void ccurl_load_close(ccurl_load *load) {
    for (int index = 0; index < most_streams; index++) end(&load->streams[index]);
    if (load->multi) curl_multi_cleanup(load->multi);
    curl_slist_free_all(load->fields);
    curl_slist_free_all(load->place);
    free(load->url);
    free(load->agent);
    free(load);
}

static int open_handle(stream *own) {
    ccurl_load *load = own->load;
    CURL *handle = own->handle = curl_easy_init();
    if (!handle) return -1;
    int failed = curl_easy_setopt(handle, CURLOPT_URL, load->url) ||
                 curl_easy_setopt(handle, CURLOPT_CONNECT_TO, load->place) ||
                 curl_easy_setopt(handle, CURLOPT_HTTPHEADER, load->fields) ||
                 curl_easy_setopt(handle, CURLOPT_USERAGENT, load->agent) ||
                 curl_easy_setopt(handle, CURLOPT_PROXY, "") ||
                 curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https") ||
                 /* Each stream has a connection: streams of HTTP/2 would share one. */
                 curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) ||
                 curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L) ||
                 curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, 10000L) ||
                 curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L) ||
                 curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, own->error) ||
                 curl_easy_setopt(handle, CURLOPT_PRIVATE, own) ||
                 curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, discard) ||
                 curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take) ||
                 curl_easy_setopt(handle, CURLOPT_WRITEDATA, own);
    if (!failed && load->sends)
        failed = curl_easy_setopt(handle, CURLOPT_POST, 1L) ||
                 curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, body_size) ||
                 curl_easy_setopt(handle, CURLOPT_READFUNCTION, give) ||
                 curl_easy_setopt(handle, CURLOPT_READDATA, own);
    return failed ? -1 : 0;
}

/* Begins the transfer of a stream, or begins it again. */
static void start(ccurl_load *load, stream *own) {
    own->load = load;
    if (own->is_running || own->has_failed) return;
    if (!own->handle && open_handle(own)) {
        own->has_failed = 1;
        snprintf(load->reason, sizeof load->reason, "out of memory");
        return;
    }
    own->left = body_size;
    *own->error = '\0';
    own->is_running = !curl_multi_add_handle(load->multi, own->handle);
}

/* Takes the result of a transfer that has ended. */
static void finish(ccurl_load *load, CURL *handle, int fault) {
    stream *own = NULL;
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&own);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(load->multi, handle);
    own->is_running = 0;
    if (!fault && status >= 200 && status < 300) return;
    own->has_failed = 1;
    if (status) load->status = status;
    snprintf(load->reason, sizeof load->reason, "%s", ccurl_reason(handle, fault, own->error));
}

void ccurl_load_run(ccurl_load *load, int streams, int patience, ccurl_load_state *state) {
    int running = 0, count = 0;
    if (streams > most_streams) streams = most_streams;
    for (int index = 0; index < most_streams; index++) {
        if (index < streams)
            start(load, &load->streams[index]);
        else
            end(&load->streams[index]);
    }
    curl_multi_perform(load->multi, &running);
    curl_multi_poll(load->multi, NULL, 0, patience, &count);
    curl_multi_perform(load->multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(load->multi, &count)))
        if (message->msg == CURLMSG_DONE) finish(load, message->easy_handle, (int)message->data.result);
    state->received = load->received;
    state->sent = load->sent;
    state->status = load->status;
    memcpy(state->reason, load->reason, sizeof state->reason);
}
