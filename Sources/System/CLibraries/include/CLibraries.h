#ifndef CLIBRARIES_H
#define CLIBRARIES_H

/* System libraries that are loaded when the first of their functions is called: delayed loading by generated jumps
   (trampolines), as the option /DELAYLOAD of Windows' linker and Implib.so have it. This target defines the functions
   that the program calls, as jumps to where those of the library are; callers include the library's own headers.

   `dnstempo --version` takes 5 ms of processor time and 570 page faults so, and 20 ms and 1,130 where the twelve
   libraries are loaded at the start (Debian 12, by LD_PRELOAD; medians of three times `perf stat -r 50` in turn). Only
   those who use a library have to install it.

   What is called before a library is there loads it, and ends the program with a line and 69 (EX_UNAVAILABLE) where it
   cannot; a caller that wants to know before, or has no time then, asks for it by name. On Apple's platforms they are
   linked. */

typedef enum {
    clibraries_curl,
    clibraries_fstrm,
    clibraries_gnutls,
    clibraries_ldns,
    clibraries_nghttp2,
    clibraries_pq,
    clibraries_psl,
    clibraries_snappy,
    clibraries_sqlite,
    clibraries_nghttp3,
    clibraries_ngtcp2,
    clibraries_ngtcp2_crypto,
} clibraries_name;

/* Loads a library; 0 where it is not there, or of another version. */
int clibraries_load(clibraries_name library);

/* What has to be installed for it, in words. */
const char *clibraries_advice(clibraries_name library);

/* Debian's package of it. */
const char *clibraries_package(clibraries_name library);

#endif
