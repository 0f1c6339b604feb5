import Statistics
import Testing

@testable import Reports

struct DifferencePhrasesTests {
    private let usual = LatencyFormat(fitting: [20])

    private static let confidences: [(fraction: Double, text: String)] = [
        (0.95, "95 %"), (1 - 0.05 / 3, "98.3 %"), (1 - 0.05 / 182, "> 99.9 %"), (1, "100 %"),
    ]

    @Test(arguments: confidences)
    func `no confidence is rounded to certainty`(fraction: Double, text: String) {
        #expect(DifferencePhrases.percent(fraction) == text)
    }

    @Test func `a known difference is not rounded to zero`() {
        let words = DifferencePhrases(
            of: -0.4,
            in: DifferenceInterval(lower: -6, upper: -0.12),
            beside: 5,
            otherwise: usual
        )
        #expect(words.difference(-0.4) == "0.4 ms slower")
        #expect(words.span(DifferenceInterval(lower: -6, upper: -0.12)) == "0.1 to 6.0 ms slower")
    }

    private static let open: [(lower: Double?, upper: Double?, text: String)] = [
        (0, nil, "equally fast or faster"),
        (-0.03, nil, "equally fast or faster"), (-3, nil, "at most 3.0 ms slower"),
        (3, nil, "at least 3.0 ms faster"), (0.03, nil, "at least 0.03 ms faster"),
        (nil, 0, "equally fast or slower"), (nil, 0.03, "equally fast or slower"),
        (nil, -0.03, "at least 0.03 ms slower"), (nil, 3, "at most 3.0 ms faster"),
    ]

    @Test(arguments: open)
    func `an open interval names its direction`(lower: Double?, upper: Double?, text: String) {
        let interval = DifferenceInterval(lower: lower, upper: upper)
        let words = DifferencePhrases(of: nil, in: interval, beside: nil, otherwise: usual)
        #expect(words.span(interval) == text)
    }
}
