import Analysis
import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

/// Rounds of several weeks with known outcomes, which are the same in each execution.
struct HistoryFixture {
    /// The time of the first round: Monday, 2026-03-16, 00:00 in Berlin. One round follows every half hour.
    /// The clock is put forward on 2026-03-29.
    static let start = Timestamp(nanoseconds: 1_773_615_600_000_000_000)
    static let berlin = LocalClock([
        .init(second: 1_761_440_400, offset: 3600, name: "CET"),
        .init(second: 1_774_746_000, offset: 7200, name: "CEST"),
    ])
    static let kolkata = LocalClock([.init(second: 0, offset: 19_800, name: "IST")])

    /// The round, the resolver and the name of a query.
    struct Query {
        /// The index of the round, from 0.
        var round: Int
        var resolver: Int
        var name: Int

        /// The hours since the start, and the hour of the day in Berlin without the clock change.
        var hour: Int { round / 2 }
        var hourOfDay: Int { round / 2 % 24 }

        /// A pseudo-random number from 0 to 1, which depends only on the query.
        var noise: Double {
            (Double(round * 7 + resolver * 3 + name) * 0.618_033_988_749_895)
                .truncatingRemainder(dividingBy: 1)
        }
    }

    var labels = ["meadow", "harbour", "brook"]
    var vantage = "desk"
    var names = ["example.com", "example.net"]
    var endpoints = ["192.0.2.1:53", "198.51.100.1:53", "203.0.113.1:53"]

    /// Returns a recording of `rounds`. A query without an `outcome` is not measured, and a round without any
    /// outcome is missing.
    func recording(rounds: Range<Int>, outcome: (Query) -> Observation?) throws -> Recording {
        var recording = Recording(
            runs: [Run(id: "r", vantage: vantage, timeout: .seconds(5))],
            targets: zip(labels, endpoints).map { label, endpoint in
                Recording.Target(
                    label: label,
                    endpoint: endpoint,
                    transport: "udp",
                    series: .cached
                )
            },
            questions: try names.map { Question(name: try DomainName($0), type: .a) }
        )
        for round in rounds {
            let place = Int32(recording.rounds.count)
            let count = recording.samples.count
            for resolver in labels.indices {
                for name in names.indices {
                    let query = Query(round: round, resolver: resolver, name: name)
                    guard let observation = outcome(query) else { continue }
                    recording.samples.append(
                        Sample(
                            round: place,
                            target: Int32(resolver),
                            question: Int32(name),
                            scheduled: Self.moment(round: round),
                            observation: observation
                        )
                    )
                }
            }
            if recording.samples.count > count {
                recording.rounds.append(Round(number: Int32(round + 1)))
            }
        }
        recording.markRounds()
        return recording
    }

    static func moment(round: Int) -> Timestamp {
        start.advanced(by: .seconds(1800 * round))
    }

    static func context(
        rounds: Range<Int>,
        clock: LocalClock = HistoryFixture.berlin
    ) -> WindowContext {
        WindowContext(
            toolVersion: "1.0.0",
            window: moment(round: rounds.lowerBound)..<moment(round: rounds.upperBound),
            clock: clock
        )
    }

    /// Returns the changes in `recording`. Each change has the cause that its samples support.
    static func explained(_ recording: Recording, rounds: Range<Int>) -> ChangesReport {
        let hours = HistoryHours(whole: recording, clock: berlin)
        var report = ChangesReport(of: hours, context: context(rounds: rounds))
        report.changes.explain(with: [], known: []) { span in
            var hours = CauseHours(clock: berlin)
            var part = recording
            part.samples = recording.samples.filter { span.contains($0.moment) }
            hours.add(CountedSamples(of: part))
            return hours
        }
        return report
    }

    /// Returns a week in which one resolver is slow in the evening, and another one loses queries. Three
    /// rounds are outages, two rounds have no network, and the machine is off for eight hours.
    static func week() throws -> Recording {
        try HistoryFixture().recording(rounds: 336..<672) { query in
            let round = query.round - 336
            if (100..<116).contains(round) { return nil }
            if (40..<43).contains(round) { return .none(.timeout) }
            if (60..<62).contains(round) { return .none(.offline) }
            let base = [12.0, 20, 16][query.resolver] + Double(query.name)
            let evening = query.resolver == 1 && query.hourOfDay >= 18 ? 9.0 : 0
            if query.resolver == 2, round % 25 == 7 { return .none(.timeout) }
            if query.resolver == 2, round % 40 == 9 { return .failure(.servFail) }
            return .answer(base + evening + 2 * query.noise)
        }
    }

