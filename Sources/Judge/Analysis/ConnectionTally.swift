package import DNSWire
package import Samples
package import Statistics

/// Connections that carried queries, counted while samples and hourly sums are gone through.
package struct ConnectionTally: Hashable, Sendable {
    /// A query that a connection was opened for, or a first one; times in milliseconds.
    private struct Opening: Hashable {
        var steps: Observation.Steps
        /// From the beginning of the connection to the first answer.
        var answered: Double
    }

    package struct Parts: Hashable, Sendable {
        /// `nil` where connecting is part of the handshake, as over QUIC.
        package var connect: Double?
        package var handshake: Double
        package var query: Double
    }

    private var openings: [ConnectionUse?: [Opening]] = [:]
    /// Queries without an answer by what was to carry them, where they tell.
    private var failed: [ConnectionUse?: Int] = [:]
    /// Answers on connections that stood already: milliseconds of samples, and those of hours.
    private var kept: [Double] = []
    private var keptOfHours = LatencySketch()
    /// The openings of hours; what carried answers, and how many are unverified, of samples too.
    private var sums = ConnectionSums()
    /// Whether any connection was encrypted.
    private var isEncrypted = false

    package init() {}

    /// A query on a connection that stood already is no opening, but among first queries: there
    /// every one counts, as in their summary.
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
        // What did not open a connection of its own.
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

    /// Answers by what carried them.
    package var uses: [ConnectionUse: Int] {
        sums.uses.reduce(into: [:]) { uses, entry in
            if let use = ConnectionUse(rawValue: entry.key) { uses[use] = entry.value }
        }
    }

    /// Answers of whoever it was: no certificate was looked at.
    package var unverified: Int { sums.unverified }

    /// Answers whose query opened a connection and whose time has that in it, as other programs may
    /// tell it.
    package var undivided: Int {
        let opened = uses.reduce(0) { $1.key == .reused ? $0 : $0 + $1.value }
        let divided = openings.reduce(sums.times(of: .whole).count) { count, entry in
            entry.key == nil || entry.key == .reused ? count : count + entry.value.count
        }
        return max(0, opened - divided)
    }

    /// Each from the beginning of a connection to its first answer.
    package var firstAnswers: SeenTimes {
        let opened = openings.filter { $0.key != .reused }.values.joined()
        return SeenTimes(exact: opened.map(\.answered), sketch: sums.times(of: .whole))
    }

    /// Answers on connections that stood already.
    package var later: SeenTimes {
        SeenTimes(exact: kept + (openings[.reused] ?? []).map(\.answered), sketch: keptOfHours)
    }

    /// One for each kind of connection; a query without an answer lies beyond the timeout, with the
    /// most frequent kind where it does not tell its own. `timeout` in milliseconds.
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

    /// Parts of first answers: medians, in milliseconds; `nil` without any.
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

    /// Whether there is anything to tell: a connection of its own is what plain TCP always has.
    package var isWorthTelling: Bool {
        isEncrypted || unverified > 0 || uses.keys.contains { $0 != .new }
    }
}

/// Times in milliseconds, of which some are known one by one, and others within 1 %.
package struct SeenTimes {
    package let exact: [Double]
    package let sketch: LatencySketch

    package var count: Int { exact.count + sketch.count }

    /// The lower one of two in the middle; `nil` without any.
    package var median: Double? {
        guard sketch.count > 0 else { return exact.lowerMedian }
        return exact.reduce(into: sketch) { $0.insert($1) }.quantile(0.5)
    }
}

/// Progress of the first queries over one kind of connection, in milliseconds since the
/// connection was begun.
package struct ConnectionSetupFigures: Hashable, Sendable {
    /// Their connections; `nil` where none was answered, so that nobody knows.
    package var use: ConnectionUse?
    /// Medians over all queries, until the connection stood and until its handshake was over; `nil`
    /// where there is no such step, or where it lies beyond the timeout.
    package var connected: Double?
    package var secured: Double?
    /// The times to the first answer.
    package var latency: LatencySummary
}

extension [ConnectionSetupFigures] {
    /// Whether any of the connections is known to have been opened.
    package var haveKnownUse: Bool { contains { $0.use != nil } }
}
