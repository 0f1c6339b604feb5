import DNSWire
package import Samples
package import Store

/// Samples files, read as one history. Samples that several files contain count once. Samples files have no
/// origins.
package struct FileSource: RecordedHistory {
    private let recording: Recording
    private let log: [RoundMoment]
    private let places: [(vantage: String, Recording.Target)]
    private let storedRuns: [StoredRun]
    package let span: ClosedRange<Timestamp>?

    package init(_ recordings: some Sequence<Recording>) {
        var union = RecordingUnion()
        for recording in recordings { union.add(recording) }
        recording = union.recording
        var log = RoundLog()
        log.add(recording)
        self.log = log.rounds
        places = recording.targetsByPlace
        storedRuns = recording.storedRuns
        span = recording.span
    }

    package func spans() -> [Run.Origin: ClosedRange<Timestamp>] { [:] }
    package func runs() -> [StoredRun] { storedRuns }
    package func names() -> [String] { recording.questions.map(\.name.description) }
    package func vantages() -> [String] { storedRuns.map(\.run.vantage) }
    package func targets() -> [Recording.Target] { recording.targets }
    package func targetsByPlace() -> [(vantage: String, Recording.Target)] { places }

    package func rounds(_ window: Store.Window) -> [RoundMoment] {
        log.filter { window.times.contains($0.started) }.sorted { $0.started < $1.started }
    }

    package func read(
        _ window: Store.Window,
        by grain: HistoryGrain,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> (lost: Range<Timestamp>?, hours: Range<Timestamp>?) {
        try samples(part(window))
        return (nil, nil)
    }

    package func sites(_ window: Store.Window) -> [AnsweringSites] { part(window).answeringSites }
    package func causes(_ window: Store.Window) -> [EstablishedCause] { [] }
    package func traces(_ window: Store.Window) -> [KeptTrace] { [] }

    package func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) {}

    private func part(_ window: Store.Window) -> Recording {
        let isWanted = recording.targets.map { window.labels?.contains($0.label) ?? true }
        var part = recording
        part.samples.removeAll { sample in
            !window.times.contains(sample.moment) || !isWanted[Int(sample.target)]
                || !window.includesMarked && !recording.isCounted(sample)
        }
        return part
    }
}

extension Recording {
    fileprivate var span: ClosedRange<Timestamp>? {
        // The file may date a round later than its queries.
        let first = samples.map { min($0.scheduled, $0.moment) }.min()
        let last = samples.map { max($0.scheduled, $0.moment) }.max()
        guard let first, let last else { return nil }
        return first...last
    }

    /// The targets, with the places that queried them.
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

    /// The runs, in the order of their start.
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
