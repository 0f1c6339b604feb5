import DNSWire
import Foundation
import Samples
import Testing

@testable import RemoteWrite

@Suite struct LookupFiguresTests {
    private static let start = Timestamp(nanoseconds: 1_795_232_112_345_678_901)

    /// Returns the figures of a round in which the queries of one resolver had these outcomes.
    private func figures(
        _ observations: [Observation],
        series: Series = .cached
    ) throws -> LookupFigures {
        var recording = Recording(
            runs: [Run(id: "r", vantage: "here", timeout: .seconds(5))],
            rounds: [Round(number: 1, started: Self.start)],
            targets: [
                .init(label: "quad9", endpoint: "9.9.9.9:853", transport: "tls", series: series)
            ],
            questions: [Question(name: try DomainName("example.com"), type: .a)]
        )
        recording.samples = observations.map {
            Sample(round: 0, target: 0, question: 0, scheduled: Self.start, observation: $0)
        }
        return try #require(LookupFigures.all(of: recording).first)
    }

    private func observation(
        _ outcome: Outcome,
        milliseconds: Int64? = nil,
        _ code: ResponseCode? = nil
    ) -> Observation {
        var observation = Observation(outcome: outcome)
        observation.roundTrip = milliseconds.map { $0 * 1_000_000 }
        observation.responseCode = code
        return observation
    }

    @Test func `a failed look-up has the type of its error and its time`() throws {
        let figures = try figures([
            observation(.answered, milliseconds: 8), observation(.answered, milliseconds: 16),
            observation(.failed, milliseconds: 4, .servFail), observation(.timeout),
            observation(.wrong, milliseconds: 2), observation(.unreachable),
            observation(.filtered, milliseconds: 1), observation(.offline),
        ])
        let sums = Dictionary(
            uniqueKeysWithValues: figures.durations.map { ($0.key.error, $0.value.histogram.sum) }
        )
        let expected = [nil: 0.024, "SERVFAIL": 0.004, "timeout": 5, "wrong": 0.002]
        #expect(Set(sums.keys) == Set(expected.keys))
        for (error, sum) in expected { #expect(abs((sums[error] ?? 0) - sum) < 1e-12) }
        #expect(figures.counts.values.reduce(0, +) == 8)
        // The round ends with its timeout.
        #expect(figures.end == Self.start.advanced(by: .seconds(5)))
    }

    @Test func `the time of a first look-up includes its connection`() throws {
        var first = observation(.answered, milliseconds: 10)
        first.extras = .init(connect: 20_000_000, handshake: 30_000_000, connection: .new)
        let durations = try figures([first], series: .first).durations.values.first
        #expect(abs(try #require(durations).longest - 0.060) < 1e-12)
    }

    @Test func `a round without samples ends after its start`() throws {
        let figures = try figures([])
        #expect(figures.durations.isEmpty && figures.counts.isEmpty && figures.end > figures.start)
    }
}

@Suite struct ExponentialBucketsTests {
    private func buckets(_ times: [Double]) -> ExponentialBuckets {
        var histogram = NativeHistogram()
        for time in times { histogram.add(time, timeout: .infinity) }
        return ExponentialBuckets(histogram)
    }

    /// Expects that each bucket has exactly the times between its bounds.
    private func expectExact(_ buckets: ExponentialBuckets, _ times: [Double]) {
        let base = 1 / Double(1 << buckets.scale)
        for (index, count) in buckets.counts.enumerated() {
            let low = Double(buckets.offset) + Double(index)
            let inside = times.filter { log2($0) > low * base && log2($0) <= (low + 1) * base }
            #expect(UInt64(inside.count) == count)
        }
        #expect(buckets.counts.reduce(0, +) == UInt64(times.count))
    }

    @Test func `near times have the full resolution`() {
        let times = (1...200).map { 0.010 + Double($0) * 0.000_1 }
        let buckets = buckets(times)
        #expect(buckets.scale == 5)
        expectExact(buckets, times)
    }

    @Test func `the resolution is halved until far times fit`() {
        let times = (0...23).map { 0.000_001_1 * Double(1 << $0) }
        let buckets = buckets(times)
        #expect(buckets.scale == 2 && buckets.counts.count <= Int(ExponentialBuckets.most))
        expectExact(buckets, times)
    }

    @Test(arguments: [0.001, 0.5, 1, 2, 1.000_000_1])
    func `a time on a bound belongs to the bucket below`(time: Double) {
        expectExact(buckets([time]), [time])
        let bound = buckets([time])
        #expect(bound.counts == [1])
        if log2(time) == log2(time).rounded() {
            #expect(bound.offset == Int32(log2(time)) * 32 - 1)
        }
    }

    @Test func `a histogram without times has no buckets`() {
        #expect(buckets([]).counts.isEmpty)
    }
}
