/// The samples of a recording that describe its resolvers: samples of counted rounds, in the unit of their
/// series. The unit is a look-up in the browser series, and a query in all others.
///
/// Figures, evidence and charts use this type. Recordings are converted to it only here. Files and stores
/// keep the queries of all rounds. So do the checks of the measurement itself.
package struct CountedSamples: Sendable {
    /// The recording with only these samples. It contains all rounds, including those that are not counted.
    package private(set) var recording: Recording

    package init(of recording: Recording) {
        self.recording = recording
        if !recording.rounds.allSatisfy(\.isCounted) {
            self.recording.samples = recording.samples.filter(recording.isCounted)
        }
        let lookUps = BrowserLookUps(targets: recording.targets, questions: recording.questions)
        self.recording.samples = lookUps.derived(self.recording.samples)
    }

    /// The samples for which `isMeant` returns true.
    package func filter(_ isMeant: (Sample) -> Bool) -> CountedSamples {
        var part = self
        part.recording.samples.removeAll { !isMeant($0) }
        return part
    }

    /// Merges other samples, see ``Recording/merge(_:)``.
    package mutating func merge(_ other: CountedSamples) { recording.merge(other.recording) }
}

/// An hourly sum in the unit of its series.
package struct CountedSum: Sendable {
    package let sum: HourlySum

    /// Returns `nil` for the browser series, because stores add up queries and not look-ups.
    package init?(of sum: HourlySum) {
        guard sum.target.series != .browser else { return nil }
        self.sum = sum
    }
}

extension Recording {
    /// Whether a sample belongs to a round that describes the resolvers.
    package func isCounted(_ sample: Sample) -> Bool { round(of: sample)?.isCounted != false }
}
