import Fixtures
import Foundation
import Statistics
import Testing

struct CacheChangeTests {
    private static let hours = 28 * 24
    private static let change = 14 * 24

    /// The rates per TTL at which users ask for each name, by the share of names in the cache.
    private static let rates = [0.4: 0.38, 0.6: 1.22, 0.8: 3.63, 0.95: 18.6]

    /// A resolver's cache. A warm-up queries ten names every five minutes. A query by a user or by a warm-up
    /// puts a name into the cache until its TTL expires. Users sleep at night and behave differently at
    /// weekends.
    private static func history(seed: Int, share: (Int) -> Double) -> [HourlyBlock] {
        var source = SplitMix64(seed: UInt64(8000 + seed))
        let lives = [20.0, 30, 60, 60, 120, 120, 300, 300, 300, 300]
        var ends = lives.map { _ in 0.0 }
        var drift = 0.0
        return (0..<hours).map { hour in
            if hour % 24 == 0 { drift = 0.8 * drift + 0.06 * source.normal() }
            let cycle = 1 + 0.6 * sin(2 * .pi * Double(hour % 24) / 24)
            let day = hour / 24 % 7 >= 5 ? 0.9 : 1
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
    }

    @Test(arguments: 0..<60)
    func `the normal variation of a cache is no change`(seed: Int) {
        let share = Self.rates.keys.sorted()[seed % 4]
        #expect(ChangeHistory(of: Self.history(seed: seed) { _ in share }).changes == [])
    }

    @Test(
        arguments: [(before: 0.6, after: 0.4, within: 80), (before: 0.95, after: 0.8, within: 30)],
        0..<4
    )
    func `fewer names in the cache are found within days`(
        fall: (before: Double, after: Double, within: Int),
        seed: Int
    ) throws {
        let start = Self.change + 7 * seed
        let blocks = Self.history(seed: seed) { $0 < start ? fall.before : fall.after }
        let changes = ChangeHistory(of: blocks).changes
        let change = try #require(changes.first)
        #expect(changes.count == 1 && change.kind == .lessCached)
        #expect(change.establishedHour - start <= fall.within)
        #expect(abs(change.hour - start) <= 13)
        #expect(abs(change.before - fall.before) < 0.08 && abs(change.after - fall.after) < 0.08)
        #expect(change.size < 0 && change.interval.contains(change.size))
    }

    /// Hours with ten names each, and this number of cache hits.
    private func hours(_ count: Int, hits: (Int) -> Int?) -> [HourlyBlock] {
        (0..<count).map { hour in
            var block = HourlyBlock(hour: hour, hourOfWeek: hour % 168, answers: [10], failed: 0)
            if let hits = hits(hour) { block.warmups = HitShare(hits: hits, misses: 10 - hits) }
            return block
        }
    }

    @Test func `a cache that is emptied and refilled within hours has an episode`() {
        let changes = ChangeHistory(of: hours(400) { (200..<203) ~= $0 ? 0 : 9 }).changes
        #expect(changes.map(\.kind) == [.lessCached])
        #expect(changes.map(\.hour) == [200] && changes.map(\.end) == [203])
    }

    @Test func `a decrease of cache hits and a late return are two changes`() {
        let changes = ChangeHistory(of: hours(900) { (300..<600) ~= $0 ? 5 : 9 }).changes
        #expect(changes.map(\.kind) == [.lessCached, .moreCached])
        #expect(changes.map(\.hour) == [300, 600])
        #expect(zip(changes.map(\.before), [0.9, 0.5]).allSatisfy { abs($0 - $1) < 0.06 })
        #expect(zip(changes.map(\.after), [0.5, 0.9]).allSatisfy { abs($0 - $1) < 0.06 })
    }

    @Test func `hours without warm-ups are skipped`() {
        let (all, some) = (
            hours(400) { $0 < 300 ? 9 : 5 },
            hours(800) { hour in
                hour % 2 == 1 ? nil : hour < 600 ? 9 : 5
            }
        )
        #expect(ChangeHistory(of: all).changes.map(\.hour) == [300])
        #expect(ChangeHistory(of: some).changes.map(\.hour) == [600])
        #expect(ChangeHistory(of: hours(400) { _ in nil }).changes == [])
    }

    @Test func `a variation within the dead-band is no change`() {
        let changes = ChangeHistory(of: hours(900) { $0 < 300 || $0 % 2 == 0 ? 8 : 7 }).changes
        #expect(changes == [])
    }
}
