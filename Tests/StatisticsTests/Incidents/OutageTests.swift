import Testing

@testable import Statistics

struct OutageTests {
    private static let minute: Int64 = 60_000_000_000

    /// Rounds with three queries to each resolver, `interval` minutes apart. `lost` returns the lost queries.
    private static func rounds(
        _ numbers: Range<Int>,
        resolvers: Int = 3,
        lost: (Int, Int) -> Int
    ) -> [OutageRound] {
        numbers.map { number in
            OutageRound(
                start: Int64(number) * 5 * minute,
                asked: Array(repeating: 3, count: resolvers),
                lost: (0..<resolvers).map { lost(number, $0) }
            )
        }
    }

    private static func scan(
        _ rounds: [OutageRound],
        minutes: Int64 = 5
    ) -> (outages: [Outage], scan: OutageScan) {
        var scan = OutageScan(resolvers: rounds.first?.asked.count ?? 0, interval: minutes * minute)
        let ended = rounds.flatMap { scan.add($0) }
        return (Outage.merged(ended + scan.open), scan)
    }

    private static func minutes(_ outage: Outage) -> [[Int64?]] {
        outage.interruptions.map { [$0.start / minute, $0.end.map { $0 / minute }] }
    }

    @Test func `outages and availability equal the reference`() throws {
        let rounds = Self.rounds(0..<2000) { number, resolver in
            switch (number, resolver) {
            case (100, _), (500..<536, _), (1999, _), (1000..<1003, 1): 3
            case (1500..<1900, 2) where (number - 1500).isMultiple(of: 24): 3
            default: 0
            }
        }
        let (outages, scan) = Self.scan(rounds)
        let expected = try IncidentGolden.read().outages
        try #require(outages.count == expected.rows.count)
        for (outage, row) in zip(outages, expected.rows) {
            #expect(outage.scope == row.who.scope)
            #expect(outage.start / Self.minute == row.start)
            #expect(outage.end.map { $0 / Self.minute } == row.end)
            #expect(outage.rounds == row.rounds && outage.queries == row.queries)
            #expect(Self.minutes(outage) == row.parts)
        }
        let shares = ([scan.availability] + scan.availabilities).map(\.share)
        #expect(shares.map { ($0 * 1e4).rounded() / 1e4 } == expected.answered)
    }

    /// The rounds of Reference/incidents-outages.tsv, and their interval in minutes.
    private static func random(_ seed: Int) -> (minutes: Int64, rounds: [OutageRound]) {
        var source = CongruentialGenerator(state: 1_000_000 + UInt64(seed))
        for _ in 0..<3 { _ = source.below(1) }
        let (resolvers, count) = (1 + source.below(4), 20 + source.below(400))
        let (interval, names) = ([5, 60, 240][source.below(3)], 1 + source.below(4))
        let loss = (0..<resolvers).map { _ in [0, 10, 100][source.below(3)] }
        let often = [0, 3, 20][source.below(3)]
        var time = 27_000_000 + source.below(1000)
        var dead = [Int](repeating: 0, count: resolvers)
        let rounds = (0..<count).map { _ in
            time += interval + (source.below(20) == 0 ? source.below(8 * interval) : 0)
            for resolver in 0..<resolvers {
                if dead[resolver] > 0 {
                    dead[resolver] -= 1
                } else if source.below(100) < often {
                    dead[resolver] = 1 + source.below(6)
                }
            }
            if source.below(100) < often {
                dead = Array(repeating: 1 + source.below(3), count: resolvers)
            }
            let asked = (0..<resolvers).map { _ in source.below(10) == 0 ? 0 : names }
            let lost = (0..<resolvers).map { resolver in
                dead[resolver] > 0
                    ? asked[resolver]
                    : (0..<asked[resolver]).count { _ in source.below(1000) < loss[resolver] }
            }
            return OutageRound(start: Int64(time) * minute, asked: asked, lost: lost)
        }
        return (Int64(interval), rounds)
    }

