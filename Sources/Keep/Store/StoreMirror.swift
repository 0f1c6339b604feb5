import SQLite
import Samples

/// A temporary store, made of rows that another engine has of it. Reads of it give the same as reads of
/// the store itself.
package final class StoreMirror {
    /// The samples that a round can have at most.
    package static let mostSamplesOfRound = RoundCodec.mostSamples
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

    /// Adds rows, a list a column, after those that they refer to. Not those of rounds.
    package func add(_ rows: [StoredValues], to table: StoredTable) throws(StoreError) {
        var rows = rows
        if table.name == "vantage" {
            rows = rows.map { column in
                guard case .texts(let names) = column else { return column }
                return .texts(names.map { $0.map(vantageName) })
            }
        }
        try store.writeRows { database in try Self.insert(rows, table, database) }
    }

    /// Adds rows of rounds, and their samples as ``StoreSnapshot/rounds(above:samples:)`` packs them;
    /// those that are `nil` are left out. Throws where their number is not that of their row, by which
    /// readers bound their requests, and where a sample cannot be read.
    package func add(rounds rows: [StoredValues], samples: [[UInt8]?]) throws(StoreError) {
        try store.writeRows { database in
            let table = try Schema.table("round", database)
            try Self.insert(rows, table, database)
            func integers(_ name: String) -> [Int64?] {
                let place = table.columns.firstIndex { $0.name == name }
                guard let place, case .integers(let numbers) = rows[place] else { return [] }
                return numbers
            }
            let writer = try RoundUnpacker(database)
            let (ids, counts) = (integers("id"), integers("samples"))
            let (bases, starts) = (integers("base"), integers("start"))
            for (row, packed) in samples.enumerated() {
                guard let id = ids[row], let count = counts[row], let start = starts[row],
                    let packed
                else { continue }
                try writer.unpack(packed, of: count, from: bases[row] ?? start, to: id)
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
        _ rows: [StoredValues],
        _ table: StoredTable,
        _ database: Database
    ) throws {
        guard rows.count == table.columns.count, Set(rows.map(\.count)).count == 1,
            let count = rows.first?.count
        else { throw DatabaseError.mismatch("rows of '\(table.name)' lack a column") }
        let statement = try Statement(
            database,
            Database.insertion(of: table.columns.map(\.name), into: table.name)
        )
        for row in 0..<count { try statement.run(rows.map { $0[row] }) }
    }
}

/// Puts the packed samples of rounds into the tables again.
private struct RoundUnpacker {
    private let columns: (sample: Int, detail: Int)
    private let state: Int?
    private let sent: Int?
    private let roundTrip: Int?
    private let addSample: Statement
    private let addDetail: Statement

    init(_ database: Database) throws {
        func statement(_ table: String, _ columns: [String]) throws -> Statement {
            try Statement(
                database,
                Database.insertion(of: ["round", "position"] + columns, into: table)
            )
        }
        let (own, more) = (Observation.columns, Observation.Extras.columns)
        columns = (own.count, more.count)
        (state, sent) = (own.firstIndex(of: "state"), own.firstIndex(of: "sent"))
        roundTrip = own.firstIndex(of: "round_trip")
        addSample = try statement("sample", own)
        addDetail = try statement("detail", more)
    }

    /// Unpacks the samples of a round, whose times count from `base`.
    func unpack(
        _ octets: [UInt8],
        of samples: Int64,
        from base: Int64,
        to round: Int64
    ) throws {
        let rows = try RoundCodec.unpack(
            octets,
            samples: samples,
            sampleColumns: columns.sample,
            detailColumns: columns.detail
        )
        for (position, row) in rows.enumerated() {
            guard isReadable(row.sample, from: base) else { throw RoundCodec.Fault() }
            try addSample.run(integers: [round, Int64(position)] + row.sample)
            guard let detail = row.detail else { continue }
            try addDetail.run(integers: [round, Int64(position)] + detail)
        }
    }
    private func isReadable(_ sample: [Int64?], from base: Int64) -> Bool {
        guard let state, let sent, let roundTrip, let packed = sample[state],
            Observation(packed: packed) != nil, sample[roundTrip] ?? 0 >= 0,
            let scheduled = sample[RoundCodec.scheduledColumn]
        else { return false }
        // SQLite makes a real number of a sum beyond 64 bits.
        let (due, isBeyond) = base.addingReportingOverflow(scheduled)
        return !isBeyond && !due.addingReportingOverflow(sample[sent] ?? 0).overflow
    }
}
