import Samples
import Testing

struct RoundLogTests {
    /// Returns a log of rounds that start at the given seconds.
    private func log(_ rounds: [(origin: Run.Origin, seconds: [Int64])]) -> RoundLog {
        var log = RoundLog()
        for (origin, seconds) in rounds {
            for second in seconds {
                log.add(
                    RoundMoment(vantage: "desk", started: moment(second), marks: [], origin: origin)
                )
            }
        }
        return log
    }

    private func moment(_ second: Int64) -> Timestamp {
        Timestamp(nanoseconds: second * 1_000_000_000)
    }

    /// The start times, in seconds, of rounds under Poisson sampling. Each round has one name.
    private static let uneven: [Int64] = [0, 2, 3, 11, 12, 30, 34, 35, 61, 62]

    @Test(arguments: [
        (origin: Run.Origin.watch, gaps: 3), (origin: .sample, gaps: 3),
        (origin: .imported, gaps: 3),
        (origin: .compare, gaps: 0),
    ])
    func `a comparison has no missing rounds`(origin: Run.Origin, gaps: Int) {
        let log = log([(origin, Self.uneven)])
        #expect(log.gaps(until: moment(62)).count == gaps)
    }

    @Test(arguments: [Run.Origin.imported, .watch])
    func `no rounds are missing after the end of a file`(origin: Run.Origin) {
        let gaps = log([(origin, [0, 60, 120, 180, 600])]).gaps(until: moment(6000))
        let end = origin == .watch ? [moment(6000)] : []
        #expect(gaps.map(\.end) == [moment(600)] + end)
    }

    @Test func `a comparison does not shorten the interval of a schedule`() {
        let schedule: [Int64] = [0, 300, 600, 1800, 2100]
        let log = log([(.watch, schedule), (.compare, (700..<800).map { $0 })])
        let gaps = log.gaps(until: moment(2100))
        #expect(gaps.map(\.start) == [moment(799)] && gaps.map(\.end) == [moment(1800)])
        #expect(gaps.map(\.rounds) == [2])
    }

    @Test(arguments: [
        (origin: Run.Origin.sample, age: 4680, isOverdue: true), (.watch, 4680, true),
        // One round may be late. A comparison or an imported file has no schedule.
        (.sample, 700, false), (.compare, 4680, false), (.imported, 4680, false),
    ])
    func `a stopped schedule is overdue`(origin: Run.Origin, age: Int64, isOverdue: Bool) {
        let log = log([(origin, [0, 300, 600, 901, 1200])])
        let overdue = log.overdue(at: moment(1200 + age))
        #expect(overdue.map(\.vantage) == (isOverdue ? ["desk"] : []))
        #expect(overdue.allSatisfy { $0.last == moment(1200) && $0.interval == .seconds(300) })
    }

    @Test func `an outage lasts until a round without an outage`() {
        var log = RoundLog()
        for (second, marks) in [(0, []), (300, .outage), (600, .outage)] as [(Int64, RoundMarks)] {
            log.add(RoundMoment(vantage: "desk", started: moment(second), marks: marks))
        }
        #expect(log.ongoing(.outage).map(\.start) == [moment(300)])
        #expect(log.ongoing(.offline).isEmpty)
        log.add(RoundMoment(vantage: "desk", started: moment(900), marks: []))
        #expect(log.ongoing(.outage).isEmpty)
    }

    @Test func `a schedule of seconds is overdue after a minute`() {
        let log = log([(.watch, [0, 1, 2, 3, 4])])
        #expect(log.overdue(at: moment(60)).isEmpty)
        #expect(log.overdue(at: moment(66)).count == 1)
    }

    @Test func `a comparison does not hide a stopped schedule`() {
        let log = log([(.sample, [0, 300, 600, 900]), (.compare, [5000, 5001])])
        #expect(log.overdue(at: moment(5002)).map(\.last) == [moment(900)])
    }

    @Test func `an extreme number of missing rounds is one gap`() {
        var log = RoundLog()
        let hour: Int64 = 3600
        for (start, length, rounds) in [(0, hour, 1 << 32), (24 * hour, 23 * hour, 1 << 31)] {
            log.add(
                RoundMoment(
                    vantage: "desk",
                    started: moment(start),
                    marks: [],
                    origin: .watch,
                    last: moment(start + length),
                    rounds: rounds
                )
            )
        }
        let gaps = log.gaps(until: moment(47 * hour))
        #expect(gaps.map(\.start) == [moment(hour), moment(24 * hour)])
        #expect(gaps.map(\.end) == [moment(24 * hour), moment(47 * hour)])
        // Each gap has 23 * 2^32 due rounds. In the second gap, 2^31 of them were measured.
        let missing = gaps.map { Double($0.rounds) / Double(1 << 32) }
        #expect(missing.count == 2 && missing.allSatisfy { (22.4...23.1).contains($0) })
    }

    @Test func `rounds of different origins are not joined`() {
        let rounds = log([(.watch, [0, 60]), (.compare, [120, 180])]).rounds
        #expect(RoundMoment.joined(rounds).map(\.origin) == [.watch, .compare])
    }
}
