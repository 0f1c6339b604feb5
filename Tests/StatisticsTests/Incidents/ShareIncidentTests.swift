import Testing

@testable import Statistics

struct ShareIncidentTests {
    private static let first = 490_896

    /// Hours of 36 queries at the rate that `rate` returns. The lost queries are the whole part of their sum.
    private static func hours(_ days: Int, rate: (Int) -> Double) -> [ShareHour] {
        var (sum, lost) = (0.0, 0)
        return (0..<(days * 24)).map { hour in
            sum += 36 * rate(hour)
            let part = Int(sum + 1e-9) - lost
            lost += part
            return share(hour, part, of: 36)
        }
    }

    private static func share(_ hour: Int, _ part: Int, of whole: Int) -> ShareHour {
        ShareHour(
            hour: first + hour,
            hourOfWeek: (first + 72 + hour) % 168,
            part: part,
            whole: whole
        )
    }

    private static func scan(
        _ hours: [ShareHour],
        _ rules: ShareRules = .losses
    ) -> ShareIncidents {
        var scan = ShareIncidents(rules)
        for hour in hours { scan.add(hour) }
        return scan
    }

    private static func rate(_ name: String) -> ((Int) -> Double)? {
        let rates: [String: (Int) -> Double] = [
            "quiet": { _ in 0.005 },
            "rise to 3 %": { $0 >= 720 ? 0.03 : 0.005 },
            "rise to 1 %": { $0 >= 720 ? 0.01 : 0.005 },
            "episode": { 720..<768 ~= $0 ? 0.05 : 0.005 },
            "fall": { $0 >= 720 ? 0.002 : 0.03 },
            "cache": { $0 >= 720 ? 0.45 : 0.6 },
        ]
        return rates[name]
    }

