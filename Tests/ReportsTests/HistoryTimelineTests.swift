import Analysis
import Charts
import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

struct HistoryTimelineTests {
    private static let week = 336..<672

    private func timeline(
        _ recording: Recording,
        rounds: Range<Int> = week,
        clock: LocalClock = HistoryFixture.berlin,
        sums: Bool = false,
        isHourly: Bool = false
    ) -> HistoryTimeline {
        var log = RoundLog()
        log.add(recording)
        var timeline = HistoryTimeline(
            context: HistoryFixture.context(rounds: rounds, clock: clock),
            rounds: log.rounds,
            isHourly: isHourly
        )
        if sums {
            for sum in HistoryFixture.sums(of: recording) { timeline.add(sum) }
        } else {
            timeline.add(recording)
        }
        return timeline
    }

    private func bins(_ timeline: HistoryTimeline, of label: String) throws -> [TimeBin] {
        let found = timeline.bins
        let subject = try #require(found.keys.first { $0.target.label == label })
        return try #require(found[subject]).sorted { $0.start < $1.start }
    }

    private func seconds(_ round: Int) -> Int64 {
        HistoryFixture.moment(round: round).nanoseconds / 1_000_000_000
    }

    @Test func `the bins contain every query that counts`() throws {
        let recording = try HistoryFixture.week()
        let timeline = timeline(recording)
        #expect(timeline.length == 3600)
        for label in HistoryFixture().labels {
            let bins = try bins(timeline, of: label)
            let asked = bins.reduce(0) { $0 + $1.latency.answered + $1.latency.nonAnswers }
            // A week without 16 missing rounds, 3 rounds of an outage, and 2 rounds without a route.
            #expect(asked == 2 * (336 - 16 - 3 - 2))
        }
        let lossy = try bins(timeline, of: "brook").reduce(0) { $0 + $1.latency.nonAnswers }
        #expect(lossy > 0)
        #expect(try bins(timeline, of: "meadow").allSatisfy { $0.latency.nonAnswers == 0 })
    }

