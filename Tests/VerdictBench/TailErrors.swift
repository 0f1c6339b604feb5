import Foundation
import Statistics

/// Detection of changes that affect a third of the names, over four weeks with ten names and a round every
/// five minutes. The model has a daily cycle, a drift of the line, bursts, misses and losses.
enum TailErrors {
    private static let histories = 60
    private static let hours = 28 * 24
    private static let start = 14 * 24
    private static let end = 21 * 24
    private static let names = 10
    private static let rounds = 12
    private static let size = 15.0

    static func printAll() {
        let quiet = (0..<histories).map { history($0, slowNames: 0).found }
        print("tail|none|\(histories)|\(quiet.count { !$0.isEmpty })|-|-|-|-|-")
        // The change is one of the median or of the p90. Its end is the end of the incident, or a change back.
        var delays: [Int] = []
        var causes: [ChangeCause] = []
        var returns = 0
        var others = 0
        for number in 0..<histories {
            let history = history(number, slowNames: 3)
            let found = history.found
            let rise = found.first { $0.size > 0 && isNear($0.hour, start, number) }
            if let rise {
                delays.append(rise.establishedHour - start - moved(number))
                let previous = found.last { $0.hour < rise.hour }?.hour
                causes.append(history.cause(of: rise, since: previous))
            }
            let back = found.first { $0.size < 0 && isNear($0.hour, end, number) }
            if back != nil || rise?.end.map({ isNear($0, end, number) }) == true { returns += 1 }
            others += found.count - (rise == nil ? 0 : 1) - (back == nil ? 0 : 1)
        }
        let right = causes.count { $0 == .names }
        let unsure = causes.count { [.mixed, .unknown].contains($0) }
        let told = [right, unsure, causes.count - right - unsure].map(String.init)
        let cells =
            ["tail", "slower", "\(histories)", "\(delays.count)"] + delays.medianAndTail + told
        print(cells.joined(separator: "|"))
        print("tail|return|\(histories)|\(returns)|-|-|-|-|-")
        print("tail|other|\(histories)|\(others)|-|-|-|-|-")
    }

    /// Whether an hour is at most a day from the history's change at `moment`.
    private static func isNear(_ hour: Int, _ moment: Int, _ number: Int) -> Bool {
        abs(hour - moment - moved(number)) <= 24
    }

    /// A different hour of the day for each history.
    private static func moved(_ number: Int) -> Int { number * 7 % 24 }

    /// Returns a history in which some names take longer for a week.
    private static func history(_ number: Int, slowNames: Int) -> TailHistory {
        var source = SplitMix64(state: UInt64(77_000 + number))
        var history = TailHistory()
        var drift = 0.0
        var burst = 0
        for hour in 0..<hours {
            drift = 0.98 * drift + 0.15 * source.normal()
            let line = drift + 2 * sin(2 * .pi * Double(hour % 24) / 24)
            let isSlow = (start..<end).contains(hour - moved(number))
            var answers = [[Double]](repeating: [], count: names)
            var failed = 0
            for _ in 0..<rounds {
                if burst == 0, source.uniform() < 0.005 { burst = 1 + Int(8 * source.uniform()) }
                let late = burst > 0 ? 20 + 40 * source.uniform() : 0
                burst = max(0, burst - 1)
                for name in 0..<names {
                    var time = 20 + Double(name) + line + 1.5 * exp(0.8 * source.normal())
                    // The names that become slow are neither the nearest nor the farthest.
                    if isSlow, (3..<(3 + slowNames)).contains(name) { time += size }
                    if source.uniform() < 0.3 { time += late }
                    if source.uniform() < 0.04 { time += 80 + 220 * source.uniform() }
                    if source.uniform() < 0.005 { failed += 1 } else { answers[name].append(time) }
                }
            }
            let floors = (0..<5).map { other in
                line + typical(12 + Double(other), part: 0.5, from: &source)
            }
            history.add(hour, answers, failed: failed, floors: floors)
        }
        return history
    }

    /// Returns a quantile of an hour's twelve rounds around `base`.
    private static func typical(
        _ base: Double,
        part: Double,
        from source: inout SplitMix64
    ) -> Double {
        let times = (0..<12).map { _ in base + 1.5 * exp(0.8 * source.normal()) }.sorted()
        return times[Int(part * 11)]
    }
}

/// A resolver's hours, in which changes and their causes are found.
private struct TailHistory {
    private var blocks: [HourlyBlock] = []
    /// Values per hour: of each name, and of each resolver with its own round trip first.
    private var typical: [[Double?]] = []
    private var floors: [[Double]] = []
    private var means: [Double?] = []

    /// The numbers of hours after a change from which its cause is derived, tried in this order.
    private static let hoursAfter = [12, 72]

    mutating func add(_ hour: Int, _ answers: [[Double]], failed: Int, floors: [Double]) {
        let all = answers.flatMap(\.self)
        blocks.append(HourlyBlock(hour: hour, hourOfWeek: hour % 168, answers: all, failed: failed))
        // It is unknown which answers were misses.
        typical.append(answers.map { $0.isEmpty ? nil : $0.sorted()[($0.count - 1) / 4] })
        self.floors.append(floors)
        means.append(all.isEmpty ? nil : all.reduce(0, +) / Double(all.count))
    }

    var found: [LevelChange] { ChangeHistory(of: blocks).changes }

    /// Returns the cause of a change. The reference is the time since the previous change.
    func cause(of change: LevelChange, since previous: Int?) -> ChangeCause {
        let causes = Self.hoursAfter.map {
            evidence(on: change, since: previous, hours: $0).finding().cause
        }
        return causes.first { ![.mixed, .unknown].contains($0) } ?? causes[0]
    }

    private func evidence(
        on change: LevelChange,
        since previous: Int?,
        hours: Int
    ) -> CauseEvidence {
        let first = max(previous ?? 0, change.hour - Incident.referenceHours)
        let units = first..<min(change.hour + hours, blocks.count)
        let before = change.hour - first
        var evidence = CauseEvidence(
            hours: units.map { $0 % 24 },
            before: 0..<before,
            after: before..<units.count
        )
        evidence.names = typical[0].indices.map { name in units.map { typical[$0][name] } }
        evidence.floor = units.map { floors[$0][0] }
        evidence.otherFloors = (1..<5).map { other in units.map { floors[$0][other] } }
        evidence.others = evidence.otherFloors
        evidence.seen = evidence.residuals(units.map { means[$0] })
        return evidence
    }
}
