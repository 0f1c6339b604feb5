#include <fstrm.h>
