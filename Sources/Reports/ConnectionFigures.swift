public import Measurement

/// What is told of the connections that carried the queries of a row.
public struct ConnectionFigures: Hashable, Sendable {
    /// What the time of a first query is made of: medians over the answers, in milliseconds.
    public struct Parts: Hashable, Sendable {
        /// `nil` where connecting is part of the handshake, as over QUIC.
        public var connect: Double?
        public var handshake: Double
        public var query: Double
    }

    /// `nil` where the time is the query's alone.
    public var parts: Parts?
    /// Answers by what carried them.
    public var uses: [ConnectionUse: Int]
    /// Answers of whoever it was: no certificate was looked at.
    public var unverified: Int

    /// Such as `38 resumed, 2 new`, the most frequent first.
    var usesWords: String { sortedUses.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }

    /// Such as `resumed 38 new 2`.
    var usesText: String { sortedUses.map { "\($0.key) \($0.value)" }.joined(separator: " ") }

    private var sortedUses: [(key: ConnectionUse, value: Int)] {
        uses.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    }

    /// The keys that a row of the JSON report has for it.
    var members: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if let parts {
            members.append(("median_connect_ms", .milliseconds(parts.connect)))
            members.append(("median_handshake_ms", .milliseconds(parts.handshake)))
            members.append(("median_query_ms", .milliseconds(parts.query)))
        }
        let counts = sortedUses.map {
            JSONValue.Member(name: $0.key.description, value: .integer($0.value))
        }
        if !counts.isEmpty { members.append(("connections", .object(counts))) }
        if unverified > 0 { members.append(("unverified", .integer(unverified))) }
        return members
    }
}

/// What is counted of connections while samples are gone through.
struct ConnectionTally {
    /// Of the answers of first queries, in milliseconds.
    private var connects: [Double] = []
    private var handshakes: [Double] = []
    private var queries: [Double] = []
    private var uses: [ConnectionUse: Int] = [:]
    private var openings = OpeningTally()
    private var unverified = 0
    /// Whether any connection was encrypted.
    private var isEncrypted = false

    /// What the detail of a sample says where the other end's certificate was not looked at.
    static let unverifiedWord = "certificate not verified"

    mutating func add(_ observation: Observation, in series: Series) {
        openings.add(observation, in: series)
        guard let extras = observation.extras, observation.outcome.isResponse else { return }
        if extras.detail?.contains(Self.unverifiedWord) == true { unverified += 1 }
        guard observation.outcome == .answered else { return }
        if extras.handshake != nil { isEncrypted = true }
        if let use = extras.connection { uses[use, default: 0] += 1 }
        guard series == .first, let query = observation.roundTrip else { return }
        if let connect = extras.connect { connects.append(Double(connect) * 1e-6) }
        handshakes.append(Double(extras.handshake ?? 0) * 1e-6)
        queries.append(Double(query) * 1e-6)
    }

    mutating func merge(_ other: Self) {
        connects += other.connects
        handshakes += other.handshakes
        queries += other.queries
        uses.merge(other.uses, uniquingKeysWith: +)
        openings.merge(other.openings)
        unverified += other.unverified
        isEncrypted = isEncrypted || other.isEncrypted
    }

    /// `nil` where there is nothing to tell: a connection of its own is what plain TCP always has.
    var figures: ConnectionFigures? {
        let isTold = isEncrypted || unverified > 0 || uses.keys.contains { $0 != .new }
        guard isTold else { return nil }
        let parts = Self.median(handshakes).flatMap { handshake in
            Self.median(queries).map { query in
                ConnectionFigures.Parts(
                    connect: Self.median(connects),
                    handshake: handshake,
                    query: query
                )
            }
        }
        return ConnectionFigures(
            parts: parts,
            uses: uses,
            unverified: unverified
        )
    }

    /// How far the queries that opened a connection had come when.
    func openings(timeout: Duration) -> [OpeningFigures] { openings.figures(timeout: timeout) }

    private static func median(_ times: [Double]) -> Double? {
        times.isEmpty ? nil : times.sorted()[(times.count - 1) / 2]
    }
}
