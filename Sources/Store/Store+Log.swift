import GRDB

extension Store {
    /// Takes all that is in the store's log (-wal) into its file: the file alone is then the store,
    /// even where it was moved away from its log.
    package func foldLog() throws(StoreError) {
        try withoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
    }
}
