#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stddef.h>

/* Messages to a broker of MQTT, with libmosquitto. */

typedef struct {
    const char *topic;
    const void *payload;
    size_t length;
} cmosquitto_message;

typedef struct {
    /* The address of the broker, or its name if the certificate must be valid for it. */
    const char *host;
    int port;
    /* The identifier of this client. */
    const char *client;
    /* NULL for none. */
    const char *user;
    const char *password;
    int is_encrypted;
} cmosquitto_broker;

typedef enum {
    cmosquitto_done,
    /* The broker cannot be reached, or did not answer in time. */
    cmosquitto_away,
    /* The broker refuses this client. */
    cmosquitto_refused,
    /* The work was ended by the descriptor. */
    cmosquitto_stopped,
} cmosquitto_result;

/* Connects, publishes messages, which the broker keeps (retained) and acknowledges (QoS 1), and disconnects. Ends after
   `patience` milliseconds, and when the descriptor `stop` is readable or hung up; -1 for no descriptor. `reason` gets
   the cause of a failure. */
cmosquitto_result cmosquitto_publish(const cmosquitto_broker *broker, const cmosquitto_message *messages, size_t count,
                                     long patience, int stop, char reason[256]);

#endif
