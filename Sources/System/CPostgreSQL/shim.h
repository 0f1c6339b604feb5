// Debian's package has a separate folder for the header.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/* Swift does not import macros that are characters. */
enum { cpostgresql_sqlstate = PG_DIAG_SQLSTATE };
