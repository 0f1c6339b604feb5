import Foundation
import SimulatedKernel
import Store

/// A central store, as far as shipping needs it: a model of the tables and of the transactions in PostgreSQL. It
/// answers the statements of the shipper, whatever tables and columns they name.
final class Centre: @unchecked Sendable {
    // Safe because one thread runs at a time, which the simulated kernel chooses.

    typealias Value = [UInt8]?
    typealias Row = [String: Value]

    /// What the server keeps of a source on its disk.
    struct Tables {
        /// The rows by table, and by the values of their keys.
        var rows: [String: [[Value]: Row]] = [:]
        var progress: Row = ["round": Int64(0).bytes]
    }

    /// The transaction of a connection. It works on the tables of its source since it has their lock.
    private struct Transaction {
        let source: Int64
        var tables: Tables?
    }

    /// The centre of the current history.
    static var current: Centre {
        get { shared.value }
        set { shared.value = newValue }
    }

    private static let shared = Shared(Centre())

    /// The tables by source.
    private(set) var tables: [Int64: Tables] = [:]
    /// The transactions by connection.
    private var transactions: [Int64: Transaction] = [:]
    /// The number of times that a connection waited for the lock of another one.
    private(set) var waits = 0
    /// The time that a statement waits for a lock, in nanoseconds. Then the server ends the statement.
    private static let patience: Int64 = 20_000_000_000
    /// The number of statements until the connection breaks; `nil` if it does not.
    var untilCut: Int?
    /// Whether a commit that is cut was done before.
    var isCutAfterCommit = false
    /// The numbers of finished transactions, and of connections that broke.
    private(set) var commits = 0
    private(set) var cuts = 0

    /// Becomes the server of libpq.
    static func begin() {
        unsafe simulated_postgresql_begin(
            { connection, user, statement, count, values, lengths in
                guard let user = unsafe user, let statement = unsafe statement else { return nil }
                let parameters = (0..<Int(count)).map { index -> Value in
                    guard let start = unsafe values?[index], let length = unsafe lengths?[index]
                    else { return nil }
                    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(length)))
                }
                return unsafe Centre.current.answer(
                    connection,
                    String(cString: user),
                    String(cString: statement),
                    parameters
                )
            },
            { Centre.current.transactions[$0] = nil }
        )
    }

    /// The server is replaced by a copy of an earlier time.
    func fail(over earlier: [Int64: Tables]) {
        tables = earlier
        transactions = [:]
    }

    private func answer(
        _ connection: Int64,
        _ user: String,
        _ statement: String,
        _ values: [Value]
    ) -> OpaquePointer? {
        let source = user.split(separator: "_").last.flatMap { Int64($0) } ?? 0
        // The way to the server and back. Others go on during this time.
        Kernel.wait(for: Int64(50_000 + simulated_random() % 5_000_000)) { false }
        if let left = untilCut {
            untilCut = left > 0 ? left - 1 : nil
            if left == 0 {
                cuts += 1
                if statement.hasPrefix("COMMIT"), isCutAfterCommit { commit(connection) }
                transactions[connection] = nil
                return nil
            }
        }
        do {
            let rows = try run(statement, values, on: connection, of: source) ?? []
            return unsafe Self.rows(rows)
        } catch let error as ServerError {
            return unsafe simulated_rows_error(error.state, error.message)
        } catch {
            return unsafe simulated_rows_error("XX000", "\(error)")
        }
    }

    private func run(
        _ statement: String,
        _ values: [Value],
        on connection: Int64,
        of source: Int64
    ) throws -> [[Value]]? {
        if statement.hasPrefix("BEGIN") {
            transactions[connection] = Transaction(source: source)
            return nil
        }
        if statement.hasPrefix("COMMIT") {
            commit(connection)
            return nil
        }
        if statement.hasPrefix("ROLLBACK") {
            transactions[connection] = nil
            return nil
        }
        if statement.hasSuffix("FOR UPDATE OF shipped") { try lock(source, for: connection) }
        var working = transactions[connection]?.tables ?? tables[source] ?? Tables()
        let rows = try working.run(statement, values, of: source)
        if transactions[connection] != nil {
            // Only the transaction with the lock changes its tables.
            if transactions[connection]?.tables != nil {
                transactions[connection]?.tables = working
            }
        } else {
            tables[source] = working
        }
        return rows
    }

    /// Takes the lock of a source for a transaction, which then sees the last commit.
    private func lock(_ source: Int64, for connection: Int64) throws {
        let isFree = { [self] in
            !transactions.contains {
                $0.key != connection && $0.value.source == source && $0.value.tables != nil
            }
        }
        if !isFree() {
            waits += 1
            Kernel.wait(for: Self.patience, until: isFree)
        }
        guard isFree() else {
            throw ServerError(state: "55P03", message: "canceling statement due to lock timeout")
        }
        transactions[connection]?.tables = tables[source] ?? Tables()
    }

    private func commit(_ connection: Int64) {
        guard let ended = transactions.removeValue(forKey: connection) else { return }
        if let working = ended.tables { tables[ended.source] = working }
        commits += 1
    }

    private static func rows(_ rows: [[Value]]) -> OpaquePointer? {
        let made = unsafe simulated_rows_new(Int32(rows.count), Int32(rows.first?.count ?? 0))
        for (row, values) in rows.enumerated() {
            for (column, value) in values.enumerated() {
                guard let value else { continue }
                unsafe simulated_rows_set(made, Int32(row), Int32(column), value, value.count)
            }
        }
        return unsafe made
    }
}

