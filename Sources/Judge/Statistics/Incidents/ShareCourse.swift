/// The usual course of a share over days and weeks: how many times more than its rate each cell of six hours
/// has.
struct ShareCourse {
    /// By cells of ``ShareHour``.
    let factors: [Double]

    /// The same in every hour.
    static let constant = ShareCourse(factors: Array(repeating: 1, count: 8))
}

extension ShareHours {
    /// The fewest hours of a level with a known rate.
    private static let leastHours = 24
    /// The expected losses that count as seen before, as chance has them. Few losses say little about a cell.
    private static let priorParts = 5.0

    /// Returns the usual course in `past`: the observed over the expected part of each cell. A bad hour of
    /// every day, or a bad weekend of every week, is then expected. Each level is expected to have its own
    /// rate, so that a change of the rate is not taken for a course.
    func course(of past: Range<Int>, includesWeekends: Bool) -> ShareCourse {
        let cellOfDay = includesWeekends ? 7 : 3
        let tallies = LevelTallies(self, past)
        var observed = [Double](repeating: Self.priorParts, count: 8)
        var expected = observed
        var last = 0
        for index in past {
            last = tallies.position(of: levels[index], near: last)
            let tally = tallies.tallies[last]
            guard tally.level != Self.noLevel, tally.hours >= Self.leastHours else { continue }
            let usual = wholes[index] * tally.sums.usualRate
            let cell = cells[index] & cellOfDay
            observed[cell] += ShareRules.limited(parts[index], expected: usual)
            expected[cell] += usual
        }
        return ShareCourse(
            factors: (0..<8).map { observed[$0 & cellOfDay] / expected[$0 & cellOfDay] }
        )
    }

    /// The sums of each level in a range of hours. A search begins with the level of the hour before, because
    /// levels have long runs of hours.
    private struct LevelTallies {
        struct Tally {
            var level: Int
            var hours = 0
            var sums = CountedRate(part: 0, whole: 0)
        }

        private(set) var tallies: [Tally] = []

        init(_ hours: ShareHours, _ range: Range<Int>) {
            var last = 0
            for index in range {
                last = position(of: hours.levels[index], near: last)
                if last == tallies.count { tallies.append(Tally(level: hours.levels[index])) }
                tallies[last].hours += 1
                tallies[last].sums.add(part: hours.parts[index], whole: hours.wholes[index])
            }
        }

        /// Returns the position of the level; the number of tallies if it is unknown.
        func position(of level: Int, near last: Int) -> Int {
            if last < tallies.count, tallies[last].level == level { return last }
            return tallies.firstIndex { $0.level == level } ?? tallies.count
        }
    }
}
