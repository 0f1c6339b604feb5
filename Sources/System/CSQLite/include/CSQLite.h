#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Makes a connection safe for an untrusted file. Disables code in its schema (views, triggers, functions)
/// and writing to internal tables. Rejects double-quoted string literals, limits values and statements, and
/// verifies pages before use. Returns a SQLite result code. sqlite3_db_config is variadic, which Swift cannot
/// call.
int csqlite_distrust(sqlite3 *database);

/// Reads the first bytes of a connection's file unchanged, without locks or recovery,
/// and the file's size. Bytes beyond its end are zero. Returns a SQLite result code.
///
/// It reads through the connection: if this process closes another descriptor of the file, the locks of
/// all its connections are released (fcntl(2)).
int csqlite_header(sqlite3 *database, void *bytes, int count, sqlite3_int64 *size);

/// Tests on a new file at `path` the features that SQLite needs of a file system, and removes the file.
/// Returns the errno of a missing feature, or 0. `is_map` states whether shared memory maps are missing, or
/// otherwise file locks. SQLite mistakes some errors of both for a lock of another process.
int csqlite_file_system_fault(const char *path, int *is_map);

#endif
