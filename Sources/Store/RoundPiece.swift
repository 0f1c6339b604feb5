import DNSWire
import Samples

/// Samples of one round on their way into a store; a round of a file may come in several pieces.
struct RoundPiece {
    var run: Run
    var round: Round
    /// They refer to the texts that come along.
    var samples: [Sample]
    /// More of this round follows soon.
    var isOpen = false

    /// When its first sample left, or should have, and its last.
    var span: ClosedRange<Timestamp>? {
        let times = samples.lazy.map(\.moment)
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }
}

/// What an addition to a store did.
package struct Intake: Hashable, Sendable {
    /// Rounds that are new, and samples.
    package var rounds = 0
    package var samples = 0
    /// Samples that were there already.
    package var known = 0
    /// Rounds that they are of.
    package var knownRounds = 0
    /// Hours of pruned samples that another store has, and this one in part.
    package var unmergedHours = 0

    package init() {}
}
