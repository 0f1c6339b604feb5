#ifndef CCURL_BEGIN_H
#define CCURL_BEGIN_H

/* Initialises libcurl, once. */
void ccurl_begin(void);

typedef char ccurl_place_text[128];

/* The value of CURLOPT_CONNECT_TO for connections to this address and the port of the URL, for every host. */
void ccurl_place(ccurl_place_text place, const char *address);

/* The reason of a failed transfer. Messages of libcurl that contain times are replaced, because these differ on each
   attempt. `text` is the message of libcurl, which may be empty. */
const char *ccurl_reason(void *handle, int fault, const char *text);

#endif
