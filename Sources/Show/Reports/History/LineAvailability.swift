import Analysis
import Samples
import Statistics

/// The rounds of a window, and those in which no resolver answered.
///
/// A round is marked as an outage only if at least three resolvers in two networks were silent. With fewer
/// resolvers the availability is unknown.
struct LineAvailability: Hashable, Sendable {
    private static let leastResolvers = 3
    /// The shortest window with a sentence.
    private static let leastWindow = Duration.seconds(86_400)

    /// The rounds that were sent, on a machine that was awake.
    let rounds: Int
    let silent: Int

    init?(_ log: RoundLog, resolvers: Int) {
        guard resolvers >= Self.leastResolvers, log.onlyVantage != nil else { return nil }
        let sent = log.rounds.filter {
            $0.marks.contains(.outage) || $0.marks.isDisjoint(with: [.offline, .suspended])
        }
        rounds = sent.reduce(0) { $0 + $1.rounds }
        silent = sent.reduce(0) { $0 + ($1.marks.contains(.outage) ? $1.rounds : 0) }
        guard rounds > 0 else { return nil }
    }

    /// The share of the rounds with an answer, 0 to 1.
    var share: Double { Double(rounds - silent) / Double(rounds) }

    /// A clause such as `99.7 % of 336 rounds had an answer, 1 had none`.
    var words: String {
        guard silent > 0 else { return "each round had an answer" }
        // 99.96 % must not become 100.0 %.
        let percent = (share * 100).fixed(least: 1, most: 3)
        return "\(percent) % of \(rounds.of("round", "rounds")) had an answer, \(silent) had none"
    }

    /// The sentence of a report over a day or more; `nil` for shorter windows.
    func sentence(over window: Range<Timestamp>) -> String? {
        let length = window.upperBound.since(window.lowerBound)
        return length < Self.leastWindow ? nil : "Availability: \(words)."
    }

    static let shape = Shape<LineAvailability>(
        "availability",
        [
            .count("rounds", "Rounds that were sent.") { $0.rounds },
            .count("without_answer", "Rounds in which no resolver answered.") { $0.silent },
            Field("share", .number, unit: .share, "Share of the rounds with an answer.") {
                .number($0.share, least: 1, most: 6)
            },
        ]
    )

    static func field<Row>(_ value: @escaping @Sendable (Row) -> LineAvailability?) -> Field<Row> {
        .object(
            "availability",
            shape,
            when: "one place measured at least three resolvers",
            "Rounds with an answer.",
            value
        )
    }
}

extension HistoryReport where Self: GatedReport {
    /// The rounds with an answer; `nil` for several places, and for few resolvers.
    var availability: LineAvailability? {
        LineAvailability(provenance.log, resolvers: Set(labels).count)
    }

    /// The sentence on the rounds with an answer, over a day or more.
    var availabilitySentence: [String] {
        [availability?.sentence(over: context.window)].compactMap(\.self)
    }
}
