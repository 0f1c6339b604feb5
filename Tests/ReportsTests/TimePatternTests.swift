import Analysis
import Fixtures
import Samples
import Statistics
import Testing

@testable import Reports

/// Sentences about the hours of the day and the days of the week.
struct TimePatternTests {
    private typealias Query = HistoryFixture.Query

    /// A pseudo-random number from 0 to 1, without any pattern over the hours.
    private static func noise(_ query: Query) -> Double {
        var random = SplitMix64(seed: UInt64(query.round * 64 + query.resolver * 8 + query.name))
        return random.uniform()
    }

    /// The text of a report by `grouping` over `recordings`.
    private func text(
        by grouping: WindowGrouping,
        rounds: Range<Int>,
        _ recordings: [Recording]
    ) -> String {
        var tally = WindowTally(by: grouping, clock: HistoryFixture.berlin)
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        for recording in recordings {
            tally.add(whole: recording)
            hours.add(CountedSamples(of: recording))
        }
        let context = HistoryFixture.context(rounds: rounds)
        return WindowReport(of: tally, hours: hours, context: context)
            .render(as: .text, width: 200, colour: false)
    }

    /// Meadow is slower in the evening. Harbour and brook only have noise.
    @Test func `only a resolver with a pattern has a fastest hour`() throws {
        let rounds = 0..<672
        let recording = try HistoryFixture().recording(rounds: rounds) { query in
            let isEvening = query.resolver == 0 && (18..<22).contains(query.hourOfDay)
            return .answer(20 + 8 * Self.noise(query) + (isEvening ? 6 : 0))
        }
        let text = text(by: .hour, rounds: rounds, [recording])
        #expect(text.contains(/meadow: fastest at \d\d:00 \(.*\), slowest at (18|19|20|21):00 \(/))
        let others = text.matches(
            of: /(harbour|brook): median 2\d\.\d ms, no significant difference between hours\./
        )
        #expect(others.count == 2)
    }

    @Test(arguments: [
        (WindowGrouping.hour, 144, "too few days to compare hours (4 are needed)"),
        (.weekday, 1008, "too few weeks to compare weekdays (4 are needed)"),
    ])
    func `too short a history has no fastest hour or weekday`(
        grouping: WindowGrouping,
        count: Int,
        reason: String
    ) throws {
        let recording = try HistoryFixture().recording(rounds: 0..<count) { query in
            .answer(20 + 8 * Self.noise(query) + Double(query.round / 48 % 7))
        }
        let text = text(by: grouping, rounds: 0..<count, [recording])
        #expect(text.contains("meadow: median "))
        #expect(text.contains(", \(reason)."))
    }

    /// The home measures from Monday to Thursday, the office, which is farther away, from Thursday to Sunday.
    @Test func `the times of places are not pooled`() throws {
        let rounds = 0..<2016
        func recording(_ place: String, _ time: Double, days: Range<Int>) throws -> Recording {
            var fixture = HistoryFixture()
            fixture.vantage = place
            return try fixture.recording(rounds: rounds) { query in
                days.contains(query.round / 48 % 7) ? .answer(time + 8 * Self.noise(query)) : nil
            }
        }
        let recordings = [
            try recording("home", 20, days: 0..<4), try recording("office", 60, days: 3..<7),
        ]
        let weekdays = text(by: .weekday, rounds: rounds, recordings)
        let sentence =
            /meadow: median 2\d\.\d ms over 2 places, no significant difference between weekdays\./
        #expect(weekdays.contains(sentence))
        // On Thursday both places measured: the lower of two places is the median.
        #expect(weekdays.contains(/\n  Thursday +2\d\.\d ms/))
        #expect(weekdays.contains(/\n  Saturday +6\d\.\d ms/))
        let days = text(by: .day, rounds: rounds, recordings)
        #expect(days.contains(/meadow: median 2\d\.\d ms over 2 places\./))
    }

    /// Both places are slower on Sunday, and the office measures on other days than the home.
    @Test func `the pattern of places compares each place with itself`() throws {
        let rounds = 0..<2016
        func recording(_ place: String, _ time: Double, days: Range<Int>) throws -> Recording {
            var fixture = HistoryFixture()
            fixture.vantage = place
            return try fixture.recording(rounds: rounds) { query in
                let day = query.round / 48 % 7
                let isSlow = day == 6
                return days.contains(day)
                    ? .answer(time + 8 * Self.noise(query) + (isSlow ? 9 : 0)) : nil
            }
        }
        let recordings = [
            try recording("home", 80, days: 0..<7), try recording("office", 20, days: 2..<7),
        ]
        let text = text(by: .weekday, rounds: rounds, recordings)
        #expect(text.contains(/meadow: fastest on [A-Z][a-z]+day, slowest on Sunday\./))
    }
}
