import Foundation
import Testing

@testable import Statistics

/// Compares the causes of slower resolvers with Reference/cause.py.
struct ChangeCauseTests {
    private static let causes: [ChangeCause] = [.line, .path, .cache, .connection, .resolver]
    private static let hours = 15 * 24
    private static let start = 14 * 24

    /// Evidence without measurements.
    private static let nothing = CauseEvidence(
        hours: (0..<hours).map { $0 % 24 },
        before: 0..<start,
        after: start..<hours
    )

    private func hourly(_ value: (_ hour: Int) -> Double) -> [Double?] {
        (0..<Self.hours).map { value($0) }
    }

    /// The timelines of three other resolvers.
    private func others(_ value: (_ hour: Int, _ place: Int) -> Double) -> [[Double?]] {
        (0..<3).map { place in hourly { value($0, place) } }
    }

    /// A case of the reference's table.
    private func evidence(_ number: Int) -> CauseEvidence {
        let kinds = ["line", "path", "resolver", "names", "cache", "connection"]
        var add = Dictionary(uniqueKeysWithValues: kinds.map { ($0, 0.0) })
        let size = Double(4 + number % 9)
        let (first, second) = (kinds[number % 6], kinds[number / 6 % 6])
        let isShared = number % 4 == 0 && first != second
        add[first, default: 0] += isShared ? size / 2 : size
        if isShared { add[second, default: 0] += size / 2 }
        func part(_ kind: String, _ hour: Int) -> Double {
            hour >= Self.start ? add[kind] ?? 0 : 0
        }
        func noise(_ hour: Int, _ k: Int) -> Double {
            let place: Int = (hour * k * (1 + number % 5) + number) % 7
            return Double(place - 3) * 0.1
        }
        func base(_ hour: Int) -> Double {
            let slope: Int = (number % 4) * (hour % 24 - 12)
            return 20 + Double(slope) / 6
        }
        func way(_ hour: Int) -> Double { part("line", hour) + part("path", hour) }
        var evidence = Self.nothing
        let count = 3 + number % 4
        evidence.names = (0..<count).map { name in
            hourly { hour in
                let own: Double = name < 2 ? part("names", hour) * Double(count) / 2 : 0
                let slower: Double = way(hour) + part("resolver", hour) + own
                return base(hour) + slower + noise(hour, name + 2) + Double(name)
            }
        }
        if number % 7 != 3 { evidence.floor = hourly { base($0) - 5 + way($0) + noise($0, 3) } }
        evidence.others = others { hour, j in
            base(hour) + part("line", hour) + noise(hour, j + 4) + Double(j)
        }
        if number % 5 != 2 {
            evidence.otherFloors = others { hour, j in
                base(hour) + part("line", hour) + noise(hour, j + 5) + Double(j - 4)
            }
        }
        if number % 2 != 0 || add["cache"] != 0 {
            evidence.misses = hourly { hour -> Double in
                let wobble: Double = Double((hour * 5) % 3 - 1) * 0.005
                return 0.05 + part("cache", hour) / 100 + wobble
            }
            evidence.missCost = 100
        }
        if number % 3 == 1 || add["connection"] != 0 {
            evidence.openings = hourly { hour -> Double in
                let trip: Double = base(hour) - 5 + way(hour)
                return 2 * trip + part("connection", hour) + noise(hour, 6)
            }
        }
        evidence.isSiteMoved = number % 11 == 4
        evidence.hasOtherNetwork = number % 13 != 5
        if number % 3 == 0 {
            evidence.seen = hourly { _ in size * (number % 2 != 0 ? 1 : 4) }
        }
        return evidence
    }

