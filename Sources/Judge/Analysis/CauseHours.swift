import DNSWire
import LibC
package import Samples
package import Statistics

/// Hours around changes, name by name, from the samples that are still there: what tells why a resolver
/// became slower or faster.
package struct CauseHours: Sendable {
    /// One resolver at one place in one hour; times in milliseconds.
    private struct Hour {
        var names: [Question: Times] = [:]
        /// To open a connection.
        var openings: [Double] = []
        /// The network's round trips.
        var roundTrips: [Double] = []
        /// Cache hits and misses among the names in the warm-ups, and by round the median time of
        /// the misses.
        var cache = HitShare()
        var missTimes: [Double] = []
        /// The sum of all answers' times, each a second at most, and their number.
        var sum = 0.0
        var count = 0

        mutating func add(_ observation: Observation, of question: Question, in series: Series) {
            if let roundTrip = observation.extras?.networkRTT {
                roundTrips.append(Double(roundTrip) * 1e-6)
            }
            if let warmup = observation.extras?.warmup {
                cache.add(warmup)
                if let time = warmup.missTime { missTimes.append(Double(time) * 1e-6) }
            }
            guard observation.outcome == .answered, let roundTrip = observation.roundTrip,
                let whole = observation.answerTime(in: series)
            else { return }
            names[question, default: Times()].add(Double(roundTrip) * 1e-6, observation.cache)
            if series == .first { openings.append(whole - Double(roundTrip) * 1e-6) }
            sum += min(whole, 1000)
            count += 1
        }

        /// The share of names that were not in the cache; `nil` where that is not known.
        var missShare: Double? {
            cache.count > 0 ? Double(cache.misses) / Double(cache.count) : nil
        }

        /// The median over the names of what an answer from the cache takes.
        var typical: Double? { names.values.compactMap(\.typical).median }
    }

    /// The answers to one name.
    private struct Times {
        private var hits: [Double] = []
        /// Those of which it is not known whether they came from the cache.
        private var others: [Double] = []

        mutating func add(_ time: Double, _ cache: CacheState?) {
            switch cache {
            case .hit?: hits.append(time)
            case .miss?: break
            case nil: others.append(time)
            }
        }

        /// The median of those from the cache; where that is not known, most are among the fastest.
        /// `nil` where all had to be fetched.
        var typical: Double? {
            if !hits.isEmpty { return hits.median }
            guard !others.isEmpty else { return nil }
            return others.sorted()[(others.count - 1) / 4]
        }
    }

    private typealias Subject = HistoryHours.Subject

    private let clock: LocalClock
    private var hours: [Subject: [Int: Hour]] = [:]

    /// Hours after a change that its cause follows from, first and then again.
    private static let hoursAfter = [12, mostHoursAfter]
    /// After so many nothing more is looked at.
    package static let mostHoursAfter = 72

    package init(clock: LocalClock) { self.clock = clock }

    /// When the hours were that the cause of a change in `hour` follows from.
    package static func span(around hour: Int) -> Range<Timestamp> {
        Timestamp(
            hoursSinceEpoch: hour - ChangeDetector.referenceHours
        )..<Timestamp(hoursSinceEpoch: hour + mostHoursAfter)
    }

    package mutating func add(_ counted: CountedSamples) {
        let recording = counted.recording
        for sample in recording.samples {
            guard let round = recording.round(of: sample),
                recording.runs.indices.contains(Int(round.run)),
                recording.targets.indices.contains(Int(sample.target)),
                recording.questions.indices.contains(Int(sample.question))
            else { continue }
            let target = recording.targets[Int(sample.target)]
            let vantage = recording.runs[Int(round.run)].vantage
            hours[Subject(vantage: vantage, target: target), default: [:]][
                sample.moment.hoursSinceEpoch,
                default: Hour()
            ]
            .add(
                sample.observation,
                of: recording.questions[Int(sample.question)],
                in: target.series
            )
        }
    }

    /// The cause of a `change` of speed, held against the hours since the `previous` one, up to the hour
    /// of the `next`; `moves` are the changes of the site that answers. Unknown where the samples do not
    /// tell of it.
    package func cause(
        of change: LevelChange,
        of subject: HistoryHours.Subject,
        since previous: Int?,
        until next: Int?,
        moves: [SiteMove]
    ) -> CauseFinding {
        var found = CauseFinding(cause: .unknown)
        guard let own = hours[subject] else { return found }
        for count in Self.hoursAfter {
            let end = min(change.hour + count, next ?? .max)
            let finding = evidence(on: change, of: subject, own, since: previous, until: end, moves)
                .finding()
            // Too few hours say less than the parts of those that there were.
            if finding.isNamed || finding.cause == .mixed || found.units == 0 { found = finding }
            if finding.isNamed { break }
        }
        return found
    }

    private func evidence(
        on change: LevelChange,
        of subject: HistoryHours.Subject,
        _ own: [Int: Hour],
        since previous: Int?,
        until end: Int,
        _ moves: [SiteMove]
    ) -> CauseEvidence {
        let first = change.hour - ChangeDetector.referenceHours
        let units = Array(first..<max(end, change.hour))
        // At two levels half of the days each, the usual would be neither.
        let known = min(max(0, (previous ?? first) - first), ChangeDetector.referenceHours)
        var evidence = CauseEvidence(
            hours: units.map { clock.time(at: Timestamp(hoursSinceEpoch: $0)).hour },
            before: known..<ChangeDetector.referenceHours,
            after: ChangeDetector.referenceHours..<units.count
        )
        let names = Set(own.values.flatMap(\.names.keys))
        evidence.names = names.map { name in units.map { own[$0]?.names[name]?.typical } }
        if subject.target.series == .first {
            evidence.openings = units.map { own[$0]?.openings.median }
        }
        let others = hours.filter { other, _ in
            other.vantage == subject.vantage && other.target.series == subject.target.series
                && other.target.network != subject.target.network
        }
        evidence.others = others.values.map { hours in
            units.map { hours[$0]?.typical }
        }
        evidence.hasOtherNetwork = !others.isEmpty
        evidence.floor = Self.measured(\.roundTrips.median, own, units)
        evidence.otherFloors = others.values.map { Self.measured(\.roundTrips.median, $0, units) }
            .filter { !$0.isEmpty }
        let means = units.map { unit in
            own[unit].flatMap { $0.count > 0 ? $0.sum / Double($0.count) : nil }
        }
        evidence.seen = evidence.residuals(means)
        evidence.isSiteMoved = isMoved(moves, at: change.hour, among: own.keys)
        if let missCost = Self.missCost(own, units, evidence) {
            evidence.misses = Self.measured(\.missShare, own, units)
            evidence.missCost = missCost
            // That users wait for more names now is no cause of a change of those that were warm.
            if !evidence.isCacheSeen { evidence.misses = [] }
        }
        return evidence
    }

    /// A figure by unit; empty where most of the hours that were measured have none.
    private static func measured(
        _ figure: (Hour) -> Double?,
        _ hours: [Int: Hour],
        _ units: [Int]
    ) -> [Double?] {
        let values = units.map { hours[$0].flatMap(figure) }
        let measured = units.count { hours[$0] != nil }
        return 2 * values.count { $0 != nil } > measured ? values : []
    }

    /// The cache-miss penalty; `nil` where the share of misses is what it was before, as far as can
    /// be told: of few names an hour it would only blur the other parts.
    private static func missCost(
        _ hours: [Int: Hour],
        _ units: [Int],
        _ evidence: CauseEvidence
    ) -> Double? {
        func share(_ part: Range<Int>) -> HitShare {
            part.reduce(into: HitShare()) { sum, unit in
                if let hour = hours[units[unit]] { sum.merge(hour.cache) }
            }
        }
        let (before, after) = (share(evidence.before), share(evidence.after))
        let around = units.compactMap { hours[$0] }
        guard !before.interval().overlaps(after.interval()),
            let miss = around.flatMap(\.missTimes).median,
            let hit = around.compactMap(\.typical).median
        else { return nil }
        return max(0, miss - hit)
    }

    /// Whether the site moved with the change, and moves too seldom for that to be chance.
    private func isMoved(
        _ moves: [SiteMove],
        at hour: Int,
        among hours: some Collection<Int>
    ) -> Bool {
        guard let first = hours.min(), let last = hours.max(), last > first,
            moves.contains(where: { abs($0.moment.hoursSinceEpoch - hour) <= 3 })
        else { return false }
        let count = moves.count { (first...last).contains($0.moment.hoursSinceEpoch) }
        return 1 - exp(-7 * Double(count) / Double(last - first)) <= 0.05
    }
}
