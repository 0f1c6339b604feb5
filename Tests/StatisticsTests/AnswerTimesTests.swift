import Statistics
import Testing

struct AnswerTimesTests {
    /// Times in whole nanoseconds, invalid times, and times that are too long for four bytes.
    private static let times: [Double] = [
        0, 1e-6, Double(23_456_789 as Int64) * 1e-6, 0.1 + 0.2,
        Double(4_294_967_294 as Int64) * 1e-6, Double(4_294_967_295 as Int64) * 1e-6,
        Double(5_000_000_001 as Int64) * 1e-6, -1, .infinity, -0.0, 1e300,
    ]

    @Test func `times are returned in order and to the last bit`() {
        var kept = AnswerTimes(Self.times)
        kept.append(.nan)
        #expect(kept.count == Self.times.count + 1)
        #expect(kept.dropLast().map(\.bitPattern) == Self.times.map(\.bitPattern))
        #expect(Array(kept).last?.isNaN == true)
        let measured = (0..<1000).map { Double($0 * 7_654_321 as Int64) * 1e-6 }
        #expect(Array(AnswerTimes(measured)) == measured)
    }

    @Test func `later times are appended after earlier ones`() {
        var kept = AnswerTimes(Self.times)
        kept.append(AnswerTimes(Self.times.reversed()))
        #expect(Array(kept) == Self.times + Self.times.reversed())
        #expect(AnswerTimes().isEmpty && !kept.isEmpty)
    }
}
