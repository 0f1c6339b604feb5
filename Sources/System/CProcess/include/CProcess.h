#pragma once

/* What the system grants this process. Loading this module also gives the Swift runtime the arguments of main. */

/* The number of processors that this process may use. */
long cprocess_processors(void);

/* Whether so many more threads can run at once. */
int cprocess_can_start_threads(long count);

/* Raises a soft limit of the stack below `size`, in bytes, where the hard limit allows it: for the main thread and
   for new ones. Returns whether the limit is `size` or more afterwards. */
int cprocess_has_stack(unsigned long size);
