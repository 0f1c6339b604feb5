#include "CSQLite.h"

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

int csqlite_header(sqlite3 *database, void *octets, int count, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    code = file->pMethods->xFileSize(file, size);
    if (code != SQLITE_OK) return code;
    code = file->pMethods->xRead(file, octets, count, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}
