import SQLite
import Samples

/// A temporary store, made of rows that another engine has of it. Reads of it give the same as reads of
/// the store itself.
package final class StoreMirror {
    /// The bytes that a sample can take at most among those of its round: 10 for each number.
    package static let longestSample = 256

    package let store: Store
    private let vantageName: (String) -> String

    /// Mirror of the store that errors call `place`. `vantageName` maps a name in the table `vantage` to
    /// the name in the mirror.
    package init(
        of place: String,
        vantageName: @escaping (String) -> String = { $0 }
    ) throws(StoreError) {
        store = try Store(temporaryOf: place)
        self.vantageName = vantageName
    }

    /// Adds rows after those that they refer to. Not those of rounds.
    package func add(_ rows: [StoredRow], to table: StoredTable) throws(StoreError) {
        var rows = rows
        if table.name == "vantage" {
            rows = rows.map { row in
                row.map { value in value.text.map { .text(vantageName($0)) } ?? value }
            }
        }
        try store.writeRows { database in try Self.insert(rows, table, database) }
    }

    /// Adds rows of rounds, each with its samples behind the columns as
    /// ``StoreSnapshot/rounds(above:samples:)`` packs them; those that are NULL are left out. Throws where
    /// their number is not that of their row, by which readers bound their requests, and where a sample
    /// cannot be read.
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

    /// Reads all rows but samples, as reports do. Throws where a row cannot be read, before a report
    /// has used a part of the rows.
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
            // Of more rows than these, a window reads the newest.
            for (table, most) in [("cause", EstablishedCause.most), ("trace", KeptTrace.most)]
            where try database.count("SELECT count(*) FROM \(table)") > most {
                throw DatabaseError.mismatch("it has more than \(most) rows of '\(table)'")
            }
            var reader = try RecordingReader(Store.Window(), database)
            try reader.readProbes()
        }
    }

    /// Before the hour after the last round without samples nothing else is kept either.
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
    /// Whether it can be read as a sample of a round whose times count from `base`.
    fileprivate func isReadable(from base: Int64) -> Bool {
        guard let packed = sample[RoundCodec.stateColumn], Observation(packed: packed) != nil,
            sample[RoundCodec.roundTripColumn] ?? 0 >= 0,
            let scheduled = sample[RoundCodec.scheduledColumn]
        else { return false }
        // SQLite makes a real number of a sum beyond 64 bits.
        let (due, isBeyond) = base.addingReportingOverflow(scheduled)
        let delay = sample[RoundCodec.sentColumn] ?? 0
        return !isBeyond && !due.addingReportingOverflow(delay).overflow
    }
}
