import Testing

@testable import Reports

struct LatencyFormatTests {
    @Test(arguments: [
        (value: 14.2, decimals: 1, text: "14.2"), (value: 0.0006, decimals: 3, text: "0.001"),
        (value: -0.05, decimals: 1, text: "-0.1"), (value: 0, decimals: 0, text: "0"),
        (value: 99.95, decimals: 1, text: "100.0"), (value: 7, decimals: 3, text: "7.000"),
        (value: 1e300, decimals: 1, text: "1e+300"), (value: .nan, decimals: 1, text: "nan"),
    ])
    func `a number has exactly the requested decimals`(value: Double, decimals: Int, text: String) {
        #expect(value.fixed(decimals) == text)
    }

    @Test(arguments: [
        (values: [14.2, 22.31], text: "14.2 ms"), (values: [14.2, 0.412], text: "14.200 ms"),
    ])
    func `one value below 1 ms gives all values three decimals`(values: [Double], text: String) {
        #expect(LatencyFormat(fitting: values).cell(14.2) == text)
    }

    @Test func `only sentences use seconds, for times of at least 1 s`() {
        let format = LatencyFormat(fitting: [1234])
        #expect(format.prose(1234) == "1.23 s")
        #expect(format.cell(1234) == "1234.0 ms")
    }

    @Test(arguments: [
        (13.0, 2, "13 ms"), (12.34, 3, "12.3 ms"), (8, 1, "8.0 ms"), (234.5, 1, "235 ms"),
        (0.412, 3, "0.412 ms"), (1234, 1, "1.23 s"), (66_488.8, 1, "66.5 s"),
        (12_345_678, 1, "12,346 s"),
    ])
    func `times in sentences have three digits`(value: Double, decimals: Int, text: String) {
        let widths = [1: 1.0, 2: 0.1, 3: 0.01]
        let format = LatencyFormat(
            supportedBy: widths[decimals] ?? 1,
            otherwise: LatencyFormat(fitting: [value])
        )
        #expect(format.decimals == decimals && format.prose(value) == text)
    }

    @Test(arguments: [
        ("1234", "1234"), ("66489", "66,489"), ("-66488.8", "-66,488.8"),
        ("1234567", "1,234,567"), ("> 12345 ms", "> 12345 ms"), ("–", "–"), ("", ""),
    ])
    func `numbers of five digits have a thousands separator`(number: String, text: String) {
        #expect(number.grouped == text)
        #expect(571_729.of("round", "rounds") == "571,729 rounds")
    }

    @Test(arguments: [(5000.0, "> 5 s"), (2500, "> 2.5 s"), (250, "> 250 ms"), (0.5, "> 0.5 ms")])
    func `a quantile among the timeouts exceeds the timeout`(timeout: Double, text: String) {
        #expect(LatencyFormat.beyond(timeout) == text)
    }

    @Test(arguments: [
        (Duration.milliseconds(900), "0 s"), (.seconds(32), "32 s"), (.seconds(250), "4 min 10 s"),
        (.seconds(7200), "2 h"), (.seconds(360_000), "4 d 4 h"), (.seconds(-5), "0 s"),
    ])
    func `a span is written in its two largest units`(span: Duration, text: String) {
        #expect(LatencyFormat.span(span) == text)
    }

    @Test(arguments: [
        (part: 0, whole: 90, text: "0.0 %"), (part: 31, whole: 1000, text: "3.1 %"),
        (part: 1, whole: 100_000, text: "< 0.1 %"), (part: 9999, whole: 10_000, text: "> 99.9 %"),
        (part: 4, whole: 4, text: "100.0 %"), (part: 0, whole: 0, text: "–"),
    ])
    func `a share is rounded neither to 0 nor to 100 %`(part: Int, whole: Int, text: String) {
        #expect(Share(part: part, whole: whole).description == text)
    }
}
