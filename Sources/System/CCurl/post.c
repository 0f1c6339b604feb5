#include "CCurl.h"
#include "begin.h"

#include <curl/curl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ccurl_connection {
    CURL *handle;
    CURLM *multi;
    struct curl_slist *fields;
    struct curl_slist *place;
    char error[CURL_ERROR_SIZE];
};

/* Keeps the part of the body that fits, and aborts if the body is too long. */
static size_t take(char *bytes, size_t size, size_t count, void *context) {
    static const size_t most = 64 * 1024;
    ccurl_answer *answer = context;
    size_t length = size * count;
    size_t kept = answer->length < sizeof answer->body ? sizeof answer->body - answer->length : 0;
    if (kept > length) kept = length;
    memcpy(answer->body + answer->length, bytes, kept);
    answer->length += length;
    return answer->length > most ? 0 : length;
}

/* Aborts if the header is too long, because libcurl may keep all of it. */
static size_t count_head(char *bytes, size_t size, size_t count, void *context) {
    static const size_t most = 64 * 1024;
    size_t *length = context;
    (void)bytes;
    *length += size * count;
    return *length > most ? 0 : size * count;
}

static struct curl_slist *append(struct curl_slist *list, const char *text) {
    struct curl_slist *longer = curl_slist_append(list, text);
    if (!longer) curl_slist_free_all(list);
    return longer;
}

ccurl_connection *ccurl_open(const char *url, const char *address, const char *const *fields) {
    ccurl_begin();
    ccurl_connection *new = calloc(1, sizeof *new);
    ccurl_place_text place;
    if (!new) return NULL;
    ccurl_place(place, address);
    new->handle = curl_easy_init();
    new->multi = curl_multi_init();
    new->place = append(NULL, place);
    for (; *fields; fields++)
        if (!(new->fields = append(new->fields, *fields))) break;
    CURL *handle = new->handle;
    if (!handle || !new->multi || !new->place || !new->fields || curl_easy_setopt(handle, CURLOPT_URL, url) ||
        curl_easy_setopt(handle, CURLOPT_CONNECT_TO, new->place) ||
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, new->fields) ||
        curl_easy_setopt(handle, CURLOPT_PROXY, "") ||
        curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https") ||
        curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L) ||
        curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, new->error) ||
        curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, count_head) ||
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take)) {
        ccurl_close(new);
        return NULL;
    }
    return new;
}

void ccurl_close(ccurl_connection *connection) {
    if (connection->multi) curl_multi_cleanup(connection->multi);
    if (connection->handle) curl_easy_cleanup(connection->handle);
    curl_slist_free_all(connection->fields);
    curl_slist_free_all(connection->place);
    free(connection);
}

/* Performs the transfer of the handle, as curl_easy_perform does, until `stop` is readable. Returns the error code
   of libcurl, or -1 if the transfer was stopped. */
static int perform(ccurl_connection *connection, int stop) {
    CURLM *multi = connection->multi;
    struct curl_waitfd entry = {stop, CURL_WAIT_POLLIN, 0};
    int fault = CURLE_OUT_OF_MEMORY, running = 1, count = 0;
    if (curl_multi_add_handle(multi, connection->handle)) return fault;
    while (!curl_multi_perform(multi, &running) && running) {
        struct pollfd end = {stop, POLLIN, 0};
        if (stop >= 0 && poll(&end, 1, 0) > 0) {
            fault = -1;
            break;
        }
        if (curl_multi_wait(multi, &entry, stop >= 0, 1000, &count)) break;
    }
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &count)))
        if (message->msg == CURLMSG_DONE) fault = (int)message->data.result;
    curl_multi_remove_handle(multi, connection->handle);
    return fault;
}

void ccurl_post(ccurl_connection *connection, const void *bytes, size_t length, long patience,
                int stop, ccurl_answer *answer) {
    CURL *handle = connection->handle;
    size_t head = 0;
    memset(answer, 0, sizeof *answer);
    *connection->error = '\0';
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, patience);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, answer);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &head);
    int fault = perform(connection, stop);
    /* The status is known even if the body is incomplete. */
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_off_t sent = 0;
    curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &sent);
    answer->was_sent = sent > 0;
    if (answer->length > sizeof answer->body) answer->length = sizeof answer->body;
    if (!fault) return;
    if (fault < 0) {
        answer->status = 0;
        snprintf(answer->reason, sizeof answer->reason, "the work was ended");
        return;
    }
    snprintf(answer->reason, sizeof answer->reason, "%s", ccurl_reason(handle, fault, connection->error));
}
