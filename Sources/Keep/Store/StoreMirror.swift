import SQLite
import Samples

/// A temporary store with the rows that another engine has of a store. Reading it gives the same results as
/// reading the original store.
package final class StoreMirror {
    /// The maximum length of a packed sample in bytes: 10 for each number.
    package static let longestSample = 256

    package let store: Store
    private let vantageName: (String) -> String

    /// Creates a mirror of the store that errors call `place`. `vantageName` maps a name in the table
    /// `vantage` to the name in the mirror.
    package init(
        of place: String,
        vantageName: @escaping (String) -> String = { $0 }
    ) throws(StoreError) {
        store = try Store(temporaryOf: place)
        self.vantageName = vantageName
    }

    /// Adds rows after the rows to which they refer. ``add(rounds:)`` adds the rows of rounds.
    package func add(_ rows: [StoredRow], to table: StoredTable) throws(StoreError) {
        var rows = rows
        if table.name == "vantage" {
            rows = rows.map { row in
                row.map { value in value.text.map { .text(vantageName($0)) } ?? value }
            }
        }
        try store.writeRows { database in try Self.insert(rows, table, database) }
    }

    /// Adds rows of rounds. The samples follow the columns, as ``StoreSnapshot/rounds(above:samples:)`` packs
    /// them. Samples that are NULL are left out.
    ///
    /// - Throws: An error if a sample cannot be read, or if the number of samples differs from the row's
    ///   number, on which readers base their limits.
    package func add(rounds rows: [StoredRow]) throws(StoreError) {
        try store.writeRows { database in
            let table = try Schema.table("round", database)
            try Self.insert(rows.map { $0.dropLast() }, table, database)
            let places = Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), 0...))
            let insertion = try SampleInsertion(database)
            for row in rows {
                func integer(_ name: String) -> Int64? { places[name].flatMap { row[$0].integer } }
                guard let id = integer("id"), let count = integer("samples"),
                    let start = integer("start"), let packed = row.last?.blob
                else { continue }
                let base = integer("base") ?? start
                for (position, row) in try RoundCodec.unpack(packed, samples: count).enumerated() {
                    guard row.isReadable(from: base) else { throw RoundCodec.fault }
                    try insertion.add(row, at: Int64(position), of: id)
                }
            }
            try Self.notePruning(database)
        }
    }

    /// Reads all rows except samples, as reports do. Throws if a row cannot be read, before a report has used
    /// a part of the rows.
    package func validate() throws(StoreError) {
        _ = try store.vantages()
        _ = try store.names()
        _ = try store.targets()
        _ = try store.targetsByPlace()
        _ = try store.runs()
        _ = try store.rounds()
        _ = try store.causes()
        _ = try store.traces()
        try store.forEachRollup { _ in }
        try store.read { database in
            _ = try database.moments(Store.Window())
            // A window reads only this many of the newest rows.
            for (table, most) in [("cause", EstablishedCause.most), ("trace", KeptTrace.most)]
            where try database.count("SELECT count(*) FROM \(table)") > most {
                throw DatabaseError.mismatch("it has more than \(most) rows of '\(table)'")
            }
            var reader = try RecordingReader(Store.Window(), database)
            try reader.readProbes()
        }
    }

    /// Records the pruning. The hour after the last round without samples is the limit: no other samples
    /// before it are stored either.
    private static func notePruning(_ database: Database) throws {
        let last = try database.integer("SELECT max(stop) FROM round WHERE pruned")
        guard let last else { return }
        try Store.notePruning(before: Timestamp(nanoseconds: last).hourNumber + 1, database)
    }

    private static func insert(
        _ rows: [StoredRow],
        _ table: StoredTable,
        _ database: Database
    ) throws {
        guard rows.allSatisfy({ $0.count == table.columns.count }) else {
            throw DatabaseError.mismatch("rows of '\(table.name)' lack a column")
        }
        let statement = try Statement(
            database,
            Database.insertion(of: table.columns.map(\.name), into: table.name)
        )
        for row in rows { try statement.run(row.map(\.binding)) }
    }
}

extension RoundCodec.Row {
    /// Whether the row can be read as a sample of a round whose times count from `base`.
    fileprivate func isReadable(from base: Int64) -> Bool {
        guard let packed = sample[RoundCodec.stateColumn], Observation(packed: packed) != nil,
            sample[RoundCodec.roundTripColumn] ?? 0 >= 0,
            let scheduled = sample[RoundCodec.scheduledColumn]
        else { return false }
        // SQLite converts a sum beyond 64 bits to a floating-point number.
        let (due, isBeyond) = base.addingReportingOverflow(scheduled)
        let delay = sample[RoundCodec.sentColumn] ?? 0
        return !isBeyond && !due.addingReportingOverflow(delay).overflow
    }
}
