import Analysis
import Charts
import Samples
import Statistics

extension HistoryTimeline {
    /// The sentences, the finding first. They are about one resolver if it is drawn alone.
    func sentences(of timelines: [ResolverTimeline], as kind: ChartKind) -> [String] {
        guard !timelines.isEmpty else {
            // With many places some kinds have nothing to draw.
            return hours.areOfManyPlaces
                ? [ManyPlaces.headline(placeCount)] : ["Nothing was measured from \(span)."]
        }
        let order = kind == .opening ? Series.allCases.reversed() : Series.allCases
        let figures = figures(of: timelines, in: order)
        switch kind {
        case .timeline, .smoke:
            let told = incidents(of: timelines).sentences(clock: context.clock)
                .map(EscapedText.terminal)
            let moves = timelines.flatMap { $0.moves.sentences(of: $0.name, clock: context.clock) }
            return told.isEmpty ? figures + moves : told + moves + figures
        case .heatmap:
            let patterns = hours.patterns(over: .hour)
            let swings = timelines.compactMap { timeline in
                DailySwing(
                    timeline,
                    patterns[timeline.subject.target],
                    among: timelines.count,
                    clock: context.clock
                )
            }
            guard let widest = swings.max(by: { $0.order < $1.order }) else { return figures }
            return [timelines.count > 1 ? widest.sentenceOfWidest : widest.sentence] + figures
        case .distribution, .percentiles, .bars, .rounds, .trend: return figures
        case .places:
            let found = timelines.charts(.places).compactMap(\.placesSentence)
            let labels = timelines.map(\.subject.target.label)
            let remedy =
                Set(labels).count > 1
                ? [
                    "No significance test: a difference may be chance; "
                        + "\(context.medium.words(for: .test(among: labels)))."
                ] : []
            return found.isEmpty || hours.areOfManyPlaces ? figures : found + remedy
        case .opening:
            guard timelines.charts(.opening).isEmpty else { return figures }
            let sums =
                "Hourly sums do not tell how the parts of first answers go together"
                + context.medium.words(for: .readOpenings) + "."
            return [
                "No first queries of encrypted connections to show."
                    + (timelines.contains { $0.sketch.count > 0 } ? " " + sums : "")
            ] + figures
        }
    }

    /// The changes and outages of `timelines`.
    func incidents(of timelines: [ResolverTimeline]) -> [IncidentFinding] {
        let findings = timelines.flatMap(\.findings).sorted { $0.change.hour < $1.change.hour }
        let places = Dictionary(grouping: timelines.map(\.subject), by: \.vantage)
        return findings.incidents(
            besides: timelines.flatMap(\.outages).uniqued,
            resolvers: places.mapValues { Set($0.map(\.target.label)) }
        )
    }

    /// The speed of the resolvers. Places are never ranked: only times of one place are compared.
    private func figures(of timelines: [ResolverTimeline], in order: [Series]) -> [String] {
        if hours.areOfManyPlaces {
            let told = timelines.filter { $0.subject.vantage.isEmpty }.prefix(ManyPlaces.mostPlaces)
            return [ManyPlaces.headline(placeCount)] + told.map(\.sentenceOverPlaces)
        }
        if timelines.count == 1 { return timelines.map(\.sentence) }
        let labels = timelines.map(\.subject.target.label)
        let remedy = context.medium.words(for: .test(among: labels))
        let places = Dictionary(grouping: timelines, by: \.subject.vantage).sorted {
            $0.key < $1.key
        }
        guard places.count > 1 else {
            return SummarySentences.comparisons(
                timelines.map(\.figures),
                in: order,
                remedy: remedy
            )
        }
        let told = places.prefix(ManyPlaces.mostPlaces).map { place, timelines in
            let own = timelines.map { $0.unnamed(at: place) }
            let sentences =
                own.count == 1
                ? own.map(\.sentence)
                : SummarySentences.comparisons(own.map(\.figures), in: order, remedy: nil)
            return "At \(EscapedText.terminal(place)): \(sentences.joined(separator: " "))"
        }
        let isCompared = places.contains { $0.value.count > 1 }
        return [ManyPlaces.headline(places.count)] + told
            + (isCompared ? [SummarySentences.untested(remedy)] : [])
    }

