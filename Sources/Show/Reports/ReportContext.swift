package import Catalogue
package import Samples
package import Statistics

/// Context of a run that a report tells beside its samples.
package struct ReportContext: Hashable, Sendable, Codable {
    package struct Plan: Hashable, Sendable, Codable {
        package var rounds: Int
        /// `nil` where it is not known, as of a samples file.
        package var interval: Duration?
        package var timeout: Duration
        /// `nil` where it is not known.
        package var seed: UInt64?
        /// Names of the cached series.
        package var names: [String]
        /// Zones of the uncached series, each `*.` and a zone.
        package var zones: [String]
        package var types: [String]
        package var series: [Series]
        /// Whether it ends once every candidate has a verdict; ``rounds`` are the most then.
        package var isUntilSure = false
        /// How the times of sending were chosen; `nil` where it is not known.
        package var sampling: Sampling?
        /// How often resolvers may be asked; `nil` where it is not known.
        package var pace: Pace?

        // Many parameters: one for each value that documents have for a plan.
        package init(
            rounds: Int,
            interval: Duration? = nil,
            timeout: Duration,
            seed: UInt64? = nil,
            names: [String] = [],
            zones: [String] = [],
            types: [String] = [],
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

    package var toolVersion: String
    package var vantage: String
    package var started: Timestamp
    package var finished: Timestamp
    package var plan: Plan
    /// The label of the resolver that the others are compared with.
    package var baseline: String?
    /// Whether the baseline is what the machine uses now.
    package var isBaselineInUse = false
    package var isInterrupted = false
    /// Where the run is a measurement of the registry of performance metrics.
    package var registered: RegisteredSampling?
    /// The network's own round trips, where they were measured.
    package var floors: [Recording.Target: NetworkRTT] = [:]
    /// Whether they were looked for: then a resolver without one has no port that accepts a
    /// connection.
    package var wantedFloors = false
    /// How far the addresses are that the resolvers answered, where that was asked for.
    package var distances: AnswerDistances?
    /// The machine that measured, as it was before the run; `nil` where nobody looked.
    package var machine: Machine?
    /// How good the instrument was before the run.
    package var instrument: InstrumentCheck?
    /// How good it was all through it.
    package var instrumentDuring: InstrumentCheck?
    /// How far the system's clock was set during the run, where it was.
    package var clockStep: Duration?
    package var rules = ComparisonRules()
    /// How the machine that prints the report sets its nameservers; `nil` where it is not known.
    package var resolverSetup: ResolverSetup?
    /// By label what is known of a resolver, beside what was measured.
    package var facts: [String: ResolverFacts] = [:]
    /// By label how a resolver was seen not to tell the truth, as the rest of a sentence such as
    /// `invents addresses for names that do not exist`.
    package var tampering: [String: String] = [:]
    /// Labels of those of whom it was to be known and is not.
    package var unchecked: Set<String> = []
    package var unmeasured: [UnmeasuredResolver] = []
    /// Part of the samples that was asked for, such as `over tls`; empty where all of them were.
    package var selection = ""
    /// Labels in the order in which resolvers were first asked, which colours follow; `nil` for that
    /// of the run.
    package var resolverOrder: [String]?
    /// Sentences on places that could not be read and are left out.
    package var unreadPlaces: [String] = []
    /// Whether the report tells what asking several resolvers would have taken.
    package var wantsStrategies = false
    /// How often the same was compared before on this day.
    package var earlierToday = 0
    /// How often the network changed during the run; `nil` where nobody looked.
    package var networkChanges: Int?
    /// The command that was given, such as `dnstempo compare --lab`.
    package var command: String?
    /// The command to propose for its charts; `nil` where it has them already.
    package var chartCommand: String?

    package init(
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
    package var span: Duration { max(.zero, finished.since(started)) }
}

extension ReportContext {
    /// An option of a measurement, such as `--rate`, as it is to be written: with its command where what
    /// prints is not what measured.
    func option(_ words: String) -> String {
        command == nil ? "dnstempo compare \(words)" : words
    }
}
