public import Measurement
public import Statistics

/// What a report says of a run beside its samples.
public struct ReportContext: Hashable, Sendable {
    /// What was to be done.
    public struct Plan: Hashable, Sendable {
        public var rounds: Int
        /// `nil` where it is not known, as of a samples file.
        public var interval: Duration?
        public var timeout: Duration
        /// `nil` where it is not known.
        public var seed: UInt64?
        /// Of the cached series.
        public var names: [String]
        /// Of the uncached series, each `*.` and a zone.
        public var zones: [String]
        public var types: [String]
        public var series: [Series]
        /// Whether it ends once every candidate has a verdict; ``rounds`` are the most then.
        public var isUntilSure = false
        /// How often resolvers may be asked; `nil` where it is not known.
        public var pace: Pace?

        public init(
            rounds: Int,
            interval: Duration?,
            timeout: Duration,
            seed: UInt64?,
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
    /// Whether they were looked for: then a resolver without one has no port that accepts a
    /// connection.
    public var wantedFloors = false
    /// How far the addresses are that the resolvers answered, where that was asked for.
    public var distances: AnswerDistances?
    /// How good the instrument was before the run.
    public var instrument: InstrumentCheck?
    /// How good it was all through it.
    public var instrumentDuring: InstrumentCheck?
    /// How far the system's clock was set during the run, where it was.
    public var clockStep: Duration?
    /// What the comparisons with the baseline are held to.
    public var rules = ComparisonRules()
    /// By label what is known of a resolver, beside what was measured.
    public var facts: [String: ResolverFacts] = [:]
    /// By label how a resolver was seen not to tell the truth, as the rest of a sentence such as
    /// `invents addresses for names that do not exist`.
    public var tampering: [String: String] = [:]
    /// Labels of those of whom it was to be known and is not.
    public var unchecked: Set<String> = []
    /// What keeps rounds out that their samples do not tell.
    public var marks: [RoundKey: RoundMarks] = [:]
    /// Runs made today with this one; `nil` where nobody counts them.
    public var runsToday: Int?
    /// How often the network changed during the run; `nil` where nobody looked.
    public var networkChanges: Int?
    /// The command that was given, such as `dnstempo compare --lab`.
    public var command: String?
    /// Whether the next command to propose is the same with charts.
    public var proposesCharts = true

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
