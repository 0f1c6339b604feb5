import Foundation
import Statistics

/// Detection of changes of a cache, over four weeks. Each of ten names is queried every five
/// minutes. A name enters the cache by a user's query or by the query of the previous round, and
/// stays until its TTL expires. The rate of the users' queries has a daily cycle, differs at
/// weekends, and drifts.
enum CacheErrors {
    private static let histories = 60
    private static let hours = 28 * 24
    private static let start = 14 * 24
    private static let lives = [20.0, 30, 60, 60, 120, 120, 300, 300, 300, 300]
    /// The rates per TTL at which users ask for each name, by the share of names in the cache.
    private static let rates = [0.4: 0.38, 0.6: 1.22, 0.8: 3.63, 0.95: 18.6]

    /// The variation of users from day to day, as the deviation of the rate's logarithm, and the part of
    /// their queries that remains at weekends.
    private struct Users {
        var word: String
        var drift: Double
        var weekend: Double
    }

    static func printAll() {
        for users in [
            Users(word: "none", drift: 0.1, weekend: 0.9),
            Users(word: "restless users", drift: 0.2, weekend: 0.8),
        ] {
            for share in rates.keys.sorted() {
                let alarmed = (0..<histories).count {
                    !changes($0, users) { _ in share }.isEmpty
                }
                printLine([users.word, percent(share), "\(alarmed)", "-", "-", "-"])
            }
        }
        let steady = Users(word: "", drift: 0.1, weekend: 0.9)
        for (before, after) in [(0.6, 0.4), (0.95, 0.8), (0.4, 0.6), (0.8, 0.95)] {
            let kind = after < before ? LevelChange.Kind.lessCached : .moreCached
            var delays: [Int] = []
            var others = 0
            for number in 0..<histories {
                let moment = start + number * 7 % 24
                let all = changes(number, steady) { $0 < moment ? before : after }
                let found = all.first { $0.kind == kind && abs($0.hour - moment) <= 24 }
                if let found { delays.append(found.establishedHour - moment) }
                others += all.count - (found == nil ? 0 : 1)
            }
            let shares = "\(percent(before)) to \(percent(after))"
            printLine(
                [kind.rawValue, shares, "\(delays.count)"] + delays.medianAndTail + ["\(others)"]
            )
        }
    }

    private static func percent(_ share: Double) -> String { "\(Int(share * 100)) %" }

    private static func printLine(_ cells: [String]) {
        print(
            (["cache"] + cells.prefix(2) + ["\(histories)"] + cells.dropFirst(2)).joined(
                separator: "|"
            )
        )
    }

    private static func changes(
        _ number: Int,
        _ users: Users,
        share: (Int) -> Double
    ) -> [LevelChange] {
        var source = SplitMix64(state: UInt64(91_000 + number))
        var ends = lives.map { _ in 0.0 }
        var drift = 0.0
        let blocks = (0..<hours).map { hour in
            if hour % 24 == 0 { drift = 0.8 * drift + 0.6 * users.drift * source.normal() }
            let cycle = 1 + 0.6 * sin(2 * .pi * Double(hour % 24) / 24)
            let day = hour / 24 % 7 >= 5 ? users.weekend : 1
            let rate = (rates[share(hour)] ?? 1) * exp(drift) * cycle * day
            var block = HourlyBlock(hour: hour, hourOfWeek: hour % 168, answers: [10], failed: 0)
            for round in 0..<12 {
                let now = Double(hour * 3600 + round * 300)
                for name in lives.indices {
                    while ends[name] < now {
                        let asked = ends[name] - log(1 - source.uniform()) * lives[name] / rate
                        guard asked < now else { break }
                        ends[name] = asked + lives[name]
                    }
                    let isHit = ends[name] >= now
                    block.warmups.note(isHit)
                    if !isHit { ends[name] = now + lives[name] }
                }
            }
            return block
        }
        return ChangeHistory(of: blocks).changes
    }
}
