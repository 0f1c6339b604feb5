import Analysis
import Catalogue
import DNSWire
import Samples
import Statistics

/// Cost of asking one resolver over an encrypted transport rather than over a plain one.
struct EncryptionCost {
    let label: String
    let plain: Recording.Transport
    let encrypted: Recording.Transport
    let series: Series
    /// Comparison of the queries on a connection that is kept; the plain transport is the baseline.
    let comparison: Comparison
    /// Rounds, or hours, that a verdict takes.
    let roundsNeeded: Int
    let connections: OpenedConnections
    /// How far a difference may be off because the times are not known exactly: hours know their
    /// medians within 1 %.
    let blur: Double

    /// By how much an answer over the encrypted transport is later, in milliseconds.
    var added: Double? { comparison.medianDifference.map { -$0 } }

    var addedInterval: DifferenceInterval {
        DifferenceInterval(
            lower: comparison.interval.upper.map { -$0 - blur },
            upper: comparison.interval.lower.map { -$0 + blur }
        )
    }

    /// Costs for every resolver that was measured both ways, in the order of the recording.
    static func all(of report: ComparisonReport) -> [EncryptionCost] {
        all(
            report.evidence,
            of: report.recording.targets,
            rows: report.rows,
            rules: report.context.rules
        )
    }

    /// The same of `targets` that `evidence` is of; `rows` have the connections.
    static func all(
        _ evidence: [SeriesEvidence],
        of targets: [Recording.Target],
        rows: [ResolverSummary],
        rules: ComparisonRules
    ) -> [EncryptionCost] {
        guard let evidence = evidence.first(where: { !$0.encryption.isEmpty }) else { return [] }
        return evidence.encryption.map { pair in
            let target = targets[pair.encrypted]
            let medians = [pair.plain, pair.encrypted].reduce(0) { sum, index in
                sum + (rows.first { $0.target == targets[index] }?.latency.median ?? 0)
            }
            return EncryptionCost(
                label: target.label,
                plain: targets[pair.plain].transport,
                encrypted: target.transport,
                series: evidence.series,
                comparison: pair.comparison,
                roundsNeeded: rules.minimumRounds,
                connections: OpenedConnections(of: target, in: rows),
                blur: rules.unit == .hour ? 0.01 * medians : 0
            )
        }
    }

    /// Openings of connections that a median needs.
    private static let fewestOpenings = 5

    var words: String {
        let times = [added, addedInterval.lower, addedInterval.upper].compactMap { $0.map(abs) }
        // What is known within 1 % has no digits to show.
        let format = LatencyFormat(fitting: blur > 0 ? times.map { max(1, $0) } : times)
        let parts = [queries(EscapedText.terminal(label), format), openings].compactMap(\.self)
        return parts.joined(separator: "; ") + "."
    }

    private func queries(_ name: String, _ format: LatencyFormat) -> String {
        let (over, under) = (Self.wording(encrypted), Self.wording(plain))
        guard let added, comparison.rounds >= roundsNeeded else {
            let verb = comparison.rounds == 1 ? "is" : "are"
            return "\(evidence) \(verb) too few to say what \(over) costs the answers of \(name)"
        }
        let gap = "Over \(over), the answers of \(name) \(gap(added, format)) over \(under)"
        guard let lower = addedInterval.lower, let upper = addedInterval.upper else {
            return gap + ", but how far that can be off is open"
        }
        let certainty =
            "sure to \(DifferencePhrases.percent(comparison.confidence))"
            + (comparison.unit == .hour ? " by the medians of \(evidence)" : "")
        guard lower > 0 || upper < 0 else {
            let times = DifferencePhrases(format: format)
            let span = times.span(DifferenceInterval(lower: -upper, upper: -lower)) ?? "open"
            return "Over \(over), \(name) shows no significant difference from \(under) "
                + "(\(span), \(certainty))"
        }
        let (low, high) = lower > 0 ? (lower, upper) : (-upper, -lower)
        return gap + " (\(format.number(low)) to \(format.cell(high)), \(certainty))"
    }

    private var evidence: String { comparison.unit.counted(comparison.rounds) }

