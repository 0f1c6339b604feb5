#pragma once

/* What was freed and the C library still holds, and what was read of the program and is used no more. */

/* Gives both to the system, which has the latter in its cache where it is used again after all. */
void cmemory_give_back(void);

/* From now on blocks of 128 KiB go back as they are freed: the library would learn to keep blocks as large
   as the largest that was freed. */
void cmemory_keep_no_large_blocks(void);
