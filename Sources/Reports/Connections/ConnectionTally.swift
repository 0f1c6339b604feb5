package import Samples
import Statistics

/// What is counted of connections while samples and hourly sums are gone through.
struct ConnectionTally: Hashable, Sendable {
    private enum Kind: Int, CaseIterable {
        /// Parts of first queries.
        case connect, handshake, query
        /// From the beginning of each connection to its first answer.
        case opening
        /// Of queries on connections that stood already.
        case later
    }

    /// By ``Kind``; nothing where no connection was told of, as of most resolvers.
    private var times: [SeenTimes] = []
    private(set) var uses: [ConnectionUse: Int] = [:]
    private(set) var unverified = 0
    /// Whether any connection was encrypted.
    private var isEncrypted = false
    private var openings = OpeningTally()

    mutating func add(_ observation: Observation, in series: Series) {
        openings.add(observation, in: series)
        guard let extras = observation.extras, observation.outcome.isResponse else { return }
        if extras.flags.contains(.unverified) { unverified += 1 }
        guard observation.outcome == .answered else { return }
        if extras.handshake != nil { isEncrypted = true }
        if let use = extras.connection { uses[use, default: 0] += 1 }
        guard extras.connection != nil || series == .first, let query = observation.roundTrip,
            let whole = observation.answerTime(in: .first)
        else { return }
        makeRoom()
        let kind = extras.isOpening(in: series) ? Kind.opening : .later
        times[kind.rawValue].add(whole)
        guard series == .first else { return }
        if let connect = extras.connect {
            times[Kind.connect.rawValue].add(Double(connect) * 1e-6)
        }
        times[Kind.handshake.rawValue].add(Double(extras.handshake ?? 0) * 1e-6)
        times[Kind.query.rawValue].add(Double(query) * 1e-6)
    }

    /// Adds an hour.
    mutating func add(_ sum: HourlySum) {
        let known = sum.connections
        guard !known.isEmpty else { return }
        makeRoom()
        if known.times(of: .handshake).count > 0 { isEncrypted = true }
        for (number, times) in known.uses {
            if let use = ConnectionUse(rawValue: number) { uses[use, default: 0] += times }
        }
        unverified += known.unverified
        times[Kind.opening.rawValue].add(known.times(of: .whole))
        guard sum.target.series == .first else {
            // What did not open a connection of its own.
            let later = sum.latency.sketch.without(known.times(of: .query))
            return times[Kind.later.rawValue].add(later)
        }
        times[Kind.connect.rawValue].add(known.times(of: .connect))
        times[Kind.handshake.rawValue].add(known.times(of: .handshake))
        times[Kind.query.rawValue].add(known.times(of: .query))
    }

    mutating func merge(_ other: Self) {
        if !other.times.isEmpty {
            makeRoom()
            for kind in Kind.allCases { times[kind.rawValue].merge(other.times[kind.rawValue]) }
        }
        uses.merge(other.uses, uniquingKeysWith: +)
        unverified += other.unverified
        isEncrypted = isEncrypted || other.isEncrypted
        openings.merge(other.openings)
    }

    private mutating func makeRoom() {
        if times.isEmpty { times = Kind.allCases.map { _ in SeenTimes() } }
    }

    private func times(of kind: Kind) -> SeenTimes {
        times.isEmpty ? SeenTimes() : times[kind.rawValue]
    }

    /// Each from the beginning of a connection to its first answer.
    var firstAnswers: SeenTimes { times(of: .opening) }

    /// Of queries on connections that stood already.
    var later: SeenTimes { times(of: .later) }

    /// How far the queries that opened a connection had come when; `timeout` in milliseconds.
    func openings(timeout: Double) -> [OpeningFigures] { openings.figures(timeout: timeout) }

    /// `nil` where there is nothing to tell: a connection of its own is what plain TCP always has.
    var figures: ConnectionFigures? {
        let isTold = isEncrypted || unverified > 0 || uses.keys.contains { $0 != .new }
        guard isTold else { return nil }
        let parts = times(of: .handshake).median.flatMap { handshake in
            times(of: .query).median.map { query in
                ConnectionFigures.Parts(
                    connect: times(of: .connect).median,
                    handshake: handshake,
                    query: query
                )
            }
        }
        return ConnectionFigures(parts: parts, tally: self)
    }
}

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
    /// The source of all figures.
    let tally: ConnectionTally

    /// Answers by what carried them.
    package var uses: [ConnectionUse: Int] { tally.uses }
    /// Answers of whoever it was: no certificate was looked at.
    package var unverified: Int { tally.unverified }

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

/// Times in milliseconds, of which some are known one by one, and others within 1 %.
struct SeenTimes: Hashable, Sendable {
    private var exact: [Double] = []
    private var sketch = LatencySketch()

    var count: Int { exact.count + sketch.count }

    mutating func add(_ milliseconds: Double) { exact.append(milliseconds) }

    mutating func add(_ sketch: LatencySketch) { self.sketch.merge(sketch) }

    mutating func merge(_ other: Self) {
        exact += other.exact
        sketch.merge(other.sketch)
    }

    /// The lower one of two in the middle; `nil` without any.
    var median: Double? {
        guard sketch.count > 0 else {
            return exact.isEmpty ? nil : exact.sorted()[(exact.count - 1) / 2]
        }
        return exact.reduce(into: sketch) { $0.insert($1) }.quantile(0.5)
    }
}
