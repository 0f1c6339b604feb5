import Failures
import Scheduling
import Testing

struct ScheduleIntervalTests {
    @Test func `every interval divides the hour or the day`() {
        #expect(
            ScheduleInterval.all.map(\.description) == [
                "1m", "2m", "3m", "4m", "5m", "6m", "10m", "12m", "15m", "20m", "30m", "1h", "2h",
                "3h", "4h", "6h", "8h", "12h", "1d",
            ]
        )
    }

    @Test(arguments: ScheduleInterval.all)
    func `an interval is read from its duration`(interval: ScheduleInterval) throws {
        #expect(try ScheduleInterval(interval.duration, written: "") == interval)
    }

    @Test(arguments: [
        ("7m", 420.0, "it does not divide an hour into whole minutes", "has is 6m"),
        ("8m", 480, "it does not divide an hour into whole minutes", "has are 6m and 10m"),
        ("90s", 90, "it does not divide an hour into whole minutes", "has are 1m and 2m"),
        ("45m", 2700, "it does not divide an hour into whole minutes", "has are 30m and 1h"),
        ("90m", 5400, "it does not divide a day into whole hours", "has are 1h and 2h"),
        ("5h", 18_000, "it does not divide a day into whole hours", "has are 4h and 6h"),
        ("7h", 25_200, "it does not divide a day into whole hours", "has are 6h and 8h"),
        ("23h", 82_800, "it does not divide a day into whole hours", "has is 1d"),
        ("7d", 604_800, "it is longer than a day", "has is 1d"),
        ("36500d", 3_153_600_000, "it is longer than a day", "has is 1d"),
        ("250ms", 0.25, "cron runs nothing more often than once a minute", "has is 1m"),
        ("0", 0, "cron runs nothing more often than once a minute", "has is 1m"),
    ])
    func `other intervals are rejected with the nearest valid ones`(
        text: String,
        seconds: Double,
        reason: String,
        nearest: String
    ) {
        let error = #expect(throws: Failure.self) {
            try ScheduleInterval(.seconds(seconds), written: text)
        }
        #expect(
            error?.description == "--every \(text): \(reason); the nearest that cron \(nearest)"
        )
        #expect(error?.status == .usage)
    }

    @Test(arguments: ["default", "a", "9.x_y-Z", String(repeating: "n", count: 63)])
    func `a name of letters and digits is accepted`(name: String) throws {
        #expect(try ScheduleName(name).description == name)
    }

    @Test(arguments: [
        "", "-a", ".a", "a b", "a/b", "a\nb", "é", "a:b", String(repeating: "n", count: 64),
    ])
    func `any other name of a schedule is rejected with one line`(name: String) {
        let error = #expect(throws: Failure.self) { try ScheduleName(name) }
        #expect(error?.description.contains("write up to 63 letters, digits") == true)
        #expect(error?.description.contains("\n") == false)
    }
}
