import Foundation
import Statistics

/// Detection of a resolver that becomes slower at some of fifty places, compared with two unchanged
/// resolvers. The model has four weeks of hours with a daily cycle, and drifts of each line and of
/// each resolver. In some evenings, all resolvers at a place are slow.
enum FleetErrors {
    private static let fleets = 40
    private static let places = 50
    private static let resolvers = ["one", "two", "three"]
    private static let hours = 28 * 24
    private static let start = 21 * 24
    private static let queries = 12

    static func printAll() {
        for (name, unrest) in [("none", 1.0), ("none, twice the drift", 2)] {
            let quiet = (0..<fleets).count { number in
                changes(number, part: 0, size: 0, unrest: unrest).contains { !$0.isEmpty }
            }
            printLine([name, "\(fleets)", "\(quiet)", "-", "-", "-", "-", "-"])
        }
        for (part, size, length) in [
            (1.0, 10.0, hours), (0.4, 10, hours), (0.2, 10, hours), (1, 4, hours), (1, 10, 6),
        ] {
            printChange(part: part, size: size, length: length)
        }
    }

    private static func printChange(part: Double, size: Double, length: Int) {
        var delays: [Int] = []
        var (named, right) = (0, 0)
        let slow = Int(part * Double(places))
        var others = 0
        for number in 0..<fleets {
            let moment = start + moved(number)
            let all = changes(number, part: part, size: size, length: length)
            others += all.dropFirst().map(\.count).reduce(0, +)
            guard let first = all[0].first(where: { $0.establishedHour >= moment }) else {
                continue
            }
            others += all[0].count - 1
            delays.append(first.establishedHour - moment)
            named += first.places.count
            right += first.places.count { $0 < slow }
        }
        func share(_ part: Int, of whole: Int) -> String {
            whole > 0 ? String(format: "%.3f", Double(part) / Double(whole)) : "-"
        }
        let span = length < hours ? " for \(length) hours" : ""
        let name = "\(Int(size)) ms at \(Int(part * 100)) %\(span)"
        let shares = [share(right, of: delays.count * slow), share(named - right, of: named)]
        let cells = [name, "\(fleets)", "\(delays.count)"] + delays.medianAndTail + shares
        printLine(cells + ["\(others)"])
    }

    private static func printLine(_ cells: [String]) {
        print((["fleet"] + cells).joined(separator: "|"))
    }

    /// A different hour of the day for each fleet.
    private static func moved(_ number: Int) -> Int { number * 7 % 24 }

    /// A value that varies around 0 with a deviation of about one, over some days.
    private struct Drift {
        var value = 0.0

        mutating func next(_ source: inout SplitMix64) -> Double {
            value = 0.98 * value + 0.2 * source.normal()
            return value
        }
    }

    private static func changes(
        _ number: Int,
        part: Double,
        size: Double,
        length: Int = hours,
        unrest: Double = 1
    ) -> [[FleetChange]] {
        var source = SplitMix64(state: UInt64(55_000 + number))
        // The variation of the resolvers themselves, which is the same at all places.
        let common = resolvers.map { _ -> [Double] in
            var drift = Drift()
            return (0..<hours).map { _ in 0.3 * unrest * drift.next(&source) }
        }
        let from = start + moved(number)
        let tracks = (0..<places).map { place -> [PlaceTrack?] in
            let isSlow = Double(place) < part * Double(places)
            return blocks(at: place, common, unrest, &source) { resolver, hour in
                resolver == 0 && isSlow && (from..<(from + length)).contains(hour) ? size : 0
            }
        }
        return FleetChanges.all(of: resolvers, at: tracks)
    }

    private static func blocks(
        at place: Int,
        _ common: [[Double]],
        _ unrest: Double,
        _ source: inout SplitMix64,
        more: (Int, Int) -> Double
    ) -> [PlaceTrack?] {
        let bases = resolvers.map { _ in 8 + 32 * source.uniform() }
        var line = Drift()
        var drifts = resolvers.map { _ in Drift() }
        var evening = 0
        var blocks: [[HourlyBlock]] = resolvers.map { _ in [] }
        for hour in 0..<hours {
            let cycle = 2 * sin(2 * .pi * Double((hour + place) % 24) / 24)
            evening = evening > 0 ? evening - 1 : source.uniform() < 0.01 ? 3 : 0
            let way = cycle + 0.7 * unrest * line.next(&source) + (evening > 0 ? 12 : 0)
            for resolver in resolvers.indices {
                let middle =
                    bases[resolver] + way + 0.5 * unrest * drifts[resolver].next(&source)
                    + common[resolver][hour] + more(resolver, hour)
                let answers = (0..<queries).map { _ in
                    middle + 2 * exp(0.8 * source.normal())
                        + (source.uniform() < 0.05 ? 80 + 200 * source.uniform() : 0)
                }
                blocks[resolver].append(
                    HourlyBlock(hour: hour, hourOfWeek: hour % 168, answers: answers, failed: 0)
                )
            }
        }
        return blocks.map { PlaceTrack($0) }
    }
}
