import SQLite

/// Rows of numbered tables that other rows refer to.
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

    /// Adds what some rows of `table` refer to.
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
    /// The wanted rows of numbered tables, with all rows that these refer to in turn, and without the
    /// rows in `known` and what these refer to. `tables` has each table after those that it refers to.
    ///
    /// The rows of each table are in the order of their numbers. A row that is not in the store is
    /// missing.
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
