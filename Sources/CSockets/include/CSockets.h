/// What Swift cannot import from the system's socket headers: macros and inline functions.
#ifndef CSOCKETS_H
#define CSOCKETS_H

#endif
