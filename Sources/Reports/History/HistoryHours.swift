package import Samples
import Statistics

/// The hours of each resolver at each place, from samples, from hourly sums, or from both, of which
/// samples count where an hour has them.
package struct HistoryHours: Sendable {
    /// One resolver at one place.
    struct Subject: Hashable {
        var vantage: String
        var target: Recording.Target
    }

    package let clock: LocalClock
    package private(set) var log = RoundLog()
    package private(set) var firstSample: Timestamp?
    package private(set) var firstSum: Timestamp?
    private var exact: [Subject: [Int: WindowTally.Cell]] = [:]
    private var sums: [Subject: [Int: WindowTally.Cell]] = [:]

    package init(clock: LocalClock) { self.clock = clock }

    /// Adds the samples, but for those of rounds that do not count. With `logsRounds` false the rounds come by ``add(_:)-(RoundMoment)``, and none of these
    /// samples is of a marked one.
    package mutating func add(
        _ recording: Recording,
        logsRounds: Bool = true
    ) {
        if logsRounds { log.add(recording) }
        var cells: [Place: WindowTally.Cell] = [:]
        for sample in recording.samples {
            let moment = sample.moment
            firstSample = min(firstSample ?? moment, moment)
            guard let round = recording.round(of: sample), round.isCounted,
                recording.targets.indices.contains(Int(sample.target)),
                recording.runs.indices.contains(Int(round.run))
            else { continue }
            let place = Place(
                run: round.run,
                target: sample.target,
                hour: moment.hoursSinceEpoch
            )
            cells[place, default: WindowTally.Cell()].add(
                sample.observation,
                in: recording.targets[Int(sample.target)].series
            )
        }
        for (place, var cell) in cells {
            cell.limit(to: recording.timeout(ofRun: place.run))
            let subject = Subject(
                vantage: recording.runs[Int(place.run)].vantage,
                target: recording.targets[Int(place.target)]
            )
            exact[subject, default: [:]][place.hour, default: WindowTally.Cell()].merge(cell)
        }
    }

    /// Adds an hour; several of one hour, such as of record types, add up.
    package mutating func add(_ sum: HourlySum) {
        firstSum = min(firstSum ?? sum.hour, sum.hour)
        let subject = Subject(vantage: sum.vantage, target: sum.target)
        sums[subject, default: [:]][sum.hour.hoursSinceEpoch, default: WindowTally.Cell()]
            .merge(sum)
    }

    /// Adds the hours of `other`, but neither its rounds nor what is said of where they are from.
    mutating func addHours(of other: HistoryHours) {
        for (subject, cells) in other.exact { exact[subject, default: [:]].add(cells) }
        for (subject, cells) in other.sums { sums[subject, default: [:]].add(cells) }
    }

    /// Whether nothing was added, not even a round.
    package var isEmpty: Bool { log.isEmpty && exact.isEmpty && sums.isEmpty }

    /// Adds a round that is known from elsewhere, for gaps and outages; those of samples are
    /// there already.
    package mutating func add(_ round: RoundMoment) { log.add(round) }

    private struct Place: Hashable {
        var run: Int32
        var target: Int32
        var hour: Int
    }

    /// Everything that was measured of one resolver at one place.
    struct Course {
        var subject: Subject
        /// The label, with what tells it apart.
        var name: String
        /// Ascending.
        fileprivate var hours: [(hour: Int, cell: WindowTally.Cell)]
        fileprivate var clock: LocalClock

        /// The hours in their order, as changes are looked for in them.
        func blocks() -> [HourlyBlock] { hours.map { clock.block($0.hour, $0.cell) } }

        /// All hours as one.
        func total() -> WindowTally.Cell {
            hours.reduce(into: WindowTally.Cell()) { $0.merge(all: $1.cell) }
        }
    }

    /// Place by place, in each by name.
    var courses: [Course] {
        let subjects = Set(exact.keys).union(sums.keys)
        let targets = Array(Set(subjects.map(\.target)))
        let names = Dictionary(
            uniqueKeysWithValues: zip(targets, ComparisonReport.names(of: targets))
        )
        let places = Set(subjects.map(\.vantage)).count
        return subjects.map { subject in
            let hours = (sums[subject] ?? [:]).merging(exact[subject] ?? [:]) { $1 }
                .sorted { $0.key < $1.key }
            let name = names[subject.target] ?? subject.target.label
            return Course(
                subject: subject,
                name: places > 1 ? "\(name) from \(subject.vantage)" : name,
                hours: hours.map { ($0.key, $0.value) },
                clock: clock
            )
        }
        .sorted { ($0.subject.vantage, $0.name) < ($1.subject.vantage, $1.name) }
    }

    /// What was measured of each target in each hour, at all places together; the targets by name,
    /// in each the plain transports first.
    var hoursByTarget: [(target: Recording.Target, hours: [Int: WindowTally.Cell])] {
        var found: [Recording.Target: [Int: WindowTally.Cell]] = [:]
        for subject in Set(exact.keys).union(sums.keys) {
            let hours = (sums[subject] ?? [:]).merging(exact[subject] ?? [:]) { $1 }
            found[subject.target, default: [:]].add(hours)
        }
        return found.map { ($0.key, $0.value) }.sorted { left, right in
            let order = (left.0.transportOrder, right.0.transportOrder)
            return (left.0.label, order.0, left.0.endpoint, left.0.series.rawValue)
                < (right.0.label, order.1, right.0.endpoint, right.0.series.rawValue)
        }
    }

    /// Answers that may be anybody's, since no certificate was verified, of those that have any.
    var unverified: [Subject: Int] {
        cells.reduce(into: [:]) { found, entry in
            let count = entry.cell.connections.unverified
            if count > 0 { found[entry.subject, default: 0] += count }
        }
    }

    /// Every hour of every resolver.
    private var cells: [(subject: Subject, cell: WindowTally.Cell)] {
        exact.flatMap { subject, hours in hours.values.map { (subject, $0) } }
            + sums.flatMap { subject, hours in
                hours.filter { exact[subject]?[$0.key] == nil }.map { (subject, $0.value) }
            }
    }

    var verification: Verification { Verification(of: cells.lazy.map(\.cell)) }

    var hasSums: Bool { firstSum != nil }

    /// Where the figures are from.
    func provenance(_ toolVersion: String) -> String {
        Provenance(firstSample: firstSample, firstSum: firstSum, clock: clock)
            .text(toolVersion: toolVersion)
    }
}

extension [Int: WindowTally.Cell] {
    fileprivate mutating func add(_ cells: Self) {
        merge(cells) { own, other in
            var sum = own
            sum.merge(all: other)
            return sum
        }
    }
}

extension WindowTally.Cell {
    /// Adds another of either kind.
    mutating func merge(all other: Self) {
        merge(other)
        guard let more = other.sums else { return }
        var own = sums ?? LatencyTally()
        own.merge(more)
        sums = own
    }
}

extension LocalClock {
    /// An hour, counted from 1970 (UTC), as the clock has it.
    fileprivate func block(_ hour: Int, _ cell: WindowTally.Cell) -> HourlyBlock {
        let hourOfDay = time(at: Timestamp(hoursSinceEpoch: hour)).hour
        if let sums = cell.sums {
            return HourlyBlock(
                hour: hour,
                hourOfDay: hourOfDay,
                sketch: sums.sketch,
                lost: cell.counts.lost
            )
        }
        return HourlyBlock(
            hour: hour,
            hourOfDay: hourOfDay,
            answers: cell.answers,
            lost: cell.counts.lost
        )
    }
}
