#ifndef CLIBRARIES_H
#define CLIBRARIES_H

/* System libraries that are loaded when the first of their functions is called: linked, they would slow every start
   down. This target defines the functions that the program calls, as jumps to where those of the library are. What is
   called before a library is there loads it, and ends the program with a line and 69 (EX_UNAVAILABLE) where it cannot;
   who wants to know before, or has no time then, asks for it by name. On Apple's platforms they are linked. */

typedef enum {
    clibraries_gnutls,
    clibraries_ldns,
    clibraries_nghttp2,
    clibraries_psl,
    clibraries_sqlite,
    clibraries_nghttp3,
    clibraries_ngtcp2,
    clibraries_ngtcp2_crypto,
} clibraries_name;

/* Loads a library; 0 where it is not there, or of another version. */
int clibraries_load(clibraries_name library);

/* What has to be installed for it, in words. */
const char *clibraries_advice(clibraries_name library);

#endif
