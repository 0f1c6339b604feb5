import Catalogue
import Samples
import Statistics

extension ComparisonReport {
    /// What encryption costs each resolver that was asked with and without it, a sentence each.
    /// `name` makes a label harmless for where the sentences go.
    func encryptionWords(
        name: (String) -> String = EscapedText.terminal
    ) -> [String] {
        EncryptionCost.all(of: self).map { $0.words(name: name) }
    }
}

extension EncryptionCost {
    /// Openings of connections that a median needs.
    private static let fewestOpenings = 5

    func words(name: (String) -> String) -> String {
        let times = [added, addedInterval.lower, addedInterval.upper].compactMap { $0.map(abs) }
        // What is known within 1 % has no digits to show.
        let format = LatencyFormat(fitting: blur > 0 ? times.map { max(1, $0) } : times)
        let parts = [queries(name(label), format), openings].compactMap(\.self)
        return parts.joined(separator: "; ") + "."
    }

    // MARK: - Queries on a kept connection

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
            "sure to \(DifferenceWords.percent(comparison.confidence))"
            + (comparison.unit == .hour ? " by the medians of \(evidence)" : "")
        guard lower > 0 || upper < 0 else {
            let times = DifferenceWords(format: format)
            return "Over \(over), the answers of \(name) cannot be told apart from those over "
                + "\(under): between \(times.difference(-lower)) and \(times.difference(-upper)), "
                + certainty
        }
        let (low, high) = lower > 0 ? (lower, upper) : (-upper, -lower)
        return gap + " (\(format.number(low)) to \(format.cell(high)), \(certainty))"
    }

    /// Such as `20 rounds`.
    private var evidence: String {
        switch comparison.unit {
        case .round: comparison.rounds.of("round", "rounds")
        case .hour: comparison.rounds.of("hour", "hours")
        }
    }

    /// Such as `took 1.9 ms longer than`.
    private func gap(_ added: Double, _ format: LatencyFormat) -> String {
        if Double(format.number(abs(added))) == 0 { return "came as soon as" }
        let time = format.prose(abs(added))
        return added > 0 ? "took \(time) longer than" : "came \(time) sooner than"
    }

    // MARK: - Opening a connection

    private var openings: String? {
        guard let cost = connections.cost else { return nil }
        let format = LatencyFormat(fitting: [cost])
        let count = connections.count
        let kind = connections.areMostlyResumed ? "a resumed connection" : "a connection"
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

    private static func wording(_ transport: String) -> String {
        switch TransportKind(rawValue: transport) {
        case .udp: "UDP"
        case .tcp: "TCP"
        case .tls: "TLS"
        case .https: "HTTPS"
        case .quic: "QUIC"
        case .h3: "HTTP/3"
        case nil: EscapedText.terminal(transport)
        }
    }
}

extension EncryptionCost {
    /// For programs; `null` for what is too little to tell, and at the open end of an interval.
    var json: JSONValue {
        [
            "resolver": .string(label),
            "series": .string(series.description),
            "plain": .string(plain),
            "encrypted": .string(encrypted),
            "unit": .string(comparison.unit.rawValue),
            "rounds": .integer(comparison.rounds),
            "pairs": .integer(comparison.pairs),
            "added_ms": .milliseconds(added),
            "added_ci_ms": .array([
                .milliseconds(addedInterval.lower), .milliseconds(addedInterval.upper),
            ]),
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
