import DNSWire
import Samples
import Store

/// A round that was measured, with all that a store keeps of it.
struct TakenRound: Sendable {
    var round: MeasuredRound
    var marks: RoundMarks
    var run: Store.Run
    /// What the samples refer to.
    var targets: [Recording.Target]
    var questions: [Question]
    /// Slots of the schedule before it that had no round.
    var missed = 0

    /// How its queries ended.
    var counts: OutcomeCounts {
        var counts = OutcomeCounts()
        for sample in round.samples {
            counts.count(
                sample.observation.outcome,
                responseCode: sample.observation.responseCode
            )
        }
        return counts
    }

    /// When its first query left, or should have.
    var start: Timestamp {
        round.samples.map { $0.observation.sent ?? $0.scheduled }.min() ?? run.started
    }
}

extension Store {
    /// Stores `taken` in one transaction.
    func append(_ taken: TakenRound) throws(StoreError) {
        try append(
            taken.round,
            of: taken.run,
            targets: taken.targets,
            questions: taken.questions,
            marks: taken.marks
        )
    }
}