    @Test func `random rounds have the reference's outages`() throws {
        let lines = try IncidentGolden.lines("incidents-outages.tsv")
        try #require(lines.count == 100)
        for (index, line) in lines.enumerated() {
            let (interval, rounds) = Self.random(index + 1)
            let (outages, scan) = Self.scan(rounds, minutes: interval)
            let found = outages.map { outage in
                let scope =
                    switch outage.scope {
                    case .line: "all"
                    case .resolver(let number): "\(number)"
                    }
                let parts = Self.minutes(outage).map { part in
                    part.map { $0.map { "\($0)" } ?? "" }.joined(separator: "-")
                }
                return "\(scope) \(outage.rounds) \(outage.queries) "
                    + parts.joined(separator: " ")
            }
            #expect((found.isEmpty ? "-" : found.joined(separator: ",")) == line[2], "\(index + 1)")
            let shares = ([scan.availability] + scan.availabilities).map(\.share)
            let expected = line[1].split(separator: " ").map { Double($0) }
            #expect(shares.count == expected.count)
            #expect(zip(shares, expected).allSatisfy { agree($0, $1, within: 1e-9) })
        }
    }

    @Test(arguments: 1...20)
    func `a reading of the first rounds finds what a later reading finds`(seed: Int) {
        let (interval, rounds) = Self.random(seed)
        var whole = OutageScan(
            resolvers: rounds[0].asked.count,
            interval: interval * Self.minute
        )
        let later = rounds.flatMap { whole.add($0) } + whole.open
        var scan = OutageScan(resolvers: rounds[0].asked.count, interval: interval * Self.minute)
        var ended: [Outage] = []
        for round in rounds {
            ended += scan.add(round)
            #expect(ended.allSatisfy(later.contains))
            for open in scan.open {
                #expect(later.contains { $0.scope == open.scope && $0.start == open.start })
            }
        }
    }

    @Test func `one round of three queries is an outage of a resolver with little loss`() {
        let before = Self.rounds(0..<200) { _, _ in 0 }
        let dead = Self.rounds(200..<201) { _, resolver in resolver == 1 ? 3 : 0 }
        #expect(Self.scan(before + dead).outages.map(\.scope) == [.resolver(1)])
        // Of the first rounds, nothing is known about the usual loss.
        let first = Self.rounds(0..<1) { _, resolver in resolver == 1 ? 3 : 0 }
        #expect(Self.scan(first).outages == [])
    }

    @Test func `losses after an outage do not change it`() {
        let quiet = Self.rounds(0..<210) { number, resolver in
            number == 200 && resolver == 1 ? 3 : 0
        }
        let lossy = Self.rounds(210..<2000) { _, resolver in resolver == 1 ? 1 : 0 }
        #expect(Self.scan(quiet).outages.count == 1)
        #expect(Self.scan(quiet + lossy).outages == Self.scan(quiet).outages)
    }

    @Test(arguments: [(hour: 671, count: 0), (hour: 672, count: 1)])
    func `losses of 28 days ago do not count`(hour: Int, count: Int) {
        let lossy = Self.rounds(0..<12) { _, _ in 1 }
        let last = hour * 12
        let quiet = Self.rounds((last - 40)..<(last + 1)) { number, resolver in
            number == last && resolver == 0 ? 3 : 0
        }
        #expect(Self.scan(lossy + quiet).outages.count == count)
    }

    @Test func `an outage before a gap ends one interval after its last round`() {
        let rounds = Self.rounds(0..<101) { number, _ in number == 100 ? 3 : 0 }
        let (outages, _) = Self.scan(rounds + Self.rounds(110..<120) { _, _ in 0 })
        #expect(outages.map { $0.end.map { $0 / Self.minute } } == [505])
        #expect(Self.scan(rounds).outages.map(\.end) == [nil])
    }

    @Test func `a dead line is no outage of the resolvers, and one resolver has no line`() {
        let rounds = Self.rounds(0..<200, resolvers: 2) { number, _ in number == 150 ? 3 : 0 }
        #expect(Self.scan(rounds).outages.map(\.scope) == [.line])
        let single = Self.rounds(0..<200, resolvers: 1) { number, _ in number == 150 ? 3 : 0 }
        #expect(Self.scan(single).outages.map(\.scope) == [.resolver(0)])
    }

    @Test func `rounds out of order, or of other resolvers, are skipped`() {
        var scan = OutageScan(resolvers: 2, interval: .max)
        #expect(scan.add(OutageRound(start: 5, asked: [3, 3], lost: [0, 0])) == [])
        #expect(scan.add(OutageRound(start: 4, asked: [3, 3], lost: [3, 3])) == [])
        #expect(scan.add(OutageRound(start: 6, asked: [3], lost: [3])) == [])
        #expect(scan.add(OutageRound(start: .max, asked: [3, 3], lost: [3, 3])) == [])
        #expect(scan.open.map(\.scope) == [.line] && scan.availability.rounds == 2)
    }
}
