package import Analysis
package import Samples
package import Statistics

/// Since when which resolver is slower, faster, less or more reliable, or has fewer or more names in
/// its cache, by how much, and which are unchanged.
package struct ChangesReport: HistoryReport {
    static let kind = "changes"

    package struct Finding: Hashable, Sendable {
        package var subject: HistoryHours.Subject
        /// The label, with what tells it apart.
        package var name: String
        package var change: LevelChange
        /// The hour of the change of speed before it, though it may be none of the window.
        var previous: Int?
        /// The move to another site that came with it, where one is known.
        var move: SiteMove?
        /// Why it changed; `nil` of shares, and where no samples are left to tell.
        package var cause: CauseFinding?
        /// The way to the resolver, where it was traced for the change.
        var trace: KeptTrace?
        /// Answers of the resolver that may be anybody's, since no certificate was verified.
        var unverified = 0
        /// The word for queries that fail since, or until then where it is for the better.
        var noun = FailureNoun.loss

        package var target: Recording.Target { subject.target }

        var since: Timestamp { Timestamp(hoursSinceEpoch: change.hour) }

        var established: Timestamp {
            Timestamp(hoursSinceEpoch: change.establishedHour)
        }
    }

    /// Time to read before a window, so that its first hours can be judged: the reference of the
    /// detector, and as long again and more, for the reference to be judged too, and for the weeks.
    package static let lead = Duration.seconds(42 * 86_400)

    package let context: WindowContext
    /// In the order of their hours.
    package private(set) var findings: [Finding]
    /// Resolvers that were judged, and did not change.
    package let unchanged: [String]
    /// Resolvers with too few hours to judge any.
    package let unjudged: [String]
    /// Failures in the window and before it, of resolvers with any failed query.
    private let losses: [String]
    private let noun: FailureNoun
    /// Resolvers that became slower at many places at once; `nil` for few places.
    let fleet: [FleetFinding]?
    let provenance: Provenance
    let verification: Verification
    /// The labels of all that were measured.
    private let labels: Set<String>

    /// `hours` are those of the window, and before it of ``lead``, where `lead` has not those; changes
    /// are told that were established within the window.
    package init(
        of hours: HistoryHours,
        after lead: HistoryHours? = nil,
        context: WindowContext
    ) {
        self.context = context
        let start = context.window.lowerBound.hoursSinceEpoch
        let courses = hours.courses(after: lead)
        provenance = hours.provenance
        verification = Verification(of: courses.lazy.flatMap { $0.hours.lazy.map(\.value) })
        labels = Set(courses.map(\.subject.target.label))
        fleet = courses.fleetFindings?.filter { $0.establishedHour >= start }
        let counts = courses.map { ($0.counts(in: ..<start), $0.counts(in: start...)) }
        noun = FailureNoun(of: counts.flatMap { [$0, $1] })
        losses = zip(courses, counts).compactMap { course, counts in
            let (before, now) = (counts.0.failureRate, counts.1.failureRate)
            guard now.part > 0 || before.part > 0 else { return nil }
            return "\(course.name) \(now.description)"
                + (before.whole > 0 ? " (before: \(before.description))" : "")
        }
        var judged = Concurrently.map(courses) {
            course -> (course: HistoryHours.Course, history: ChangeHistory, speed: [Int])? in
            let blocks = course.blocks()
            guard let last = blocks.last?.hour, last >= start else { return nil }
            var history = ChangeDetector.history(of: blocks)
            let ofSpeed = history.changes.filter(\.kind.isOfSpeed).map(\.hour)
            // Of earlier hours only the reference is wanted.
            history.changes.removeAll { $0.establishedHour < start }
            return (course, history, ofSpeed)
        }
        .compactMap(\.self)
        // All transports of a resolver have the same warm-ups, and tell of its cache once.
        for index in judged.indices
        where judged[index].history.changes.contains(where: { $0.kind.measure == .cache }) {
            let subject = judged[index].course.subject
            let told = judged[..<index].filter { $0.course.subject.isResolver(of: subject) }
                .flatMap(\.history.changes)
            judged[index].history.changes.removeAll { change in
                change.kind.measure == .cache
                    && told.contains {
                        $0.kind == change.kind
                            && abs($0.hour - change.hour) < ChangeDetector.sameChangeHours
                    }
            }
        }
        findings = judged.flatMap { course, history, ofSpeed in
            history.changes.map { change -> Finding in
                let failed =
                    change.kind.isForTheWorse
                    ? course.counts(in: change.hour...) : course.counts(in: ..<change.hour)
                return Finding(
                    subject: course.subject,
                    name: course.name,
                    change: change,
                    previous: ofSpeed.last { $0 < change.hour },
                    unverified: course.unverified,
                    noun: FailureNoun(of: [failed])
                )
            }
        }
        .sorted { $0.change.hour < $1.change.hour }
        let others = judged.filter(\.history.changes.isEmpty)
        unjudged = others.filter { $0.history.judgedHours == 0 }.map(\.course.name)
        unchanged = others.filter { $0.history.judgedHours > 0 }.map(\.course.name)
    }

    package var isEmpty: Bool { findings.isEmpty }

    /// Names the sites where a change came with a move from one to another.
    mutating func name(_ sites: [AnsweringSites]) {
        for index in findings.indices where findings[index].change.kind.isOfSpeed {
            let finding = findings[index]
            // A change is dated to the hour, by what the hours around it have.
            findings[index].move = sites.moves(of: finding.subject)
                .first { abs($0.moment.hoursSinceEpoch - finding.change.hour) <= 3 }
        }
    }

    /// The hours before `end` of a place as it judges them anew every hour: changes that were
    /// established long enough ago have been told of, and their causes are known.
    package init(judging hours: HistoryHours, until end: Timestamp, clock: LocalClock) {
        let span = Duration.seconds(
            3600 * (CauseHours.mostHoursAfter + ChangeDetector.sameChangeHours)
        )
        let window = end.advanced(by: .zero - span)..<end
        self.init(
            of: hours,
            context: WindowContext(toolVersion: "", window: window, clock: clock)
        )
    }

    /// Tells the causes that are known already.
    mutating func recall(_ known: [EstablishedCause]) {
        for index in findings.indices {
            let finding = findings[index]
            findings[index].cause =
                known.filter { $0.isCause(of: finding) }
                .min {
                    abs($0.hour - finding.change.hour) < abs($1.hour - finding.change.hour)
                }?.finding
        }
    }

    /// Tells the ways to resolvers that were traced for the changes.
    mutating func recall(_ traces: [KeptTrace]) {
        for index in findings.indices {
            let finding = findings[index]
            findings[index].trace = traces.filter { $0.isTrace(of: finding) }.max {
                $0.time < $1.time
            }
        }
    }

    /// Tells the causes that are `known`, and of the newest other changes of speed those that the
    /// samples of the hours around each tell.
    package mutating func explain(
        with sites: [AnsweringSites],
        known: [EstablishedCause],
        reading: (Range<Timestamp>) throws -> CauseHours
    ) rethrows {
        recall(known)
        let open = findings.indices.filter {
            findings[$0].change.kind.isOfSpeed && findings[$0].cause == nil
        }
        for index in open.suffix(Self.mostExplained) {
            let finding = findings[index]
            let next = findings[(index + 1)...].first {
                $0.subject == finding.subject && $0.change.kind.isOfSpeed
            }
            findings[index].cause = try reading(CauseHours.span(around: finding.change.hour))
                .cause(
                    of: finding.change,
                    of: finding.subject,
                    since: finding.previous,
                    until: next?.change.hour,
                    moves: sites.moves(of: finding.subject)
                )
        }
    }

    /// The causes that were found now and that more hours would not change.
    package func establishedCauses(besides known: [EstablishedCause]) -> [EstablishedCause] {
        let end = context.window.upperBound.hoursSinceEpoch
        return findings.compactMap { finding in
            guard let cause = finding.cause, !known.contains(where: { $0.isCause(of: finding) }),
                cause.isNamed || finding.change.hour + CauseHours.mostHoursAfter <= end
            else { return nil }
            return EstablishedCause(
                vantage: finding.subject.vantage,
                target: finding.target,
                kind: finding.change.kind,
                hour: finding.change.hour,
                finding: cause
            )
        }
    }

    /// Each takes the samples of two weeks.
    private static let mostExplained = 5

    package var document: Document {
        document(words, columns, figures: { fields.table(of: findings) })
    }

    private var words: [String] {
        let judged = unchanged.count + Set(findings.map(\.name)).count
        guard judged + unjudged.count > 0 else { return [context.nothing] }
        let band =
            "\(LatencyFormat.plain(ChangeDetector.leastBand)) or "
            + DifferencePhrases.percent(ChangeDetector.relativeBand)
        let days = ChangeDetector.referenceHours / 24
        let told = findings.told(clock: context.clock)
        let support = told.first.map { "\($0.name): \($0.support)." }
        let fleet = fleetSentences
        // Places may have changed together, none of them so that it could be told by itself.
        let answer = fleet.isEmpty || !told.isEmpty ? [headline(told.first)] : []
        return fleet + answer
            + [support, told.first?.cause, told.first?.path].compactMap(\.self)
            + told.prefix(3).dropFirst().map(\.sentence)
            + [
                unchanged.isEmpty
                    ? nil
                    : "Latency unchanged within \(band): \(unchanged.bounded).",
                losses.isEmpty ? nil : "\(noun.text.sentenceStart): \(losses.bounded).",
                unjudged.isEmpty
                    ? nil
                    : "Too few hours with answers to judge (\(ChangeDetector.leastDays) earlier days are needed): "
                        + "\(unjudged.bounded).",
                next,
                "\(context.span) (\(context.zone)), each hour vs the same hour of the \(days) days "
                    + "before, weekly patterns removed.",
            ].compactMap(\.self)
    }

    /// The next step once a resolver changed for the worse.
    private var next: String? {
        let last = findings.last { $0.change.kind.isForTheWorse }
        guard labels.count > 1, let label = last?.target.label else { return nil }
        return "If \(EscapedText.terminal(label)) is your resolver: "
            + "\(context.comparison(with: label)) tells whether another one is better now."
    }

    private func headline(_ latest: ToldChange?) -> String {
        guard let latest else {
            return unchanged.isEmpty
                ? "Too few hours to find changes." : "No change in latency was found."
        }
        let count = findings.count == 1 ? "One change" : "\(findings.count) changes; the latest"
        return "\(count): \(latest.name), \(latest.claim)."
    }

    private var columns: [Table.Column] {
        guard !findings.isEmpty else { return [] }
        return [
            .init("since", findings.map { context.clock.text($0.since) }),
            .init("resolver", findings.map(\.name), .heading),
            .init("change", findings.map(\.change.kind.words)),
            .init("by", findings.map(\.sizeText), .figures),
            .init("95 % interval", findings.map(\.intervalText), .figures, drop: 3),
            .init("before", findings.map { $0.levelText($0.change.before) }, .figures, drop: 2),
            .init("after", findings.map { $0.levelText($0.change.after) }, .figures, drop: 1),
        ]
    }

    /// For spreadsheets, which have one unit a row.
    private var fields: [Field<Finding>] {
        let hasUnverified = findings.contains { $0.unverified > 0 }
        let hasTail = findings.contains { $0.change.medianMoved != nil }
        return Finding.identity + [
            Field("established") { .moment($0.established) },
            .time("before") { $0.change.before }, .time("after") { $0.change.after },
            .time("size") { $0.change.size },
        ] + Field.interval("ci") { $0.change.interval.map(JSONValue.ends) } + [
            .text("unit") { $0.change.kind.isOfSpeed ? "ms" : "rate" }
        ]
            + (hasTail ? [.time("median_size") { $0.change.medianMoved }] : [])
            + (findings.contains { $0.cause != nil }
                ? [.text("cause") { $0.cause?.cause.rawValue ?? "" }] : [])
            + (hasUnverified ? [.count("unverified") { $0.unverified }] : [])
    }

    var members: JSONValue {
        [
            "dead_band_ms": .milliseconds(ChangeDetector.leastBand),
            "dead_band_share": .number(ChangeDetector.relativeBand, least: 1, most: 6),
            "changes": .array(findings.map(\.json)),
            "unchanged": .array(unchanged.map(JSONValue.string)),
            "not_judged": .array(unjudged.map(JSONValue.string)),
        ] + fleetMembers
    }
}

