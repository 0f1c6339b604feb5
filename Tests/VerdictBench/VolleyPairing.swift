import Foundation
import Statistics

/// The number of rounds until a difference of 1 ms is established. All queries on the line share
/// its delay. In some runs every second block is a volley, in the others none.
enum VolleyPairing {
    private static let names = 10
    private static let repetitions = 1_000
    private static let limit = 1_000
    /// The time between two queries of a run with two resolvers at the polite pace, in seconds.
    private static let slot = 1.0 / 15

    static func printAll() {
        for length in [0.05, 0.3] {
            let rounds = [false, true].map { hasVolleys in
                let rounds = (0..<repetitions).map { number in
                    let seed = UInt64(number) &* 0x9e37_79b9 &+ 5
                    return established(length, hasVolleys, SplitMix64(state: seed))
                }
                return "\(rounds.sorted()[repetitions / 2])"
            }
            let name = "volleys|\(Int(length * 1000)) ms"
            print("\(name)|\(repetitions)|\(rounds.joined(separator: "|"))")
        }
    }

    private static func established(
        _ length: Double,
        _ hasVolleys: Bool,
        _ source: SplitMix64
    ) -> Int {
        var source = source
        var line = SharedLine(length: length)
        var evidence = EProcess()
        for round in 1...limit {
            var isFirst = false
            let differences = (0..<names).map { name in
                if name.isMultiple(of: 2) { isFirst = source.uniform() < 0.5 }
                let isVolley = hasVolleys && isFirst == name.isMultiple(of: 2)
                let first = line.delay(after: slot, from: &source)
                let second = isVolley ? first : line.delay(after: slot, from: &source)
                if isVolley { _ = line.delay(after: slot, from: &source) }
                let own = 0.3 * (exp(0.8 * source.normal()) - exp(0.8 * source.normal()))
                return 1 + own + (source.uniform() < 0.5 ? first - second : second - first)
            }
            if let share = PairedRound(differences).share(above: 0) { evidence.add(share) }
            if evidence.logPValue <= log(0.05) { return round }
        }
        return limit
    }
}

/// The delay that a line adds to each query. It changes at random times.
private struct SharedLine {
    /// The mean time until it changes, in seconds.
    let length: Double
    private var present = 0.0

    init(length: Double) { self.length = length }

    mutating func delay(after seconds: Double, from source: inout SplitMix64) -> Double {
        if source.uniform() > exp(-seconds / length) { present = 8 * -log(1 - source.uniform()) }
        return present
    }
}
