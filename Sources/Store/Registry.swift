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
        try Self.id(name, &vantages) {
            try database.id(
                "SELECT id FROM vantage WHERE name = ?",
                "INSERT INTO vantage (name) VALUES (?)",
                [name]
            )
        }
    }

    mutating func target(_ target: Recording.Target, _ database: Database) throws -> Int64 {
        if let id = targets[target] { return id }
        let key = EndpointKey(transport: target.transport.description, address: target.endpoint)
        let endpoint = try Self.id(key, &endpoints) {
            try database.id(
                "SELECT id FROM endpoint WHERE transport = ? AND address = ?",
                "INSERT INTO endpoint (transport, address) VALUES (?, ?)",
                [key.transport, key.address]
            )
        }
        return try Self.id(target, &targets) {
            try database.id(
                "SELECT id FROM target WHERE label = ? AND endpoint = ? AND series = ?",
                "INSERT INTO target (label, endpoint, series) VALUES (?, ?, ?)",
                [target.label, endpoint, target.series.rawValue]
            )
        }
    }

    mutating func question(_ question: Question, _ database: Database) throws -> Int64 {
        try Self.id(question, &questions) {
            try database.id(
                "SELECT id FROM question WHERE name = ? AND type = ?",
                "INSERT INTO question (name, type) VALUES (?, ?)",
                [question.name.description, question.type.rawValue]
            )
        }
    }

    mutating func probe(_ probe: Probe, _ database: Database) throws -> Int64 {
        try Self.id(probe, &probes) {
            try database.id(
                "SELECT id FROM probe WHERE target = ? AND question = ?",
                "INSERT INTO probe (target, question) VALUES (?, ?)",
                [probe.target, probe.question]
            )
        }
    }

    mutating func text(_ text: String?, _ database: Database) throws -> Int64? {
        guard let text else { return nil }
        return try Self.id(text, &texts) {
            try database.id(
                "SELECT id FROM text WHERE value = ?",
                "INSERT INTO text (value) VALUES (?)",
                [text]
            )
        }
    }

    mutating func rollupKey(_ key: RollupKey, _ database: Database) throws -> Int64 {
        try Self.id(key, &rollupKeys) {
            try database.id(
                """
                SELECT id FROM rollup_key
                WHERE vantage = ? AND target = ? AND type = ? AND timeout = ? AND origin = ?
                """,
                """
                INSERT INTO rollup_key (vantage, target, type, timeout, origin)
                VALUES (?, ?, ?, ?, ?)
                """,
                [key.vantage, key.target, key.type, key.timeout, key.origin]
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
    /// The row that `select` finds, or else the one that `insert` makes of the same values.
    func id(
        _ select: String,
        _ insert: String,
        _ values: [any DatabaseValueConvertible]
    ) throws -> Int64 {
        let arguments = StatementArguments(values.map { $0.databaseValue })
        if let id = try Int64.fetchOne(cachedStatement(sql: select), arguments: arguments) {
            return id
        }
        try cachedStatement(sql: insert).execute(arguments: arguments)
        return lastInsertedRowID
    }
}
