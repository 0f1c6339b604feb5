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

#endif
