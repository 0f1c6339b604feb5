#include "SimulatedDisk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };

/* A write that is not synchronised. `before` has the bytes that it replaced, as far as the file had any. */
typedef struct change {
    struct change *next, *previous;
    int64_t offset, length, known, size;
    unsigned char *before, *after;
} change;

typedef struct path_state {
    struct path_state *next;
    change *first, *last;
    char path[];
} path_state;

/* A process. Its files fail when it is killed. */
typedef struct owner {
    struct owner *next;
    int64_t number, until_death;
    /* The number of operations before each kind of trouble, or -1 without it, and of those that then fail. */
    struct {
        int64_t until, count;
    } troubles[simulated_disk_troubles];
    int is_dead;
} owner;

typedef struct {
    sqlite3_file base;
    path_state *state;
    owner *owner;
    sqlite3_file real[];
} disk_file;

static struct {
    sqlite3_vfs *below;
    path_state *paths;
    owner *owners;
    int64_t (*current)(void);
    void (*die)(void);
    uint64_t random;
    int64_t writes;
    simulated_disk_fault fault;
} disk;

static sqlite3_file *real(sqlite3_file *file) { return ((disk_file *)file)->real; }

static uint64_t random_number(void) { return split_mix(&disk.random); }

static void *allocated(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) abort();
    return memory;
}

static void forget(path_state *state) {
    while (state->first) {
        change *next = state->first->next;
        free(state->first->before);
        free(state->first->after);
        free(state->first);
        state->first = next;
    }
    state->last = NULL;
}

static path_state *state_of(const char *path) {
    for (path_state *state = disk.paths; state; state = state->next)
        if (!strcmp(state->path, path)) return state;
    path_state *new = allocated(sizeof *new + strlen(path) + 1);
    memset(new, 0, sizeof *new);
    strcpy(new->path, path);
    new->next = disk.paths;
    disk.paths = new;
    return new;
}

static owner *owner_of(int64_t number) {
    for (owner *one = disk.owners; one; one = one->next)
        if (one->number == number) return one;
    owner *new = allocated(sizeof *new);
    *new = (owner){.next = disk.owners, .number = number, .until_death = -1};
    for (int kind = 0; kind < simulated_disk_troubles; kind++) new->troubles[kind].until = -1;
    disk.owners = new;
    return new;
}

/* Counts a change. Returns 0 if it fails, and -1 if it is the last one before the failures. */
static int lives(owner *own) {
    if (own->is_dead) return 0;
    if (own->until_death < 0) return 1;
    if (own->until_death-- > 0) return 1;
    own->is_dead = 1;
    disk.die();
    return -1;
}

/* Counts an operation. Returns whether it has this trouble. */
static int has_trouble(owner *own, simulated_disk_trouble kind) {
    int64_t *until = &own->troubles[kind].until;
    if (*until < 0 || (*until)-- > 0) return 0;
    *until = --own->troubles[kind].count > 0 ? 0 : -1;
    return 1;
}

/* Keeps a write until the file is synchronised. */
static int note_write(path_state *state, sqlite3_file *below, const void *bytes, int length, sqlite3_int64 offset) {
    sqlite3_int64 size = 0;
    int fault = below->pMethods->xFileSize(below, &size);
    if (fault) return fault;
    change *new = allocated(sizeof *new);
    *new = (change){NULL, state->last, offset, length, 0, size, allocated((size_t)length), allocated((size_t)length)};
    new->known = size <= offset ? 0 : size - offset < length ? size - offset : length;
    if (state->last) state->last->next = new;
    else state->first = new;
    state->last = new;
    memcpy(new->after, bytes, (size_t)length);
    return new->known ? below->pMethods->xRead(below, new->before, (int)new->known, offset) : SQLITE_OK;
}

static int write_bytes(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    disk_file *own = (disk_file *)file;
    sqlite3_file *below = real(file);
    owner *owner = own->owner;
    int life = lives(owner);
    if (!life) return SQLITE_IOERR_WRITE;
    if (has_trouble(owner, simulated_disk_full)) return SQLITE_FULL;
    if (has_trouble(owner, simulated_disk_failing)) return SQLITE_IOERR_WRITE;
    if (disk.fault == simulated_disk_loses_writes && random_number() % 100 == 0) return SQLITE_OK;
    int length = life < 0 ? (int)(random_number() % (uint64_t)(count / sector + 1)) * sector : count;
    disk.writes++;
    if (own->state && length > 0) {
        int fault = note_write(own->state, below, bytes, length, offset);
        if (fault) return fault;
    }
    int fault = length > 0 ? below->pMethods->xWrite(below, bytes, length, offset) : SQLITE_OK;
    return life < 0 ? SQLITE_IOERR_WRITE : fault;
}

static int synchronise(sqlite3_file *file, int flags) {
    disk_file *own = (disk_file *)file;
    if (lives(own->owner) <= 0) return SQLITE_IOERR_FSYNC;
    if (has_trouble(own->owner, simulated_disk_failing)) return SQLITE_IOERR_FSYNC;
    if (has_trouble(own->owner, simulated_disk_failing_syncs)) return SQLITE_IOERR_FSYNC;
    (void)flags;
    // The files are in memory: only the bookkeeping distinguishes synchronised writes.
    if (disk.fault != simulated_disk_loses_syncs && own->state) forget(own->state);
    return SQLITE_OK;
}

