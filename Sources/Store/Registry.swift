import DNSWire
import GRDB
import Samples

/// The rows of texts that samples refer to, by what they say: looked up once, and made where they
/// are missing.
struct Registry {
    /// A resolver asked one question.
    struct Probe: Hashable {
        var target: Int64
        var question: Int64
    }

    private struct EndpointKey: Hashable {
        var transport: String
        var address: String
    }

    private var vantages: [String: Int64] = [:]
    private var endpoints: [EndpointKey: Int64] = [:]
    private var targets: [Recording.Target: Int64] = [:]
    private var questions: [Question: Int64] = [:]
    private var probes: [Probe: Int64] = [:]
    private var texts: [String: Int64] = [:]
    private var rollupKeys: [RollupKey: Int64] = [:]

    /// Beyond so many of a kind they are forgotten, and looked up again.
    private static let most = 100_000

    mutating func vantage(_ name: String, _ database: Database) throws -> Int64 {
        try Self.id(name, &vantages) { try database.id("vantage", ["name": name]) }
    }

    mutating func target(_ target: Recording.Target, _ database: Database) throws -> Int64 {
        if let id = targets[target] { return id }
        let key = EndpointKey(transport: target.transport.description, address: target.endpoint)
        let endpoint = try Self.id(key, &endpoints) {
            try database.id("endpoint", ["transport": key.transport, "address": key.address])
        }
        return try Self.id(target, &targets) {
            try database.id(
                "target",
                ["label": target.label, "endpoint": endpoint, "series": target.series.rawValue]
            )
        }
    }

    mutating func question(_ question: Question, _ database: Database) throws -> Int64 {
        try Self.id(question, &questions) {
            let name = question.name.description
            return try database.id("question", ["name": name, "type": question.type.rawValue])
        }
    }

    mutating func probe(_ probe: Probe, _ database: Database) throws -> Int64 {
        try Self.id(probe, &probes) {
            try database.id("probe", ["target": probe.target, "question": probe.question])
        }
    }

    mutating func text(_ text: String?, _ database: Database) throws -> Int64? {
        guard let text else { return nil }
        return try Self.id(text, &texts) { try database.id("text", ["value": text]) }
    }

    mutating func rollupKey(_ key: RollupKey, _ database: Database) throws -> Int64 {
        try Self.id(key, &rollupKeys) {
            try database.id(
                "rollup_key",
                [
                    "vantage": key.vantage, "target": key.target, "type": key.type,
                    "timeout": key.timeout, "origin": key.origin,
                ]
            )
        }
    }

    private static func id<Key: Hashable>(
        _ key: Key,
        _ known: inout [Key: Int64],
        find: () throws -> Int64
    ) throws -> Int64 {
        if let id = known[key] { return id }
        if known.count >= most { known.removeAll() }
        let id = try find()
        known[key] = id
        return id
    }
}

extension Database {
    /// The row of a table with these values, which is made where there is none.
    fileprivate func id(
        _ table: String,
        _ row: KeyValuePairs<String, any StatementBinding>
    ) throws -> Int64 {
        let condition = row.map { "\($0.key) = ?" }.joined(separator: " AND ")
        let values = row.map(\.value)
        let find = "SELECT id FROM \(table) WHERE \(condition)"
        if let id = try first(find, values, read: { try $0.integer(0) }) { return id }
        let columns = row.map(\.key).joined(separator: ", ")
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try run("INSERT INTO \(table) (\(columns)) VALUES (\(marks))", values)
        return lastInsertedRowID
    }
}
