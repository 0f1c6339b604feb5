package import Analysis
package import Samples
package import Statistics

/// The measurements of one resolver over one transport in one series.
package struct ResolverSummary: Hashable, Sendable {
    package var target: Recording.Target
    /// The label, followed by the transport or the endpoint if another row has the same label.
    package var name: String
    package var counts: OutcomeCounts
    package var latency: LatencySummary
    package var isBaseline: Bool
    package var context = ResolverContext()
    /// The first answers to a list of names; `nil` unless the series is as-found.
    package var found: FoundNames?
    /// The connections that carried the queries; `nil` if they are not worth reporting.
    package var connections: ConnectionTally?
    /// The rounds that asked the resolver; `nil` if they are unknown.
    package var availability: Availability?
    /// The parts of the time of first queries; `nil` if the time covers the query only.
    package var parts: ConnectionTally.Parts?
    /// The queries that opened a connection, with the times of its steps.
    package var openings: [ConnectionSetupFigures] = []
    /// The ranks that the resolver may have in its series; `nil` if no resolvers can be
    /// distinguished, or if it fails more often than most.
    package var rank: ClosedRange<Int>?
    /// The 95 % confidence interval of the median; `nil` for too few queries. Its upper end is
    /// infinite if it may exceed the timeout.
    package var medianInterval: ClosedRange<Double>?
    /// The end of the resolver's part in the run, with the reason; `nil` if it was asked until the
    /// end of the run.
    package private(set) var departure: SeriesEvidence.Departure?
    /// A remark that the resolver left its run early; `nil` if the window has other samples of the
    /// resolver.
    var stopped: String?
    /// The figures of the rounds that asked the resolver; `nil` if it was asked until the end of
    /// the run.
    private(set) var partial: LatencySummary?

    init(
        _ target: Recording.Target,
        name: String,
        _ figures: Figures,
        isBaseline: Bool = false
    ) {
        self.target = target
        self.name = name
        self.isBaseline = isBaseline
        counts = figures.counts
        latency = figures.latency
        connections = figures.connections.isWorthTelling ? figures.connections : nil
        parts = target.series == .first ? connections?.parts : nil
        openings = figures.openings
        availability = figures.availability.rounds > 0 ? figures.availability : nil
    }

    /// Estimates the median as the baseline's `median` minus the paired difference. The estimate
    /// refers to the rounds of the baseline.
    mutating func leave(_ departure: SeriesEvidence.Departure, baseline median: Double?) {
        self.departure = departure
        partial = latency
        let own = median.flatMap { median in departure.difference.map { max(0, median - $0) } }
        let interval = median.flatMap { median in
            departure.interval.map {
                max(0, median - $0.upperBound)...max(0, median - $0.lowerBound)
            }
        }
        latency.limit(toMedian: own, own == nil ? nil : interval)
    }

    var failures: FailureCount { FailureCount(failures: counts.failed, queries: counts.measured) }

    /// The 95 % confidence interval of the failure rate. It holds however often it is examined.
    var failureInterval: ClosedRange<Double> {
        ProportionInterval.anytime(successes: counts.failed, of: counts.measured)
    }

    /// A text such as `1`, or `2–3` if both ranks are possible. A dash means that the resolver has
    /// no rank.
    var rankText: String {
        guard let rank else { return "–" }
        return rank.count == 1
            ? "\(rank.lowerBound)" : "\(rank.lowerBound)–\(rank.upperBound)"
    }
}

extension LatencySummary {
    /// A quantile in words: the time, `> 5 s` among the timeouts, or `none` without queries.
    func text(_ value: Double?, in format: LatencyFormat, none: String = "–") -> String {
        if let value { return format.cell(value) }
        if isOfFewRounds { return none }
        return count > 0 ? LatencyFormat.beyond(timeout) : none
    }

    /// A measured quantile for a sentence; `> 5 s` among the timeouts.
    func prose(_ value: Double?, in format: LatencyFormat) -> String {
        value.map(format.prose) ?? LatencyFormat.beyond(timeout)
    }
}

