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

    /// Adds what the columns of some rows of `table` refer to.
    package mutating func add(_ rows: [StoredValues], of table: StoredTable) {
        for (column, values) in zip(table.columns, rows) {
            guard let other = table.references[column.name], case .integers(let values) = values
            else { continue }
            for value in values { add(value, of: other) }
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
    /// The rows of each table are in the order of their numbers, one list per column. A row that is not
    /// in the store is missing.
    package func rows(
        of tables: [StoredTable],
        _ wanted: StoredReferences,
        without known: StoredReferences
    ) throws -> [[StoredValues]] {
        var wanted = wanted
        var found: [[StoredValues]] = []
        for table in tables.reversed() {
            let rows = try rows(of: table, wanted.numbers(of: table.name, without: known))
            wanted.add(rows, of: table)
            found.append(rows)
        }
        return found.reversed()
    }

    private func rows(of table: StoredTable, _ numbers: [Int64]) throws -> [StoredValues] {
        var found = table.columns.map { StoredValues($0.kind) }
        let names = table.columns.map(\.name).joined(separator: ", ")
        let statement = try Statement(
            database,
            "SELECT \(names) FROM \(table.name) WHERE id = ?"
        )
        for number in numbers {
            try statement.forEachRow([number]) { row in
                for index in found.indices { try found[index].append(row, Int32(index)) }
            }
        }
        return found
    }
}
