import DNSWire
import Samples
import Store

/// Samples files read as one; what several of them have counts once.
struct SampledFiles {
    private let recording: Recording
    private let log: [RoundMoment]
    /// The targets with the places that asked them.
    let targetsByPlace: [(vantage: String, Recording.Target)]
    /// In the order in which they began.
    let runs: [StoredRun]
    /// The labels of all resolvers as the places themselves call them.
    let everyLabel: [String]

    init(_ paths: [String]) throws {
        var union = RecordingUnion()
        for path in paths { union.add(try Recording(file: path)) }
        recording = union.recording
        var log = RoundLog()
        log.add(recording)
        self.log = log.rounds
        targetsByPlace = recording.targetsByPlace
        runs = recording.storedRuns
        everyLabel = recording.targets.labels(unnamedAmong: Set(recording.runs.map(\.vantage)))
    }

    var span: ClosedRange<Timestamp>? {
        // A file may date a round after the queries in it.
        let first = recording.samples.map { min($0.scheduled, $0.moment) }.min()
        let last = recording.samples.map { max($0.scheduled, $0.moment) }.max()
        guard let first, let last else { return nil }
        return first...last
    }

    var targets: [Recording.Target] { recording.targets }

    var names: [String] { recording.questions.map(\.name.description) }

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

    func rounds(_ window: Range<Timestamp>) -> [RoundMoment] {
        log.filter { window.contains($0.started) }.sorted { $0.started < $1.started }
    }
}

extension Recording {
    /// The targets with the places that asked them.
    fileprivate var targetsByPlace: [(vantage: String, Recording.Target)] {
        var found: [[String]] = targets.map { _ in [] }
        var known: [Set<String>] = targets.map { _ in [] }
        for sample in samples {
            let vantage = runs[Int(rounds[Int(sample.round)].run)].vantage
            if known[Int(sample.target)].insert(vantage).inserted {
                found[Int(sample.target)].append(vantage)
            }
        }
        return zip(found, targets).flatMap { vantages, target in
            vantages.map { ($0, target) }
        }
    }

    /// In the order in which they began.
    fileprivate var storedRuns: [StoredRun] {
        var spans: [Int32: ClosedRange<Timestamp>] = [:]
        for sample in samples {
            let run = rounds[Int(sample.round)].run
            let span = min(sample.scheduled, sample.moment)...sample.moment
            spans[run] = spans[run]?.union(span) ?? span
        }
        return spans.map { StoredRun(run: runs[Int($0)], span: $1) }
            .sorted { $0.span.lowerBound < $1.span.lowerBound }
    }
}