extension [String] {
    /// All of few, the first of many.
    fileprivate var bounded: String {
        let (most, shown) = (16, 8)
        return count <= most
            ? joined(separator: ", ")
            : prefix(shown).joined(separator: ", ") + " and \(count - shown) more"
    }
}

extension HistoryHours.Subject {
    /// Whether both are one resolver at one place, over whichever transport.
    fileprivate func isResolver(of other: Self) -> Bool {
        vantage == other.vantage && target.label == other.target.label
    }
}

extension HistoryHours.Course {
    /// How the queries of some hours ended.
    fileprivate func counts(in wanted: some RangeExpression<Int>) -> OutcomeCounts {
        hours.reduce(into: OutcomeCounts()) { counts, hour in
            if wanted.contains(hour.key) { counts.merge(hour.value.counts) }
        }
    }
}

extension EstablishedCause {
    /// Whether it is that of a change, which later hours may have dated anew.
    fileprivate func isCause(of finding: ChangesReport.Finding) -> Bool {
        vantage == finding.subject.vantage && target == finding.target
            && kind == finding.change.kind
            && abs(hour - finding.change.hour) < ChangeDetector.sameChangeHours
    }
}

extension KeptTrace {
    /// Whether a change was the reason for it, or an outage by which a resolver became less reliable.
    fileprivate func isTrace(of finding: ChangesReport.Finding) -> Bool {
        let change = finding.change
        guard vantage == finding.subject.vantage, target.hasWay(of: finding.target) else {
            return false
        }
        if kind == change.kind.rawValue {
            return abs(since.hoursSinceEpoch - change.hour) < ChangeDetector.sameChangeHours
        }
        return kind == Notice.Kind.unreachable.rawValue && change.kind == .lessReliable
            && (change.hour...change.establishedHour).contains(time.hoursSinceEpoch)
    }
}
