import Reports
package import Samples

/// The figures of one round, by series.
///
/// They contain only this round, and counters start at zero. A round's figures are therefore equal however
/// often it is sent, and the sender needs no other round.
package struct RoundFigures: Hashable, Sendable {
    /// The start of the round, in milliseconds since 1970.
    let time: Int64
    private(set) var gauges: [SeriesName: Double] = [:]
    private(set) var counters: [SeriesName: Int] = [:]
    private(set) var durations: [SeriesName: NativeHistogram] = [:]

    /// The figures of every round of a recording, in their order.
    package static func all(of recording: Recording) -> [RoundFigures] {
        let counted = CountedSamples(of: recording).recording.samplesByRound()
        let last = recording.samplesByRound().map { $0.map(\.moment).max() }
        return recording.rounds.indices.map { index in
            let round = recording.rounds[index]
            return RoundFigures(
                of: round,
                in: recording.runs[Int(round.run)],
                counted[index],
                last: last[index],
                targets: recording.targets
            )
        }
    }

    private init(
        of round: Round,
        in run: Run,
        _ counted: [Sample],
        last: Timestamp?,
        targets: [Recording.Target]
    ) {
        time = round.started.nanoseconds / 1_000_000
        let place: MetricFamily.Labels = [("vantage", run.vantage)]
        if let last {
            gauges[SeriesName(.lastQuery, place)] = Double(last.nanoseconds) * 1e-9
        }
        let timeout = run.timeout / .seconds(1)
        var tallies: [Int32: Tally] = [:]
        for sample in counted where targets.indices.contains(Int(sample.target)) {
            let series = targets[Int(sample.target)].series
            tallies[sample.target, default: Tally()]
                .add(sample.observation, in: series, timeout: timeout)
        }
        for (target, tally) in tallies {
            add(tally, targets[Int(target)].metricLabels + place)
        }
    }

    private mutating func add(_ tally: Tally, _ labels: MetricFamily.Labels) {
        for outcome in Outcome.allCases {
            let name = SeriesName(.queries, labels + [("outcome", outcome.description)])
            counters[name] = tally.counts[outcome]
        }
        for (code, count) in tally.counts.responseCodes {
            counters[SeriesName(.failedResponses, labels + [("rcode", code)])] = count
        }
        if tally.unverified > 0 {
            counters[SeriesName(.unverifiedAnswers, labels)] = tally.unverified
        }
        for (phase, durations) in tally.phases {
            self.durations[SeriesName(.queryDuration, labels + [("phase", phase.rawValue)])] =
                durations
        }
    }
}

/// A part of a query's time.
private enum Phase: String {
    case connect, handshake, query
    /// All phases, for series in which the connection is part of the time.
    case total
}

/// The queries of one round to one resolver.
private struct Tally {
    var counts = OutcomeCounts()
    /// The number of answers from unauthenticated servers, because no certificate was verified.
    var unverified = 0
    var phases: [Phase: NativeHistogram] = [:]

    /// Adds a query. Its timeout is in seconds.
    mutating func add(_ observation: Observation, in series: Series, timeout: Double) {
        counts.count(observation)
        if observation.outcome.isResponse, observation.flags.contains(.unverified) {
            unverified += 1
        }
        guard observation.outcome.isMeasured else { return }
        // An unanswered query counts as longer than every time, as in all other figures.
        let isAnswered = observation.outcome == .answered
        guard !isAnswered || observation.roundTrip != nil else { return }
        func add(_ phase: Phase, _ nanoseconds: Int64?) {
            let time = nanoseconds.map { Double($0) * 1e-9 } ?? .infinity
            phases[phase, default: NativeHistogram()].add(time, timeout: timeout)
        }
        add(.query, isAnswered ? observation.roundTrip : nil)
        if series == .first { add(.total, isAnswered ? observation.time(in: series) : nil) }
        guard isAnswered, let extras = observation.extras else { return }
        if let connect = extras.connect { add(.connect, connect) }
        if let handshake = extras.handshake { add(.handshake, handshake) }
    }
}

/// The name of a series: its metric and its labels, in the order that the specification requires.
struct SeriesName: Hashable, Sendable {
    let labels: [TimeSeries.Label]

    init(_ family: MetricFamily, _ labels: MetricFamily.Labels) {
        // A label without a value is equivalent to a missing label.
        self.labels = (labels.filter { !$0.value.isEmpty } + [("__name__", family.name)])
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { .init(name: $0.name, value: EscapedText.terminal($0.value)) }
    }
}
