import Analysis
import Catalogue
import DNSWire
import Failures
import Measurement
import Reports
import Runs
import Samples
import Statistics

/// Forecast of a comparison of resolvers from their earlier measurements.
struct RunForecast {
    private let baseline: String
    private let rules: ComparisonRules
    private let context: WindowContext
    /// The number of places that measured the rounds.
    private let places: Int
    /// The comparison at its maximum length.
    let plan: Plan
    /// One forecast for each candidate of each series.
    private let forecasts: [(row: PlanReport.Row, forecast: VerdictForecast)]
    private let mostRounds: Int

    /// The forecast of the candidates with these labels, or of all candidates, compared according to
    /// `options`.
    init(
        _ recording: Recording,
        baseline: String,
        candidates: Set<String>?,
        options: RunOptions,
        pacing: PaceOptions,
        in context: WindowContext
    ) throws {
        let earlier = EarlierRounds(
            of: CountedSamples(of: recording),
            baseline: baseline,
            candidates: candidates
        )
        let rules = ComparisonRules(margin: options.usedMargin)
        let names = recording.targets.names
        let series = Set(earlier.scopes.map(\.series))
        (self.baseline, self.rules, self.context) = (baseline, rules, context)
        places = earlier.vantages.count
        mostRounds = options.usedMaxRounds
        forecasts = earlier.scopes.flatMap { scope in
            scope.pairs.map { pair in
                let forecast = VerdictForecast(
                    hours: pair.hours,
                    rules: rules,
                    candidates: scope.pairs.count
                )
                let row = PlanReport.Row(
                    target: recording.targets[pair.candidate],
                    name: scope.series.naming(names[pair.candidate], among: series),
                    candidates: scope.pairs.count,
                    questions: scope.questions.count,
                    measured: pair.hours.reduce(0) { $0 + $1.count },
                    earlier: forecast.earlier
                )
                return (row, forecast)
            }
        }
        try Self.check(forecasts.map(\.row), baseline, in: context.span)
        plan = try Self.plan(recording, earlier, options, pacing)
    }

    /// The planned comparison, with every resolver that has earlier rounds.
    private static func plan(
        _ recording: Recording,
        _ earlier: EarlierRounds,
        _ options: RunOptions,
        _ pacing: PaceOptions
    ) throws -> Plan {
        let targets = earlier.scopes.flatMap { scope in
            Array(Set(scope.pairs.flatMap { [$0.baseline, $0.candidate] })).sorted()
                .map { recording.targets[$0] }
        }
        let isLab = targets.allSatisfy(\.isSimulated)
        let labels = Set(targets.map(\.label)).count
        let pace = (isLab ? Pace.lab(resolvers: labels) : .polite).changed(by: options)
        for endpoint in targets.compactMap(\.asked) {
            try pace.checked(for: endpoint, runsResolvers: pacing.iRunTheseResolvers)
        }
        let places = targets.map { $0.asked?.paced.description ?? "\($0.label) \($0.endpoint)" }
        func questions(_ isMeant: (Series) -> Bool) -> [Question] {
            earlier.scopes.filter { isMeant($0.series) }.flatMap(\.questions).uniqued
                .map { recording.questions[$0] }
        }
        var plan = Plan(
            targets: targets,
            at: places,
            questions: questions(\.asksCachedNames),
            zones: questions { $0 == .uncached },
            options,
            pace,
            isLab: isLab
        )
        plan.interval = options[.interval] ?? plan.interval
        plan.warmup = options[.warmup] ?? plan.warmup
        plan.rounds = VerdictForecast.mostRounds
        return try (isLab ? plan : plan.limitingUncached()).validated()
    }

