import Store

/// The numbered rows of a source in a central store: names, resolvers, runs, and other rows to which rounds
/// and sums refer.
///
/// A row never changes. A row with the same number but other values shows that the store was restored from an
/// older copy, and has numbered other rows since.
struct ShippedNames {
    let store: Store
    let central: CentralConnection
    let source: Int64
    /// The tables, each after the tables to which its rows refer.
    let tables: [StoredTable]

    /// Compares the last row of each table with the store's row of the same number. Rows in `sent` are known
    /// to be equal and are skipped.
    ///
    /// - Throws: An error if the rows differ.
    func check(_ snapshot: StoreSnapshot, _ sent: inout StoredReferences) throws {
        let numbers = tables.map {
            "(SELECT max(id) FROM dnstempo.\"\($0.name)\" WHERE source = $1)"
        }
        let found = try central.query(
            "SELECT \(numbers.joined(separator: ", "))",
            [.integer(source)]
        )
        var last = StoredReferences()
        for (place, table) in tables.enumerated() {
            last.add(found.integer(0, place), of: table.name)
        }
        try send(last, snapshot, &sent)
        for (place, table) in tables.enumerated() {
            guard let number = found.integer(0, place), !sent.contains(number, of: table.name)
            else {
                continue
            }
            throw different(number, table)
        }
    }

    /// Sends the rows that the central store lacks, with all rows to which they refer. Compares the other
    /// rows.
    func send(
        _ wanted: StoredReferences,
        _ snapshot: StoreSnapshot,
        _ sent: inout StoredReferences
    ) throws {
        let rows = try snapshot.rows(of: tables, wanted, without: sent)
        for (table, rows) in zip(tables, rows) {
            guard let place = table.columns.firstIndex(where: { $0.name == "id" }),
                !rows.isEmpty
            else { continue }
            try send(rows, to: table)
            for row in rows { sent.add(row[place].integer, of: table.name) }
        }
    }

    private func send(_ rows: [StoredRow], to table: StoredTable) throws {
        let names = table.columnNames
        let all = names.joined(separator: ", ")
        func columns(of row: String) -> String {
            names.map { "\(row).\($0)" }.joined(separator: ", ")
        }
        let found = try central.query(
            """
            WITH own AS MATERIALIZED (SELECT * FROM \(table.lists) AS own (\(all))), added AS (
                INSERT INTO \(table.place) (source, \(all)) SELECT $1, * FROM own
                ON CONFLICT DO NOTHING
            )
            SELECT own.id FROM own JOIN \(table.place) AS known
                ON known.source = $1 AND known.id = own.id
            WHERE (\(columns(of: "known"))) IS DISTINCT FROM (\(columns(of: "own"))) ORDER BY 1 LIMIT 1
            """,
            [.integer(source)] + CentralValue.lists(rows, of: table)
        )
        if let number = found.integer(0, 0) { throw different(number, table) }
    }

    private func different(_ number: Int64, _ table: StoredTable) -> CentralError {
        CentralError.restored(
            store,
            before: "row \(number) of its table '\(table.name)', which differs at the central store"
        )
    }
}

extension StoredTable {
    /// The names of the table and of its columns in SQL.
    var place: String { "dnstempo.\"\(name)\"" }
    var columnNames: [String] { columns.map { "\"\($0.name)\"" } }
    /// The rows, given as one list per column. $2 is the list of the first column.
    var lists: String {
        "unnest(\(columns.indices.map { "$\($0 + 2)" }.joined(separator: ", ")))"
    }
}
