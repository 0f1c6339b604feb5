import Samples
import Testing

struct TimestampTests {
    // The texts were computed with Python's datetime.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000Z"),
        (-1, "1969-12-31T23:59:59.999999999Z"),
        (951_782_400_000_000_000, "2000-02-29T00:00:00.000000Z"),
        (1_795_232_112_123_456_000, "2026-11-21T03:35:12.123456Z"),
        (1_795_232_112_123_456_789, "2026-11-21T03:35:12.123456789Z"),
        (4_107_542_399_999_999_000, "2100-02-28T23:59:59.999999Z"),
        (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000000Z"),
        (Int64.max, "2262-04-11T23:47:16.854775807Z"),
        (Int64.min, "1677-09-21T00:12:43.145224192Z"),
    ])
    func `a moment is written in UTC and read again`(nanoseconds: Int64, text: String) {
        let moment = Timestamp(nanoseconds: nanoseconds)
        #expect(moment.description == text)
        #expect(Timestamp(text) == moment)
    }

    @Test func `days of five centuries are read as written`() {
        for day in stride(from: -100_000, through: 106_000, by: 11) {
            let moment = Timestamp(nanoseconds: Int64(day) * 86_400_000_000_000 + 1000)
            #expect(Timestamp(moment.description) == moment)
        }
    }

    @Test(arguments: [
        ("2026-11-21T03:35:12Z", 1_795_232_112_000_000_000),
        ("2026-11-21T03:35Z", 1_795_232_100_000_000_000),
        ("2026-11-21T04:35+01:00", 1_795_232_100_000_000_000),
        ("2026-11-21T03:35:12.5z", 1_795_232_112_500_000_000),
        ("2026-11-21T04:35:12+01:00", 1_795_232_112_000_000_000),
        ("2026-11-20T22:05:12.000001-05:30", 1_795_232_112_000_001_000),
    ])
    func `other formats of a time are read`(text: String, nanoseconds: Int64) {
        #expect(Timestamp(text)?.nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T03:35:12", "2026-11-21T03:35:12.Z", "2026-11-21T03:35",
        "2026-11-21T03:35.5Z", "2026-11-21T03:35:Z", "2026-11-21T03Z", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-00T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T03:60:00Z", "2026-11-21T03:35:12.0123456789Z",
        "2026-11-21T03:35:12ZZ", "9999-12-31T23:59:59Z", "1677-09-21T00:12:43Z",
        "2026-11-21T03:35:12+1:00", "-026-11-21T03:35:12Z", "２026-11-21T03:35:12Z",
    ])
    func `an invalid time is rejected`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `the compact form is valid in a file name`() {
        #expect(Timestamp(nanoseconds: 1_795_232_112_999_999_999).compact == "20261121T033512Z")
    }

    @Test func `times beyond the limits are clamped`() {
        let last = Timestamp(nanoseconds: .max)
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(last.advanced(by: .seconds(Int64.max)) == last)
        let first = Timestamp(nanoseconds: .min)
        #expect(first.advanced(by: .seconds(-1)) == first)
        #expect(last.since(first) == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
    }
}
