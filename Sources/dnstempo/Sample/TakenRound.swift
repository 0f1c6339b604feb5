import DNSWire
import Samples

/// A round that was measured, on its way into a store.
struct TakenRound: Sendable {
    /// The one round.
    var recording: Recording
    /// Slots of the schedule before it that had no round.
    var missed = 0

    var round: Round { recording.rounds[0] }

    var run: Run { recording.runs[0] }

    /// How its queries ended.
    var counts: OutcomeCounts {
        var counts = OutcomeCounts()
        for sample in recording.samples {
            counts.count(
                sample.observation.outcome,
                responseCode: sample.observation.responseCode
            )
        }
        return counts
    }

    /// When its first query left, or should have.
    var start: Timestamp { recording.samples.map(\.moment).min() ?? round.started }
}
