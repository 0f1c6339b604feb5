import Analysis
import Samples
import Statistics

extension Availability {
    private static let leastResolvers = 3

    /// The rounds of a window, and those in which no resolver answered; `nil` if they are unknown. A round is
    /// marked as an outage only if at least three resolvers in two networks were silent. Rounds that were not
    /// sent, or during which this machine slept, do not count.
    init?(ofLine log: RoundLog, resolvers: Int) {
        guard resolvers >= Self.leastResolvers, log.onlyVantage != nil else { return nil }
        let sent = log.rounds.filter {
            $0.marks.contains(.outage) || $0.marks.isDisjoint(with: [.offline, .suspended])
        }
        self.init(
            rounds: sent.reduce(0) { $0 + $1.rounds },
            dead: sent.reduce(0) { $0 + ($1.marks.contains(.outage) ? $1.rounds : 0) }
        )
        guard rounds > 0 else { return nil }
    }

    /// The share of the rounds with an answer, with two digits of the other share: 99.96 % must not become
    /// 100 %.
    var percent: String {
        guard dead > 0, dead < rounds else { return dead > 0 ? "0 %" : "100 %" }
        var (decimals, digits) = (1, (1 - share) * 1000)
        while digits < 10, decimals < 9 { (decimals, digits) = (decimals + 1, digits * 10) }
        return "\((share * 100).fixed(least: 1, most: decimals)) %"
    }

    /// A clause on the line such as `99.7 % of 336 rounds had an answer, 1 had none`.
    var words: String {
        guard dead > 0 else { return "each round had an answer" }
        return "\(percent) of \(rounds.of("round", "rounds")) had an answer, \(dead) had none"
    }

    static let shape = Shape<Availability>(
        "availability",
        [
            .count("rounds", "Rounds that were sent.") { $0.rounds },
            .count("without_answer", "Rounds without an answer.") { $0.dead },
            Field("share", .number, unit: .share, "Share of the rounds with an answer.") {
                .number($0.share, least: 1, most: 6)
            },
        ]
    )

    /// The availability of the line.
    static func field<Row>(_ value: @escaping @Sendable (Row) -> Availability?) -> Field<Row> {
        .object(
            "availability",
            shape,
            when: "one place measured at least three resolvers",
            "Rounds with an answer from any resolver.",
            value
        )
    }
}

/// The rounds with an answer from one resolver.
struct ResolverAvailability: Sendable {
    /// The name that the report shows.
    var name: String
    var subject: HistoryHours.Subject
    var rounds: Availability

    static let shape = Shape<ResolverAvailability>(
        "resolver-availability",
        [.text("vantage", "Name of the vantage point.") { $0.subject.vantage }]
            + Recording.Target.fields.of { $0.subject.target }
            + Availability.shape.fields.of { $0.rounds }
    )
}

extension [ResolverAvailability] {
    /// A list such as `brook 99.1 % (31 of 3400 rounds without an answer), harbour 99.98 % (1 of 5000)`, the
    /// lowest availability first. It is `nil` if each round had an answer from each resolver.
    var words: String? {
        let worst = filter { $0.rounds.dead > 0 }
            .sorted { ($0.rounds.share, $0.name) < ($1.rounds.share, $1.name) }
        let parts = worst.enumerated().map { index, row in
            let all =
                index == 0
                ? row.rounds.rounds.of("round", "rounds") + " without an answer"
                : "\(row.rounds.rounds)".grouped
            return
                "\(EscapedText.terminal(row.name)) \(row.rounds.percent) (\(row.rounds.dead) of \(all))"
        }
        return parts.isEmpty ? nil : parts.bounded
    }
}

extension HistoryReport where Self: GatedReport {
    /// The rounds with an answer; `nil` for several places, and for few resolvers.
    var availability: Availability? {
        Availability(ofLine: provenance.log, resolvers: Set(labels).count)
    }

    /// The sentences on the rounds with an answer over a day or more: of any resolver, and of each resolver
    /// with rounds without an answer.
    var availabilitySentences: [String] {
        let window = context.window
        guard window.upperBound.since(window.lowerBound) >= .seconds(86_400) else { return [] }
        return availabilitySentences(in: "")
    }

    /// The same sentences, whose period follows their first word.
    func availabilitySentences(in period: String) -> [String] {
        let line = availability.map { "Availability\(period): \($0.words)." }
        let own = resolverAvailabilities.words.map {
            line == nil ? "Availability\(period): \($0)." : "By resolver: \($0)."
        }
        return [line, own].compactMap(\.self)
    }
}
