import DNSWire
package import Samples
import Statistics

/// Adds up the queries of a window by group and resolver, from samples, from hourly sums, or from
/// both: the order does not matter.
package struct WindowTally: Sendable {
    package let grouping: WindowGrouping
    package let clock: LocalClock
    /// Of the samples' rounds; of rounds that only sums hold, what ``add(_:)-(RoundMoment)`` got.
    package private(set) var log = RoundLog()
    /// The earliest query among the samples, and the earliest hour among the sums.
    package private(set) var firstSample: Timestamp?
    package private(set) var firstSum: Timestamp?
    private var cells: [Key: Cell] = [:]

    struct Key: Hashable {
        var group: WindowGroup
        var target: Recording.Target
    }

    struct Cell {
        var counts = OutcomeCounts()
        /// Milliseconds, in the order of sending.
        var answers: [Double] = []
        var connections = ConnectionTally()
        var sums: LatencyTally?
        /// The shortest: what is said to lie beyond it does so in all.
        var timeout: Duration?
    }

    package init(by grouping: WindowGrouping, clock: LocalClock) {
        self.grouping = grouping
        self.clock = clock
    }

    /// Adds the samples, but for those of rounds that do not count. With `logsRounds` false the rounds come by ``add(_:)-(RoundMoment)``, and none of these
    /// samples is of a marked one.
    package mutating func add(
        _ recording: Recording,
        logsRounds: Bool = true
    ) {
        if logsRounds { log.add(recording) }
        var index: [Place: Int] = [:]
        var found: [(key: Key, cell: Cell)] = []
        for sample in recording.samples {
            let moment = sample.moment
            firstSample = min(firstSample ?? moment, moment)
            guard let round = recording.round(of: sample), round.isCounted,
                let place = place(of: sample, in: round, at: moment, recording)
            else { continue }
            let position: Int
            if let known = index[place] {
                position = known
            } else {
                position = found.count
                index[place] = position
                let target = recording.targets[Int(place.target)]
                found.append((Key(group: group(of: place, in: recording), target: target), Cell()))
            }
            found[position].cell.add(sample.observation, in: found[position].key.target.series)
            found[position].cell.limit(to: recording.timeout(ofRun: round.run))
        }
        for (key, cell) in found { cells[key, default: Cell()].merge(cell) }
    }

    /// Adds an hour; not where ``WindowGrouping/needsSamples``.
    package mutating func add(_ sum: HourlySum) {
        guard !grouping.needsSamples else { return }
        firstSum = min(firstSum ?? sum.hour, sum.hour)
        let group: WindowGroup? =
            switch grouping {
            case .transport: .text(sum.target.transport.description)
            case .vantage: .text(sum.vantage)
            case .type: .text(sum.type.description)
            default: grouping.group(of: clock.time(at: sum.hour))
            }
        guard let group else { return }
        cells[Key(group: group, target: sum.target), default: Cell()].merge(sum)
    }

    /// Whether nothing was added, not even a round.
    package var isEmpty: Bool { log.isEmpty && cells.isEmpty }

    /// Adds a round that is known from elsewhere, for gaps and outages; those of samples are
    /// there already.
    package mutating func add(_ round: RoundMoment) { log.add(round) }

    /// What was added up, in no order.
    var sums: [(key: Key, cell: Cell)] { cells.map { ($0.key, $0.value) } }

    // MARK: - Samples

    /// Where a sample belongs within its recording, in numbers: texts take long to compare.
    private struct Place: Hashable {
        var target: Int32
        /// Of the question or the run, where that is what is grouped by.
        var part: Int32 = 0
        var time: WindowGroup?
    }

    /// `nil` where the recording lacks what the sample refers to.
    private func place(
        of sample: Sample,
        in round: Round,
        at moment: Timestamp,
        _ recording: Recording
    ) -> Place? {
        guard recording.targets.indices.contains(Int(sample.target)),
            recording.questions.indices.contains(Int(sample.question)),
            recording.runs.indices.contains(Int(round.run))
        else { return nil }
        return switch grouping {
        case .name, .type: Place(target: sample.target, part: sample.question)
        case .vantage: Place(target: sample.target, part: round.run)
        case .resolver, .transport: Place(target: sample.target)
        case .hour, .weekday, .day:
            Place(target: sample.target, time: grouping.group(of: clock.time(at: moment)))
        }
    }

    private func group(of place: Place, in recording: Recording) -> WindowGroup {
        switch grouping {
        case .name: .text(recording.questions[Int(place.part)].name.description)
        case .type: .text(recording.questions[Int(place.part)].type.description)
        case .vantage: .text(recording.runs[Int(place.part)].vantage)
        case .transport:
            .text(recording.targets[Int(place.target)].transport.description)
        case .resolver, .hour, .weekday, .day: place.time ?? .whole
        }
    }
}

