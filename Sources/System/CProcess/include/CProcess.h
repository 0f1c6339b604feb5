#pragma once

/* Resources that the system grants this process. Loading this module also gives the Swift runtime the arguments of
   main. */

/* The number of processors that this process may use. */
long cprocess_processors(void);

/* Returns whether `count` more threads can run at once. */
int cprocess_can_start_threads(long count);

/* Raises the soft limit of the stack to `size` bytes if the hard limit allows it, for the main thread and for new
   threads. Returns whether the limit is at least `size` afterwards. */
int cprocess_has_stack(unsigned long size);
