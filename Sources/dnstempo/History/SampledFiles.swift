import Reports
import Samples
import Store

/// Samples files read as one; a round that several of them have counts once.
struct SampledFiles {
    private var recording = Recording()
    private let log: [RoundMoment]

    init(_ paths: [String]) throws {
        for path in paths {
            let known = recording.roundNames
            var file = try SamplesReader.read(file: path)
            if !known.isEmpty {
                let isKnown = file.rounds.map { known.contains(file.name(of: $0)) }
                file.samples.removeAll { isKnown[Int($0.round)] }
            }
            let count = recording.samples.count
            recording.merge(file)
            if count > 0, recording.samples.count > count { recording.sortBySending() }
        }
        var log = RoundLog()
        log.add(recording)
        self.log = log.rounds
    }

    /// When the first query left, or should have, and the last.
    var span: ClosedRange<Timestamp>? {
        let first = recording.samples.map { min($0.scheduled, $0.moment) }.min()
        guard let first, let last = recording.samples.map(\.moment).max() else { return nil }
        return first...last
    }

    var targets: [Recording.Target] { recording.targets }

    var labels: [String] { recording.targets.map(\.label) }

    /// The samples of a window, of resolvers with one of `labels`; `nil` is any.
    func recording(
        _ window: Range<Timestamp>,
        labels: Set<String>?,
        includesMarked: Bool
    ) -> Recording {
        let isWanted = recording.targets.map { labels?.contains($0.label) ?? true }
        var part = includesMarked ? recording : recording.counted
        part.samples.removeAll { sample in
            !window.contains(sample.moment) || !isWanted[Int(sample.target)]
        }
        return part
    }

    /// When the rounds of a window began, and their marks.
    func rounds(_ window: Range<Timestamp>) -> [RoundMoment] {
        log.filter { window.contains($0.started) }.sorted { $0.started < $1.started }
    }
}

extension Recording {
    /// A round, whichever file has it.
    fileprivate struct RoundName: Hashable {
        var run: Run.Key
        var number: Int32
    }

    fileprivate var roundNames: Set<RoundName> { Set(rounds.map(name)) }

    fileprivate func name(of round: Round) -> RoundName {
        RoundName(run: runs[Int(round.run)].key, number: round.number)
    }
}
