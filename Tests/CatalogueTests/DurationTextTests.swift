import Catalogue
import Failures
import Testing

struct DurationTextTests {
    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)),
        ("2h", .seconds(7200)), ("7d", .seconds(604_800)), ("500us", .microseconds(500)),
        ("1.5s", .milliseconds(1500)), ("0.1us", .nanoseconds(100)), ("0", .zero), ("0s", .zero),
        ("36500d", .seconds(3_153_600_000)), ("1.25ms", .microseconds(1250)),
    ])
    func `one number and a unit is a duration`(text: String, duration: Duration) throws {
        #expect(try Duration(parsing: text) == duration)
    }

    private static let advice = "write one number and a unit: 250ms, 30s, 5m, 2h or 7d"

    @Test(arguments: [
        ("30", "'30' has no unit; \(advice)"), ("-5s", "'-5s' is negative; \(advice)"),
        ("", "'' is not a duration; \(advice)"), ("s", "'s' is not a duration; \(advice)"),
        ("1h30m", "'1h30m' is not a duration; \(advice)"),
        ("5 s", "'5 s' is not a duration; \(advice)"),
        ("5S", "'5S' is not a duration; \(advice)"), ("1.s", "'1.s' is not a duration; \(advice)"),
        (".5s", "'.5s' is not a duration; \(advice)"),
        ("1.2.3s", "'1.2.3s' is not a duration; \(advice)"),
        ("1e3s", "'1e3s' is not a duration; \(advice)"),
        ("nan", "'nan' is not a duration; \(advice)"),
        ("٣s", "'٣s' is not a duration; \(advice)"),
        ("99999999999999999999999s", "'99999999999999999999999s' is not a duration; \(advice)"),
        ("36501d", "the duration '36501d' is too long; 36500d is the most"),
        (
            "999999999999999999d",
            "the duration '999999999999999999d' is too long; 36500d is the most"
        ),
    ])
    func `an invalid duration is rejected`(text: String, line: String) {
        #expect(throws: CatalogueError(.usage, line)) { try Duration(parsing: text) }
    }

    @Test(arguments: [
        "250ms", "30s", "5m", "2h", "7d", "500us", "90s", "1500ms", "0", "36h", "36500d",
    ])
    func `a duration is written as it is read`(text: String) throws {
        #expect(DurationText.format(try Duration(parsing: text)) == text)
    }
}
