import Samples
import Testing

struct CivilDateTests {
    @Test(arguments: [
        (days: 0, text: "1970-01-01", weekday: 4), (days: -1, text: "1969-12-31", weekday: 3),
        (days: 11_016, text: "2000-02-29", weekday: 2),
        (days: 20_544, text: "2026-04-01", weekday: 3),
        (days: 20_540, text: "2026-03-28", weekday: 6),
        (days: 20_541, text: "2026-03-29", weekday: 7),
    ])
    func `a day has its date and weekday`(days: Int, text: String, weekday: Int) {
        let date = CivilDate(daysSinceEpoch: days)
        #expect(date.description == text)
        #expect(date.weekday == weekday)
        #expect(date.daysSinceEpoch == days)
        #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
    }

    @Test(arguments: [
        (2026, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (2026, 1, 0), (2026, 1, .max),
        (.max, 1, 1),
    ])
    func `a date outside the calendar is nil`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func `dates are ordered like their days`() {
        let days = [-400, -1, 0, 58, 59, 60, 365, 20_000].map(CivilDate.init(daysSinceEpoch:))
        #expect(days == days.sorted())
        #expect(Set(days).count == days.count)
    }
}