extension ResolverSummary {
    /// Remarks next to a row: whether the resolver is in use, and the kinds of failures other than
    /// timeouts. `context` states the role of the baseline. Without it, as in a window, the remarks
    /// omit offline rounds.
    func remarks(_ context: ReportContext?) -> String {
        var parts: [String] = []
        // Comes first, because the end of the remarks may be cut.
        if let unverified = connections?.unverified, unverified > 0 {
            parts.append("not verified")
        }
        if isBaseline {
            parts.append(context?.isBaselineInUse == true ? "current resolver" : "baseline")
        }
        parts += [departure?.words ?? stopped].compactMap(\.self)
        let others =
            counts.unusable
            + [(context == nil ? 0 : counts[.offline], "offline"), (counts[.blocked], "blocked")]
        parts += others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.joined(separator: ", ")
    }
}

extension SeriesEvidence.Departure {
    /// A text such as `stopped after 10 rounds: clearly slower`.
    var words: String {
        let why =
            switch reason {
            case .outdone: "three others are faster or as fast"
            case .slower: "clearly slower"
            case .noGain: "no gain worth a switch"
            }
        return "stopped after \(rounds.of("round", "rounds")): \(why)"
    }
}

extension OutcomeCounts {
    /// Responses that do not describe speed, and failures other than timeouts.
    var unusable: [(count: Int, name: String)] {
        responseCodes.sorted { $0.key < $1.key }.map { ($0.value, word(ofCode: $0.key)) } + [
            (self[.unreachable], "unreachable"), (self[.malformed], "malformed"),
            (self[.wrong], "wrong"), (self[.filtered], "filtered"),
        ]
    }

    /// An HTTP answer without a DNS message has no response code, so the cause replaces it.
    private func word(ofCode code: String) -> String {
        code == "unknown" ? causes.main?.cause.label ?? code : code
    }
}

extension ResolverSummary {
    /// The sort key of a table: the lowest median first, then rows without a rank. As-found names
    /// are not ranked and are sorted by their mean.
    var order: (group: Int, time: Double) {
        if let found { return (0, found.mean ?? .infinity) }
        return (rank == nil ? 1 : 0, latency.median ?? .infinity)
    }
}

/// The number of unreliable answers among all queries. An unexpected answer is unreliable. So is an
/// answer without a verified certificate, because any server may have sent it.
struct Verification: Sendable {
    private(set) var unverified = 0
    private(set) var undivided = 0
    private(set) var wrong = 0
    private(set) var queries = 0

    init(of rows: some Sequence<ResolverSummary>) {
        for row in rows { add(row.counts, row.connections) }
    }

    init(of all: some Sequence<Figures>) {
        for figures in all { add(figures.counts, figures.connections) }
    }

    private mutating func add(_ counts: OutcomeCounts, _ connections: ConnectionTally?) {
        unverified += connections?.unverified ?? 0
        undivided += connections?.undivided ?? 0
        wrong += counts[.wrong]
        queries += counts.sent
    }

    /// The warnings about unreliable answers; empty if every answer is verified, or needs no
    /// verification, and is as expected.
    var notes: [Warning] {
        let all = queries.of("query", "queries")
        var notes: [Warning] = []
        notes.add(.unverified, if: unverified > 0) {
            "\(unverified) of \(all) had answers without a verified certificate."
        } _: {
            "Repeat it without --insecure."
        }
        notes.add(.wholeTimes, if: undivided > 0) {
            "The times of \(undivided) of \(all) include opening the connection, with its handshake."
        } _: {
            "Compare them with first queries of a connection only."
        }
        notes.add(.wrongAnswers, if: wrong > 0) {
            "\(wrong) of \(all) had other answers than expected."
        } _: {
            "See the detail of each sample."
        }
        return notes
    }
}

extension HistoryHours {
    var verification: Verification { Verification(of: all) }
}

extension HistoryHours.Timeline {
    func row(of total: Figures) -> ResolverSummary {
        ResolverSummary(subject.target, name: name, total)
    }
}
