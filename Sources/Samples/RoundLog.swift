/// When rounds were measured, and which of them are kept out of the figures.
package struct RoundLog: Hashable, Sendable {
    /// Rounds one after another, from the start of the first to that of the last.
    package struct Span: Hashable, Sendable {
        package var vantage: String
        package var start: Timestamp
        package var end: Timestamp
        package var rounds: Int
    }

    /// The rounds of one place, of which a year has hundreds of thousands.
    private struct Course: Hashable {
        var vantage: String
        var rounds: [RoundMoment] = []
        var isSorted = true
        /// All that any round carries.
        var marks: RoundMarks = []

        mutating func add(_ round: RoundMoment) {
            if let last = rounds.last, round.started < last.started { isSorted = false }
            rounds.append(round)
            marks.formUnion(round.marks)
        }

        var sorted: [RoundMoment] {
            isSorted ? rounds : rounds.sorted { $0.started < $1.started }
        }
    }

    private var courses: [Course] = []
    /// Where the last round was added: the next one is mostly of the same place.
    private var current = 0

    package init() {}

    package mutating func add(_ recording: Recording) {
        for round in recording.rounds {
            let run = Int(round.run)
            let vantage = recording.runs.indices.contains(run) ? recording.runs[run].vantage : ""
            add(RoundMoment(vantage: vantage, started: round.started, marks: round.marks))
        }
    }

    package mutating func add(_ round: RoundMoment) {
        if !courses.indices.contains(current) || courses[current].vantage != round.vantage {
            current = courses.firstIndex { $0.vantage == round.vantage } ?? courses.count
            if current == courses.count { courses.append(Course(vantage: round.vantage)) }
        }
        courses[current].add(round)
    }

    /// Place by place.
    package var rounds: [RoundMoment] { courses.flatMap(\.rounds) }

    package var vantages: [String] { courses.map(\.vantage).sorted() }

    package var isEmpty: Bool { courses.isEmpty }

    package var count: Int { courses.reduce(0) { $0 + $1.rounds.count } }

    /// The part of a window in which there are rounds, with a day on either side; `nil` without any.
    package func measured(within window: Range<Timestamp>) -> Range<Timestamp>? {
        let starts = courses.flatMap { course in
            course.isSorted
                ? [course.rounds.first, course.rounds.last].compactMap { $0?.started }
                : course.rounds.map(\.started)
        }
        guard let first = starts.min(), let last = starts.max() else { return nil }
        let day = Duration.seconds(86_400)
        let part = first.advanced(by: .zero - day)..<last.advanced(by: day)
        return part.overlaps(window) ? part.clamped(to: window) : nil
    }

    /// Rounds that carry one of `marks`, those that follow each other as one.
    package func spans(marked marks: RoundMarks) -> [Span] {
        byVantage.flatMap { course in
            guard !course.marks.isDisjoint(with: marks) else { return [Span]() }
            var spans: [Span] = []
            var isOpen = false
            for round in course.sorted {
                guard !round.marks.isDisjoint(with: marks) else {
                    isOpen = false
                    continue
                }
                if isOpen, let last = spans.indices.last {
                    spans[last].end = round.started
                    spans[last].rounds += 1
                } else {
                    let start = round.started
                    spans.append(Span(vantage: course.vantage, start: start, end: start, rounds: 1))
                }
                isOpen = true
            }
            return spans
        }
    }

    /// Times without rounds of a place, before `end` too: longer than two and a half of its usual
    /// distances. `rounds` is how many would have been.
    package func gaps(until end: Timestamp) -> [Span] {
        byVantage.flatMap { course -> [Span] in
            let starts = course.sorted.map(\.started)
            guard let usual = Self.usualDistance(of: starts) else { return [] }
            return zip(starts, starts.dropFirst() + [max(end, starts[starts.count - 1])])
                .compactMap { start, next in
                    let slots = Self.seconds(from: start, to: next) / usual
                    guard slots > 2.5, slots < 1e12 else { return nil }
                    return Span(
                        vantage: course.vantage,
                        start: start,
                        end: next,
                        rounds: Int(slots.rounded()) - 1
                    )
                }
        }
    }

    /// The seconds from one round to the next, as is usual at the place that measures least often;
    /// `nil` with too few rounds.
    package var usualDistance: Double? {
        courses.compactMap { Self.usualDistance(of: $0.sorted.map(\.started)) }.max()
    }

    /// `starts` ascending.
    private static func usualDistance(of starts: [Timestamp]) -> Double? {
        // Two distances do not yet tell what is usual; of a year's a part tells it.
        guard starts.count > 3 else { return nil }
        let distances = stride(from: 1, to: starts.count, by: 1 + starts.count / 10_000)
            .map { seconds(from: starts[$0 - 1], to: starts[$0]) }.sorted()
        let usual = distances[distances.count / 2]
        return usual > 0 ? usual : nil
    }

    private var byVantage: [Course] { courses.sorted { $0.vantage < $1.vantage } }

    /// In plain numbers: a year has a hundred thousand distances.
    private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        (Double(end.nanoseconds) - Double(start.nanoseconds)) / 1e9
    }
}
