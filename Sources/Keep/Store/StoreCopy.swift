import Catalogue
import SQLite
package import Samples

/// A table of a store, as it is copied to another engine: row by row, with the row numbers of the store.
package struct StoredTable: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case blob = "BLOB"
    }

    package struct Column: Hashable, Sendable {
        package var name: String
        package var kind: Kind
        /// Whether every row has a value.
        package var isFilled: Bool

        package init(name: String, kind: Kind, isFilled: Bool) {
            (self.name, self.kind, self.isFilled) = (name, kind, isFilled)
        }
    }

    package var name: String
    package var columns: [Column]
    /// The columns that identify a row, in order.
    package var key: [String]
    /// The table to which a column refers, by the column's name, for foreign keys of one column.
    package var references: [String: String] = [:]
}

/// A value of a row.
package enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package init(_ value: Int64?) { self = value.map(Self.integer) ?? .null }
    package init(_ value: Double?) { self = value.map(Self.real) ?? .null }
    package init(_ value: String?) { self = value.map(Self.text) ?? .null }
    package init(_ value: [UInt8]?) { self = value.map(Self.blob) ?? .null }

    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    package var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }

    fileprivate init(_ row: Statement, _ column: Int32, _ kind: StoredTable.Kind) throws {
        switch kind {
        case .integer: self.init(try row.optionalInteger(column))
        case .real: self.init(try row.optionalDouble(column))
        case .text: self.init(try row.optionalText(column))
        case .blob: self.init(try row.optionalBlob(column))
        }
    }

    var binding: (any StatementBinding)? {
        switch self {
        case .null: nil
        case .integer(let value): value
        case .real(let value): value
        case .text(let value): value
        case .blob(let bytes): Blob(bytes: bytes)
        }
    }
}

/// The values of a row, in the order of its table's columns.
package typealias StoredRow = [StoredValue]

/// Rounds in the order in which they were stored, with their samples packed.
package struct StoredRounds: Sendable {
    /// Rows of the table `round`. The samples follow the columns, as ``RoundCodec`` packs them; NULL if they
    /// were pruned.
    package fileprivate(set) var rows: [StoredRow] = []
    /// The rows to which the rounds and their samples refer.
    package fileprivate(set) var references = StoredReferences()
    package fileprivate(set) var last: (id: Int64, run: String, number: Int64)?
    /// The earliest hour that they overlap, counted from 1970.
    package fileprivate(set) var firstHour: Int64?
    package fileprivate(set) var sampleCount = 0
    /// The times at which their first and their last sample left; `nil` without rounds.
    package fileprivate(set) var span: ClosedRange<Timestamp>?
    /// The end of the last round whose samples were pruned.
    package fileprivate(set) var lastPruned: Timestamp?
    /// The maximum time from the first to the last sample of a round, in nanoseconds.
    package fileprivate(set) var longest: Int64 = 0
}

/// A round to which samples were added later.
package struct StoredExtension: Hashable, Sendable {
    package var round: Int64
    /// The number of the extension, counted over all rounds of the store.
    package var number: Int64
    package var samples: Int64
    package var checksum: Int64

    package init(round: Int64, number: Int64, samples: Int64, checksum: Int64) {
        (self.round, self.number) = (round, number)
        (self.samples, self.checksum) = (samples, checksum)
    }
}

