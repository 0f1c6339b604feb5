import DNSWire
package import Samples
package import Statistics

/// One query of a round, with the data that a verdict needs.
struct RoundQuery {
    /// An index of the recording's targets.
    var target: Int
    /// An index of the recording's questions.
    var question: Int32
    var outcome: QueryOutcome
    /// The time to connect to the address in its answer, in milliseconds.
    var edge: Double?
}

extension RoundQuery {
    init(_ sample: Sample, in series: Series) {
        self.init(
            target: Int(sample.target),
            question: sample.question,
            outcome: QueryOutcome(sample.observation, in: series),
            edge: sample.observation.extras?.edge.map { Double($0) * 1e-6 }
        )
    }
}

/// The queries of rounds in 16 bytes each, for results that need all rounds. The queries of months fit into
/// memory.
package struct RoundQueries: Sendable {
    private struct Entry {
        /// An index of ``places``.
        var place: Int32
        /// Hours since 1970.
        var hour: Int32
        /// Milliseconds; infinite for a failure, ``untimed`` for an answer without a time, and NaN
        /// for a query that was not measured.
        var time: Double
    }

    /// A target and a question, as indices of the recording.
    private struct Place {
        var target: Int32
        var question: Int32
    }

    /// The entries of a round.
    private struct Span {
        var piece: Int
        var entries: Range<Int>
        /// Whether its samples exclude it from the evidence.
        var isDisowned: Bool
    }

    private static let untimed = -Double.infinity

    private var places: [Place] = []
    private var numbers: [Int64: Int32] = [:]
    private var pieces: [[Entry]] = []
    private var spans: [Span] = []
    private var order = RoundOrder()
    /// Times to connect to the address in an answer, in milliseconds, by piece and entry. Few answers have
    /// one.
    private var edges: [Int64: Double] = [:]
    /// The number of rounds with samples.
    package private(set) var count = 0

    package init() {}

    package init(of recording: Recording) {
        add(recording, from: 0, CountedSamples(of: recording))
    }

    /// Creates the queries of the rounds with these samples only.
    init(of counted: CountedSamples) { add(counted.recording, from: 0, counted) }

    /// Adds the rounds of a recording from the index `first` on. The recording contains only the samples of
    /// these rounds. Entries are made of the samples in `counted`.
    mutating func add(_ recording: Recording, from first: Int, _ counted: CountedSamples) {
        let counted = counted.recording
        let queries = recording.samples(from: first)
        // The groups differ only if some samples are not counted.
        let units =
            counted.samples.count == recording.samples.count
            ? queries : counted.samples(from: first)
        var entries: [Entry] = []
        entries.reserveCapacity(counted.samples.count)
        for (offset, (samples, units)) in zip(queries, units).enumerated() {
            order.add(samples, of: recording.rounds[first + offset], targets: recording.targets)
            if !samples.isEmpty { count += 1 }
            for sample in samples { _ = number(of: sample) }
            let start = entries.count
            for sample in units {
                let edge = sample.observation.extras?.edge
                if let edge { edges[key(pieces.count, entries.count)] = Double(edge) * 1e-6 }
                entries.append(entry(sample, in: recording.targets[Int(sample.target)].series))
            }
            let isDisowned = samples.contains { $0.observation.flags.contains(.noEvidence) }
            spans.append(
                Span(
                    piece: pieces.count,
                    entries: start..<entries.count,
                    isDisowned: isDisowned
                )
            )
        }
        pieces.append(entries)
    }

    private func key(_ piece: Int, _ entry: Int) -> Int64 { Int64(piece) << 32 | Int64(entry) }

    private mutating func number(of sample: Sample) -> Int32 {
        numbers.place(
            of: sample.place,
            in: &places,
            adding: Place(target: sample.target, question: sample.question)
        )
    }

    private mutating func entry(_ sample: Sample, in series: Series) -> Entry {
        let time: Double =
            switch QueryOutcome(sample.observation, in: series) {
            case .answered(let time): time
            case .failed: .infinity
            case .missing: sample.observation.outcome == .answered ? Self.untimed : .nan
            }
        return Entry(
            place: number(of: sample),
            hour: Int32(clamping: sample.moment.hoursSinceEpoch),
            time: time
        )
    }

    /// Each pair of a target and a question of that target, as indexes.
    package var asked: [(target: Int, question: Int)] {
        places.map { (Int($0.target), Int($0.question)) }
    }

    /// Gives each target its new index.
    mutating func renumber(_ targets: [Int: Int32]) {
        for index in places.indices {
            places[index].target = targets[Int(places[index].target)] ?? places[index].target
        }
    }

    /// The rounds with samples, in the order of ``RoundOrder/ordered(_:of:)``.
    func ordered(_ recording: Recording) -> [(round: Round, place: Int, isDisowned: Bool)] {
        order.ordered(recording.rounds, of: recording.runs).map { place, isWhole in
            var round = recording.rounds[place]
            round.isWhole = isWhole
            return (round, place, spans[place].isDisowned)
        }
    }

    /// Returns the number of complete rounds.
    package func wholeRounds(_ recording: Recording) -> Int {
        ordered(recording).count { $0.round.isWhole }
    }

    /// Calls `body` with each query of a round and its hour, in hours since 1970.
    func forEachQuery(ofRound place: Int, _ body: (RoundQuery, Int) -> Void) {
        let span = spans[place]
        for index in span.entries {
            let entry = pieces[span.piece][index]
            let asked = places[Int(entry.place)]
            let query = RoundQuery(
                target: Int(asked.target),
                question: asked.question,
                outcome: entry.time.isNaN || entry.time == Self.untimed
                    ? .missing : entry.time == .infinity ? .failed : .answered(entry.time),
                edge: edges.isEmpty ? nil : edges[key(span.piece, index)]
            )
            body(query, Int(entry.hour))
        }
    }

    /// Calls `body` with each measured query: the index of its round, the index of its pair in ``asked``, and
    /// its time in milliseconds. The time is `nil` without a timed answer.
    package func forEachTime(
        _ body: (_ round: Int, _ pair: Int, _ time: Double?) -> Void
    ) {
        for (place, span) in spans.enumerated() {
            for entry in pieces[span.piece][span.entries] where !entry.time.isNaN {
                body(place, Int(entry.place), entry.time.isFinite ? entry.time : nil)
            }
        }
    }
}