    @Test func `hours without a measurement have no bin`() throws {
        let bins = try bins(timeline(HistoryFixture.week()), of: "meadow")
        let gap = seconds(336 + 100)..<seconds(336 + 116)
        #expect(
            bins.allSatisfy { $0.start + $0.length <= gap.lowerBound || $0.start >= gap.upperBound }
        )
        #expect(bins.contains { $0.start + $0.length == gap.lowerBound })
        #expect(bins.contains { $0.start == gap.upperBound })
    }

    @Test func `an outage and a lost route are gaps, not losses`() throws {
        let bins = try bins(timeline(HistoryFixture.week()), of: "harbour")
        // The outage lasts from round 40 to round 42, so the hour of rounds 40 and 41 is empty.
        #expect(!bins.contains { $0.start == seconds(336 + 40) })
        #expect(bins.first { $0.start == seconds(336 + 42) }?.latency.answered == 2)
        #expect(!bins.contains { $0.start == seconds(336 + 60) })
    }

    @Test func `hourly sums give the same bins as samples`() throws {
        let recording = try HistoryFixture.week()
        let exact = timeline(recording)
        let summed = timeline(recording, sums: true)
        #expect(exact.length == summed.length)
        for label in HistoryFixture().labels {
            let pairs = zip(try bins(exact, of: label), try bins(summed, of: label))
            for (left, right) in pairs {
                #expect((left.start, left.length) == (right.start, right.length))
                #expect(left.latency.answered == right.latency.answered)
                #expect(left.latency.nonAnswers == right.latency.nonAnswers)
                #expect(left.latency.sketch == right.latency.sketch)
            }
            #expect(try bins(exact, of: label).count == bins(summed, of: label).count)
        }
    }

    @Test func `samples at the edges of sums are added to their hours`() throws {
        let recording = try HistoryFixture.week()
        var early = recording
        early.samples.removeAll { $0.round > 336 + 21 }
        var late = recording
        late.samples.removeAll { $0.round <= 336 + 21 }
        var mixed = timeline(early)
        for sum in HistoryFixture.sums(of: late) { mixed.add(sum) }
        let whole = try bins(timeline(recording), of: "harbour")
        let parts = try bins(mixed, of: "harbour")
        #expect(whole.map(\.start) == parts.map(\.start))
        #expect(whole.map(\.latency.sketch) == parts.map(\.latency.sketch))
    }

    @Test func `bins of the day of a clock change have the true length`() throws {
        // Sunday, 29 March 2026, in Berlin contains rounds 13 · 48 to 14 · 48 − 2.
        let rounds = 480..<720
        let recording = try HistoryFixture().recording(rounds: rounds) { _ in .answer(10) }
        let clock = HistoryFixture.berlin
        // The bins of a window of a year are one day long.
        var timeline = HistoryTimeline(
            context: HistoryFixture.context(rounds: 0..<24_000),
            rounds: []
        )
        timeline.add(recording)
        let bins = try bins(timeline, of: "meadow")
        #expect(timeline.length == 86_400)
        let change: Int64 = 1_774_746_000
        // One bin ends at the clock change. All other bins last from midnight to midnight.
        #expect(bins.contains { $0.start + $0.length == change })
        #expect(bins.contains { $0.start == change })
        for bin in bins where bin.start != change {
            let time = clock.time(at: Timestamp(nanoseconds: bin.start * 1_000_000_000))
            #expect((time.hour, time.minute) == (0, 0))
        }
        let total = bins.reduce(0) { $0 + $1.latency.answered }
        #expect(total == 2 * rounds.count)
        #expect(zip(bins, bins.dropFirst()).allSatisfy { $0.start + $0.length <= $1.start })
    }

    @Test func `an hour that the clock shows twice is two intervals`() {
        let clock = LocalClock([
            .init(second: 0, offset: 7200, name: "CEST"),
            .init(second: 1_792_890_000, offset: 3600, name: "CET"),
        ])
        let first = clock.interval(of: 1_792_890_000 - 1, length: 3600)
        let second = clock.interval(of: 1_792_890_000, length: 3600)
        #expect(first == 1_792_886_400..<1_792_890_000)
        #expect(second == 1_792_890_000..<1_792_893_600)
    }

    @Test func `with a half-hour clock, sums keep the hours of UTC`() throws {
        let recording = try HistoryFixture.week()
        let clock = HistoryFixture.kolkata
        let exact = timeline(recording, clock: clock, isHourly: true).bins
        let summed = timeline(recording, clock: clock, sums: true, isHourly: true).bins
        let starts = exact.values.flatMap { $0.map(\.start) }
        #expect(starts.allSatisfy { ($0 + 19_800) % 3600 == 0 })
        #expect(summed.values.allSatisfy { $0.allSatisfy { $0.start % 3600 == 0 } })
    }

    /// The numbers of rounds, and the lengths of a bin in seconds.
    private static let lengths: [(Int, Int64)] = [
        (4, 3600), (96, 3600), (816, 3600), (864, 7200), (2880, 14_400),
    ]

    @Test(arguments: lengths)
    func `a window has at most as many bins as a chart has columns`(rounds: Int, length: Int64)
        throws
    {
        let recording = try HistoryFixture().recording(rounds: 0..<rounds) { _ in .answer(10) }
        let timeline = timeline(recording, rounds: 0..<rounds)
        #expect(timeline.length == length)
        let bins = try bins(timeline, of: "meadow")
        #expect(bins.count <= Chart.columnLimit + 1)
        // Without missing rounds, no bin between two others is missing.
        #expect(zip(bins, bins.dropFirst()).allSatisfy { $0.start + $0.length == $1.start })
    }

    @Test func `a window without rounds has no bin`() throws {
        let context = HistoryFixture.context(rounds: Self.week)
        let timeline = HistoryTimeline(context: context, rounds: [])
        #expect(timeline.bins.isEmpty)
        #expect(timeline.length == 1800)
    }

    @Test func `samples without a reference are excluded`() throws {
        var recording = try HistoryFixture().recording(rounds: 336..<340) { _ in .answer(10) }
        recording.samples[0].target = 99
        recording.samples[1].round = -1
        let found = timeline(recording).bins
        #expect(found.values.flatMap { $0 }.reduce(0) { $0 + $1.latency.answered } == 22)
    }
}