    /// Such as `took 1.9 ms longer than`.
    private func gap(_ added: Double, _ format: LatencyFormat) -> String {
        if Double(format.number(abs(added))) == 0 { return "came as soon as" }
        let time = format.prose(abs(added))
        return added > 0 ? "took \(time) longer than" : "came \(time) sooner than"
    }

    private var openings: String? {
        guard let cost = connections.cost else { return nil }
        let format = LatencyFormat(fitting: [cost])
        let count = connections.count
        let kind = connections.resumed * 2 > count ? "a resumed connection" : "a connection"
        guard count >= Self.fewestOpenings else {
            return "opening \(kind) took \(format.prose(cost)), seen \(count.of("time", "times"))"
                + " and too few to rely on"
        }
        let once = "\(kind) costs \(format.prose(cost)) once"
        guard let queries = connections.queriesPerConnection, queries > 1 else { return once }
        let share = cost / queries
        let number = queries.fixed(least: 0, most: queries < 10 ? 1 : 0)
        return once + ", \(LatencyFormat(fitting: [share]).cell(share)) a query at the "
            + "\(number) queries a connection carried here"
    }

    private static func wording(_ transport: Recording.Transport) -> String {
        guard let kind = transport.kind else { return EscapedText.terminal(transport.description) }
        return kind == .h3 ? "HTTP/3" : kind.rawValue.uppercased()
    }

    /// For programs; `null` for what is too little to tell, and at the open end of an interval.
    var json: JSONValue {
        [
            "resolver": .string(label),
            "series": .string(series.description),
            "plain": .string(plain.description),
            "encrypted": .string(encrypted.description),
            "unit": .string(comparison.unit.rawValue),
            "rounds": .integer(comparison.rounds),
            "pairs": .integer(comparison.pairs),
            "added_ms": .milliseconds(added),
            "added_ci_ms": addedInterval.json,
            "confidence": .number(comparison.confidence, least: 2, most: 9),
            "connection_ms": .milliseconds(connections.cost),
            "first_answer_ms": .milliseconds(connections.firstAnswer),
            "connections_opened": .integer(connections.count),
            "connections_resumed": .integer(connections.resumed),
            "queries_per_connection": connections.queriesPerConnection.map {
                .number($0, least: 1, most: 6)
            } ?? .null,
        ]
    }
}

extension TransportEvidence {
    /// Costs of encryption, in the order of `rows`, which are of the same window.
    func costs(_ rows: [ResolverSummary]) -> [EncryptionCost] {
        let (evidence, targets, rules) = evidence()
        return EncryptionCost.all(evidence, of: targets, rows: rows, rules: rules).ordered { cost in
            rows.firstIndex { row in
                row.target.label == cost.label && row.target.transport == cost.encrypted
            } ?? .max
        }
    }
}

struct OpenedConnections {
    let count: Int
    /// Those that went on with an earlier session.
    let resumed: Int
    /// The median of the first answers, in milliseconds.
    let firstAnswer: Double?
    /// Cost of one: by how much its first answer takes longer than later ones, each at the median,
    /// in milliseconds.
    let cost: Double?
    /// Queries that one of the kept connections carried, in the mean. One that the warm-up opened
    /// counts as one.
    let queriesPerConnection: Double?

    init(of target: Recording.Target, in rows: [ResolverSummary]) {
        var all = ConnectionTally()
        var kept = ConnectionTally()
        for row in rows
        where row.target.label == target.label && row.target.transport == target.transport {
            guard let tally = row.connections else { continue }
            all.merge(tally)
            if row.target.series != .first { kept.merge(tally) }
        }
        let firstAnswer = all.firstAnswers.median
        count = all.firstAnswers.count
        resumed = (all.uses[.resumed] ?? 0) + (all.uses[.early] ?? 0)
        self.firstAnswer = firstAnswer
        cost = all.later.median.flatMap { later in firstAnswer.map { max(0, $0 - later) } }
        let carried = kept.uses.values.reduce(0, +)
        let opened = carried - (kept.uses[.reused] ?? 0)
        queriesPerConnection = carried > 0 ? Double(carried) / Double(max(1, opened)) : nil
    }
}
