import Statistics
import Testing

@testable import Charts

struct TextTests {
    @Test(arguments: [
        (value: 14.25, places: 1, text: "14.3"), (value: 14.0, places: 1, text: "14.0"),
        (value: -0.04, places: 1, text: "0.0"), (value: 0.05, places: 2, text: "0.05"),
        (value: -1.5, places: 1, text: "-1.5"), (value: 9.999, places: 2, text: "10.00"),
        (value: .nan, places: 2, text: "0.00"), (value: .infinity, places: 0, text: "0"),
        (value: 1e300, places: 0, text: "1000000000000"), (value: 2.5, places: 0, text: "3"),
    ])
    func `a number has exactly the requested decimals`(value: Double, places: Int, text: String) {
        #expect(DecimalText.fixed(value, places: places) == text)
    }

    @Test(arguments: [
        (value: 14.50, text: "14.5"), (value: 100, text: "100"), (value: 0.004, text: "0"),
        (value: 0.10, text: "0.1"), (value: -20, text: "-20"),
    ])
    func `a trimmed number has no trailing zeros`(value: Double, text: String) {
        #expect(DecimalText.trimmed(value, places: 2) == text)
    }

    @Test(arguments: [
        (part: 0, whole: 100, text: "0.0 %"), (part: 31, whole: 1000, text: "3.1 %"),
        (part: 1, whole: 100_000, text: "< 0.1 %"), (part: 100, whole: 100, text: "100.0 %"),
        (part: 99_999, whole: 100_000, text: "> 99.9 %"), (part: 0, whole: 0, text: "–"),
    ])
    func `a share is rounded neither to 0 nor to 100 %`(part: Int, whole: Int, text: String) {
        #expect(FigureText.share(part, of: whole) == text)
    }

    @Test(arguments: [(5000.0, "> 5 s"), (2500.0, "> 2.5 s"), (250.0, "> 250 ms")])
    func `a quantile beyond the timeout is written as such`(timeout: Double, text: String) {
        let silent = LatencySummary.fixture(answers: [], failed: 3, timeout: timeout)
        #expect(FigureText.quantile(silent.median, of: silent) == text)
    }

    @Test func `a time below a millisecond and its neighbours have more decimals`() {
        #expect(FigureText.milliseconds(0.04) == "0.04 ms")
        #expect(FigureText.milliseconds(14.25) == "14.3 ms")
        let answers = [Double](repeating: 0.04, count: 90) + [Double](repeating: 1.2, count: 10)
        let fast = LatencySummary.fixture(answers: answers, failed: 0)
        #expect(
            FigureText.sentence(fast)
                == "median 0.04 ms, p95 1.20 ms, failed 0.0 % of 100 queries"
        )
    }

    @Test func `long text keeps both ends and fits`() {
        let label = "cloudflare@2606:4700:4700:0000:0000:0000:0000:1111"
        let short = TextStyle.label.elided(label, to: 150)
        #expect(short.hasPrefix("cloudfl") && short.hasSuffix("1111") && short.contains("…"))
        #expect(TextStyle.label.width(short) <= 150)
        #expect(TextStyle.label.elided("brook", to: 150) == "brook")
        #expect(TextStyle.label.elided(label, to: 0) == "…")
    }

    @Test func `wrapped lines fit and lose no word`() {
        let text = "meadow answers 8.1 ms sooner than what you use now, for now"
        let lines = TextStyle.subtitle.wrapped(text, to: 200)
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { TextStyle.subtitle.width($0) <= 200 })
        #expect(lines.joined(separator: " ") == text)
        #expect(TextStyle.subtitle.wrapped("", to: 200).isEmpty)
    }
}

struct LabelPlacementTests {
    private static let placed: [(wishes: [Double], places: [Double])] = [
        (wishes: [10.0, 50, 90], places: [10.0, 50, 90]),
        (wishes: [50.0, 50, 50], places: [35.0, 50, 65]),
        (wishes: [0.0, 0, 0], places: [0.0, 15, 30]),
        (wishes: [100.0, 100], places: [85.0, 100]),
        (wishes: [10.0, 12, 80], places: [3.5, 18.5, 80]),
        (wishes: [120.0], places: [100.0]),
        (wishes: [], places: []),
    ]

    @Test(arguments: placed)
    func `labels move only as far as required`(wishes: [Double], places: [Double]) {
        #expect(LabelPlacement.spread(wishes, gap: 15, in: 0...100) == places)
    }

    @Test func `more labels than fit are spread evenly`() {
        let wishes = [Double](repeating: 3, count: 21)
        let places = LabelPlacement.spread(wishes, gap: 15, in: 0...100)
        #expect(places.first == 0)
        #expect(zip(places, places.dropFirst()).allSatisfy { abs($1 - $0 - 5) < 1e-9 })
    }
}
