package import Samples

/// What could not be told of a window, since samples are no longer kept.
package struct HistoryLimits: Hashable, Sendable {
    /// The part of an hour at the window's beginning of which nothing is known.
    package var lost: Range<Timestamp>?
    /// Hours of which two stores have rounds in common, so that one store's sums count alone.
    package var unmergedHours: Int
    /// For what only samples tell: before then there are none.
    package var samplesSince: Timestamp?

    package init(
        lost: Range<Timestamp>? = nil,
        unmergedHours: Int = 0,
        samplesSince: Timestamp? = nil
    ) {
        self.lost = lost
        self.unmergedHours = unmergedHours
        self.samplesSince = samplesSince
    }

    /// Adds what could not be told of a later window.
    package mutating func add(_ later: HistoryLimits) {
        lost = lost ?? later.lost
        unmergedHours += later.unmergedHours
        samplesSince = samplesSince ?? later.samplesSince
    }

    func notes(_ clock: LocalClock) -> [HistoryNote] {
        var notes: [HistoryNote] = []
        if let lost {
            notes.append(
                HistoryNote(
                    code: "pruned-edge",
                    text: "The samples of \(clock.text(lost.lowerBound)) to "
                        + "\(clock.text(lost.upperBound)) are no longer kept: what was measured "
                        + "then is left out."
                )
            )
        }
        if let samplesSince {
            notes.append(
                HistoryNote(
                    code: "pruned",
                    text: "Names are told by samples, which are kept since "
                        + "\(clock.text(samplesSince)): what was measured before is left out."
                )
            )
        }
        if unmergedHours > 0 {
            notes.append(
                HistoryNote(
                    code: "unmerged-hours",
                    text: "In \(unmergedHours.of("hour", "hours")) two stores have rounds in "
                        + "common of which samples are no longer kept: there the first store "
                        + "counts alone."
                )
            )
        }
        return notes
    }
}
