import Foundation
import Testing

@testable import Statistics

struct PlaceEvidenceTests {
    private static let evidence = [
        13.815510558, 13.122363377, 6.684611728, 5.703782475, 4.49980967, 3.218875825, 1.098612289,
        -0.223143551, -0.916290732, -1.609437912,
    ]
    private static let opposite = [
        -6.907755279, -6.907755279, -4.605170186, -2.302585093, -1.609437912, -1.203972804,
        0.693147181, 6.802394763, 10.819778284, 16.118095651,
    ]

    @Test(arguments: [
        (7, 0, 3.980520814), (8, 0, 4.609918532), (10, 2, 2.095909905), (100, 68, 0.964238596),
        (168, 0, 114.006782535), (60, 108, -4.630925334),
    ])
    func `a place's hourly evidence equals the reference`(won: Int, lost: Int, logE: Double) {
        var hours = PlaceHours()
        for _ in 0..<won { hours.add(baseline: 20, candidate: 10, margin: 5) }
        for _ in 0..<lost { hours.add(baseline: 10, candidate: 20, margin: 5) }
        #expect(agree(hours.logEvidenceFaster, logE, within: 1e-9))
        #expect(hours.count == won + lost)
    }

    @Test func `the named places and their minimum number equal the reference`() {
        let named = PlaceEvidence.named(Self.evidence)
        #expect(named == Self.evidence.indices.map { $0 < 5 })
        #expect(PlaceEvidence.least(of: Self.evidence) == 4)
        let group = Self.evidence.indices.map { $0.isMultiple(of: 2) }
        #expect(PlaceEvidence.least(of: Self.evidence, among: group) == 2)
        let share = PlaceEvidence.share(faster: Self.evidence, notFaster: Self.opposite)
        #expect(share == 0.4...0.7)
        let doubted = PlaceEvidence.share(faster: Self.evidence, notFaster: Self.opposite, liars: 1)
        #expect(doubted == 0.3...0.8)
    }

