import Analysis
import Catalogue
import DNSWire
import Samples
import Statistics

/// The cost of queries to one resolver over an encrypted transport instead of a plain one.
struct EncryptionCost {
    let label: String
    let plain: Recording.Transport
    let encrypted: Recording.Transport
    let series: Series
    /// The comparison of queries on a kept connection. The plain transport is the baseline.
    let comparison: Comparison
    /// The number of rounds, or hours, for a verdict.
    let roundsNeeded: Int
    let connections: OpenedConnections

    /// The added time of an answer over the encrypted transport, in milliseconds.
    var added: Double? { comparison.medianDifference.map { -$0 } }

    /// The difference as baseline minus candidate: negative if encryption adds time.
    private var interval: DifferenceInterval { comparison.interval }

    var addedInterval: DifferenceInterval {
        DifferenceInterval(
            lower: interval.upper.map { -$0 },
            upper: interval.lower.map { -$0 }
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

    /// The same costs for `targets`, to which `evidence` refers. `rows` have the connections.
    static func all(
        _ evidence: [SeriesEvidence],
        of targets: [Recording.Target],
        rows: [ResolverSummary],
        rules: ComparisonRules
    ) -> [EncryptionCost] {
        guard let evidence = evidence.first(where: { !$0.encryption.isEmpty }) else { return [] }
        return evidence.encryption.map { pair in
            let target = targets[pair.encrypted]
            return EncryptionCost(
                label: target.label,
                plain: targets[pair.plain].transport,
                encrypted: target.transport,
                series: evidence.series,
                comparison: pair.comparison,
                roundsNeeded: rules.minimumRounds,
                connections: OpenedConnections(of: target, in: rows)
            )
        }
    }

    /// The number of opened connections for a median.
    private static let fewestOpenings = 5

    /// The cost as a sentence, such as `near over TLS vs UDP: 2.0 ms slower (95 % confidence interval: 1.9 to
    /// 2.1 ms slower); a connection costs 42.0 ms once.`
    var words: String {
        let transports = "\(encrypted.wording) vs \(plain.wording)"
        let parts = [queries, openings].compactMap(\.self).joined(separator: "; ")
        return "\(EscapedText.terminal(label)) over \(transports): \(parts)."
    }

    private var queries: String {
        let counted = comparison.unit.counted(comparison.rounds)
        guard comparison.rounds >= roundsNeeded else {
            return "\(counted) \(comparison.rounds == 1 ? "is" : "are") too few for a comparison"
        }
        guard let difference = comparison.medianDifference else {
            let (own, other) = (comparison.candidateFailures, comparison.baselineFailures)
            let failing = (own.rate ?? 0) > (other.rate ?? 0) ? encrypted : plain
            return "too many queries over \(failing.wording) failed for a comparison"
        }
        let interval = interval
        let times = [difference, interval.lower, interval.upper].compactMap { $0.map(abs) }
        let words = DifferencePhrases(
            of: difference,
            in: interval,
            beside: nil,
            otherwise: LatencyFormat(fitting: times)
        )
        guard interval.lower != nil, interval.upper != nil else {
            let certainty = words.confidence(DifferenceInterval(), of: comparison)
            return "\(words.difference(difference)) (\(certainty))"
        }
        let hours = comparison.unit == .hour ? ", medians of \(counted)" : ""
        return
            (interval.isAboveZero == nil
            ? "no significant difference" : words.difference(difference))
            + " (\(words.confidence(interval, of: comparison))\(hours))"
    }

    private var openings: String? {
        guard let cost = connections.cost else { return nil }
        let format = LatencyFormat(fitting: [cost])
        let count = connections.count
        let kind = connections.resumed * 2 > count ? "a resumed connection" : "a connection"
        guard count >= Self.fewestOpenings else {
            return
                "opening \(kind) took \(format.prose(cost)) (\(count.of("time", "times")), too few "
                + "to rely on)"
        }
        let once = "\(kind) costs \(format.prose(cost)) once"
        guard let queries = connections.queriesPerConnection, queries > 1 else { return once }
        let share = cost / queries
        let number = queries.fixed(least: 0, most: queries < 10 ? 1 : 0)
        return once
            + ", \(LatencyFormat(fitting: [share]).cell(share)) per query at \(number) queries "
            + "per connection"
    }

    /// For programs.
    static let shape = Shape<EncryptionCost>(
        "encryption",
        [
            .text("resolver", "Label of the resolver.") { $0.label },
            .word("series", "Series of the queries.") { $0.series },
            .text("plain", "Plain transport.") { $0.plain.description },
            .text("encrypted", "Encrypted transport.") { $0.encrypted.description },
            .word("unit", "Unit of the evidence.") { $0.comparison.unit },
            .count("rounds", "Rounds, or hours, with at least one pair.") { $0.comparison.rounds },
            .count("pairs", "Pairs of queries.") { $0.comparison.pairs },
            .time(
                "added_ms",
                null: "too many queries failed",
                "How much later an answer comes over the encrypted transport: median of the pairs."
            ) { $0.added },
            Comparison.intervalField("Interval of `added_ms` at `confidence`.", key: "added_ci_ms")
            {
                $0.addedInterval
            },
            .number("confidence", .share, digits: 2...9, "Confidence level of `added_ci_ms`.") {
                $0.comparison.confidence
            },
            .time(
                "connection_ms",
                null: "too few connections were opened",
                "Cost of opening a connection."
            ) { $0.connections.cost },
            .time(
                "first_answer_ms",
                null: "no connection was opened",
                "Median time until the first answer of a connection, from its opening."
            ) { $0.connections.firstAnswer },
            .count("connections_opened", "Connections that were opened.") { $0.connections.count },
            .count("connections_resumed", "Opened connections that resumed a session.") {
                $0.connections.resumed
            },
            .number(
                "queries_per_connection",
                digits: 1...6,
                null: "no connection was kept",
                "Mean number of queries per kept connection."
            ) { $0.connections.queriesPerConnection },
        ]
    )

    /// The costs for programs, if a resolver was queried both ways.
    static func field<Row>(_ costs: @escaping @Sendable (Row) -> [EncryptionCost]) -> Field<Row> {
        .list(
            "encryption",
            shape,
            when: "a resolver was asked over a plain and an encrypted transport",
            "Cost of encryption."
        ) { row in
            let costs = costs(row)
            return costs.isEmpty ? nil : costs
        }
    }
}

extension TransportEvidence {
    /// Costs of encryption, in the order of `rows`, which are of the same window.
    func costs(_ rows: [ResolverSummary]) -> [EncryptionCost] {
        let (evidence, targets, rules) = evidence()
        func place(_ cost: EncryptionCost) -> Int {
            rows.firstIndex { row in
                row.target.label == cost.label && row.target.transport == cost.encrypted
            } ?? .max
        }
        return EncryptionCost.all(evidence, of: targets, rows: rows, rules: rules)
            .sorted(byKey: place, <)
    }
}

struct OpenedConnections {
    let count: Int
    /// The connections with a resumed session.
    let resumed: Int
    /// The median of the first answers, in milliseconds.
    let firstAnswer: Double?
    /// The cost of one connection, in milliseconds: the median of first answers minus the median of later
    /// answers.
    let cost: Double?
    /// The mean number of queries per kept connection. A connection that the warm-up opened counts as one.
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

extension Recording.Transport {
    /// The name of the transport in a sentence.
    var wording: String {
        guard let kind else { return EscapedText.terminal(description) }
        return kind == .h3 ? "HTTP/3" : kind.rawValue.uppercased()
    }
}
