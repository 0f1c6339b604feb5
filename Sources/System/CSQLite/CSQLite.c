#include "CSQLite.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static const int settings[][2] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0},
};

static const int limits[][2] = {
    {SQLITE_LIMIT_LENGTH, 1 << 24},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 17},
    {SQLITE_LIMIT_COLUMN, 200},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},
    {SQLITE_LIMIT_COMPOUND_SELECT, 10},
    {SQLITE_LIMIT_ATTACHED, 0},
};

int csqlite_distrust(sqlite3 *database) {
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        int code = sqlite3_db_config(database, settings[i][0], settings[i][1], (int *)0);
        if (code != SQLITE_OK) return code;
    }
    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        sqlite3_limit(database, limits[i][0], limits[i][1]);
    }
    return sqlite3_exec(database, "PRAGMA cell_size_check = ON", 0, 0, 0);
}

int csqlite_header(sqlite3 *database, void *bytes, int count, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    code = file->pMethods->xFileSize(file, size);
    if (code != SQLITE_OK) return code;
    code = file->pMethods->xRead(file, bytes, count, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

int csqlite_file_system_fault(const char *path, int *is_map) {
    enum { size = 32768 };
    *is_map = 0;
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return 0;
    unlink(path);
    int fault = 0;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    if (fcntl(descriptor, F_SETLK, &lock) != 0) {
        fault = errno;
    } else if (ftruncate(descriptor, size) == 0) {
        void *map = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (map == MAP_FAILED) {
            fault = errno;
            *is_map = 1;
        } else {
            munmap(map, size);
        }
    }
    close(descriptor);
    return fault;
}
