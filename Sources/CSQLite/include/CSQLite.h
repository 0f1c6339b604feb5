#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Makes a connection safe for a file from elsewhere: what its schema says is not run (views,
/// triggers, functions), what belongs to SQLite alone cannot be written, values and statements
/// have bounds, and a page is looked at before it is believed. A result code of SQLite.
/// sqlite3_db_config is variadic, which Swift cannot call.
int csqlite_distrust(sqlite3 *database);

#endif
