#ifndef CLIBRARIES_H
#define CLIBRARIES_H

/* System libraries that are loaded when the first of their functions is called: delayed loading by generated jumps
   (trampolines), like the option /DELAYLOAD of the Windows linker and Implib.so. This target defines the functions that
   the program calls, as jumps to the functions of the library. Callers include the library's own headers.

   `dnstempo --version` takes 5 ms of processor time and 570 page faults. With twelve libraries loaded at the start
   it takes 20 ms and 1,130 (Debian 12, by LD_PRELOAD; medians of three times `perf stat -r 50` in turn). Only users
   of a feature have to install its library.

   The first call of a function loads its library. If that fails, the program ends with a line and exit code 69
   (EX_UNAVAILABLE). A caller that must know earlier, or has no time during the call, loads the library by its name. On
   Apple platforms the libraries are linked. */

typedef enum {
    clibraries_curl,
    clibraries_fstrm,
    clibraries_gnutls,
    clibraries_ldns,
    clibraries_mosquitto,
    clibraries_nghttp2,
    clibraries_pq,
    clibraries_psl,
    clibraries_snappy,
    clibraries_sqlite,
    clibraries_nghttp3,
    clibraries_ngtcp2,
    clibraries_ngtcp2_crypto,
} clibraries_name;

/* Loads a library. Returns 0 if it is missing or has another version. */
int clibraries_load(clibraries_name library);

/* Returns the advice what to install, for a reader. */
const char *clibraries_advice(clibraries_name library);

/* Returns the Debian package of the library. */
const char *clibraries_package(clibraries_name library);

#endif