    private var placeCount: Int { Set(hours.subjects.map(\.vantage)).count }

    /// The amount, place and time of the measurement.
    func scope(of timelines: [ResolverTimeline]) -> String {
        let isOfMany = hours.areOfManyPlaces
        let queries =
            isOfMany ? hours.sent : timelines.reduce(0) { $0 + $1.figures.counts.sent }
        let places = Set(timelines.map(\.subject.vantage)).sorted().map(EscapedText.terminal)
        let named =
            isOfMany
            ? "\(placeCount) places"
            : places.count > ManyPlaces.mostPlaces
                ? "\(places.count) places" : places.joined(separator: ", ")
        let from = places.isEmpty ? "" : " from \(named)"
        let count = hours.log.count
        let rounds = count > 0 ? " in \(count.of("round", "rounds"))" : ""
        let length = context.window.upperBound.since(context.window.lowerBound)
        return "\(queries.of("query", "queries"))\(rounds)\(from), \(span), "
            + "\(LatencyFormat.span(length))."
    }

    private var span: String { "\(context.span)\(context.zoneNote)" }
}

extension HistoryHours {
    /// The sent queries of all resolvers.
    fileprivate var sent: Int { all.reduce(0) { $0 + $1.counts.sent } }
}

extension ResolverTimeline {
    /// The same timeline under the name that the place itself uses.
    fileprivate func unnamed(at place: String) -> ResolverTimeline {
        var unnamed = self
        unnamed.figures.name = figures.name.withoutPlace(place)
        unnamed.name = name.withoutPlace(EscapedText.terminal(place))
        return unnamed
    }

    /// For a resolver whose figures are of places.
    fileprivate var sentenceOverPlaces: String {
        let places = figures.latency.count.of("place", "places")
        guard let median = figures.latency.median else {
            return "\(name): \(PlacesQuantile.noMedian) at most of \(places)."
        }
        let time = LatencyFormat(fitting: [median]).prose(median)
        return "\(name): median \(time) over \(places)."
    }

    fileprivate var sentence: String {
        let latency = figures.latency
        let noun = FailureNoun(of: [figures.counts]).text
        let failed = "\(noun) \(figures.counts.failureRate.description)."
        guard let median = latency.median else { return "\(name): \(failed)" }
        let format = LatencyFormat(fitting: [median, latency.p95 ?? median])
        let slow = latency.prose(latency.p95, in: format)
        // The star refers to the note.
        let star = latency.count < Warning.queriesForP95 ? "*" : ""
        return "\(name): median \(format.prose(median)), p95 \(slow)\(star), \(failed)"
    }
}

/// The differences between the hours of the day, for one resolver.
struct DailySwing {
    private let name: String
    private let best: (hour: Int, median: Double)
    /// The median; infinite beyond the timeout.
    private let worst: (hour: Int, median: Double)
    /// In milliseconds.
    private let timeout: Double
    /// Whether the test established a pattern; `nil` for too few days.
    private let isEstablished: Bool?