static int shorten(sqlite3_file *file, sqlite3_int64 size) {
    disk_file *own = (disk_file *)file;
    if (lives(own->owner) <= 0) return SQLITE_IOERR_TRUNCATE;
    // The order of file operations holds: earlier writes are not undone after it.
    if (own->state) forget(own->state);
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }
static int read_bytes(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int lock(sqlite3_file *file, int kind) { return real(file)->pMethods->xLock(real(file), kind); }
static int unlock(sqlite3_file *file, int kind) { return real(file)->pMethods->xUnlock(real(file), kind); }
static int is_reserved(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
// No promise about writes: SQLite must not rely on more than a sector.
static int characteristics(sqlite3_file *file) {
    (void)file;
    return 0;
}
static int map_shared(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}
static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
    owner *own = ((disk_file *)file)->owner;
    if (flags & SQLITE_SHM_LOCK && has_trouble(own, simulated_disk_busy)) return SQLITE_BUSY;
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int unmap_shared(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes && !((disk_file *)file)->owner->is_dead);
}

static const sqlite3_io_methods methods = {
    2, close_file, read_bytes, write_bytes, shorten, synchronise, file_size, lock, unlock, is_reserved,
    control, sector_size, characteristics, map_shared, lock_shared, barrier, unmap_shared, NULL, NULL,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    disk_file *own = (disk_file *)file;
    (void)vfs;
    own->base.pMethods = NULL;
    int fault = disk.below->xOpen(disk.below, name, real(file), flags, result);
    if (fault) return fault;
    own->state = name ? state_of(name) : NULL;
    own->owner = owner_of(disk.current());
    own->base.pMethods = &methods;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
    (void)vfs;
    if (lives(owner_of(disk.current())) <= 0) return SQLITE_IOERR_DELETE;
    forget(state_of(name));
    return disk.below->xDelete(disk.below, name, syncs);
}

/* SQLite's own random numbers depend on the seed too. */
static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    (void)vfs;
    for (int index = 0; index < count; index++) bytes[index] = (char)(random_number() >> 32);
    return count;
}

int simulated_disk_install(uint64_t seed, int64_t (*current)(void), void (*die)(void)) {
    static sqlite3_vfs vfs;
    disk.below = sqlite3_vfs_find(NULL);
    vfs = *disk.below;
    vfs.zName = "simulated";
    vfs.szOsFile = (int)sizeof(disk_file) + disk.below->szOsFile;
    vfs.xOpen = open_file;
    vfs.xDelete = delete_file;
    vfs.xRandomness = randomness;
    disk.current = current;
    disk.die = die;
    disk.random = seed;
    return sqlite3_vfs_register(&vfs, 1);
}

void simulated_disk_die(int64_t process, int64_t after) { owner_of(process)->until_death = after; }

void simulated_disk_begin_trouble(int64_t process, simulated_disk_trouble kind, int64_t after, int64_t count) {
    owner *own = owner_of(process);
    own->troubles[kind].until = after;
    own->troubles[kind].count = count;
}

int simulated_disk_is_dead(int64_t process) { return owner_of(process)->is_dead; }
void simulated_disk_plant(simulated_disk_fault fault) { disk.fault = fault; }
int64_t simulated_disk_writes(void) { return disk.writes; }

/* Replaces a file by a copy. A killed process may not have closed the file, and SQLite shares what it remembers of
 * a file among all connections of this process. A power cut ends this memory. */
static void renew(const char *path) {
    size_t length = strlen(path) + sizeof ".copy";
    char *copy = allocated(length);
    snprintf(copy, length, "%s.copy", path);
    int from = open(path, O_RDONLY), to = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct stat status;
    if (from < 0 || to < 0 || fstat(from, &status) || fchmod(to, status.st_mode)) abort();
    while (status.st_size > 0) {
        ssize_t copied = sendfile(to, from, NULL, (size_t)status.st_size);
        if (copied <= 0) abort();
        status.st_size -= copied;
    }
    if (close(from) || close(to) || rename(copy, path)) abort();
    free(copy);
}

/* Puts a file into the state after a power cut. */
static void cut(path_state *state) {
    int descriptor = open(state->path, O_RDWR);
    if (descriptor < 0) return;
    for (change *one = state->last; one; one = one->previous) {
        if (one->known && pwrite(descriptor, one->before, (size_t)one->known, one->offset) != one->known) abort();
        if (ftruncate(descriptor, one->size)) abort();
    }
    // Most power cuts lose all, or the end. Some lose single writes, because a disk may reorder them.
    uint64_t kind = random_number() % 4, rest = random_number() % 8;
    for (change *one = state->first; one; one = one->next) {
        if (kind == 0 || (kind == 1 && rest-- == 0)) break;
        if (kind == 2 && random_number() % 2) continue;
        int64_t length = one->length;
        if (random_number() % 8 == 0) length = (int64_t)(random_number() % (uint64_t)(length / sector + 1)) * sector;
        if (length && pwrite(descriptor, one->after, (size_t)length, one->offset) != length) abort();
    }
    close(descriptor);
    renew(state->path);
}

/* The shared memory of a write-ahead log does not survive a power cut. */
static void drop_shared(const char *path) {
    size_t length = strlen(path);
    if (length <= 4 || strcmp(path + length - 4, "-wal")) return;
    char *shared = allocated(length + 1);
    snprintf(shared, length + 1, "%.*s-shm", (int)length - 4, path);
    unlink(shared);
    free(shared);
}

void simulated_disk_cut(const char *folder) {
    // After a kill, the system still writes everything. A later power cut can lose it.
    for (path_state *state = disk.paths; state; state = state->next) {
        if (strncmp(state->path, folder, strlen(folder))) continue;
        cut(state);
        forget(state);
        drop_shared(state->path);
    }
}
