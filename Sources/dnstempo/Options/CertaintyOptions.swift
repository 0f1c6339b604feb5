import Analysis
import ArgumentParser
import Catalogue
import Failures
import Reports
import Runs
import Samples

struct CatalogueOption: ParsableArguments {
    @Flag(help: "Query the current resolver and all of the catalogue that serve plain DNS.")
    var catalogue = false
}

struct CertaintyOptions: ParsableArguments {
    @Flag(
        help: "Continue until the best resolver is known; the default without --rounds.".forExperts
    )
    var untilSure = false

    @Option(help: "Maximum number of rounds until sure. (default: 150)".naming("n"))
    var maxRounds: Int?

    @Flag(help: "Query every resolver to the end, even those that cannot be the best.")
    var keepAll = false

    @OptionGroup var strategies: StrategyOption

    @OptionGroup var margin: MarginOption

    @Flag(help: "Continue the last run of the same resolvers, names, types, timeout and margin.")
    var resume = false

    @OptionGroup var gate: GateOption

    var request: ComparisonRequest {
        var request = ComparisonRequest()
        request.keepsAll = keepAll
        request.resumes = resume
        request.wantsStrategies = strategies.isWanted
        return request
    }

    /// `options` from the command line, with the values of this group added.
    func added(to options: RunOptions) throws -> RunOptions {
        var options = options
        if untilSure { options[.untilSure] = true }
        // A condition applies to every resolver.
        if keepAll || strategies.isWanted || !gate.failIf.isEmpty { options[.keepAll] = true }
        options[.maxRounds] = maxRounds
        options[.margin] = try margin.duration
        if options[.rounds] != nil, untilSure || maxRounds != nil {
            let option = untilSure ? "--until-sure" : "--max-rounds"
            throw Failure.usage(
                "\(option) and --rounds cannot be combined: --rounds sets the exact number"
            )
        }
        if let maxRounds, !(1...Int(Int32.max)).contains(maxRounds) {
            throw Failure.usage("--max-rounds \(maxRounds): give a number from 1 to \(Int32.max)")
        }
        if let maxRounds, options[.duration] != nil, !untilSure {
            throw Failure.usage(
                "--max-rounds \(maxRounds) and --duration: add --until-sure, or leave one out"
            )
        }
        return options
    }
}

struct MarginOption: ParsableArguments {
    @Option(
        help: "Smallest difference that is worth a switch; 0ms for any. (default: 5ms)"
            .naming("time")
    )
    var margin: String?

    var duration: Duration? {
        get throws { try Duration.read(margin, of: "--margin") }
    }
}

struct GateOption: ParsableArguments {
    @Option(
        help: "Exit with 1 if 'p95 > 50ms', 'quad9:failed > 1%', 'slower-than-baseline' …"
            .naming("condition")
    )
    var failIf: [String] = []
}

/// The conditions of --fail-if. They are parsed before any query is sent, and compared with the result.
struct Gate {
    private(set) var conditions: [FailCondition]

    init(_ texts: [String], metrics: [FailCondition.Metric] = FailCondition.Metric.latency) throws {
        conditions = try texts.map { text in
            do throws(FailConditionError) {
                return try FailCondition(parsing: text, metrics: metrics)
            } catch {
                throw Failure.usage("--fail-if \(error.description)")
            }
        }
    }

    /// The same conditions, with placeholders for the resolvers of a redacted report.
    func redacted(by redaction: Redaction?) -> Gate {
        guard let redaction else { return self }
        var gate = self
        gate.conditions = conditions.map { condition in
            FailCondition(
                redaction.replacingNoted(in: condition.text),
                of: condition.resolver.map { redaction.replacingNoted(in: $0) },
                condition.metric,
                condition.bound
            )
        }
        return gate
    }

    func check(_ report: some GatedReport, baseline: String?) throws {
        // Without a result, every condition holds, and no label is known.
        let named = report.hasResults ? report.namedLabels : nil
        try check(named, at: report.onlyPlace, baseline: baseline)
    }

    func check(
        _ named: [(label: String, name: String)]?,
        at place: String? = nil,
        baseline: String?
    ) throws {
        let labels = named?.map(\.label) ?? []
        for condition in conditions {
            if condition.metric == .slower, baseline == nil {
                throw Failure.usage(
                    "--fail-if '\(condition.text)': there is no baseline; name one with --baseline"
                )
            }
            if condition.metric == .slower, labels.count == 1, labels.first == baseline {
                throw Failure.usage(
                    "--fail-if '\(condition.text)': no resolver is compared with the baseline; "
                        + "name another"
                )
            }
            guard let named, let label = condition.resolver,
                !named.contains(where: { condition.concerns($0.label, name: $0.name, at: place) })
            else { continue }
            throw Failure.usage(
                "--fail-if '\(condition.text)': '\(label)' is not among the resolvers"
                    + NearestName.question(label, among: labels)
            )
        }
    }

    func pass(_ report: some GatedReport) throws {
        if let finding = finding(in: report) { throw Failure(.condition, finding) }
    }

    /// Whether a condition needs the incidents of a window.
    var needsIncidents: Bool { conditions.contains { $0.metric.isOfIncidents } }

    /// Whether a condition is about a window.
    var isOfWindow: Bool { conditions.contains { $0.metric.isOfWindow } }

    /// The conditions that hold, with their resolvers. `nil` if no condition holds. `incidents` are those of
    /// the window, unless the report has them.
    func finding(in report: some GatedReport, _ incidents: ChangesReport? = nil) -> String? {
        let findings = conditions.flatMap { condition in
            if condition.metric.isOfIncidents, let incidents {
                return incidents.findings(of: [condition])
            }
            return report.findings(of: [condition])
        }
        return findings.isEmpty ? nil : "--fail-if " + findings.joined(separator: "; ")
    }
}

struct PreflightOptions: ParsableArguments {
    @OptionGroup var checking: TamperOption

    @Flag(
        inversion: .prefixedNo,
        help: "Connect to the answered addresses: time to content counts too.".forExperts
    )
    var connect = false

    @Option(help: "TCP port for --connect. (default: 443)".naming("port").forExperts)
    var connectPort: UInt16?

    func validate() throws {
        guard connect || connectPort == nil else {
            throw ValidationError("--connect-port goes with --connect; add it or leave it out")
        }
    }
}

struct TamperOption: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Check first that resolvers and network return true answers."
    )
    var check = true
}