/// The content of a store at one moment, as rows of its tables.
package struct StoreSnapshot {
    let database: Database

    /// The identity that the file received at its creation. A copy has the same identity.
    package var identity: [UInt8] {
        get throws { try database.first("SELECT identity FROM store") { try $0.blob(0) } ?? [] }
    }

    /// The run and number of a round, by its number in the store; `nil` if there is no such round.
    package func round(_ id: Int64) throws -> (run: String, number: Int64)? {
        try database.first(
            "SELECT name, number FROM round JOIN run ON run.id = run WHERE round.id = ?",
            [id]
        ) { (try $0.text(0), try $0.integer(1)) }
    }

    /// Whether the store has an extension of a round. After another extension, the round has a greater
    /// number.
    package func has(_ last: StoredExtension) throws -> Bool {
        try database.first(
            "SELECT extended, samples, checksum FROM round WHERE id = ?",
            [last.round]
        ) { row in
            let number = try row.integer(0)
            guard number == last.number else { return number > last.number }
            return try row.integer(1) == last.samples && row.integer(2) == last.checksum
        } ?? false
    }

    /// All rows of a table, or the rows of some hours.
    package func rows(of table: StoredTable, hours: Range<Int64>? = nil) throws -> [StoredRow] {
        guard let hours else { return try rows(of: table, "", []) }
        let bounds = [hours.lowerBound, hours.upperBound]
        return try rows(of: table, "WHERE hour >= ? AND hour < ?", bounds)
    }

    /// The first and the last hour that have a sum.
    package var hours: ClosedRange<Int64>? {
        get throws {
            let query = "SELECT min(hour), max(hour) FROM rollup"
            return try database.first(query) { row in
                guard let first = try row.optionalInteger(0) else { return nil }
                return first...(try row.integer(1))
            } ?? nil
        }
    }

    /// Whether at least one of these hours has a sum.
    package func hasSums(_ hours: Range<Int64>) throws -> Bool {
        try database.first(
            "SELECT 1 FROM rollup WHERE hour >= ? AND hour < ? LIMIT 1",
            [hours.lowerBound, hours.upperBound]
        ) { _ in true } ?? false
    }

    func rows(
        of table: StoredTable,
        _ condition: String,
        _ values: [Int64]
    ) throws -> [StoredRow] {
        let names = table.columns.map(\.name).joined(separator: ", ")
        let query = "SELECT \(names) FROM \(table.name) \(condition)"
        return try database.rows(query, values) { try Self.row(of: table, $0) }
    }

    private static func row(of table: StoredTable, _ row: Statement) throws -> StoredRow {
        try table.columns.enumerated().map { try StoredValue(row, Int32($0), $1.kind) }
    }

    /// The first rounds above `id`. Without the last of them, they have fewer than `limit` samples.
    package func rounds(above id: Int64, samples limit: Int) throws -> StoredRounds {
        try rounds("round.id > ? ORDER BY round.id", [id], samples: limit)
    }

    /// The first rounds up to `id` whose last extension has a number above `number`, sorted by this number.
    package func rounds(
        upTo id: Int64,
        extendedAfter number: Int64,
        samples limit: Int
    ) throws -> StoredRounds {
        try rounds(
            "extended > 0 AND extended > ? AND round.id <= ? ORDER BY extended",
            [number, id],
            samples: limit
        )
    }

    private func rounds(
        _ condition: String,
        _ values: [Int64],
        samples limit: Int
    ) throws -> StoredRounds {
        let table = try Schema.table("round", database)
        let packer = try RoundPacker(database)
        var found = StoredRounds()
        let names = table.columns.map { "round.\($0.name)" }.joined(separator: ", ")
        let (place, pruned) = (Int32(table.columns.count), Int32(table.columns.count + 1))
        let rows = try Statement(
            database,
            """
            SELECT \(names), run.name, pruned, round.id, number, start, stop
            FROM round JOIN run ON run.id = run WHERE \(condition)
            """
        )
        rows.bind(values)
        defer { rows.reset() }
        while found.sampleCount < limit, try rows.step() {
            let id = try rows.integer(place + 2)
            let isPruned = try rows.integer(pruned) != 0
            let packed = isPruned ? nil : try packer.pack(id, &found.references)
            found.rows.append(try Self.row(of: table, rows) + [StoredValue(packed?.bytes)])
            found.sampleCount += packed?.count ?? 0
            found.last = (id, try rows.text(place), try rows.integer(place + 3))
            let (start, stop) = try (rows.moment(place + 4), rows.moment(place + 5))
            found.firstHour = min(found.firstHour ?? start.hourNumber, start.hourNumber)
            let span = start...max(start, stop)
            found.span = found.span?.union(span) ?? span
            if isPruned { found.lastPruned = max(found.lastPruned ?? stop, stop) }
            found.longest = max(found.longest, stop.since(start).nanoseconds)
        }
        found.references.add(found.rows, of: table)
        return found
    }
}

extension Store {
    /// Runs `body` on the content of one moment. Errors of the type `Failure` are thrown unchanged.
    package func snapshot<Value, Failure: Error>(
        throwing: Failure.Type,
        _ body: (StoreSnapshot) throws -> Value
    ) throws -> Value {
        try read { database -> Result<Value, Failure> in
            do { return .success(try body(StoreSnapshot(database: database))) } catch let error
                as Failure
            { return .failure(error) }
        }
        .get()
    }

    /// The version of the tables that this program creates.
    package static var schemaVersion: Int { Schema.version }

    /// The tables of numbered rows. These rows refer only to tables that precede theirs, and never change.
    package static func numberedTables() throws(StoreError) -> [StoredTable] {
        try tables([
            "vantage", "endpoint", "target", "question", "probe", "text", "run", "rollup_key",
        ])
    }

    /// The table of rounds, without their samples.
    package static func roundTable() throws(StoreError) -> StoredTable { try tables(["round"])[0] }

    /// The tables of facts about hours, which later rounds change, and about moments.
    package static func hourlyTables() throws(StoreError) -> [StoredTable] {
        try tables(["rollup", "connection", "warmup", "cause", "trace"])
    }

    /// The names of the columns of a packed sample, and of its detail.
    package static let packedColumns = (
        sample: Observation.columns,
        detail: Observation.Extras.columns
    )

    /// The words for numbers in the views, as rows in SQL.
    package static var words: String {
        Schema.Word.all.map(\.values).joined(separator: ", ")
    }

    private static func tables(_ names: [String]) throws(StoreError) -> [StoredTable] {
        do { return try names.map { try Schema.table($0) } } catch {
            throw StoreError(error, path: "")
        }
    }
}