struct ServerError: Error {
    let state: String
    let message: String
}

// MARK: Statements

extension Centre.Tables {
    typealias Value = Centre.Value

    /// Runs a statement of a source. Returns its rows.
    fileprivate mutating func run(
        _ statement: String,
        _ values: [Value],
        of source: Int64
    ) throws -> [[Value]]? {
        let words = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if words.hasPrefix("SELECT (SELECT max(version)") {
            let now = simulated_wall(-1) / 1_000_000
            return [
                [Int64(Store.schemaVersion).bytes, Array("dnstempo".utf8), now.bytes, source.bytes]
            ]
        }
        if words.hasPrefix("SELECT identity, shipped.round") { return [cursor()] }
        if words.hasPrefix("SELECT (SELECT max(id)") {
            return [Self.tables(in: words).map(last)]
        }
        if words.hasPrefix("WITH own AS MATERIALIZED") { return try addNames(words, values) }
        if words.hasPrefix("INSERT INTO dnstempo.") {
            try insert(words, values)
        } else if words.hasPrefix("UPDATE dnstempo.shipped") {
            update(values)
        } else if !words.hasPrefix("SELECT") {
            throw ServerError(
                state: "42601",
                message: "the model does not know: \(words.prefix(60))"
            )
        }
        return nil
    }

    /// The names of the tables in a statement, in order.
    private static func tables(in words: String) -> [String] {
        words.components(separatedBy: "dnstempo.\"").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
    }

    /// The names of the columns in the first parentheses after `start`.
    private static func columns(_ words: String, after start: String) -> [String] {
        guard let found = words.range(of: start),
            let open = words[found.upperBound...].firstIndex(of: "(")
        else { return [] }
        return words[words.index(after: open)...].prefix { $0 != ")" }
            .split(separator: ",")
            .map { String($0.filter { $0 != "\"" && $0 != " " }) }
    }

    private func last(_ table: String) -> Value {
        let ids = (rows[table] ?? [:]).values.compactMap { $0["id"].flatMap(\.self)?.number }
        return ids.max()?.bytes
    }

