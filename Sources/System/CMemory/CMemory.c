#define _GNU_SOURCE

#include "CMemory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <link.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#endif

#if defined(__GLIBC__)
/* Handles one library, or the program. Its read-only pages are unchanged, so that the system can read them from
   the file again. */
static int give_back_pages(struct dl_phdr_info *object, size_t size, void *page) {
    (void)size;
    uintptr_t mask = *(uintptr_t *)page - 1;
    for (int part = 0; part < object->dlpi_phnum; part++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[part];
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        uintptr_t end = start + header->p_filesz;
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W) || start == getauxval(AT_SYSINFO_EHDR)) {
            continue;
        }
        start &= ~mask;
        madvise((void *)start, ((end + mask) & ~mask) - start, MADV_DONTNEED);
    }
    return 0;
}
#endif

void cmemory_give_back(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(give_back_pages, &page);
#elif defined(__APPLE__)
    malloc_zone_pressure_relief(NULL, 0);
#endif
}

void cmemory_keep_no_large_blocks(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}