    @Test func `a thousand changes have the reference's cause and parts`() throws {
        let file = ReferenceGolden.folder.appending(path: "cause.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1000)
        for (index, line) in lines.enumerated() {
            let columns = line.split(separator: "\t")
            let finding = evidence(index + 1).finding()
            #expect(finding.cause.rawValue == columns[1], "\(index + 1)")
            let share = try #require(Double(columns[2]))
            #expect(share.isNaN == (finding.share == nil))
            #expect(agree(finding.share ?? 0, share.isNaN ? 0 : share, within: 1e-6))
            #expect(agree(finding.logEvidence, Double(columns[3]), within: 1e-6))
            for (cause, column) in zip(Self.causes, columns.dropFirst(4)) {
                #expect(agree(finding.parts[cause] ?? .nan, Double(column), within: 1e-6))
            }
        }
    }

    /// The golden example: 360 hours, of which the last 24 hours are slower.
    private func golden(
        line: Double = 0,
        path: Double = 0,
        resolver: Double = 0,
        names: Double = 0,
        cache: Double = 0
    ) -> CauseEvidence {
        func wobble(_ hour: Int, _ k: Int) -> Double { Double((hour * k) % 7 - 3) * 0.1 }
        func base(_ hour: Int) -> Double { 20 + 3 * sin(2 * .pi * Double(hour % 24) / 24) }
        func on(_ hour: Int) -> Double { hour >= Self.start ? 1 : 0 }
        var evidence = Self.nothing
        evidence.names = (0..<5).map { name in
            hourly { hour in
                let own: Double = line + path + resolver + (name < 2 ? names * 5 / 2 : 0)
                let usual: Double = base(hour) + wobble(hour, name + 2) + Double(name)
                return usual + on(hour) * own
            }
        }
        evidence.floor = hourly { base($0) - 5 + on($0) * (line + path) + wobble($0, 3) }
        evidence.others = others { hour, j in
            base(hour) + on(hour) * line + wobble(hour, j + 4) + Double(j)
        }
        evidence.otherFloors = others { hour, j in
            base(hour) + on(hour) * line + wobble(hour, j + 5) + Double(j - 4)
        }
        evidence.misses = hourly { hour -> Double in
            let wobble: Double = Double((hour * 5) % 3 - 1) * 0.005
            return 0.05 + on(hour) * cache + wobble
        }
        evidence.missCost = 120
        return evidence
    }

    @Test func `the golden changes have their causes`() {
        let line = golden(line: 8).finding()
        #expect(line.cause == .line && agree(line.share ?? 0, 0.993576, within: 1e-6))
        #expect(agree(line.logEvidence, 15.16208, within: 1e-6))
        #expect(agree(line.parts[.line] ?? 0, 7.991667, within: 1e-6))
        let path = golden(path: 8).finding()
        #expect(path.cause == .path && agree(path.share ?? 0, 0.997721, within: 1e-6))
        #expect(golden(resolver: 8).finding().cause == .resolver)
        #expect(golden(names: 8).finding().cause == .names)
        #expect(golden(cache: 0.2).finding().cause == .cache)
        #expect(golden(path: 4, resolver: 4).finding().cause == .mixed)
        #expect(golden(line: 6, path: 2).finding().cause == .line)
    }

    @Test func `a quantity that was not measured is no cause`() {
        var evidence = golden(path: 8)
        evidence.floor = []
        #expect(evidence.finding().cause == .way)
        evidence.after = Self.start..<(Self.start + 5)
        #expect(evidence.finding().cause == .unknown)
        var lonely = golden(line: 8)
        (lonely.others, lonely.otherFloors) = ([], [])
        #expect(lonely.finding().cause == .unknown)
        var gappy = golden(path: 8)
        for hour in Self.start..<(Self.start + 12) { gappy.floor[hour] = nil }
        let finding = gappy.finding()
        #expect(finding.cause == .path && finding.units == 12 && finding.won == 12)
    }

    @Test func `a name without later queries does not count as unchanged`() {
        var evidence = golden(resolver: 8)
        for _ in 0..<2 {
            evidence.names.append((0..<Self.hours).map { $0 < Self.start ? 20 : nil })
        }
        #expect(evidence.finding().cause == .resolver)
    }

    @Test func `a site that moved with the change is its cause`() {
        var evidence = golden(path: 5, resolver: 3)
        #expect(evidence.finding().cause == .mixed)
        evidence.isSiteMoved = true
        #expect(evidence.finding().cause == .site)
    }
}
