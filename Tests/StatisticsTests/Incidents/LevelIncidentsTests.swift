import Foundation
import Statistics
import Testing

struct LevelIncidentsTests {
    @Test(arguments: LevelSeries.all.map(\.name))
    func `the rows of a series are equal to the rows of the reference`(name: String) throws {
        let series = try #require(LevelSeries.named(name))
        let reference = try LevelReference.read().series.first { $0.name == name }
        let expected = try #require(reference).rows
        let rows = series.scanned().rows
        try #require(rows.count == expected.count)
        for (row, expected) in zip(rows, expected) { expectEqual(row, expected, "\(name)") }
    }

    @Test(arguments: ["drift with an episode", "overlap", "weekend", "random 6"])
    func `a series that is read day by day has the rows of a series that is read at once`(
        name: String
    ) throws {
        let series = try #require(LevelSeries.named(name))
        var live = LevelIncidents()
        for (index, hour) in series.hours.enumerated() {
            live.add(hour)
            guard (index + 1) % (24 * 5) == 0 else { continue }
            #expect(live.rows == series.scanned(hours: index + 1).rows)
        }
        #expect(live.rows == series.scanned().rows)
    }

    @Test(arguments: LevelSeries.all.map(\.name))
    func `a listed row keeps its direction, and its kind changes in one way only`(
        name: String
    ) throws {
        let series = try #require(LevelSeries.named(name))
        var live = LevelIncidents()
        var known: [LevelRow] = []
        for hour in series.hours {
            if hour.hour % 24 == 0 {
                let rows = live.rows
                #expect(rows.count >= known.count)
                for (old, new) in zip(known, rows) { expectSuccession(of: old, new) }
                #expect(rows.allSatisfy { $0.established < hour.hour })
                known = rows
            }
            live.add(hour)
        }
    }

