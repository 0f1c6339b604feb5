/// The times of rounds, and the rounds that are excluded from the figures.
package struct RoundLog: Hashable, Sendable {
    /// Successive rounds, from the start of the first to the start of the last.
    package struct Span: Hashable, Sendable {
        package var vantage: String
        package var start: Timestamp
        package var end: Timestamp
        package var rounds: Int
    }

    /// The rounds of one place. A year has hundreds of thousands of rounds.
    private struct PlaceLog: Hashable {
        var vantage: String
        var rounds: [RoundMoment] = []
        var isSorted = true
        /// The union of all rounds' marks.
        var marks: RoundMarks = []

        mutating func add(_ round: RoundMoment) {
            if let last = rounds.last, round.started < last.last { isSorted = false }
            rounds.append(round)
            marks.formUnion(round.marks)
        }

        var sorted: [RoundMoment] {
            isSorted ? rounds : rounds.sorted { $0.started < $1.started }
        }

        /// The rounds with one of `marks`. Successive rounds form one span.
        func spans(marked marks: RoundMarks) -> [Span] {
            guard !self.marks.isDisjoint(with: marks) else { return [] }
            var spans: [Span] = []
            var isOpen = false
            for round in sorted {
                guard !round.marks.isDisjoint(with: marks) else {
                    isOpen = false
                    continue
                }
                if isOpen, let last = spans.indices.last {
                    spans[last].end = round.last
                    spans[last].rounds += round.rounds
                } else {
                    spans.append(
                        Span(
                            vantage: vantage,
                            start: round.started,
                            end: round.last,
                            rounds: round.rounds
                        )
                    )
                }
                isOpen = true
            }
            return spans
        }
    }

    private var logs: [PlaceLog] = []
    /// The index of each place in `logs`.
    private var places: [String: Int] = [:]
    /// The index of the place of the last added round. The next round usually has the same place.
    private var current = 0

    package init() {}

    package mutating func add(_ recording: Recording) {
        for round in recording.rounds {
            let run = Int(round.run)
            let known = recording.runs.indices.contains(run) ? recording.runs[run] : nil
            add(
                RoundMoment(
                    vantage: known?.vantage ?? "",
                    started: round.started,
                    marks: round.marks,
                    origin: known?.origin ?? .imported
                )
            )
        }
    }

    package mutating func add(_ round: RoundMoment) {
        if !logs.indices.contains(current) || logs[current].vantage != round.vantage {
            current = places[round.vantage, default: logs.count]
            if current == logs.count {
                places[round.vantage] = current
                logs.append(PlaceLog(vantage: round.vantage))
            }
        }
        logs[current].add(round)
    }

    /// All rounds, place by place.
    package var rounds: [RoundMoment] { logs.flatMap(\.rounds) }

    /// The rounds of a place in the order of their start.
    package func rounds(at vantage: String) -> [RoundMoment] {
        places[vantage].map { logs[$0].sorted } ?? []
    }

    package var vantages: [String] { logs.map(\.vantage).sorted() }

    /// The place of all rounds; `nil` if there are several places or none.
    package var onlyVantage: String? { logs.count == 1 ? logs[0].vantage : nil }

    package var isEmpty: Bool { logs.isEmpty }

    package var count: Int { logs.reduce(0) { $1.rounds.reduce($0) { $0 + $1.rounds } } }

    /// The start of the last round of each place, by place.
    package var lastRounds: [(vantage: String, last: Timestamp)] {
        byVantage.compactMap { log in log.rounds.map(\.last).max().map { (log.vantage, $0) } }
    }

    /// The part of a window that contains rounds, extended by a day on both sides; `nil` if there are no
    /// rounds.
    package func measured(within window: Range<Timestamp>) -> Range<Timestamp>? {
        let starts = logs.flatMap { log in
            log.isSorted
                ? [log.rounds.first?.started, log.rounds.last?.last].compactMap(\.self)
                : log.rounds.flatMap { [$0.started, $0.last] }
        }
        guard let first = starts.min(), let last = starts.max() else { return nil }
        let day = Duration.seconds(86_400)
        let part = first.advanced(by: .zero - day)..<last.advanced(by: day)
        return part.overlaps(window) ? part.clamped(to: window) : nil
    }

    /// The rounds with one of `marks`. Successive rounds form one span.
    package func spans(marked marks: RoundMarks) -> [Span] {
        byVantage.flatMap { $0.spans(marked: marks) }
    }

    /// The same spans for one place.
    package func spans(marked marks: RoundMarks, at vantage: String) -> [Span] {
        places[vantage].map { logs[$0].spans(marked: marks) } ?? []
    }

    /// The times without rounds of a place, including the time before `end`. A gap is longer than 2.5 times
    /// the place's usual interval, and its `rounds` is the number of missing rounds. The end of a file is not
    /// a gap. Comparisons have no regular interval, because Poisson sampling allows any interval between
    /// rounds.
    package func gaps(until end: Timestamp) -> [Span] {
        byVantage.flatMap { log -> [Span] in
            let rounds = log.sorted
            let scheduled = rounds.filter { $0.origin != .compare }
            guard let usual = Self.usualDistance(of: scheduled) else { return [] }
            var gaps: [Span] = []
            func add(_ start: Timestamp, _ next: Timestamp, between rounds: Int = 0) {
                let slots = Self.seconds(from: start, to: next) / usual
                guard slots > 2.5, slots < 1e12 else { return }
                let missing = Int(slots.rounded()) - 1 - rounds
                gaps.append(
                    Span(vantage: log.vantage, start: start, end: next, rounds: missing)
                )
            }
            for (index, round) in rounds.enumerated() {
                // Joined rounds may all be far apart. An implausible number of rounds is not examined one by
                // one.
                let isFar = Self.distance(within: round) > 2.5 * usual
                if isFar, round.rounds > Self.mostListed {
                    add(round.started, round.last, between: round.rounds - 2)
                } else if isFar {
                    let starts = round.starts
                    for (start, next) in zip(starts, starts.dropFirst()) { add(start, next) }
                }
                let next = index + 1 < rounds.count ? rounds[index + 1].started : nil
                if let next {
                    add(round.last, next)
                } else if round.origin != .imported {
                    add(round.last, max(end, round.last))
                }
            }
            return gaps
        }
    }

    /// The spans of rounds with one of `marks` that include the last round of their place.
    package func ongoing(_ marks: RoundMarks) -> [Span] {
        byVantage.compactMap { log in
            guard let last = log.sorted.last, let span = log.spans(marked: marks).last,
                span.end == last.last
            else { return nil }
            return span
        }
    }

    /// A place whose next scheduled round is overdue.
    package struct Overdue: Hashable, Sendable {
        package var vantage: String
        package var last: Timestamp
        /// The usual time from one round to the next.
        package var interval: Duration
    }

    /// The places whose next scheduled round is overdue at `moment`, sorted by vantage. A round is overdue
    /// after 2.5 usual intervals, and if it is at least a minute late. The usual interval is computed from
    /// the rounds. Comparisons and imported rounds have no schedule.
    package func overdue(at moment: Timestamp) -> [Overdue] {
        byVantage.compactMap { log in
            let scheduled = log.sorted.filter { [.sample, .watch].contains($0.origin) }
            guard let usual = Self.usualDistance(of: scheduled),
                let last = scheduled.map(\.last).max()
            else { return nil }
            let age = Self.seconds(from: last, to: moment)
            guard age > 2.5 * usual, age > usual + 60 else { return nil }
            let interval = Duration.milliseconds(Int64(usual * 1000))
            return Overdue(vantage: log.vantage, last: last, interval: interval)
        }
    }

    /// The maximum number of rounds whose intervals are examined one by one: a year of rounds, one minute
    /// apart.
    private static let mostListed = 600_000

    /// The usual interval in seconds of the place that measures least often; `nil` if there are too few
    /// rounds.
    package var usualDistance: Double? {
        logs.compactMap { Self.usualDistance(of: $0.sorted) }.max()
    }

    /// The usual interval in seconds of one place; `nil` if there are too few rounds.
    package func usualDistance(at vantage: String) -> Double? {
        Self.usualDistance(of: rounds(at: vantage))
    }

    /// The median interval. `rounds` must be in ascending order.
    private static func usualDistance(of rounds: [RoundMoment]) -> Double? {
        // Two intervals are too few for a usual interval. For a year of rounds, a sample of the intervals is
        // sufficient.
        guard rounds.reduce(0, { $0 + $1.rounds }) > 3 else { return nil }
        let between = stride(from: 1, to: rounds.count, by: 1 + rounds.count / 10_000)
            .map { (seconds(from: rounds[$0 - 1].last, to: rounds[$0].started), count: 1) }
        let within = rounds.lazy.filter { $0.rounds > 1 }
            .map { (distance(within: $0), count: $0.rounds - 1) }
        let distances = (between + within).sorted { $0.0 < $1.0 }
        var left = distances.reduce(0) { $0 + $1.count } / 2
        let usual = distances.first { distance in
            left -= distance.count
            return left < 0
        }
        return usual.flatMap { $0.0 > 0 ? $0.0 : nil }
    }

    /// The mean interval in seconds within several joined rounds.
    private static func distance(within round: RoundMoment) -> Double {
        round.rounds > 1
            ? seconds(from: round.started, to: round.last) / Double(round.rounds - 1) : 0
    }

    private var byVantage: [PlaceLog] { logs.sorted { $0.vantage < $1.vantage } }

    /// The seconds between two times. Uses plain numbers, because a year has a hundred thousand intervals.
    private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        (Double(end.nanoseconds) - Double(start.nanoseconds)) / 1e9
    }
}

extension RoundMoment {
    /// The approximate start of each of the rounds.
    fileprivate var starts: [Timestamp] {
        (0..<rounds).map { index in
            index + 1 == rounds
                ? last : started.advanced(by: last.since(started) * index / max(1, rounds - 1))
        }
    }

    /// Joins successive rounds at even intervals. `rounds` belong to one place and are in ascending order.
    package static func joined(_ rounds: [RoundMoment]) -> [RoundMoment] {
        var joined: [RoundMoment] = []
        for round in rounds {
            if let previous = joined.last, previous.precedesEvenly(round) {
                joined[joined.count - 1].last = round.last
                joined[joined.count - 1].rounds += round.rounds
            } else {
                joined.append(round)
            }
        }
        return joined
    }

    private func precedesEvenly(_ next: RoundMoment) -> Bool {
        guard next.vantage == vantage, next.marks == marks, next.origin == origin,
            next.rounds == 1, next.started >= last
        else { return false }
        guard rounds > 1 else { return true }
        let usual = last.since(started) / (rounds - 1)
        let distance = next.started.since(last)
        return distance * 2 >= usual && distance * 2 <= usual * 3
    }
}
