#include "begin.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void begin(void) { curl_global_init(CURL_GLOBAL_ALL); }

/* Threads may open connections at the same time. Older versions of libcurl cannot be initialised in parallel. */
void ccurl_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
}

void ccurl_place(ccurl_place_text place, const char *address) {
    snprintf(place, sizeof(ccurl_place_text), "::%s:", address);
}

const char *ccurl_reason(void *handle, int fault, const char *text) {
    long number = 0;
    curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
    if (fault == CURLE_COULDNT_CONNECT && number) return strerror((int)number);
    if (fault == CURLE_OPERATION_TIMEDOUT) return "no answer in time";
    return *text ? text : curl_easy_strerror(fault);
}
