package import Catalogue
package import Samples
package import Statistics

/// The context of a run that a report shows in addition to the samples.
package struct ReportContext: Hashable, Sendable, Codable {
    package struct Plan: Hashable, Sendable, Codable {
        package var rounds: Int
        /// The interval between rounds; `nil` if unknown, as for a samples file.
        package var interval: Duration?
        package var timeout: Duration
        /// The seed of the run; `nil` if unknown.
        package var seed: UInt64?
        /// The names of the cached series.
        package var names: [String]
        /// The zones of the uncached series, each written as `*.` and a zone.
        package var zones: [String]
        package var types: [String]
        package var series: [Series]
        /// Whether the run ends when every candidate has a verdict. ``rounds`` is then the maximum.
        package var isUntilSure = false
        /// The method that chose the send times; `nil` if unknown.
        package var sampling: Sampling?
        /// The maximum rate of queries; `nil` if unknown.
        package var pace: Pace?

        // Many parameters: one for each value of a plan in documents.
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
    /// Whether the machine currently uses the baseline.
    package var isBaselineInUse = false
    package var isInterrupted = false
    /// The properties of a measurement of the registry of performance metrics; `nil` for other
    /// runs.
    package var registered: RegisteredSampling?
    /// The network round trips that were measured.
    package var floors: [Recording.Target: NetworkRTT] = [:]
    /// Whether network round trips were requested. If so, a resolver without one has no port that
    /// accepts a connection.
    package var wantedFloors = false
    /// The distances to the addresses in the answers; `nil` if they were not requested.
    package var distances: AnswerDistances?
    /// The measuring machine before the run; `nil` if it was not examined.
    package var machine: Machine?
    /// The check of the instrument before the run.
    package var instrument: InstrumentCheck?
    /// The check of the instrument during the run.
    package var instrumentDuring: InstrumentCheck?
    /// The step by which the system clock was set during the run; `nil` if it was not set.
    package var clockStep: Duration?
    package var rules = ComparisonRules()
    /// The settings of the nameservers on the machine that prints the report; `nil` if unknown.
    package var resolverSetup: ResolverSetup?
    /// The known facts about each resolver, by its label, apart from the measurements.
    package var facts: [String: ResolverFacts] = [:]
    /// The observed tampering of each resolver, by its label. It is the rest of a sentence, such as
    /// `invents addresses for names that do not exist`.
    package var tampering: [String: String] = [:]
    /// The labels of resolvers whose check for tampering has no result.
    package var unchecked: Set<String> = []
    package var unmeasured: [UnmeasuredResolver] = []
    /// The selected part of the samples, such as `over tls`; empty for all samples.
    package var selection = ""
    /// The labels in the order in which the resolvers were first asked, which determines the
    /// colours; `nil` for the order of the run.
    package var resolverOrder: [String]?
    /// Sentences about places that could not be read and are omitted.
    package var unreadPlaces: [String] = []
    /// Whether the report shows the times that asking several resolvers would have taken.
    package var wantsStrategies = false
    /// The load of the line during the loaded series; `nil` if there was none, and if it is unknown.
    package var load: LoadSummary?
    /// The mark of the queries in the marked series; `nil` if unknown.
    package var mark: DSCP?
    /// The number of earlier runs of the same comparison on this day.
    package var earlierToday = 0
    /// The number of network changes during the run; `nil` if they were not observed.
    package var networkChanges: Int?
    /// The given command, such as `dnstempo compare --lab`.
    package var command: String?
    /// The proposed command for the charts; `nil` if the report already has charts.
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

    /// The time from the first query to the end of the last query.
    package var span: Duration { max(.zero, finished.since(started)) }
}

extension ReportContext {
    /// An option of a measurement, such as `--rate`, as the user writes it. It includes
    /// `dnstempo compare` if the report's own command did not measure.
    func option(_ words: String) -> String {
        command == nil ? "dnstempo compare \(words)" : words
    }
}