    /// `nil` with fewer than two hours, or if all medians are beyond the timeout. `pattern` is the test of
    /// the resolver, one of `count`.
    init?(_ timeline: ResolverTimeline, _ pattern: CycleTest?, among count: Int, clock: LocalClock)
    {
        isEstablished = pattern?.isEstablished(among: count)
        var tallies: [Int: LatencyTally] = [:]
        for bin in timeline.bins {
            guard let middle = Timestamp(wholeSeconds: bin.start + bin.length / 2) else { continue }
            let hour = clock.time(at: middle).hour
            tallies[hour, default: LatencyTally()].merge(bin.latency)
        }
        let timeout = timeline.figures.latency.timeout
        let medians = tallies.filter { $0.value.count > 0 }.sorted { $0.key < $1.key }
            .map { ($0, $1.quantile(0.5, timeout: timeout) ?? .infinity) }
        guard medians.count > 1, let best = medians.min(by: { $0.1 < $1.1 }), best.1.isFinite,
            let worst = medians.max(by: { $0.1 < $1.1 })
        else { return nil }
        (name, self.best, self.worst, self.timeout) = (timeline.name, best, worst, timeout)
    }

    /// Established patterns come last, then tested ones. Among equals, the median of the slowest hour as a
    /// multiple of the median of the fastest hour counts.
    var order: (Int, Double) {
        (isEstablished.map { $0 ? 2 : 1 } ?? 0, worst.median / best.median)
    }

    private var format: LatencyFormat { LatencyFormat(fitting: [best.median]) }

    /// Whether no difference is visible.
    var isEven: Bool { format.number(best.median) == format.number(worst.median) }

    /// The sentence, if no other resolver changes more.
    var sentenceOfWidest: String {
        if isEven { return "No resolver changes with the hour." }
        return switch isEstablished {
        case true?: sentence
        case false?: "No resolver's latency differs significantly between hours of the day."
        case nil: "Hours of the day are not compared: \(Self.tooFew)."
        }
    }

    private static let tooFew = "\(CycleTest.fewestPeriods) days are needed"

    var sentence: String {
        func said(_ place: (hour: Int, median: Double)) -> String {
            let time =
                place.median.isFinite ? format.prose(place.median) : LatencyFormat.beyond(timeout)
            return "\(WindowGroup.hour(place.hour).phrase(in: .hour)) (\(time))"
        }
        if isEven { return "\(name) was equally fast at all hours (\(format.prose(best.median)))." }
        guard let isEstablished else {
            return "\(name): hours of the day are not compared: \(Self.tooFew)."
        }
        guard isEstablished else { return "\(name): no significant difference between hours." }
        return "\(name) changes most with the hour: slowest \(said(worst)), fastest \(said(best))."
    }
}

extension SiteMove {
    /// Names of servers can be long. The tooltip and the sentence have the whole name.
    private static let mostColumns = 18

    /// The change of site in a few words, such as `site lon01 → fra02`.
    fileprivate var mark: TimeMark {
        let names = [from, to].map(EscapedText.terminal)
        var short = names.map { $0.truncated(to: Self.mostColumns) }
        if short[0] == short[1] {
            short = names.map {
                String(String($0.reversed()).truncated(to: Self.mostColumns).reversed())
            }
        }
        return TimeMark(
            .site,
            moment: moment.wholeSeconds,
            label: "site \(short[0]) → \(short[1])",
            detail: "moved from the site \(names[0]) to \(names[1])"
        )
    }

    /// The change of site as a sentence, such as `At 2026-03-25 14:00 meadow moved from the site lon01 to
    /// fra02.`
    func sentence(of name: String, clock: LocalClock) -> String {
        "At \(clock.text(moment)) \(name) moved from the site \(EscapedText.terminal(from)) to "
            + "\(EscapedText.terminal(to))."
    }
}

extension [SiteMove] {
    /// The most changes of site that are listed one by one.
    private static var mostTold: Int { 5 }

    /// One mark per change; none if there are too many.
    var marks: [TimeMark] { count > Self.mostTold ? [] : map(\.mark) }

    /// The latest first.
    func sentences(of name: String, clock: LocalClock) -> [String] {
        guard count <= Self.mostTold else {
            let sites = Set(flatMap { [$0.from, $0.to] }).count
            return ["\(name) moved \(count) times between \(sites) sites."]
        }
        return reversed().map { $0.sentence(of: name, clock: clock) }
    }
}
