/// The samples of a recording that say something of its resolvers: those of rounds that count, in the
/// unit of their series. That is the look-up in the browser series, and the query in all others.
///
/// Figures, evidence and charts take this type, and recordings are made into it here alone. Files and
/// stores keep the queries of all rounds, as does what judges the measurement itself.
package struct CountedSamples: Sendable {
    /// With these samples alone; its rounds are all, also those that do not count.
    package private(set) var recording: Recording

    package init(of recording: Recording) {
        self.recording = recording
        if !recording.rounds.allSatisfy(\.isCounted) {
            self.recording.samples = recording.samples.filter(recording.isCounted)
        }
        let lookUps = BrowserLookUps(targets: recording.targets, questions: recording.questions)
        self.recording.samples = lookUps.derived(self.recording.samples)
    }

    /// Those that are meant.
    package func filter(_ isMeant: (Sample) -> Bool) -> CountedSamples {
        var part = self
        part.recording.samples.removeAll { !isMeant($0) }
        return part
    }

    /// See ``Recording/merge(_:)``.
    package mutating func merge(_ other: CountedSamples) { recording.merge(other.recording) }
}

/// An hourly sum in the unit of its series.
package struct CountedSum: Sendable {
    package let sum: HourlySum

    /// `nil` in the browser series, of which stores add up the queries.
    package init?(of sum: HourlySum) {
        guard sum.target.series != .browser else { return nil }
        self.sum = sum
    }
}

extension Recording {
    /// Whether a sample is of a round that says something of the resolvers.
    package func isCounted(_ sample: Sample) -> Bool { round(of: sample)?.isCounted != false }
}