    /// Throws if none of `rows` has enough earlier rounds.
    private static func check(
        _ rows: [PlanReport.Row],
        _ baseline: String,
        in span: String
    ) throws(Failure) {
        guard let most = rows.max(by: { ($0.earlier, $0.measured) < ($1.earlier, $1.measured) })
        else {
            throw Failure(
                .noInput,
                "no round from \(span) has '\(baseline)' and another resolver: measure some "
                    + "with 'dnstempo compare', or choose another --since or --baseline"
            )
        }
        guard most.earlier < VerdictForecast.fewestEarlier else { return }
        // Enough even if the hour ends during the rounds, and one part is too short.
        let enough = VerdictForecast.fewestEarlier + VerdictForecast.fewestOfHour
        throw Failure(
            .noInput,
            "a plan needs \(VerdictForecast.fewestEarlier) rounds of \(baseline) and \(most.name), "
                + "in hours with \(VerdictForecast.fewestOfHour) or more; of "
                + "\(most.measured.counted("round")) from \(span), \(most.earlier) can be used: "
                + "measure more, as with 'dnstempo compare --rounds \(enough)', or choose an "
                + "earlier --since"
        )
    }

    /// The report on runs that detect a `difference`, and on one run of length `time`.
    func report(difference: Duration?, time: Duration?) -> PlanReport {
        let difference = difference.map { $0 / .milliseconds(1) }
        let wanted = time.map { (duration: $0, rounds: plan.lasting($0).rounds) }
        var report = PlanReport(
            context: context,
            baseline: baseline,
            rules: rules,
            run: (
                pace: plan.pace,
                round: plan.period,
                resolvers: Set(plan.targets.map(\.label)).count,
                queries: plan.probesPerRound,
                mostRounds: mostRounds
            ),
            rows: forecasts.map { row, forecast in
                var row = row
                let rounds = difference.flatMap { forecast.rounds(forDifference: $0) }
                row.length = rounds.map { length($0, forecast, row.target.series) }
                row.smallest = wanted.flatMap {
                    forecast.smallestDifference(foundIn: limited($0.rounds, row.target.series))
                }
                return row
            }
        )
        (report.difference, report.time) = (difference, wanted)
        let fewest = forecasts.filter(\.forecast.isFounded)
            .min { $0.forecast.earlier < $1.forecast.earlier }
        report.nextPrecision = fewest?.forecast.nextPrecision
        report.places = places
        return report
    }

    /// Rejects a length of a run that allows no verdict on all candidates.
    func check(_ time: Duration) throws(Failure) {
        let rounds = plan.lasting(time).rounds
        let fewest = forecasts.map(\.forecast.fewestRounds).max() ?? rules.minimumRounds
        guard rounds < fewest else { return }
        let seconds = (plan.period * (fewest - 1)).inSeconds.rounded(.down)
        throw Failure.usage(
            "--for \(DurationText.format(time)) is \(rounds.counted("round")), and no verdict is "
                + "possible before round \(fewest): give \(Int(seconds) + 1)s or more"
        )
    }

    private func length(
        _ rounds: Int,
        _ forecast: VerdictForecast,
        _ series: Series
    ) -> PlanReport.Length {
        let range = forecast.range(around: rounds)
        let most = limited(rounds, series)
        return (
            rounds: rounds,
            range: range,
            duration: duration(rounds),
            durations: duration(range.lowerBound)...duration(range.upperBound),
            most: most < rounds ? most : nil
        )
    }

    /// The number of a run's rounds that contain the series.
    private func limited(_ rounds: Int, _ series: Series) -> Int {
        series == .uncached ? min(rounds, plan.uncachedRounds) : rounds
    }

    private func duration(_ rounds: Int) -> Duration {
        var plan = plan
        plan.rounds = rounds
        return plan.estimatedDuration
    }
}

extension Recording.Target {
    /// The address and port of the resolver. `nil` for a simulated resolver, and if a file does not contain
    /// them.
    fileprivate var asked: Endpoint? {
        guard !isSimulated else { return nil }
        return try? Endpoint(parsing: String(endpoint.prefix { $0 != "/" && $0 != "#" }))
    }
}
