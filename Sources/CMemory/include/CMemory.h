#pragma once

/* What was freed and the C library still holds. */

/* Gives it back to the system. */
void cmemory_give_back(void);

/* From now on blocks of 128 KiB go back as they are freed: the library would learn to keep blocks as large
   as the largest that was freed. */
void cmemory_keep_no_large_blocks(void);
