import Foundation
import Testing

@testable import Statistics

struct LevelMethodTests {
    @Test(arguments: [(0.0, 2.0), (15, 2), (20, 2), (30, 3), (180, 18)])
    func `the dead band is 2 ms or a tenth of the level`(level: Double, band: Double) {
        #expect(abs(DeadBand.around(level) - band) < 1e-12)
    }

    @Test(arguments: [1, 2, 3, 15, 16, 17, 18, 100, 337])
    func `a selected median is equal to the median of sorted values`(count: Int) {
        for seed in 0..<20 {
            let values = (0..<count).map { Double(($0 * 7919 + seed * 104_729) % 61) }
            for order in [values, values.sorted(), values.sorted(by: >)] {
                var room = order
                #expect(room.selectMedian() == values.median)
                #expect(room.sorted() == values.sorted())
            }
        }
        var none: [Double] = []
        #expect(none.selectMedian() == nil)
    }

    @Test func `profiles are equal to the reference`() throws {
        for expected in try LevelReference.read().profiles {
            let hours = 0..<(expected.days * 24)
            let observed = hours.map { index in
                let weekend: Double = (72 + index) % 168 >= 120 ? 3 : 0
                let day: Double = 2 * sin(Double(index % 24) * .pi / 12)
                let noise: Double = 0.4 * sin(Double(index * index) * 0.013)
                return day + noise + weekend
            }
            let profile = WeeklyProfile(
                of: observed,
                hoursOfWeek: hours.map { (72 + $0) % 168 }
            )
            expectEqual(profile.deviations, expected.deviations, "\(expected.days) days")
            expectEqual(profile.weeklyPart, expected.weeklyPart, "\(expected.days) days")
        }
    }

    @Test func `the noise of windows is equal to the reference`() throws {
        for expected in try LevelReference.read().noises {
            let residuals = (0..<expected.count).map {
                let slow: Double = 0.8 * sin(Double($0) * 0.05)
                return slow + 0.5 * sin(Double($0 * $0) * 0.013)
            }
            let noise = WindowNoise(residuals, prior: 0.5)
            let found = expected.lengths.map { noise.deviation(over: $0) }
            expectEqual(found, expected.deviations, "\(expected.count) hours")
            expectEqual(
                [noise.variancePerHour],
                [expected.variancePerHour],
                "\(expected.count) hours"
            )
        }
    }

    @Test func `steps and drifts are equal to the reference`() throws {
        let hours = (0..<500).filter { $0 % 7 != 3 }
        for expected in try LevelReference.read().shapes {
            let values = hours.map { index in
                let fast: Double = 0.6 * sin(Double(index) * 0.7)
                let slow: Double = 0.5 * sin(Double(index * index) * 0.013)
                return 15 + fast + slow + added(index, expected.kind)
            }
            let found = LevelShapes(
                hours: hours.map { LevelSeries.firstHour + $0 },
                values: values,
                variancePerHour: 0.4,
                includingStairs: true
            )
            let shapes = try #require(found)
            let comment: Comment = "\(expected.kind)"
            expectEqual([shapes.step], [expected.step], comment)
            expectEqual([try #require(shapes.stairs)], [expected.stairs], comment)
            expectEqual(shapes.drift, expected.drift, comment)
            expectEqual(try #require(shapes.endedDrift), expected.ended, comment)
        }
    }

    private func added(_ index: Int, _ kind: String) -> Double {
        switch kind {
        case "step": index >= 200 ? 5 : 0
        case "stairs": (index >= 150 ? 4 : 0) + (index >= 300 ? 4 : 0)
        case "drift": 0.02 * Double(max(0, index - 100))
        default: 0.03 * Double(min(max(0, index - 100), 250))
        }
    }

    private func expectEqual(_ fit: DriftFit, _ expected: LevelReference.Fit, _ comment: Comment) {
        #expect(fit.start == expected.start && fit.end == expected.end, comment)
        expectEqual(
            [fit.score, fit.before, fit.after, fit.rate, fit.rateError],
            [expected.score, expected.before, expected.after, expected.rate, expected.rateError],
            comment
        )
    }

    private func expectEqual(_ values: [Double], _ expected: [Double], _ comment: Comment) {
        StatisticsTests.expectEqual(values, expected, comment)
    }

    @Test func `fewer than a day of hours has no shape`() {
        let hours = Array(0..<23)
        let values = hours.map { Double($0 % 5) }
        #expect(LevelShapes(hours: hours, values: values, variancePerHour: 1) == nil)
        let day = LevelShapes(hours: hours + [23], values: values + [3], variancePerHour: 1)
        #expect(day != nil && day?.endedDrift == nil && day?.stairs == nil)
    }

    @Test func `a scan keeps the hours that it looks back to`() {
        var scan = LevelScan()
        for hour in 0..<(24 * 400) {
            if hour % 24 == 0 { scan.read() }
            scan.append(hour: hour, value: 20 + sin(Double(hour)), hourOfWeek: hour % 168)
            #expect(scan.series.count <= LevelScan.memberHours + LevelScan.fitHours + 8 * 24)
        }
    }
}
