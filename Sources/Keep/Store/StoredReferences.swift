import SQLite

/// The rows of numbered tables to which other rows refer.
package struct StoredReferences: Hashable, Sendable {
    /// The numbers of the rows, by the names of their tables.
    private var numbers: [String: Set<Int64>] = [:]

    package init() {}

    package func contains(_ number: Int64, of table: String) -> Bool {
        numbers[table]?.contains(number) ?? false
    }

    package mutating func add(_ number: Int64?, of table: String) {
        if let number { numbers[table, default: []].insert(number) }
    }

    /// Adds the references of some rows of `table`.
    package mutating func add(_ rows: [StoredRow], of table: StoredTable) {
        for (place, column) in table.columns.enumerated() {
            guard let other = table.references[column.name] else { continue }
            for row in rows { add(row[place].integer, of: other) }
        }
    }

    fileprivate func numbers(of table: String, without other: StoredReferences) -> [Int64] {
        (numbers[table] ?? []).subtracting(other.numbers[table] ?? []).sorted()
    }
}

extension StoreSnapshot {
    /// The wanted rows of numbered tables, with all rows to which they refer, directly or indirectly. The
    /// rows in `known`, and the rows to which these refer, are left out. In `tables`, each table follows the
    /// tables to which it refers.
    ///
    /// The rows of each table are sorted by their numbers. Rows that the store lacks are left out.
    package func rows(
        of tables: [StoredTable],
        _ wanted: StoredReferences,
        without known: StoredReferences
    ) throws -> [[StoredRow]] {
        var wanted = wanted
        var found: [[StoredRow]] = []
        for table in tables.reversed() {
            let rows = try wanted.numbers(of: table.name, without: known)
                .flatMap { try self.rows(of: table, "WHERE id = ?", [$0]) }
            wanted.add(rows, of: table)
            found.append(rows)
        }
        return found.reversed()
    }
}
