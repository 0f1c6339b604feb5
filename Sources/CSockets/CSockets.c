#include "CSockets.h"
