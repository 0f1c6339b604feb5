import DNSWire
import LibC
package import Samples
package import Statistics

/// Hours around changes, name by name, from the samples that still exist. They show why a resolver became
/// slower or faster.
package struct CauseHours: Sendable {
    /// One resolver at one place in one hour. Times are in milliseconds.
    private struct Hour {
        var names: [Question: Times] = [:]
        /// The times to open a connection.
        var openings: [Double] = []
        /// The network's round trips.
        var roundTrips: [Double] = []
        /// Cache hits and misses among the names in the warm-ups, and the median time of the misses per
        /// round.
        var cache = HitShare()
        var missTimes: [Double] = []
        /// The sum of all answers' times, each limited to one second, and their number.
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

        /// The share of names that were not in the cache; `nil` if unknown.
        var missShare: Double? {
            cache.count > 0 ? Double(cache.misses) / Double(cache.count) : nil
        }

        /// The median, over the names, of the time of an answer from the cache.
        var typical: Double? { names.values.compactMap(\.typical).median }
    }

    /// The answers to one name.
    private struct Times {
        private var hits: [Double] = []
        /// Answers that may or may not be from the cache.
        private var others: [Double] = []

        mutating func add(_ time: Double, _ cache: CacheState?) {
            switch cache {
            case .hit?: hits.append(time)
            case .miss?: break
            case nil: others.append(time)
            }
        }

        /// The median of the answers from the cache. If these are unknown, the lower quartile of the other
        /// answers, because answers from the cache are among the fastest. `nil` if all had to be fetched.
        var typical: Double? {
            if !hits.isEmpty { return hits.median }
            guard !others.isEmpty else { return nil }
            return others.sorted()[(others.count - 1) / 4]
        }
    }

    private typealias Subject = HistoryHours.Subject

    private let clock: LocalClock
    private var hours: [Subject: [Int: Hour]] = [:]

    /// The numbers of hours after a change from which its cause is derived, tried in this order.
    private static let hoursAfter = [12, mostHoursAfter]
    /// The maximum number of hours after a change that are examined.
    package static let mostHoursAfter = 72

    package init(clock: LocalClock) { self.clock = clock }

    /// Returns the time span of the hours from which the cause of a change in `hour` is derived.
    package static func span(around hour: Int) -> Range<Timestamp> {
        Timestamp(
            hoursSinceEpoch: hour - Incident.referenceHours
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

    /// Returns the cause of a `change` of speed. The reference is the hours since the `previous` change. The
    /// hours of the change end at the `next` one. `moves` are the changes of the answering site.
    ///
    /// The cause is unknown if the samples are not sufficient.
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
            // A result from too few hours does not replace an earlier result with parts.
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
        let first = change.hour - Incident.referenceHours
        let units = Array(first..<max(end, change.hour))
        // If the reference contained two levels, half of the days each, the median would be neither.
        let known = min(max(0, (previous ?? first) - first), Incident.referenceHours)
        var evidence = CauseEvidence(
            hours: units.map { clock.time(at: Timestamp(hoursSinceEpoch: $0)).hour },
            before: known..<Incident.referenceHours,
            after: Incident.referenceHours..<units.count
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
            // Longer waits of users for fetched names do not explain a change of cached names.
            if !evidence.isCacheSeen { evidence.misses = [] }
        }
        return evidence
    }

    /// Returns a figure per unit; empty if most of the measured hours have no figure.
    private static func measured(
        _ figure: (Hour) -> Double?,
        _ hours: [Int: Hour],
        _ units: [Int]
    ) -> [Double?] {
        let values = units.map { hours[$0].flatMap(figure) }
        let measured = units.count { hours[$0] != nil }
        return 2 * values.count { $0 != nil } > measured ? values : []
    }

    /// Returns the cache-miss penalty; `nil` if no change of the share of misses is established. With few
    /// names per hour, it would only add noise to the other parts.
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

    /// Returns whether the site moved at the time of the change, and moves too rarely for a coincidence.
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
