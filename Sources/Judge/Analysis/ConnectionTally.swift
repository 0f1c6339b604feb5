package import DNSWire
package import Samples
package import Statistics

/// The connections that carried queries, counted from samples and hourly sums.
package struct ConnectionTally: Hashable, Sendable {
    /// A query for which a connection was opened, or a first query. Times are in milliseconds.
    private struct Opening: Hashable {
        var steps: Observation.Steps
        /// The time from the beginning of the connection to the first answer.
        var answered: Double
    }

    package struct Parts: Hashable, Sendable {
        /// The time to connect; `nil` if connecting is part of the handshake, as over QUIC.
        package var connect: Double?
        package var handshake: Double
        package var query: Double
    }

    private var openings: [ConnectionUse?: [Opening]] = [:]
    /// The number of queries without an answer per use of the connection; `nil` if the use is unknown.
    private var failed: [ConnectionUse?: Int] = [:]
    /// The times in milliseconds of answers over existing connections, from samples and from hourly sums.
    private var kept: [Double] = []
    private var keptOfHours = LatencySketch()
    /// The openings of hourly sums. It also counts the uses and the unverified answers of samples.
    private var sums = ConnectionSums()
    /// Whether any connection was encrypted.
    private var isEncrypted = false

    package init() {}

    /// Adds a query. A query over an existing connection is not an opening, except among first queries.
    /// There, every query counts, as in their summary.
    package mutating func add(_ observation: Observation, in series: Series) {
        let (use, isFirst) = (observation.extras?.connection, series == .first)
        let answered = observation.answerTime(in: .first)
        if case .failed = QueryOutcome(observation, in: .first), use != .reused || isFirst {
            failed[use, default: 0] += 1
        }
        guard let extras = observation.extras, observation.outcome.isResponse else { return }
        if extras.flags.contains(.unverified) { sums.count(unverified: 1) }
        guard observation.outcome == .answered else { return }
        if extras.handshake != nil { isEncrypted = true }
        if let use { sums.count(use: use.rawValue) }
        guard let answered else { return }
        if use == .reused, !isFirst { return kept.append(answered) }
        guard let steps = observation.steps(in: series) else { return }
        openings[use, default: []].append(Opening(steps: steps, answered: answered))
    }

    /// Adds an hour.
    package mutating func add(_ sum: HourlySum) {
        let known = sum.connections
        guard !known.isEmpty else { return }
        sums.merge(known)
        if known.times(of: .handshake).count > 0 { isEncrypted = true }
        // The answers that did not open a connection of their own.
        guard sum.target.series != .first else { return }
        keptOfHours.merge(sum.latency.sketch.without(known.times(of: .query)))
    }

    package mutating func merge(_ other: Self) {
        openings.merge(other.openings, uniquingKeysWith: +)
        failed.merge(other.failed, uniquingKeysWith: +)
        kept += other.kept
        keptOfHours.merge(other.keptOfHours)
        sums.merge(other.sums)
        isEncrypted = isEncrypted || other.isEncrypted
    }

    /// The number of answers per use of the connection.
    package var uses: [ConnectionUse: Int] {
        sums.uses.reduce(into: [:]) { uses, entry in
            if let use = ConnectionUse(rawValue: entry.key) { uses[use] = entry.value }
        }
    }

    /// The number of answers from a server that was not authenticated, because no certificate was verified.
    package var unverified: Int { sums.unverified }

    /// The number of answers whose query opened a connection, and whose time includes the opening as one
    /// figure. Other programs may report it so.
    package var undivided: Int {
        let opened = uses.reduce(0) { $1.key == .reused ? $0 : $0 + $1.value }
        let divided = openings.reduce(sums.times(of: .whole).count) { count, entry in
            entry.key == nil || entry.key == .reused ? count : count + entry.value.count
        }
        return max(0, opened - divided)
    }

    /// The times from the beginning of a connection to its first answer.
    package var firstAnswers: SeenTimes {
        let opened = openings.filter { $0.key != .reused }.values.joined()
        return SeenTimes(exact: opened.map(\.answered), sketch: sums.times(of: .whole))
    }

    /// The times of answers over existing connections.
    package var later: SeenTimes {
        SeenTimes(exact: kept + (openings[.reused] ?? []).map(\.answered), sketch: keptOfHours)
    }

    /// Returns the figures per use of the connection. `timeout` is in milliseconds.
    ///
    /// A query without an answer counts as beyond the timeout. If its use is unknown, it counts with the most
    /// frequent use.
    package func openings(timeout: Double) -> [ConnectionSetupFigures] {
        let known = openings.compactMap { use, openings in use.map { ($0, openings) } }
            .sorted { $0.0.rawValue < $1.0.rawValue }
        let unknown = failed.filter { use, _ in use.map { openings[$0] == nil } ?? true }
            .values.reduce(0, +)
        func summary(_ times: [Double], _ failed: Int) -> LatencySummary {
            LatencySummary(answers: times, nonAnswers: failed, timeout: timeout)
        }
        guard let most = known.max(by: { $0.1.count < $1.1.count })?.0 else {
            return unknown > 0
                ? [ConnectionSetupFigures(use: nil, latency: summary([], unknown))] : []
        }
        return known.map { use, openings in
            let failed = (failed[use] ?? 0) + (use == most ? unknown : 0)
            let connected = openings.map { $0.steps.connect ?? 0 }
            let secured = zip(connected, openings).map { $0 + ($1.steps.handshake ?? 0) }
            return ConnectionSetupFigures(
                use: use,
                connected: openings.contains { $0.steps.connect != nil }
                    ? summary(connected, failed).median : nil,
                secured: openings.contains { $0.steps.handshake != nil }
                    ? summary(secured, failed).median : nil,
                latency: summary(openings.map(\.answered), failed)
            )
        }
    }

    /// The medians of the parts of first answers, in milliseconds; `nil` without any.
    package var parts: Parts? {
        func median(_ part: ConnectionSums.Part, _ time: (Opening) -> Double?) -> Double? {
            let times = openings.values.joined().compactMap(time)
            return SeenTimes(exact: times, sketch: sums.times(of: part)).median
        }
        guard let handshake = median(.handshake, { $0.steps.handshake ?? 0 }),
            let query = median(.query, { $0.steps.query })
        else { return nil }
        return Parts(
            connect: median(.connect, { $0.steps.connect }),
            handshake: handshake,
            query: query
        )
    }

    /// Whether the tally is worth reporting. A separate connection per query is normal for plain TCP.
    package var isWorthTelling: Bool {
        isEncrypted || unverified > 0 || uses.keys.contains { $0 != .new }
    }
}

/// Times in milliseconds. Some are known exactly, others within 1 %.
package struct SeenTimes {
    package let exact: [Double]
    package let sketch: LatencySketch

    package var count: Int { exact.count + sketch.count }

    /// The lower median; `nil` without times.
    package var median: Double? {
        guard sketch.count > 0 else { return exact.lowerMedian }
        return exact.reduce(into: sketch) { $0.insert($1) }.quantile(0.5)
    }
}

/// The progress of the first queries over one kind of connection, in milliseconds since the connection was
/// begun.
package struct ConnectionSetupFigures: Hashable, Sendable {
    /// The use of these connections; `nil` if it is unknown, because none of the queries was answered.
    package var use: ConnectionUse?
    /// The medians, over all queries, of the time until the connection was established and until its
    /// handshake was complete. `nil` if there is no such step, or if the median is beyond the timeout.
    package var connected: Double?
    package var secured: Double?
    /// The times to the first answer.
    package var latency: LatencySummary
}

extension [ConnectionSetupFigures] {
    /// Whether the use of any of the connections is known.
    package var haveKnownUse: Bool { contains { $0.use != nil } }
}