    @Test func `a thousand fleets have the reference's results`() throws {
        let file = ReferenceGolden.folder.appending(path: "places.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 1000)
        for (number, line) in lines.enumerated() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            let hours = Self.fleet(UInt64(number))
            let tallies = hours.map {
                "\($0.faster),\($0.notKnownFaster),\($0.notFaster),\($0.notKnownNotFaster)"
            }
            let (faster, notFaster) = (
                hours.map(\.logEvidenceFaster), hours.map(\.logEvidenceNotFaster)
            )
            func places(_ liars: Int) -> String {
                let share = PlaceEvidence.share(faster: faster, notFaster: notFaster, liars: liars)
                let count = Double(hours.count)
                return "\(Int((share.lowerBound * count).rounded()))-"
                    + "\(Int((share.upperBound * count).rounded()))"
            }
            let group = hours.indices.map { $0.isMultiple(of: 2) }
            #expect(columns[1] == tallies.joined(separator: " "))
            #expect(agree(faster.reduce(0, +), Double(columns[2]), within: 1e-6), "\(number)")
            #expect(columns[3] == PlaceEvidence.named(faster).map { $0 ? "1" : "0" }.joined())
            #expect(columns[4] == "\(PlaceEvidence.least(of: faster))")
            #expect(columns[5] == "\(PlaceEvidence.least(of: faster, among: group))")
            #expect(columns[6] == places(0) && columns[7] == places(1))
            #expect(columns[8] == Self.quantiles(UInt64(number)), "\(number)")
            let watched = Self.watched(UInt64(number))
            #expect(columns[9] == watched.alarms, "\(number)")
            #expect(
                agree(watched.evidence.reduce(0, +), Double(columns[10]), within: 1e-6),
                "\(number)"
            )
            let names = PlaceEvidence.named(watched.evidence).map { $0 ? "1" : "0" }
            #expect(columns[11] == names.joined(), "\(number)")
        }
    }

    @Test func `hours without a figure for both are excluded`() {
        var hours = PlaceHours()
        hours.add(baseline: .nan, candidate: 10, margin: 5)
        hours.add(baseline: 10, candidate: .nan, margin: 5)
        hours.add(baseline: .infinity, candidate: .infinity, margin: 5)
        #expect(hours == PlaceHours())
        hours.add(baseline: .infinity, candidate: 10, margin: 5)
        #expect(hours.faster == 1 && hours.notKnownNotFaster == 1)
        // A difference of 5.2 ms at 100 ms is within the error of a sketch.
        hours.add(baseline: 100, candidate: 94.8, margin: 5)
        #expect(hours.faster == 1 && hours.notFaster == 0 && hours.count == 2)
    }

    @Test func `without places, nothing is concluded`() {
        #expect(PlaceEvidence.named([]) == [])
        #expect(PlaceEvidence.least(of: []) == 0)
        #expect(PlaceEvidence.share(faster: [], notFaster: []) == 0...1)
    }

    @Test func `a quantile over places has the interval of the reference`() throws {
        let values = (0..<60).map { Double(5 + $0 * 37 % 41) }
        let (weights, networks) = ((0..<60).map { Double(1 + $0 % 4) }, (0..<60).map { $0 % 15 })
        func found(_ p: Double, liars: Double = 0) -> [Double?] {
            let quantile = PlacesQuantile(
                p,
                of: values,
                weights: weights,
                networks: networks,
                liars: liars
            )
            return [quantile?.lower, quantile?.upper, quantile.map { Double($0.effectiveCount) }]
        }
        #expect(found(0.5) == [19, 31, 42])
        #expect(found(0.8) == [31, 43, 42])
        #expect(found(0.5, liars: 0.05) == [18, 34, 42])
        #expect(PlacesQuantile(0.5, of: []) == nil)
        let one = try #require(PlacesQuantile(0.5, of: [7]))
        #expect(one.value == 7 && one.lower == nil && one.upper == nil)
        // A place at which most queries time out has an infinite figure.
        let silent = try #require(PlacesQuantile(0.8, of: (0..<30).map { $0 < 20 ? 5 : .infinity }))
        #expect(silent.value == .infinity && silent.lower == 5)
    }

    @Test func `a rising share is found, and places are named`() {
        let shares = [0.02, 0.05, 0.01, 0.04, 0.6, 0.7, 0.9, 0.8, 0.9, 1, 0.9, 0.9]
        #expect(Self.alarms(shares, mean: 0.1, threshold: 420_000) == "10-4")
        let hours = ["00001111", "00100000", "11111111"].map { text in
            FleetChanges.logEvidence(text.map { $0 == "1" }, mean: 0.1)
        }
        let known = [6.079034904, -1.046665299, 14.739991381]
        #expect(zip(hours, known).allSatisfy { agree($0, $1, within: 1e-8) })
    }

    /// Returns the hours of the alarms, each with the first hour of its evidence.
    private static func alarms(_ shares: [Double?], mean: Double, threshold: Double) -> String {
        var detector = EDetector(bets: FleetChanges.bets, threshold: threshold)
        var hours: [Int] = []
        var found: [String] = []
        for (hour, share) in shares.enumerated() {
            guard let share else { continue }
            hours.append(hour)
            detector.observe(share, mean: mean)
            guard detector.isAlarmed else { continue }
            found.append("\(hour)-\(hours[hours.count - detector.length])")
            (detector, hours) = (EDetector(bets: FleetChanges.bets, threshold: threshold), [])
        }
        return found.joined(separator: " ")
    }

    /// The shares and places that Reference/places.py watches.
    private static func watched(_ number: UInt64) -> (alarms: String, evidence: [Double]) {
        var source = CongruentialGenerator(state: 2_000_000 + number)
        for _ in 0..<3 { _ = source.below(1) }
        let (count, noise) = (20 + source.below(100), 1 + source.below(100))
        let (rise, level) = (source.below(count), source.below(1000))
        let mean = [0.1, 0.15, 0.3][source.below(3)]
        let threshold = [1e3, 5e3, 42e4][source.below(3)]
        let shares = (0..<count).map { hour -> Double? in
            let share = min(1000, source.below(noise) + (hour >= rise ? level : 0))
            return source.below(20) == 0 ? nil : Double(share) / 1000
        }
        let evidence = (0..<(1 + source.below(12))).map { _ in
            let often = source.below(1000)
            let hours = (0..<48).map { _ in source.below(1000) < often }
            return FleetChanges.logEvidence(
                hours.map { source.below(10) == 0 ? nil : $0 },
                mean: mean
            )
        }
        return (alarms(shares, mean: mean, threshold: threshold), evidence)
    }

    /// Returns the quantiles of the further places in Reference/places.py.
    private static func quantiles(_ number: UInt64) -> String {
        var source = CongruentialGenerator(state: 1_000_000 + number)
        for _ in 0..<3 { _ = source.below(1) }
        let (count, most, networks) = (
            1 + source.below(80), 1 + source.below(4), 1 + source.below(40)
        )
        let figures = (0..<count).map { _ in
            (Double(5 + source.below(41)), Double(1 + source.below(most)), source.below(networks))
        }
        func quantile(_ p: Double, liars: Double = 0) -> PlacesQuantile? {
            PlacesQuantile(
                p,
                of: figures.map(\.0),
                weights: figures.map(\.1),
                networks: figures.map(\.2),
                liars: liars
            )
        }
        func text(_ values: [Double?]) -> String {
            values.map { $0.map { String(Int($0)) } ?? "-" }.joined(separator: ",")
        }
        let both = [quantile(0.5), quantile(0.8)].map { found in
            text([
                found?.value, found?.lower, found?.upper, found.map { Double($0.effectiveCount) },
            ])
        }
        let doubted = quantile(0.5, liars: 0.05)
        return (both + [text([doubted?.lower, doubted?.upper])]).joined(separator: " ")
    }

    /// Returns the same hours as the fleets of Reference/places.py.
    private static func fleet(_ number: UInt64) -> [PlaceHours] {
        var source = CongruentialGenerator(state: number)
        for _ in 0..<3 { _ = source.below(1) }
        let margin = [0, 1, 5.0][source.below(3)]
        return (0..<(1 + source.below(12))).map { _ in
            let (gap, count) = (source.below(16_000) - 6_000, source.below(60))
            let (spread, slow) = (1 + source.below(12_000), source.below(120))
            var hours = PlaceHours()
            for _ in 0..<count {
                let pair = [20_000, 20_000 - gap].map { middle in
                    let time = middle + source.below(spread) - spread / 2
                    return source.below(1_000) < slow ? .infinity : Double(max(100, time)) / 1000
                }
                hours.add(baseline: pair[0], candidate: pair[1], margin: margin)
            }
            return hours
        }
    }
}
