import DNSWire
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
        /// Of the network.
        var roundTrips: [Double] = []
        /// Of all answers, each a second at most, the sum and the number.
        var sum = 0.0
        var count = 0

        mutating func add(_ observation: Observation, of question: Question, in series: Series) {
            if let roundTrip = observation.extras?.networkRTT {
                roundTrips.append(Double(roundTrip) * 1e-6)
            }
            guard observation.outcome == .answered, let roundTrip = observation.roundTrip,
                let whole = observation.answerTime(in: series)
            else { return }
            names[question, default: Times()].add(Double(roundTrip) * 1e-6, observation.cache)
            if series == .first { openings.append(whole - Double(roundTrip) * 1e-6) }
            sum += min(whole, 1000)
            count += 1
        }
    }

    /// The answers to one name.
    private struct Times {
        var all: [Double] = []
        var hits: [Double] = []

        mutating func add(_ time: Double, _ cache: CacheState?) {
            all.append(time)
            if cache == .hit { hits.append(time) }
        }

        /// The median of those from the cache; where that is not known, most are among the fastest.
        var typical: Double? {
            if !hits.isEmpty { return hits.median }
            guard !all.isEmpty else { return nil }
            return all.sorted()[(all.count - 1) / 4]
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

    package mutating func add(_ recording: Recording) {
        for sample in recording.samples {
            guard let round = recording.round(of: sample), round.isCounted,
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

    /// The cause of a `change` of speed, up to the hour of the `next` one; `moves` are the changes of
    /// the site that answers. Unknown where the samples do not tell of it.
    package func cause(
        of change: LevelChange,
        of subject: HistoryHours.Subject,
        until next: Int?,
        moves: [SiteMove]
    ) -> CauseFinding {
        var found = CauseFinding(cause: .unknown)
        guard let own = hours[subject] else { return found }
        for count in Self.hoursAfter {
            let end = min(change.hour + count, next ?? .max)
            let finding = evidence(on: change, of: subject, own, until: end, moves).finding()
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
        until end: Int,
        _ moves: [SiteMove]
    ) -> CauseEvidence {
        let first = change.hour - ChangeDetector.referenceHours
        let units = Array(first..<max(end, change.hour))
        var evidence = CauseEvidence(
            hours: units.map { clock.time(at: Timestamp(hoursSinceEpoch: $0)).hour },
            before: 0..<ChangeDetector.referenceHours,
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
            units.map { unit in
                hours[unit].flatMap { $0.names.values.compactMap(\.typical).median }
            }
        }
        evidence.hasOtherNetwork = !others.isEmpty
        evidence.floor = Self.floor(own, units)
        evidence.otherFloors = others.values.map { Self.floor($0, units) }.filter { !$0.isEmpty }
        let means = units.map { unit in
            own[unit].flatMap { $0.count > 0 ? $0.sum / Double($0.count) : nil }
        }
        evidence.seen = evidence.residuals(means)
        evidence.isSiteMoved = isMoved(moves, at: change.hour, among: own.keys)
        return evidence
    }

    /// The network's round trip by unit; empty where most of the hours that were measured have none.
    private static func floor(_ hours: [Int: Hour], _ units: [Int]) -> [Double?] {
        let floor = units.map { hours[$0]?.roundTrips.median }
        let measured = units.count { hours[$0] != nil }
        return 2 * floor.count { $0 != nil } > measured ? floor : []
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
