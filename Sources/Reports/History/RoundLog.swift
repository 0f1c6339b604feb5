public import Measurement

/// When rounds were measured, and which of them are kept out of the figures.
public struct RoundLog: Hashable, Sendable {
    /// One round of one place.
    public struct Round: Hashable, Sendable {
        public var vantage: String
        public var started: Timestamp
        public var marks: RoundMarks

        public init(vantage: String, started: Timestamp, marks: RoundMarks) {
            self.vantage = vantage
            self.started = started
            self.marks = marks
        }
    }

    /// Rounds one after another, from the start of the first to that of the last.
    struct Span: Hashable, Sendable {
        var vantage: String
        var start: Timestamp
        var end: Timestamp
        var rounds: Int
    }

    /// In any order.
    public private(set) var rounds: [Round] = []

    public init() {}

    public mutating func add(_ round: Round) { rounds.append(round) }

    public var vantages: [String] { Set(rounds.map(\.vantage)).sorted() }

    var count: Int { rounds.count }

    /// Rounds that carry one of `marks`, those that follow each other as one.
    func spans(marked marks: RoundMarks) -> [Span] {
        byVantage.flatMap { vantage, rounds in
            var spans: [Span] = []
            var isOpen = false
            for round in rounds {
                guard !round.marks.isDisjoint(with: marks) else {
                    isOpen = false
                    continue
                }
                if isOpen, let last = spans.indices.last {
                    spans[last].end = round.started
                    spans[last].rounds += 1
                } else {
                    spans.append(
                        Span(vantage: vantage, start: round.started, end: round.started, rounds: 1)
                    )
                }
                isOpen = true
            }
            return spans
        }
    }

    /// Times without rounds of a place, before `end` too: longer than two and a half of its usual
    /// distances. `rounds` is how many would have been.
    func gaps(until end: Timestamp) -> [Span] {
        byVantage.flatMap { vantage, rounds -> [Span] in
            let starts = rounds.map(\.started)
            guard let usual = Self.usualDistance(of: starts) else { return [] }
            return zip(starts, starts.dropFirst() + [max(end, starts[starts.count - 1])])
                .compactMap { start, next in
                    let slots = Self.seconds(from: start, to: next) / usual
                    guard slots > 2.5, slots < 1e12 else { return nil }
                    return Span(
                        vantage: vantage,
                        start: start,
                        end: next,
                        rounds: Int(slots.rounded()) - 1
                    )
                }
        }
    }

    /// The seconds from one round to the next, as is usual at the place that measures least often;
    /// `nil` with too few rounds.
    var usualDistance: Double? {
        byVantage.compactMap { Self.usualDistance(of: $0.1.map(\.started)) }.max()
    }

    /// `starts` ascending.
    private static func usualDistance(of starts: [Timestamp]) -> Double? {
        let distances = zip(starts, starts.dropFirst()).map { seconds(from: $0, to: $1) }
        // Two distances do not yet tell what is usual.
        guard distances.count >= 3 else { return nil }
        let usual = distances.sorted()[distances.count / 2]
        return usual > 0 ? usual : nil
    }

    private var byVantage: [(String, [Round])] {
        Dictionary(grouping: rounds, by: \.vantage).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.sorted { $0.started < $1.started }) }
    }

    private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        end.since(start).milliseconds / 1000
    }
}