    private func cursor() -> [Value] {
        let row = progress
        let extended = (rows["round"] ?? [:]).values
            .filter { ($0["extended"].flatMap(\.self)?.number ?? 0) > 0 }
            .max { ($0["extended"]??.number ?? 0) < ($1["extended"]??.number ?? 0) }
        let own = ["identity", "round", "run", "number", "sums_from"].map { row[$0] ?? nil }
        let latest = ["id", "extended", "samples", "checksum"].map { extended?[$0] ?? nil }
        return own + latest + [row["version"] ?? nil]
    }

    /// The rows of a statement: one list per column, in the order of `columns`.
    private static func rows(_ columns: [String], _ values: [Value]) throws -> [Centre.Row] {
        let lists = try values.dropFirst().map { try list($0 ?? []) }
        guard columns.count == lists.count + 1, let count = lists.first?.count else {
            throw ServerError(
                state: "42601",
                message: "\(columns.count) columns, \(lists.count) lists"
            )
        }
        return (0..<count).map { index in
            var row: Centre.Row = [columns[0]: values[0]]
            for (name, list) in zip(columns.dropFirst(), lists) { row[name] = list[index] }
            return row
        }
    }

    /// The elements of an array in binary form (src/backend/utils/adt/arrayfuncs.c, array_recv).
    private static func list(_ bytes: [UInt8]) throws -> [Value] {
        func word(_ place: Int) -> Int {
            place + 4 <= bytes.count
                ? bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } : 0
        }
        guard bytes.count >= 12 else { throw ServerError(state: "22P03", message: "a short array") }
        guard word(0) > 0 else { return [] }
        var place = 20
        return try (0..<word(12)).map { _ in
            let length = word(place)
            place += 4
            if length == 0xffff_ffff { return nil }
            guard place + length <= bytes.count else {
                throw ServerError(state: "22P03", message: "an array that ends early")
            }
            defer { place += length }
            return Array(bytes[place..<(place + length)])
        }
    }

    /// Adds rows that never change. Returns the number of the first one that is known with other values.
    private mutating func addNames(_ words: String, _ values: [Value]) throws -> [[Value]] {
        guard let table = Self.tables(in: words).first else { return [] }
        let columns = Self.columns(words, after: "INSERT INTO dnstempo.\"\(table)\"")
        var different: [Int64] = []
        for row in try Self.rows(columns, values) {
            let key = [row["source"] ?? nil, row["id"] ?? nil]
            if let known = rows[table]?[key] {
                if known != row { different.append(row["id"]??.number ?? 0) }
            } else {
                rows[table, default: [:]][key] = row
            }
        }
        return different.min().map { [[$0.bytes]] } ?? []
    }

    private mutating func insert(_ words: String, _ values: [Value]) throws {
        guard let table = Self.tables(in: words).first else { return }
        let columns = Self.columns(words, after: "INSERT INTO dnstempo.\"\(table)\"")
        let keys =
            words.contains("DO UPDATE")
            ? Self.columns(words, after: "ON CONFLICT")
            : table == "round" ? ["source", "id", "extended"] : columns
        for row in try Self.rows(columns, values) {
            let key = keys.map { row[$0] ?? nil }
            if table == "round", rows[table]?[key] != nil {
                throw ServerError(state: "23505", message: "the round is there already")
            }
            rows[table, default: [:]][key] = row
        }
    }

    private mutating func update(_ values: [Value]) {
        var row = progress
        row["identity"] = values[1]
        for (name, place) in [("round", 2), ("run", 3), ("number", 4)] where values[place] != nil {
            row[name] = values[place]
        }
        row["sums_from"] = values[5]
        row["rounds"] = ((row["rounds"]??.number ?? 0) + (values[7]?.number ?? 0)).bytes
        row["version"] = values[12]
        progress = row
    }
}

extension Int64 {
    /// The value of the type int8 in binary form.
    var bytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension [UInt8] {
    /// The value of the type int8; 0 for other types.
    var number: Int64 { count == 8 ? reduce(0) { $0 << 8 | Int64($1) } : 0 }
}