    @Test func `changes of a share equal the reference`() throws {
        let golden = try IncidentGolden.read()
        #expect(golden.shares.count == 6 && golden.t0 == Self.first)
        for (name, expected) in golden.shares {
            let hours = Self.hours(60, rate: try #require(Self.rate(name)))
            #expect(hours.reduce(0) { $0 + $1.part } == expected.lost)
            let found = Self.scan(hours, name == "cache" ? .cache : .losses).incidents
                .map { $0.since(Self.first) }
            try #require(found.count == expected.rows.count, "\(name)")
            for (row, exact) in zip(found, expected.rows) {
                #expect(row.equals(exact.incident, within: 1e-9), "\(name): \(row)")
            }
            for (row, rounded) in zip(found, expected.rounded) {
                let figures = [
                    row.size, row.before, row.interval.lowerBound, row.interval.upperBound,
                ]
                let decimals = figures.map { ($0 * 1e4).rounded() / 1e4 }
                #expect(decimals == [rounded.size, rounded.before] + rounded.ci, "\(name)")
                #expect(row.kind == rounded.kind && row.established == rounded.established)
                #expect(row.start == rounded.start && row.end == rounded.end)
            }
        }
    }

    @Test func `the scatter of blocks equals the reference`() throws {
        let hours = (0..<200).map { hour in
            let whole = Double(5 + hour * 31 % 7)
            return (part: min(Double(hour * 7919 % 97) / 9, whole), whole: whole)
        }
        var sums = RateSums(capacity: hours.count)
        for hour in hours { sums.append(part: hour.part, whole: hour.whole) }
        for expected in try IncidentGolden.read().scatter {
            #expect(agree(sums.scatter(0..<expected.count), expected.value, within: 1e-9))
        }
    }

    @Test func `the likelihood ratio of two rates equals the reference`() throws {
        for row in try IncidentGolden.read().ratio {
            let first = CountedRate(part: row[0], whole: row[1])
            let second = CountedRate(part: row[2], whole: row[3])
            #expect(agree(CountedRate.logRatio(first, second), row[4], within: 1e-9))
            #expect(CountedRate.boundOfLogRatio(first, second) >= row[4])
        }
    }

    /// A history of Reference/incidents-shares.tsv.
    private static func history(_ seed: Int) -> (rules: ShareRules, hours: [ShareHour]) {
        var source = CongruentialGenerator(state: UInt64(seed))
        for _ in 0..<3 { _ = source.below(1) }
        let days = 40 + source.below(100) + (source.below(6) == 0 ? 200 : 0)
        let queries = [4, 12, 36][source.below(3)]
        let base = [0, 50, 200, 6000][source.below(4)]
        let changes = (0..<3).map { _ in
            let (start, length) = (
                source.below(days * 24), [3, 12, 60, 200, 3000][source.below(5)]
            )
            return (hours: start..<(start + length), rate: [100, 300, 1000, 9000][source.below(4)])
        }
        let (evening, weekend) = ([1, 1, 4][source.below(3)], [1, 1, 3][source.below(3)])
        let gap = source.below(days * 24)
        let missing = gap..<(gap + [0, 0, 5, 300, 5000][source.below(5)])
        var hours: [ShareHour] = []
        for hour in 0..<(days * 24) where !missing.contains(hour) {
            let hourOfWeek = (first + 72 + hour) % 168
            var rate = changes.last { $0.hours.contains(hour) }?.rate ?? base
            if base < 6000 {
                rate *= (hourOfWeek % 24 >= 18 ? evening : 1) * (hourOfWeek >= 120 ? weekend : 1)
            }
            rate = min(rate, 9900)
            let whole = source.below(50) == 0 ? 0 : queries + source.below(3) - 1
            let part = (0..<whole).count { _ in source.below(10_000) < rate }
            hours.append(share(hour, part, of: whole))
        }
        return (base == 6000 ? .cache : .losses, hours)
    }

    /// A row of Reference/incidents-shares.tsv: the incident and whether it is in the list.
    private static func row(_ text: Substring) throws -> (incident: Incident, isListed: Bool) {
        let columns = text.split(separator: " ")
        let hours = columns[1...5].map { Int($0) }
        let figures = try columns[6...9].map { try #require(Double($0)) }
        let incident = Incident(
            kind: try #require(Incident.Kind(rawValue: String(columns[0]))),
            start: try #require(hours[0]),
            within: try #require(hours[1])...(try #require(hours[2])),
            end: hours[3],
            established: try #require(hours[4]),
            size: figures[0],
            before: figures[1],
            interval: figures[2]...figures[3]
        )
        return (incident, columns[10] == "1")
    }

    @Test func `random histories have the reference's changes`() throws {
        let lines = try IncidentGolden.lines("incidents-shares.tsv")
        try #require(lines.count == 40)
        for (index, line) in lines.enumerated() {
            let (rules, hours) = Self.history(index + 1)
            try #require(hours.reduce(0) { $0 + $1.part } == Int(line[1]))
            let expected =
                line[2] == "-" ? [] : try line[2].split(separator: ",").map(Self.row)
            let scan = Self.scan(hours, rules)
            let found = scan.established.map { $0.since(Self.first) }
            try #require(found.count == expected.count, "\(index + 1)")
            for (row, expected) in zip(found, expected) {
                #expect(row.equals(expected.incident, within: 1e-9), "\(index + 1): \(row)")
            }
            let listed = scan.incidents.map { $0.since(Self.first).established }
            #expect(listed == expected.filter(\.isListed).map(\.incident.established))
        }
    }

    @Test(arguments: [1, 2, 5, 9])
    func `a reading of the first hours finds what a later reading finds`(seed: Int) throws {
        let (rules, hours) = Self.history(seed)
        let whole = Self.scan(hours, rules).established
        var scan = ShareIncidents(rules)
        for (index, hour) in hours.enumerated() {
            scan.add(hour)
            guard index % 97 == 0 || index % 24 == 5 && index < 2000 else { continue }
            let known = scan.established
            let later = whole.filter { $0.established <= hour.hour }
            try #require(known.count == later.count)
            for (now, then) in zip(known, later) {
                #expect(now.start == then.start && now.established == then.established)
                #expect(now.within == then.within && now.before == then.before)
                // A change that has ended is final.
                if now.end != nil { #expect(now == then) }
            }
        }
    }

    @Test func `hours without queries and hours out of order are skipped`() {
        var hours = Self.hours(60) { $0 >= 720 ? 0.03 : 0.005 }
        let found = Self.scan(hours).incidents
        hours.insert(Self.share(100, 36, of: 36), at: 900)
        hours.insert(ShareHour(hour: .max, hourOfWeek: 0, part: 5, whole: -5), at: 950)
        #expect(Self.scan(hours).incidents == found && found.count == 1)
    }

    @Test func `a burst of one hour is no change`() {
        let hours = Self.hours(60) { $0 == 720 ? 1 : 0.005 }
        #expect(Self.scan(hours).established == [])
    }

    @Test func `losses of every evening are no change`() {
        let hours = Self.hours(60) { ($0 + 72) % 24 >= 18 ? 0.04 : 0.01 }
        #expect(Self.scan(hours).established == [])
    }
}

extension ShareRules {
    /// The rules of the reference for a share without bursts and without a usual course.
    fileprivate static let cache = ShareRules(
        leastDifference: 0.05,
        leastRatio: 1,
        hasBursts: false,
        leastEvidence: 13
    )
}
