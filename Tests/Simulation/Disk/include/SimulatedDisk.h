#ifndef SIMULATED_DISK_H
#define SIMULATED_DISK_H

#include "SplitMix.h"

#include <stdint.h>

/* A disk under SQLite that can fail. Its files are files of the system, through SQLite's own VFS. It keeps the writes
   of each file that are not synchronised yet, so that a power cut can lose any of them. One thread at a time. */

/* Becomes the VFS of all databases that are opened later. `process` returns the number of the process whose code runs
   now, and `die` is called when it dies during a write. The choices depend on the seed. Returns 0 on success. */
int simulated_disk_install(uint64_t seed, int64_t (*process)(void), void (*die)(void));

/* The next `after` changes of files by a process succeed, and all later ones fail, because it was killed. The last one
   may be written in part. */
void simulated_disk_die(int64_t process, int64_t after);

typedef enum {
    /* Writes find a full disk. */
    simulated_disk_full,
    /* Writes and synchronisations fail. */
    simulated_disk_failing,
    simulated_disk_failing_syncs,
    /* Another program has the locks. */
    simulated_disk_busy,
    /* The number of kinds. */
    simulated_disk_troubles,
} simulated_disk_trouble;

/* The next `after` operations of a process that could have this trouble succeed, and the following `count` ones have
   it. */
void simulated_disk_begin_trouble(int64_t process, simulated_disk_trouble, int64_t after, int64_t count);

/* Whether a change has failed since simulated_disk_die. */
int simulated_disk_is_dead(int64_t process);

/* The power of the machine with this folder fails: each write that was not synchronised is lost, kept, or kept in part.
   Call it after all databases in the folder are closed. */
void simulated_disk_cut(const char *folder);

/* Faults that no disk may have. The checks must find them. */
typedef enum {
    simulated_disk_sound,
    /* Synchronisation does nothing. */
    simulated_disk_loses_syncs,
    /* One write of a hundred is lost, and reported as done. */
    simulated_disk_loses_writes,
} simulated_disk_fault;

/* Plants a fault. */
void simulated_disk_plant(simulated_disk_fault fault);

/* The number of writes. */
int64_t simulated_disk_writes(void);

#endif
