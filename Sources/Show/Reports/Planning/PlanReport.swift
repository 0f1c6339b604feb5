package import Samples
package import Statistics

/// How long a comparison has to be, by rounds that were measured earlier.
package struct PlanReport: Report {
    /// One candidate.
    package struct Row: Sendable {
        package var target: Recording.Target
        package var name: String
        /// Resolvers that are compared with the baseline at once.
        package var candidates: Int
        /// Questions of a round.
        package var questions: Int
        /// Earlier rounds of it and the baseline, and those of them that could be used.
        package var measured: Int
        package var earlier: Int
        /// How long the wanted difference takes; `nil` where no run is long enough.
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
        /// The length where one run may have it.
        var reachable: Length? { length.flatMap { $0.most == nil ? $0 : nil } }
    }

    /// A length of a run, and its likely range; `most` is how many rounds of uncached names one run
    /// may have, where these are too few.
    package typealias Length = (
        rounds: Int, range: ClosedRange<Int>, duration: Duration,
        durations: ClosedRange<Duration>, most: Int?
    )
    /// A run of given length.
    package typealias Time = (duration: Duration, rounds: Int)
    /// A run as it would be: the pace that holds, how long one `round` takes at it, the queries of a
    /// round, and the rounds after which it ends without a verdict.
    package typealias Run = (
        pace: Pace, round: Duration, resolvers: Int, queries: Int, mostRounds: Int
    )

    package let context: WindowContext
    /// Name of the resolver that the others are compared with.
    package let baseline: String
    package let rules: ComparisonRules
    package let run: Run
    /// The true difference that is to be found, in milliseconds, where one was given.
    package var difference: Double?
    package var time: Time?
    /// In the order of the history.
    package var rows: [Row]
    /// Earlier rounds from which on the forecast is better; `nil` where it is as good as it gets.
    package var nextPrecision: VerdictForecast.Precision?
    /// Places that the rounds were measured from.
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

    /// Rounds per hour of a schedule as the guide proposes it.
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
    /// The report for programs: schema `dnstempo.plan/1`.
    var json: JSONValue {
        [
            "schema": .string("dnstempo.plan/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(context.toolVersion)],
            "since": .moment(context.window.lowerBound),
            "until": .moment(context.window.upperBound),
            "baseline": .string(baseline),
            "difference_ms": .milliseconds(difference),
            "margin_ms": .milliseconds(rules.margin),
            "power": .number(VerdictForecast.power, least: 1, most: 3),
            "alpha": .number(rules.alpha, least: 1, most: 3),
            "for_s": .seconds(time?.duration),
            "for_rounds": time.map { .integer($0.rounds) } ?? .null,
            "round_s": .seconds(run.round),
            "rate": .rate(run.pace.rate),
            "total_rate": .rate(run.pace.totalRate),
            "schedule_rounds_per_hour": .integer(Self.scheduledRounds),
            "candidates": .array(rows.map(\.json)),
        ]
    }
}

extension PlanReport.Row {
    fileprivate var json: JSONValue {
        let members: JSONValue = [
            "compared": .integer(candidates),
            "questions": .integer(questions),
            "history_rounds": .integer(measured),
            "usable_rounds": .integer(earlier),
            "rounds": length.map { .integer($0.rounds) } ?? .null,
            "rounds_range": length.map {
                .array([.integer($0.range.lowerBound), .integer($0.range.upperBound)])
            } ?? .null,
            "duration_s": .seconds(reachable?.duration),
            "duration_range_s": reachable.map {
                .array([.seconds($0.durations.lowerBound), .seconds($0.durations.upperBound)])
            } ?? .null,
            "most_rounds": length?.most.map(JSONValue.integer) ?? .null,
            "smallest_difference_ms": .milliseconds(smallest),
        ]
        return Recording.Target.fields.members(of: target) + members
    }
}

extension JSONValue {
    fileprivate static func seconds(_ duration: Duration?) -> JSONValue {
        duration.map { .number($0.inSeconds, least: 1, most: 3) } ?? .null
    }
}
