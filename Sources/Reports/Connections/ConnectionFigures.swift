package import Samples

/// What is told of the connections that carried the queries of a row.
package struct ConnectionFigures: Hashable, Sendable {
    /// What the time of a first query is made of: medians over the answers, in milliseconds.
    package struct Parts: Hashable, Sendable {
        /// `nil` where connecting is part of the handshake, as over QUIC.
        package var connect: Double?
        package var handshake: Double
        package var query: Double
    }

    /// `nil` where the time is the query's alone.
    package var parts: Parts?
    /// Answers by what carried them.
    package var uses: [ConnectionUse: Int]
    /// Answers of whoever it was: no certificate was looked at.
    package var unverified: Int
    /// What it is all computed from.
    let tally: ConnectionTally

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
