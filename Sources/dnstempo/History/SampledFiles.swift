import Reports
import Samples
import Store

/// Samples files read as one; a round that several of them have counts once.
struct SampledFiles {
    private var recording = Recording(runs: [], targets: [], questions: [])
    private let known: RecordedRounds

    init(_ paths: [String]) throws {
        for path in paths {
            let earlier = Set(recording.samples.map(\.roundKey))
            let count = recording.samples.count
            recording.merge(try SamplesReader.read(file: path))
            guard count > 0, recording.samples.count > count else { continue }
            let more = recording.samples[count...].filter { !earlier.contains($0.roundKey) }
            recording.samples = recording.samples[..<count] + more
            recording.sortBySending()
        }
        known = RecordedRounds(of: recording)
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
        var part = recording
        part.samples = recording.samples.filter { sample in
            window.contains(sample.moment) && isWanted[Int(sample.target)]
                && (includesMarked || !isMarked(sample))
        }
        return part
    }

    /// Whether it says nothing of its resolver. Of a round without a route the outcome says so.
    private func isMarked(_ sample: Sample) -> Bool {
        known.marks[sample.roundKey].map { !$0.isDisjoint(with: [.outage, .suspended]) } ?? false
    }

    /// When the rounds of a window began, and their marks.
    func rounds(_ window: Range<Timestamp>) -> [RoundLog.Round] {
        known.log.rounds.filter { window.contains($0.started) }.sorted { $0.started < $1.started }
    }
}

extension Sample {
    fileprivate var roundKey: RoundKey { RoundKey(run: run, round: round) }

    /// When it left, or should have.
    fileprivate var moment: Timestamp { observation.sent ?? scheduled }
}