    /// Expects that the row `new` can follow from the row `old` of the same change.
    private func expectSuccession(of old: LevelRow, _ new: LevelRow) {
        let successors: [LevelRow.Kind: Set<LevelRow.Kind>] = [
            .step: [.step, .episode, .drift, .part], .episode: [.episode, .pattern],
            .drift: [.drift, .part], .pattern: [.pattern], .part: [.part],
        ]
        #expect(successors[old.kind]?.contains(new.kind) == true, "\(old.kind) \(new.kind)")
        if old.isListed, new.isListed { #expect(old.size * new.size > 0) }
        // A drift takes over the hour of the earliest change that is a part of it.
        #expect(new.established <= old.established)
        if new.kind != .drift { #expect(new.established == old.established) }
    }

    @Test func `a row does not depend on later hours of its day`() throws {
        for series in LevelSeries.all {
            for row in series.scanned().rows where row.kind == .step || row.kind == .episode {
                let count = series.hours.prefix { $0.hour <= row.established }.count
                let live = try #require(series.scanned(hours: count).rows.last, "\(series.name)")
                #expect(live.established == row.established, "\(series.name)")
                // Later days can correct the start within the hours in which it can lie.
                #expect(row.within.contains(live.start), "\(series.name)")
                #expect(row.within.contains(row.start), "\(series.name)")
            }
        }
    }

    @Test func `the start of a noisy step is corrected by the hours after it`() throws {
        let series = LevelSeries("late", level: 20) {
            ($0 >= 720 ? 4 : 0) + 2.2 * sin(Double($0 * $0) * 0.37)
        }
        let row = try #require(series.scanned().rows.first)
        #expect(abs(row.start - LevelSeries.firstHour - 720) <= 1)
        #expect(row.within.contains(LevelSeries.firstHour + 720))
    }

    @Test func `a change in the first three days does not hide later changes`() throws {
        let series = try #require(LevelSeries.named("change in the first days"))
        let found = series.scanned().incidents
        #expect(found.map { $0.start - LevelSeries.firstHour } == [60, 400])
        #expect(found.map(\.established).map { $0 - LevelSeries.firstHour } == [72, 402])
    }

    @Test func `an evening that is not slow as usual is no incident`() throws {
        let series = LevelSeries("evenings") { index in
            let isEvening = (18..<22).contains(index % 24)
            return isEvening && index / 24 != 40 ? 12 : 0
        }
        let scanned = series.scanned()
        #expect(
            scanned.rows.contains {
                $0.size < -10 && $0.start / 24 == LevelSeries.firstHour / 24 + 40
            }
        )
        #expect(scanned.incidents == [])
    }

    @Test func `working weeks are no incidents of a store that begins at a slow weekend`() throws {
        let scanned = try #require(LevelSeries.named("weekend at first")).scanned()
        #expect(scanned.rows.contains { $0.kind == .pattern && $0.size < -3 })
        #expect(scanned.incidents == [])
    }

    @Test func `a slow week of a noisy resolver ends with the return`() throws {
        let found = try #require(LevelSeries.named("return from a noisy level")).scanned().incidents
        #expect(found.map(\.kind) == [.episode])
        #expect(abs(try #require(found[0].end) - LevelSeries.firstHour - 800) <= 3)
    }

    @Test func `a change of the p90 is listed unless it is a change of the median`() throws {
        let tail = try #require(LevelSeries.named("p90")).scanned()
        let median = LevelSeries("median", level: 20).scanned()
        let alone = tail.incidents(besides: median.rows)
        #expect(alone == tail.incidents)
        #expect(alone.map(\.kind) == [.step] && alone.map(\.start) == [LevelSeries.firstHour + 720])
        #expect(tail.incidents(besides: tail.rows) == [])
        let opposite = LevelSeries("faster", level: 20) { $0 >= 720 ? -9 : 0 }.scanned()
        #expect(tail.incidents(besides: opposite.rows) == tail.incidents)
    }

    @Test func `a change of the p90 during a drift of the median is not listed`() throws {
        let tail = try #require(LevelSeries.named("p90")).scanned()
        let drift = try #require(LevelSeries.named("drift of 9 ms in 26 days")).scanned()
        #expect(drift.rows.map(\.start) == [LevelSeries.firstHour + 489])
        #expect(tail.incidents(besides: drift.rows) == [])
    }

    @Test func `patterns, parts and changes within the dead band are not listed`() throws {
        let weekends = try #require(LevelSeries.named("weekend")).scanned()
        let kinds = weekends.rows.map(\.kind)
        #expect(kinds == [.pattern, .pattern, .step, .pattern])
        #expect(weekends.rows.map { abs($0.size) >= 2 } == [true, true, false, true])
        #expect(weekends.incidents == [])
        let far = try #require(LevelSeries.named("far"))
        var row = try #require(far.scanned().rows.first)
        #expect(row.isListed)
        row.size = 18
        #expect(!row.isListed && row.incident == nil)
        (row.size, row.measuredSize) = (-17, -17)
        #expect(row.isListed)
    }

    @Test func `hours out of order and values that are no times are ignored`() throws {
        let series = try #require(LevelSeries.named("overlap"))
        var incidents = LevelIncidents()
        for hour in series.hours {
            incidents.add(hour)
            incidents.add(hour: hour.hour, value: 500, hourOfWeek: hour.hourOfWeek)
            incidents.add(hour: hour.hour - 5, value: 500, hourOfWeek: hour.hourOfWeek)
            for value in [Double.nan, .infinity, -.infinity] {
                incidents.add(hour: hour.hour + 1, value: value, hourOfWeek: hour.hourOfWeek)
            }
        }
        #expect(incidents.rows == series.scanned().rows)
    }

    @Test func `constant values have no incidents`() {
        var incidents = LevelIncidents()
        for hour in 0..<2000 { incidents.add(hour: hour, value: 10, hourOfWeek: hour % 168) }
        #expect(incidents.rows == [])
    }

    @Test func `hours of the week outside a week are taken modulo a week`() throws {
        let series = try #require(LevelSeries.named("weekend"))
        var incidents = LevelIncidents()
        for hour in series.hours {
            incidents.add(
                hour: hour.hour,
                value: hour.value,
                hourOfWeek: hour.hourOfWeek - 168 * 3
            )
        }
        #expect(incidents.rows == series.scanned().rows)
    }
}
