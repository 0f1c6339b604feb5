import Foundation
import SimulatedKernel
import Store

/// A statement of the shipper, parsed once.
struct CentreStatement {
    enum Kind {
        case begin, commit, rollback, greeting, cursor, lastNumbers, addNames, insert, update, other
        case unknown
    }

    let kind: Kind
    /// The names of the tables, in order.
    let tables: [String]
    /// The columns of the inserted rows, and those that identify a row.
    let columns: [String]
    let keys: [String]
    /// Whether it takes the lock of the source.
    let isLocking: Bool
    var isChange: Bool { [.addNames, .insert, .update].contains(kind) }

    private static let known = Shared<[String: CentreStatement]>([:])

    static func parsed(_ text: String) -> CentreStatement {
        if let found = known.value[text] { return found }
        let found = CentreStatement(text)
        known.value[text] = found
        return found
    }

    private init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let starts: [(String, Kind)] = [
            ("BEGIN", .begin), ("COMMIT", .commit), ("ROLLBACK", .rollback),
            ("SELECT (SELECT max(version)", .greeting), ("SELECT identity, shipped.round", .cursor),
            ("SELECT (SELECT max(id)", .lastNumbers), ("WITH own AS MATERIALIZED", .addNames),
            ("INSERT INTO dnstempo.", .insert), ("UPDATE dnstempo.shipped", .update),
            ("SELECT", .other),
        ]
        kind = starts.first { words.hasPrefix($0.0) }?.1 ?? .unknown
        tables = words.components(separatedBy: "dnstempo.\"").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        isLocking = words.hasSuffix("FOR UPDATE OF shipped")
        let table = tables.first ?? ""
        columns = Self.columns(words, after: "INSERT INTO dnstempo.\"\(table)\"")
        keys =
            words.contains("DO UPDATE")
            ? Self.columns(words, after: "ON CONFLICT")
            : table == "round" ? ["source", "id", "extended"] : columns
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
}

extension Centre.Tables {
    typealias Value = Centre.Value

    /// Runs a statement of a source. Returns its rows.
    mutating func run(
        _ statement: CentreStatement,
        _ values: [Value],
        of source: Int64
    ) throws -> [[Value]]? {
        switch statement.kind {
        case .greeting:
            let now = simulated_wall(-1) / 1_000_000
            return [
                [Int64(Store.schemaVersion).bytes, Array("dnstempo".utf8), now.bytes, source.bytes]
            ]
        case .cursor: return [cursor()]
        case .lastNumbers: return [statement.tables.map(last)]
        case .addNames: return try addNames(statement, values)
        case .insert: try insert(statement, values)
        case .update: update(values)
        case .begin, .commit, .rollback, .other: break
        case .unknown:
            throw ServerError(state: "42601", message: "the model does not know this statement")
        }
        return nil
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
    private mutating func addNames(_ statement: CentreStatement, _ values: [Value]) throws
        -> [[Value]]
    {
        guard let table = statement.tables.first else { return [] }
        var different: [Int64] = []
        for row in try Self.rows(statement.columns, values) {
            let key = [row["source"] ?? nil, row["id"] ?? nil]
            if let known = rows[table]?[key] {
                if known != row { different.append(row["id"]??.number ?? 0) }
            } else {
                rows[table, default: [:]][key] = row
            }
        }
        return different.min().map { [[$0.bytes]] } ?? []
    }

    private mutating func insert(_ statement: CentreStatement, _ values: [Value]) throws {
        guard let table = statement.tables.first else { return }
        for row in try Self.rows(statement.columns, values) {
            let key = statement.keys.map { row[$0] ?? nil }
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

extension Centre {
    /// The rounds of a source with their numbers at the centre, and the hours of its sums.
    typealias Shipped = (rounds: [(key: Expected.Key, id: Int64)], hours: Set<Int64>)

    func shipped(from source: Int64) throws -> Shipped {
        guard let database else { return (tables[source] ?? Tables()).shipped }
        let rounds = try database.rows(
            """
            SELECT run.name, round.number::text, round.id::text FROM dnstempo.round
            JOIN dnstempo.run ON run.source = round.source AND run.id = round.run
            WHERE round.source = \(source)
            """
        )
        let hours = try database.rows(
            "SELECT DISTINCT hour::text FROM dnstempo.rollup WHERE source = \(source)"
        )
        return (
            rounds.map { (.init(run: $0[0], number: Int32($0[1]) ?? 0), Int64($0[2]) ?? 0) },
            Set(hours.compactMap { Int64($0[0]) })
        )
    }
}

extension Centre.Tables {
    fileprivate var shipped: Centre.Shipped {
        func values(_ table: String) -> [Centre.Row] { Array((rows[table] ?? [:]).values) }
        var runs: [[UInt8]: String] = [:]
        for run in values("run") {
            if let id = run["id"] ?? nil, let name = run["name"] ?? nil {
                runs[id] = String(decoding: name, as: UTF8.self)
            }
        }
        let rounds = values("round").map { round in
            let run = (round["run"] ?? nil).flatMap { runs[$0] }
            let number = Int32(clamping: round["number"]??.number ?? 0)
            return (Expected.Key(run: run ?? "", number: number), round["id"]??.number ?? 0)
        }
        return (rounds, Set(values("rollup").compactMap { $0["hour"]??.number }))
    }
}
