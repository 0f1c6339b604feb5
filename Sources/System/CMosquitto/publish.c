#include "CMosquitto.h"

#include <errno.h>
#include <mosquitto.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void begin(void) { mosquitto_lib_init(); }

struct work {
    const cmosquitto_message *messages;
    size_t count;
    size_t acknowledged;
    /* The answer to the connection; -1 before it. */
    int answer;
    int fault;
};

static void connected(struct mosquitto *client, void *context, int answer) {
    struct work *work = context;
    work->answer = answer;
    if (answer) return;
    for (size_t index = 0; index < work->count && !work->fault; index++) {
        const cmosquitto_message *message = &work->messages[index];
        work->fault =
            mosquitto_publish(client, NULL, message->topic, (int)message->length, message->payload, 1, true);
    }
}

static void acknowledged(struct mosquitto *client, void *context, int message) {
    (void)client, (void)message;
    ((struct work *)context)->acknowledged++;
}

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const char *words(int fault) {
    return fault == MOSQ_ERR_ERRNO ? strerror(errno) : mosquitto_strerror(fault);
}

static int prepare(struct mosquitto *client, const cmosquitto_broker *broker) {
    if (broker->user) {
        int fault = mosquitto_username_pw_set(client, broker->user, broker->password);
        if (fault) return fault;
    }
    if (!broker->is_encrypted) return MOSQ_ERR_SUCCESS;
    // The certificates that OpenSSL trusts on this system. SSL_CERT_FILE names others.
    int fault = mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
    // A Debian system without the package openssl has certificates, but OpenSSL does not look for them there.
    static const char bundle[] = "/etc/ssl/certs/ca-certificates.crt";
    bool is_usual = !getenv("SSL_CERT_FILE") && !getenv("SSL_CERT_DIR");
    if (!fault && is_usual && access(bundle, R_OK) == 0)
        fault = mosquitto_tls_set(client, bundle, NULL, NULL, NULL, NULL);
    return fault ? fault : mosquitto_tls_opts_set(client, 1, NULL, NULL);
}

static cmosquitto_result run(struct mosquitto *client, const cmosquitto_broker *broker, struct work *work,
                             long patience, int stop, char reason[256]) {
    static const int keepalive = 60, longest_turn = 100;
    long end = milliseconds() + patience;
    int fault = prepare(client, broker);
    // The system connects while the loop runs, so that the time limit applies to it too.
    if (!fault) fault = mosquitto_connect_async(client, broker->host, broker->port, keepalive);
    while (!fault && !work->fault && work->answer <= 0 && work->acknowledged < work->count) {
        struct pollfd descriptor = {stop, POLLIN, 0};
        if (stop >= 0 && poll(&descriptor, 1, 0) > 0) {
            snprintf(reason, 256, "the work was ended");
            return cmosquitto_stopped;
        }
        long left = end - milliseconds();
        if (left <= 0) {
            snprintf(reason, 256, "no answer in time");
            return cmosquitto_away;
        }
        fault = mosquitto_loop(client, left < longest_turn ? (int)left : longest_turn, 1);
    }
    if (work->answer > 0) {
        snprintf(reason, 256, "%s", mosquitto_connack_string(work->answer));
        return cmosquitto_refused;
    }
    if (!fault) fault = work->fault;
    if (!fault) return cmosquitto_done;
    snprintf(reason, 256, "%s", words(fault));
    return cmosquitto_away;
}

cmosquitto_result cmosquitto_publish(const cmosquitto_broker *broker, const cmosquitto_message *messages, size_t count,
                                     long patience, int stop, char reason[256]) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
    struct work work = {messages, count, 0, -1, MOSQ_ERR_SUCCESS};
    struct mosquitto *client = mosquitto_new(broker->client, true, &work);
    if (!client) {
        snprintf(reason, 256, "out of memory for a connection");
        return cmosquitto_away;
    }
    mosquitto_connect_callback_set(client, connected);
    mosquitto_publish_callback_set(client, acknowledged);
    cmosquitto_result result = run(client, broker, &work, patience, stop, reason);
    if (work.answer == 0) mosquitto_disconnect(client);
    mosquitto_destroy(client);
    return result;
}
