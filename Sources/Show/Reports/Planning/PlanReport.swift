package import Samples
package import Statistics

/// The required length of a comparison, from earlier rounds.
package struct PlanReport: Report {
    /// One candidate.
    package struct Row: Sendable {
        package var target: Recording.Target
        package var name: String
        /// The number of candidates of one run.
        package var candidates: Int
        /// The number of questions per round.
        package var questions: Int
        /// The earlier rounds of the candidate and the baseline, and the usable ones.
        package var measured: Int
        package var earlier: Int
        /// The length for the wanted difference; `nil` if no run is long enough.
        package var length: Length?
        /// The smallest difference that the given time finds, in milliseconds.
        package var smallest: Double?

        package init(
            target: Recording.Target,
            name: String,
            candidates: Int,
            questions: Int,
            measured: Int,
            earlier: Int
        ) {
            self.target = target
            self.name = name
            self.candidates = candidates
            self.questions = questions
            self.measured = measured
            self.earlier = earlier
        }

        var isFounded: Bool { earlier >= VerdictForecast.fewestEarlier }
        /// The length, if one run can have it.
        var reachable: Length? { length.flatMap { $0.most == nil ? $0 : nil } }
    }

    /// The length of a run, and its likely range. `most` is the limit of rounds with uncached names, if it is
    /// too low.
    package typealias Length = (
        rounds: Int, range: ClosedRange<Int>, duration: Duration,
        durations: ClosedRange<Duration>, most: Int?
    )
    /// A run of given length.
    package typealias Time = (duration: Duration, rounds: Int)
    /// The planned run: its pace, the length of one `round` at this pace, the queries of a round, and the
    /// rounds after which it ends without a verdict.
    package typealias Run = (
        pace: Pace, round: Duration, resolvers: Int, queries: Int, mostRounds: Int
    )

    package let context: WindowContext
    /// The name of the baseline.
    package let baseline: String
    package let rules: ComparisonRules
    package let run: Run
    /// The true difference to find, in milliseconds, if it was given.
    package var difference: Double?
    package var time: Time?
    /// In the order of the history.
    package var rows: [Row]
    /// The number of earlier rounds that improves the forecast; `nil` if more rounds do not improve it.
    package var nextPrecision: VerdictForecast.Precision?
    /// The number of places that measured the rounds.
    package var places = 1

    package init(
        context: WindowContext,
        baseline: String,
        rules: ComparisonRules,
        run: Run,
        rows: [Row]
    ) {
        self.context = context
        self.baseline = baseline
        self.rules = rules
        self.run = run
        self.rows = rows
    }

    /// The rounds per hour of the schedule in the guide.
    static let scheduledRounds = 12
    static let scheduleMinutes = 60 / scheduledRounds

    package var document: Document {
        var sections: [Document.Section] = []
        if difference != nil { sections.append(lengthSection) }
        if time != nil { sections.append(timeSection) }
        if rows.count > 1, !sections.isEmpty { sections[0].tables = [table] }
        if !sections.isEmpty { sections[sections.count - 1].details += basis }
        var document = Document(
            sections,
            provenance: "\(context.span)\(context.zoneNote), dnstempo \(context.toolVersion).",
            json: { json }
        )
        document.closing = [document.provenance]
        return document
    }

    private var table: Table {
        let earlier = rows.map { Table.Cell("\($0.earlier)") }
        var columns: [Table.Column] = [
            .init("candidate", rows.map { Table.Cell($0.name) }, .heading),
            .init("history", earlier, .figures, drop: 2),
        ]
        if difference != nil {
            let lengths = rows.map(\.length)
            let times = rows.map { $0.reachable.map { LatencyFormat.span($0.duration) } ?? "–" }
            columns += [
                .init("rounds", lengths.map { $0.map { "\($0.rounds)" } ?? "–" }, .figures),
                .init("range", lengths.map { $0?.range.text ?? "–" }, .figures, drop: 1),
                .init("time", times, .figures),
            ]
        }
        if time != nil {
            let cells = rows.map { $0.smallest.map(Self.rough) ?? "–" }
            columns.append(.init("finds from", cells, .figures))
        }
        return Table(columns)
    }

    /// A forecast of a difference, with as many digits as it supports.
    static func rough(_ milliseconds: Double) -> String {
        LatencyFormat(supportedBy: milliseconds / 5, otherwise: .init(fitting: [milliseconds]))
            .prose(milliseconds)
    }
}

