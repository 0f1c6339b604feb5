package import Analysis
package import Samples
package import Statistics

/// Measurements of one resolver over one transport in one series.
package struct ResolverSummary: Hashable, Sendable {
    package var target: Recording.Target
    /// The label, with the transport or the endpoint behind it where another row has it too.
    package var name: String
    package var counts: OutcomeCounts
    package var latency: LatencySummary
    package var isBaseline: Bool
    package var context = ResolverContext()
    /// Its first answers to a list of names; `nil` but of as-found names.
    package var found: FoundNames?
    /// Connections that carried the queries, where they are worth telling.
    package var connections: ConnectionTally?
    /// Parts of the time of first queries; `nil` where the time is the query's alone.
    package var parts: ConnectionTally.Parts?
    /// Queries that opened a connection: how far they had come when.
    package var openings: [ConnectionSetupFigures] = []
    /// The ranks that it may have in its series; `nil` where none is told apart, and where it fails
    /// more than most.
    package var rank: ClosedRange<Int>?
    /// Interval of the median, to 95 %, infinite above where it may lie beyond the timeout; `nil` where the
    /// queries are too few.
    package var medianInterval: ClosedRange<Double>?
    /// Where it was not asked to the end of its run: how far, and why.
    package private(set) var departure: SeriesEvidence.Departure?
    /// In words that the rounds of its window are fewer than those of their run.
    var stopped: String?
    /// The figures of the rounds that asked it, where it was not asked to the end.
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
    }

    /// Has the median that it would have in the rounds of the baseline, of which `median` is that one's.
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

    /// The failure rates that cannot be excluded, to 95 %, however often one looks.
    var failureInterval: ClosedRange<Double> {
        ProportionInterval.anytime(successes: counts.failed, of: counts.measured)
    }

    /// Such as `1`, or `2–3` where it may have either; a dash where it fails more than most.
    var rankText: String {
        guard let rank else { return "–" }
        return rank.count == 1
            ? "\(rank.lowerBound)" : "\(rank.lowerBound)–\(rank.upperBound)"
    }
}

extension LatencySummary {
    /// A quantile in words: the time, `> 5 s` where it lies among the timeouts, `none` of nothing.
    func text(_ value: Double?, in format: LatencyFormat, none: String = "–") -> String {
        if let value { return format.cell(value) }
        if isOfFewRounds { return none }
        return count > 0 ? LatencyFormat.beyond(timeout) : none
    }

    /// A quantile of what was measured, for a sentence.
    func prose(_ value: Double?, in format: LatencyFormat) -> String {
        value.map(format.prose) ?? LatencyFormat.beyond(timeout)
    }
}

extension ResolverSummary {
    /// Remarks beside a row: that it is in use, and how queries failed other than by silence. `context`
    /// tells what a baseline is to the reader; the remarks of a window, which has none, tell nothing of
    /// rounds without a network.
    func remarks(_ context: ReportContext?) -> String {
        var parts: [String] = []
        // First, since the end may be cut.
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
    /// Such as `stopped after 10 rounds: clearly slower`.
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
    /// Responses that say nothing of speed, and failures other than by silence.
    var unusable: [(count: Int, name: String)] {
        responseCodes.sorted { $0.key < $1.key }.map { ($0.value, word(ofCode: $0.key)) } + [
            (self[.unreachable], "unreachable"), (self[.malformed], "malformed"),
            (self[.wrong], "wrong"), (self[.filtered], "filtered"),
        ]
    }

    /// HTTP answers without a DNS message have no code.
    private func word(ofCode code: String) -> String {
        code == "unknown" ? causes.main?.cause.label ?? code : code
    }
}

extension ResolverSummary {
    /// Its place in a table: the lowest median first, behind them those without a rank; of as-found
    /// names, which are not ranked, the lowest mean.
    var order: (group: Int, time: Double) {
        if let found { return (0, found.mean ?? .infinity) }
        return (rank == nil ? 1 : 0, latency.median ?? .infinity)
    }
}

/// How many answers are not to be relied on, of all queries: they may be anybody's, since no certificate
/// was verified, or are not as expected.
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

    /// Warnings of it; none where all that answered were verified, or need not be, and as expected.
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
