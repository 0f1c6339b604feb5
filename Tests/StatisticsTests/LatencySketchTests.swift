import Statistics
import Testing

struct LatencySketchTests {
    /// Times from 1 ms to 17 s, in milliseconds, with the reference's random numbers.
    private static func times(_ count: Int, seed: UInt64) -> [Double] {
        var state = seed
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(1000 + (state >> 33) % (1 << UInt64(8 + index % 17))) / 1000
        }
    }

    private static func sketch(of times: some Sequence<Double>) -> LatencySketch {
        var sketch = LatencySketch()
        for time in times { sketch.insert(time) }
        return sketch
    }

    /// Values of a DDSketch in Python with 40 decimal digits: 2γ^i/(γ+1) of the bucket of rank ⌈n·p⌉.
    @Test(
        arguments: [
            (0.0, 1.01, 1.01), (0.05, 1.1162263482279575, 1.1387763754648859),
            (0.25, 2.339596158254913, 2.6378978546030707),
            (0.5, 29.667821411222903, 40.04777053326425),
            (0.75, 468.79004820260286, 804.4614206837522),
            (0.9, 2951.935532253281, 5711.507898783791),
            (0.95, 5378.884813934969, nil), (0.99, 11734.193144270388, nil),
            (1.0, 16486.11323801968, nil),
        ] as [(Double, Double, Double?)]
    )
    func `quantiles equal the reference, also with unanswered queries`(
        p: Double,
        ofAnswers: Double,
        ofAll: Double?
    ) throws {
        let sketch = Self.sketch(of: Self.times(1000, seed: 42))
        let value = try #require(sketch.quantile(p))
        #expect(abs(value / ofAnswers - 1) < 1e-12)
        let among = sketch.quantile(p, beyond: 60)
        #expect((among == nil) == (ofAll == nil))
        if let among, let ofAll { #expect(abs(among / ofAll - 1) < 1e-12) }
    }

    @Test func `the encoded bytes equal the reference`() {
        let octets = Self.sketch(of: Self.times(1000, seed: 42)).encoded()
        #expect(octets.count == 535)
        let checksum = octets.enumerated().reduce(0) { $0 + $1.offset * Int($1.element) } % 65_537
        #expect(checksum == 18_858)
        let few = [0.02, 0.02, 1] + [Double](repeating: 10, count: 300)
        #expect(Self.sketch(of: few).encoded() == [1, 0xef, 3, 2, 0, 0xc1, 1, 1, 0, 0x72, 0xac, 2])
    }

    @Test(arguments: [1, 7, 100, 3001])
    func `every quantile of merged parts is within 1 percent of the exact one`(parts: Int) throws {
        let times = Self.times(3001, seed: 7)
        var merged = LatencySketch()
        for part in 0..<parts {
            merged.merge(
                Self.sketch(of: times.enumerated().filter { $0.0 % parts == part }.map(\.1))
            )
        }
        #expect(merged == Self.sketch(of: times))
        let exact = EmpiricalDistribution(answers: times, nonAnswers: 40)
        for step in 0...1000 {
            let p = Double(step) / 1000
            let estimate = merged.quantile(p, beyond: 40)
            #expect((estimate == nil) == (exact.quantile(p) == nil))
            guard let estimate, let value = exact.quantile(p) else { continue }
            #expect(abs(estimate - value) <= 0.01 * value * (1 + 1e-12))
        }
    }

    @Test func `buckets contain every time between their bounds, in order`() {
        let sketch = Self.sketch(of: [0.5, 0.5, 20, 20.05, 3000])
        let buckets = sketch.buckets
        #expect(buckets.map(\.count).reduce(0, +) == 5)
        #expect(buckets.first.map { $0.lower < 0.5 && 0.5 <= $0.upper && $0.count == 2 } == true)
        #expect(buckets.allSatisfy { abs($0.upper / $0.lower - 1.01 / 0.99) < 1e-9 })
        #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.upper <= $1.lower * 1.0000001 })
    }

    @Test(
        arguments: [
            [], [0.0], [-5], [.infinity], [1e-300, 1e300], [0.000001, 1e9],
            LatencySketchTests.times(500, seed: 3),
        ] as [[Double]]
    )
    func `an encoded sketch is decoded unchanged`(times: [Double]) throws {
        let sketch = Self.sketch(of: times)
        #expect(try LatencySketch(decoding: sketch.encoded()) == sketch)
        #expect(sketch.count == times.count)
    }

    @Test func `NaN is not counted as a time`() {
        #expect(Self.sketch(of: [.nan]) == LatencySketch())
    }

    @Test(
        arguments: [
            [], [0], [2], [1, 5], [1, 5, 0], [1, 5, 0, 0], [1, 5, 1, 0, 1], [1, 0x80],
            [1, 0x80, 0, 1],
            [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1], [1, 0xff, 0x7f, 1],
            [1, 0, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 1],
            [1, 0] + Array([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1]),
            [1, 0] + [UInt8](repeating: 1, count: 5000),
        ] as [[UInt8]]
    )
    func `bytes that are not a sketch are rejected`(octets: [UInt8]) {
        #expect(throws: SketchError.self) { try LatencySketch(decoding: octets) }
    }

    @Test func `arbitrary bytes do not trap`() {
        var state: UInt64 = 1
        for length in 0..<4000 {
            let octets: [UInt8] = (0..<length % 60).map { index in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return index == 0 ? 1 : UInt8(truncatingIfNeeded: state >> 33)
            }
            guard let sketch = try? LatencySketch(decoding: octets) else { continue }
            var merged = sketch
            for _ in 0..<3 { merged.merge(merged) }
            #expect(merged.quantile(1) != nil || merged.count == 0)
            #expect(sketch.buckets.allSatisfy { $0.count > 0 })
        }
    }
}
