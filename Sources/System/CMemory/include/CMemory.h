#pragma once

/* Memory that can return to the system: freed memory that the C library still holds, and unused program pages. */

/* Returns both to the system. Its cache has the program pages if they are needed again. */
void cmemory_give_back(void);

/* From now on, blocks of 128 KiB return to the system when they are freed. By default, the C library keeps blocks
   up to the size of the largest freed block. */
void cmemory_keep_no_large_blocks(void);
