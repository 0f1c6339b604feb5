#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Makes a connection safe for a file from elsewhere: what its schema says is not run (views,
/// triggers, functions), what belongs to SQLite alone cannot be written, a name that is none is no
/// text, values and statements have bounds, and a page is looked at before it is believed. A result code of SQLite.
/// sqlite3_db_config is variadic, which Swift cannot call.
int csqlite_distrust(sqlite3 *database);

/// Reads the first octets of the file of a connection as they are, with nothing locked or recovered,
/// and the file's size; what lies beyond its end is zero. A result code of SQLite.
///
/// Over the connection, since a descriptor of the file that this process closes takes the locks of
/// all of its connections along (fcntl(2)).
int csqlite_header(sqlite3 *database, void *octets, int count, sqlite3_int64 *size);

/// Tries on a new file at `path`, which is gone afterwards, what SQLite needs of a file system: the
/// errno of what it does not have, or 0. `is_map` says whether that is shared memory maps, or else
/// file locks. SQLite takes some errors of both for a lock that another process holds.
int csqlite_file_system_fault(const char *path, int *is_map);

#endif