extension RoundQueries {
    /// Returns the range of the number of names per whole round in a series; `nil` without whole rounds.
    package func namesPerRound(
        of series: Series,
        in recording: Recording
    ) -> ClosedRange<Int>? {
        let whole = ordered(recording).filter(\.round.isWhole).map { spans[$0.place] }
        let counts = whole.map { span in
            var names: Set<String> = []
            for entry in pieces[span.piece][span.entries] {
                let place = places[Int(entry.place)]
                guard recording.targets[Int(place.target)].series == series,
                    recording.questions.indices.contains(Int(place.question))
                else { continue }
                names.insert(recording.questions[Int(place.question)].name.description)
            }
            return names.count
        }
        .filter { $0 > 0 }
        guard let least = counts.min(), let most = counts.max() else { return nil }
        return least...most
    }

    /// Returns the cost of recursion of the resolver of `target`, an index of `targets`; see
    /// ``seriesRounds(of:among:)``.
    package func recursionCost(
        of target: Int,
        among targets: [Recording.Target]
    ) -> RecursionCost? {
        RecursionCost(rounds: seriesRounds(of: target, among: targets))
    }

    /// Returns the times of the rounds in which the resolver of `target` was asked in both series over the
    /// same transport. They are in milliseconds, infinite without an answer. `target` may belong to either
    /// series.
    package func seriesRounds(
        of target: Int,
        among targets: [Recording.Target]
    ) -> [(cached: [Double], uncached: [Double])] {
        guard targets.indices.contains(target) else { return [] }
        let isMember = targets.map { other in
            [.cached, .uncached].contains(other.series) && other.label == targets[target].label
                && other.endpoint == targets[target].endpoint
                && other.transport == targets[target].transport
        }
        return spans.compactMap { span in
            var (cached, uncached): ([Double], [Double]) = ([], [])
            for entry in pieces[span.piece][span.entries] where entry.time > Self.untimed {
                let target = Int(places[Int(entry.place)].target)
                guard isMember[target] else { continue }
                if targets[target].series == .cached {
                    cached.append(entry.time)
                } else {
                    uncached.append(entry.time)
                }
            }
            return cached.isEmpty || uncached.isEmpty ? nil : (cached, uncached)
        }
    }
}

extension Recording {
    /// Returns the samples of each round from the index `first` on, in the order of sending. Samples of
    /// unknown targets are excluded.
    fileprivate func samples(from first: Int) -> [[Sample]] {
        samples(
            by: { targets.indices.contains(Int($0.target)) ? $0.round - Int32(first) : -1 },
            rounds.count - first
        )
    }
}
