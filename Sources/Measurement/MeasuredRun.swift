/// What a runner measured.
public struct MeasuredRun: Sendable {
    public var recording: Recording
    /// How many rounds, from the first on, have a sample for every query.
    public var wholeRounds: Int
    /// Cancelled before the plan was done.
    public var interrupted: Bool
    /// How long the process or machine stood still, in all: the plan was put off by that.
    public var postponed: Duration

    public init(
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
public struct MeasuredRound: Sendable {
    /// Counts from 1.
    public var number: Int
    /// In the order of sending.
    public var samples: [Sample]
    /// Whether every query of the plan has a sample; an interrupted round lacks some.
    public var isWhole: Bool
    /// Whether the machine slept between its first query and the last outcome.
    public var slept: Bool

    public init(number: Int, samples: [Sample], isWhole: Bool, slept: Bool = false) {
        self.number = number
        self.samples = samples
        self.isWhole = isWhole
        self.slept = slept
    }

    /// What keeps it out of the resolvers' figures; `targets` is what its samples refer to.
    public func marks(targets: [Recording.Target]) -> RoundMarks {
        RoundMarks.of(samples, targets: targets).union(slept ? .suspended : [])
    }
}
