import Foundation
import Testing

@testable import RemoteWrite

@Suite struct NativeHistogramTests {
    /// Returns the bounds of a bucket, in seconds.
    private func bounds(_ index: Int32) -> ClosedRange<Double> {
        exp2(Double(index - 1) / 32)...exp2(Double(index) / 32)
    }

    @Test(arguments: [
        (time: 1.0, index: Int32(0)), (2, 32), (0.5, -32), (1.0000001, 1), (0.25, -64),
        (.infinity, 32_769), (.greatestFiniteMagnitude, 32_768),
    ])
    func `a time is in the bucket with the next upper bound`(time: Double, index: Int32) {
        #expect(NativeHistogram.index(of: time) == index)
    }

    @Test func `every time lies in its bucket, which is at most 22 per mille wide`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let time = exp2(Double.random(in: -30...12, using: &generator))
            let bounds = bounds(NativeHistogram.index(of: time))
            #expect(time > bounds.lowerBound * (1 - 1e-12))
            #expect(time <= bounds.upperBound * (1 + 1e-12))
            #expect(bounds.upperBound / bounds.lowerBound < 1.022)
        }
    }

    @Test func `spans and deltas encode the buckets`() throws {
        var histogram = NativeHistogram()
        for time in [0.010, 0.010, 0.0102, 0.5, 0, 9, 4.9] { histogram.add(time, timeout: 5) }
        let message = histogram.message(at: 1_700_000_000_123)
        #expect(message.count == 7 && message.zeroCount == 1)
        #expect(message.schema == 5 && message.timestamp == 1_700_000_000_123)
        // A time above its timeout counts as the timeout.
        #expect(abs(message.sum - (0.0302 + 0.5 + 5 + 4.9)) < 1e-9)
        var buckets: [Int32: UInt64] = [:]
        var (index, count) = (Int32(0), Int64(0))
        var deltas = message.positiveDeltas[...]
        for span in message.positiveSpans {
            index += span.offset
            for _ in 0..<span.length {
                let delta = deltas.popFirst()
                count += try #require(delta)
                buckets[index] = UInt64(count)
                index += 1
            }
        }
        #expect(deltas.isEmpty)
        #expect(buckets == histogram.buckets)
        #expect(buckets[NativeHistogram.overflow] == 1)
        #expect(message.positiveSpans.dropFirst().allSatisfy { $0.offset > 0 })
    }

    @Test func `a histogram without times is valid`() {
        let message = NativeHistogram().message(at: 5)
        #expect(message.count == 0 && message.positiveSpans.isEmpty && message.schema == 5)
    }
}
