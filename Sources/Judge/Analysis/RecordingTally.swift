import DNSWire
package import Samples
package import Statistics

/// The sums of a recording that a comparison reports. They are added in parts, so that a recording of months
/// need not be in memory.
package struct RecordingTally: Sendable {
    /// The recording without its samples, unless they are kept.
    package private(set) var recording = Recording()
    package private(set) var queries = RoundQueries()
    /// The times of the first and the last query; `nil` without queries.
    package private(set) var span: ClosedRange<Timestamp>?
    /// See ``Recording/tampering``.
    package private(set) var tampering: [String: String] = [:]
    private var figures: [Figures] = []
    /// The servers that answered for each target, by NSID, the first to answer first.
    package private(set) var sites: [[String]] = []
    package private(set) var order = AskingOrder()
    private var diagnosticsTally = DiagnosticsTally()
    /// The quality of the measurement.
    package private(set) var diagnostics = RunDiagnostics()
    private var firstAnswers = FirstAnswers()
    private let keepsSamples: Bool

    package init(keepsSamples: Bool = false) { self.keepsSamples = keepsSamples }

    package init(of recording: Recording, keepsSamples: Bool = false) {
        self.init(keepsSamples: keepsSamples)
        add(recording)
        conclude()
    }

    /// Adds the next rounds of the recording. Call ``conclude()`` after the last piece.
    package mutating func add(_ piece: Recording) {
        let first = recording.rounds.count
        let samples = recording.adopt(piece)
        var part = recording
        part.samples = samples
        let counted = CountedSamples(of: part)
        if keepsSamples { recording.samples += samples }
        queries.add(part, from: first, counted)
        for sample in samples {
            let moment = sample.moment
            span =
                span.map { min($0.lowerBound, moment)...max($0.upperBound, moment) }
                ?? moment...moment
        }
        tampering.merge(part.tampering) { $1 }
        order.add(counted)
        diagnosticsTally.add(part)
        firstAnswers.add(part)
        while figures.count < part.targets.count {
            figures.append(Figures())
            sites.append([])
        }
        counted.add(to: &figures)
        for sample in counted.recording.samples
        where sites.indices.contains(Int(sample.target)) {
            guard let site = sample.observation.extras?.site else { continue }
            let target = Int(sample.target)
            if sites[target].last != site, !sites[target].contains(site) {
                sites[target].append(site)
            }
        }
    }

    /// Completes ``diagnostics`` after the last part.
    package mutating func conclude() { diagnostics = diagnosticsTally.conclude(recording) }

    /// Removes the targets without queries.
    package mutating func leaveOutIdleTargets() {
        let kept = Set(queries.asked.map(\.target)).sorted()
        guard kept.count < recording.targets.count else { return }
        let places = Dictionary(uniqueKeysWithValues: zip(kept, Int32(0)...))
        recording.targets = kept.map { recording.targets[$0] }
        for index in recording.samples.indices {
            let target = Int(recording.samples[index].target)
            recording.samples[index].target = places[target] ?? Int32(clamping: target)
        }
        figures = kept.map { figures[$0] }
        sites = kept.map { sites[$0] }
        queries.renumber(places)
        diagnostics.renumber(places)
        firstAnswers.renumber(places)
    }

    /// The names of the queries of a series, sorted.
    package func names(in series: Series) -> [String] {
        Set(
            queries.asked.filter { recording.targets[$0.target].series == series }
                .map { recording.questions[$0.question].name }
        )
        .map(\.description).sorted()
    }

    /// Returns the figures of each target over the counted rounds. `timeout` applies to a recording without
    /// runs.
    package func figures(timeout: Duration) -> [Figures] {
        let shortest = recording.runs.map(\.timeout).min() ?? timeout
        return figures.map { figures in
            var figures = figures
            figures.limit(to: shortest)
            return figures
        }
    }

    /// The unit of evidence that suits the length of the recording.
    package var evidenceUnit: ComparisonRules.Unit {
        guard let span else { return .round }
        return .fitting(rounds: queries.count, from: span.lowerBound, to: span.upperBound)
    }

    /// Returns the findings from the first answers of each as-found target, by its index; empty without any.
    package func foundNames() -> [Int: FoundNames] { firstAnswers.found(among: recording.targets) }

    /// Returns the times of the answers of a target.
    package func answers(ofTarget target: Int) -> AnswerTimes { figures[target].answers }
}
