/// What a runner measured.
package struct MeasuredRun: Sendable {
    package var recording: Recording
    /// How many rounds, from the first on, have a sample for every query.
    package var wholeRounds: Int
    /// Cancelled before the plan was done.
    package var interrupted: Bool
    /// How long the process or machine stood still, in all: the plan was put off by that.
    package var postponed: Duration

    package init(
        recording: Recording,
        wholeRounds: Int,
        interrupted: Bool,
        postponed: Duration = .zero
    ) {
        self.recording = recording
        self.wholeRounds = wholeRounds
        self.interrupted = interrupted
        self.postponed = postponed
    }
}

/// One counted round, every query of which has come to its end.
package struct MeasuredRound: Sendable {
    /// Counts from 1.
    package var number: Int
    /// In the order of sending.
    package var samples: [Sample]
    /// Whether every query of the plan has a sample; an interrupted round lacks some.
    package var isWhole: Bool
    /// Whether the machine slept between its first query and the last outcome.
    package var slept: Bool

    package init(number: Int, samples: [Sample], isWhole: Bool, slept: Bool = false) {
        self.number = number
        self.samples = samples
        self.isWhole = isWhole
        self.slept = slept
    }

    /// What keeps it out of the resolvers' figures; `targets` is what its samples refer to.
    package func marks(targets: [Recording.Target]) -> RoundMarks {
        RoundMarks.of(samples, targets: targets).union(slept ? .suspended : [])
    }
}