    /// Returns the hourly sums that a store keeps of `recording`.
    static func sums(of recording: Recording) -> [HourlySum] {
        struct Key: Hashable {
            var target: Int32
            var type: RecordType
            var hour: Int64
        }
        var sums: [Key: HourlySum] = [:]
        var previous: [Key: Double] = [:]
        var answered: [Key: [Int32: Bool]] = [:]
        for sample in recording.samples where recording.round(of: sample)?.marks.isEmpty == true {
            let seconds = sample.scheduled.nanoseconds / 1_000_000_000
            let type = recording.questions[Int(sample.question)].type
            let key = Key(target: sample.target, type: type, hour: seconds / 3600)
            let run = recording.runs[0]
            var sum =
                sums[key]
                ?? HourlySum(
                    vantage: run.vantage,
                    target: recording.targets[Int(sample.target)],
                    type: type,
                    timeout: run.timeout,
                    hour: Timestamp(nanoseconds: seconds / 3600 * 3_600_000_000_000)
                )
            let observation = sample.observation
            sum.figures.counts.count(observation.outcome, responseCode: observation.responseCode)
            let series = recording.targets[Int(sample.target)].series
            sum.figures.connections.add(observation, in: series)
            if let warmup = observation.extras?.warmup { sum.figures.warmups.add(warmup) }
            if observation.outcome == .answered, let time = observation.time(in: series) {
                let milliseconds = Double(time) * 1e-6
                sum.figures.latency.insert(answer: milliseconds, after: previous[key])
                previous[key] = milliseconds
            } else {
                sum.figures.latency.insertNonAnswer()
            }
            sums[key] = sum
            let outcome = observation.outcome
            guard outcome != .offline, outcome != .blocked else { continue }
            let isAnswer = [.answered, .wrong, .filtered].contains(outcome)
            answered[key, default: [:]].merge([sample.round: isAnswer]) { $0 || $1 }
        }
        for (key, rounds) in answered {
            let dead = rounds.count { !$0.value }
            sums[key]?.figures.availability = Availability(rounds: rounds.count, dead: dead)
        }
        return sums.values.sorted { $0.hour < $1.hour }
    }
}

extension ConnectionSums {
    fileprivate mutating func add(_ observation: Observation, in series: Series) {
        guard observation.outcome == .answered, let extras = observation.extras,
            let use = extras.connection, let query = observation.roundTrip
        else { return }
        count(use: use.rawValue)
        guard extras.isOpening(in: series) else { return }
        insert(
            connect: extras.connect.map { Double($0) * 1e-6 },
            handshake: Double(extras.handshake ?? 0) * 1e-6,
            query: Double(query) * 1e-6
        )
    }
}

extension HistorySink {
    /// Adds the samples of `recording` that are not excluded.
    mutating func add(_ recording: Recording) { add(CountedSamples(of: recording)) }

    /// Adds an hourly sum if it is not excluded.
    mutating func add(_ sum: HourlySum) { if let counted = CountedSum(of: sum) { add(counted) } }
}

extension WindowTally {
    /// Creates the tally of the rounds and samples of `recording`.
    init(whole recording: Recording, by grouping: WindowGrouping, clock: LocalClock) {
        self.init(by: grouping, clock: clock)
        add(whole: recording)
    }

    /// Adds the rounds of `recording`, and its samples.
    mutating func add(whole recording: Recording) {
        provenance.log.add(recording)
        add(recording)
    }
}

extension HistoryHours {
    /// Creates the hours of the rounds and samples of `recording`.
    init(whole recording: Recording, clock: LocalClock) {
        self.init(clock: clock)
        add(whole: recording)
    }

    /// Adds the rounds of `recording`, and its samples.
    mutating func add(whole recording: Recording) {
        provenance.log.add(recording)
        add(recording)
    }
}