extension ClosedRange<Int> {
    fileprivate var text: String { "\(lowerBound)–\(upperBound)" }
}

extension PlanReport {
    private static let lacksTime = "`--for` was not given"

    /// The report for programs: schema `dnstempo.plan/1`.
    var json: JSONValue { Self.shape.members(of: self) }

    package static let shape = Shape<PlanReport>(
        "plan-report",
        DocumentHead.fields("dnstempo.plan/1") { $0.context.toolVersion } + [
            .moment("since", "Start of the earlier rounds.") { $0.context.window.lowerBound },
            .moment("until", "End of the earlier rounds.") { $0.context.window.upperBound },
            .text("baseline", "Label of the baseline.") { $0.baseline },
            .time("difference_ms", null: "`--difference` was not given", "Difference to find.") {
                $0.difference
            },
            .time("margin_ms", "Smallest difference that is worth a switch.") { $0.rules.margin },
            .number("power", .share, digits: 1...3, "Probability that the run finds it.") { _ in
                VerdictForecast.power
            },
            .number("alpha", .share, digits: 1...3, "Error probability of a verdict.") {
                $0.rules.alpha
            },
            seconds("for_s", null: lacksTime, "Time that was given.") { $0.time?.duration },
            .count("for_rounds", null: lacksTime, "Rounds of that time.") { $0.time?.rounds },
            seconds("round_s", "Length of a round.") { $0.run.round },
            .number("rate", .perSecond, digits: 1...9, "Queries per second to one resolver.") {
                $0.run.pace.rate
            },
            .number("total_rate", .perSecond, digits: 1...9, "Queries per second to all.") {
                $0.run.pace.totalRate
            },
            .count("schedule_rounds_per_hour", "Rounds per hour of the proposed schedule.") { _ in
                scheduledRounds
            },
            .list("candidates", Row.shape, "One entry per candidate.") { $0.rows },
        ]
    )

    fileprivate static func seconds<Row>(
        _ key: String,
        null: String? = nil,
        _ meaning: String,
        _ duration: @escaping @Sendable (Row) -> Duration?
    ) -> Field<Row> {
        .number(key, .seconds, digits: 1...3, null: null, meaning) { duration($0)?.inSeconds }
    }
}

extension PlanReport.Row {
    private static let hasNoLength =
        "2,000 rounds do not find the difference, or `--difference` was not given"
    private static let hasNoDuration = "there is no length that one run may have"

    fileprivate static let shape = Shape<PlanReport.Row>(
        "candidate",
        Recording.Target.fields.of { $0.target } + [
            .count("compared", "Candidates of one run.") { $0.candidates },
            .count("questions", "Queries per round and resolver.") { $0.questions },
            .count("history_rounds", "Earlier rounds of both resolvers.") { $0.measured },
            .count("usable_rounds", "Earlier rounds that the forecast uses.") { $0.earlier },
            .count("rounds", null: hasNoLength, "Rounds that find the difference.") {
                $0.length?.rounds
            },
            Field("rounds_range", .range(.count), null: hasNoLength, "Likely range of `rounds`.") {
                row in
                row.length.map {
                    .array([.integer($0.range.lowerBound), .integer($0.range.upperBound)])
                } ?? .null
            },
            PlanReport.seconds("duration_s", null: hasNoDuration, "Length of the run.") {
                $0.reachable?.duration
            },
            Field(
                "duration_range_s",
                .range(.number),
                unit: .seconds,
                null: hasNoDuration,
                "Likely range of `duration_s`."
            ) { row in
                row.reachable.map { length in
                    .array(
                        [length.durations.lowerBound, length.durations.upperBound].map {
                            .number($0.inSeconds, least: 1, most: 3)
                        }
                    )
                } ?? .null
            },
            .count(
                "most_rounds",
                null: "one run may have `rounds`",
                "Most rounds of one run with uncached names."
            ) { $0.length?.most },
            .time(
                "smallest_difference_ms",
                null: "`--for` was not given, or is too short",
                "Smallest difference that the given time finds."
            ) { $0.smallest },
        ]
    )
}
