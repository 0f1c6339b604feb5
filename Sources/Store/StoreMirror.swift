import SQLite
import Samples

/// A store in memory, made of rows that another engine has of it, so that whatever is read of it is what
/// the store itself would tell.
package final class StoreMirror {
    package let store: Store

    /// Mirror of the store that errors call `place`.
    package init(of place: String) throws(StoreError) { store = try Store(inMemoryOf: place) }

    /// Adds rows, a list a column, after those that they refer to. Not those of rounds.
    package func add(_ rows: [StoredValues], to table: StoredTable) throws(StoreError) {
        try store.writeRows { database in try Self.insert(rows, table, database) }
    }

    /// Adds rows of rounds, and their samples as ``StoreSnapshot/rounds(above:samples:)`` packs them;
    /// those that are `nil` are left out. Throws where they are not as many as their row tells, by which
    /// readers bound what they ask for.
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
            for ((number, count), packed) in zip(zip(integers("id"), integers("samples")), samples)
            {
                guard let number, let count, let packed else { continue }
                try writer.unpack(packed, of: count, to: number)
            }
            try Self.notePruning(database)
        }
    }

    /// Before the hour after the last round without samples nothing else is kept either.
    private static func notePruning(_ database: Database) throws {
        let last = try database.integer("SELECT max(stop) FROM round WHERE pruned")
        guard let last else { return }
        let hour = Timestamp(nanoseconds: last).hourNumber + 1
        try database.execute(
            """
            INSERT INTO pruning VALUES (1, \(hour))
            ON CONFLICT DO UPDATE SET hour = max(hour, excluded.hour)
            """
        )
    }

    private static func insert(
        _ rows: [StoredValues],
        _ table: StoredTable,
        _ database: Database
    ) throws {
        guard rows.count == table.columns.count, Set(rows.map(\.count)).count == 1,
            let count = rows.first?.count
        else { throw DatabaseError.mismatch("rows of '\(table.name)' lack a column") }
        let names = table.columns.map(\.name)
        let statement = try Statement(
            database,
            "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) "
                + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        )
        for row in 0..<count { try statement.run(rows.map { $0[row] }) }
    }
}

/// Puts the packed samples of rounds into the tables again.
private struct RoundUnpacker {
    private let columns: (sample: Int, detail: Int)
    private let addSample: Statement
    private let addDetail: Statement

    init(_ database: Database) throws {
        func statement(_ table: String, _ columns: [String]) throws -> Statement {
            try Statement(
                database,
                "INSERT INTO \(table) (round, position, \(columns.joined(separator: ", "))) "
                    + "VALUES (?, ?, \(columns.map { _ in "?" }.joined(separator: ", ")))"
            )
        }
        let own = try RoundPacker.columns(of: "sample", database)
        let more = try RoundPacker.columns(of: "detail", database)
        columns = (own.count, more.count)
        addSample = try statement("sample", own)
        addDetail = try statement("detail", more)
    }

    func unpack(_ octets: [UInt8], of samples: Int64, to round: Int64) throws {
        let rows = try RoundCodec.unpack(
            octets,
            samples: samples,
            sampleColumns: columns.sample,
            detailColumns: columns.detail
        )
        for (position, row) in rows.enumerated() {
            try addSample.run(integers: [round, Int64(position)] + row.sample)
            guard let detail = row.detail else { continue }
            try addDetail.run(integers: [round, Int64(position)] + detail)
        }
    }
}