extension WindowTally.Cell {
    mutating func add(_ observation: Observation, in series: Series) {
        counts.count(observation.outcome, responseCode: observation.responseCode)
        if let time = observation.answerTime(in: series) { answers.append(time) }
        connections.add(observation, in: series)
    }

    mutating func limit(to other: Duration?) {
        guard let other else { return }
        timeout = min(timeout ?? other, other)
    }

    mutating func merge(_ other: Self) {
        counts.merge(other.counts)
        answers += other.answers
        connections.merge(other.connections)
        limit(to: other.timeout)
    }

    mutating func merge(_ sum: HourlySum) {
        counts.merge(sum.counts)
        sums = sums ?? LatencyTally()
        sums?.merge(sum.latency)
        connections.add(sum)
        limit(to: sum.timeout)
    }

    /// Of the median, to 95 %; `nil` of hourly sums, and where the queries are too few.
    var medianInterval: ClosedRange<Double>? {
        guard sums == nil else { return nil }
        return Tally.medianInterval(
            answers,
            of: counts.measured,
            timeout: timeout ?? .seconds(5)
        )
    }

    /// What carried the queries; `nil` where that is nothing to tell of.
    var connectionFigures: ConnectionFigures? { connections.figures }

    /// How far the queries that opened a connection had come when; none of hourly sums.
    var openings: [OpeningFigures] {
        sums == nil ? connections.openings(timeout: timeout ?? .seconds(5)) : []
    }

    /// Exact where all of it is from samples, else with quantiles within 1 %.
    var latency: LatencySummary {
        let limit = (timeout ?? .seconds(5)).milliseconds
        guard sums == nil else { return tally.summary(timeout: limit) }
        return LatencySummary(answers: answers, nonAnswers: counts.lost, timeout: limit)
    }

    /// All of it, with quantiles within 1 %.
    var tally: LatencyTally {
        var tally = sums ?? LatencyTally()
        var previous: Double?
        for answer in answers {
            tally.insert(answer: answer, after: previous)
            previous = answer
        }
        tally.nonAnswers = max(0, counts.measured - tally.answered)
        return tally
    }
}

extension Recording {
    /// `nil` for a run that there is not.
    func timeout(ofRun run: Int32) -> Duration? {
        runs.indices.contains(Int(run)) ? runs[Int(run)].timeout : nil
    }
}

/// What a report over a window puts side by side; resolvers are kept apart in each.
package enum WindowGrouping: String, Hashable, Sendable, CaseIterable {
    case resolver, name, type, hour, weekday, day, transport, vantage

    /// Whether hourly sums do not tell it, so that only samples do.
    package var needsSamples: Bool { self == .name }

    /// Whether a resolver's transports are beside each other.
    var tellsTransports: Bool { self == .resolver || self == .transport }
}

/// One of the parts that a window is divided into.
enum WindowGroup: Hashable, Comparable {
    case whole
    /// A name, a record type, a transport or a place.
    case text(String)
    /// 0 to 23, on the reader's clock.
    case hour(Int)
    /// 1 for Monday to 7 for Sunday.
    case weekday(Int)
    case day(CivilDate)

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Such as `14:00`, `Monday` or `2026-11-21`.
    var title: String {
        switch self {
        case .whole: ""
        case .text(let text): text
        case .hour(let hour): hour < 10 ? "0\(hour):00" : "\(hour):00"
        case .weekday(let day): Self.weekdays[(day - 1) % 7]
        case .day(let date): date.description
        }
    }

    /// As it stands in a sentence, such as `at 14:00`.
    func phrase(in grouping: WindowGrouping) -> String {
        switch grouping {
        case .resolver: ""
        case .name, .type: "with \(title)"
        case .hour: "at \(title)"
        case .weekday, .day: "on \(title)"
        case .transport: "over \(title)"
        case .vantage: "from \(title)"
        }
    }
}

extension WindowGrouping {
    /// The group of a time on the reader's clock; `nil` for a grouping that is not by time.
    func group(of time: LocalTime) -> WindowGroup? {
        switch self {
        case .hour: .hour(time.hour)
        case .weekday: .weekday(time.date.weekday)
        case .day: .day(time.date)
        case .resolver: .whole
        case .name, .type, .transport, .vantage: nil
        }
    }
}
