public import Measurement

/// What a report says of a run beside its samples.
public struct ReportContext: Hashable, Sendable {
    /// What was to be done.
    public struct Plan: Hashable, Sendable {
        public var rounds: Int
        public var interval: Duration
        public var timeout: Duration
        public var seed: UInt64
        /// Of the cached series.
        public var names: [String]
        /// Of the uncached series, each `*.` and a zone.
        public var zones: [String]
        public var types: [String]
        public var series: [Series]

        public init(
            rounds: Int,
            interval: Duration,
            timeout: Duration,
            seed: UInt64,
            names: [String],
            zones: [String] = [],
            types: [String],
            series: [Series]
        ) {
            self.rounds = rounds
            self.interval = interval
            self.timeout = timeout
            self.seed = seed
            self.names = names
            self.zones = zones
            self.types = types
            self.series = series
        }
    }

    public var toolVersion: String
    public var vantage: String
    public var started: Timestamp
    public var finished: Timestamp
    public var plan: Plan
    /// The label of the resolver that the others are compared with.
    public var baseline: String?
    /// Whether the baseline is what the machine uses now.
    public var isBaselineInUse = false
    public var isInterrupted = false
    /// The network's own round trips, where they were measured.
    public var floors: [Recording.Target: NetworkFloor] = [:]
    /// How far the addresses are that the resolvers answered, where that was asked for.
    public var distances: AnswerDistances?
    /// How good the instrument was before the run.
    public var instrument: InstrumentCheck?
    /// The command that was given, such as `dnstempo compare --lab`, for the next one to build on.
    public var command: String?

    public init(
        toolVersion: String,
        vantage: String,
        started: Timestamp,
        finished: Timestamp,
        plan: Plan,
        baseline: String? = nil
    ) {
        self.toolVersion = toolVersion
        self.vantage = vantage
        self.started = started
        self.finished = finished
        self.plan = plan
        self.baseline = baseline
    }

    /// From the first query to the end of the last.
    public var span: Duration {
        .nanoseconds(
            max(
                0,
                finished.nanoseconds.subtractingReportingOverflow(
                    started.nanoseconds
                ).partialValue
            )
        )
    }
}
