import Samples
import Statistics

/// Counts the rounds that asked a resolver, and those without an answer from it, as a store counts them for its
/// hourly sums: the part of a round in an hour counts once per resolver with its series.
struct AskedRounds {
    private struct Part: Hashable {
        let round: Int32
        let hour: Int
        let target: Int32
    }

    /// Each part, with the place that counts it.
    private var parts: [(place: Int, isDead: Bool)] = []
    /// The last part of each target, and its number.
    private var last: [(part: Part, number: Int)?]
    /// The numbers of all parts, if rounds overlap.
    private var numbers: [Part: Int] = [:]
    private let areOverlapping: Bool

    init(of recording: Recording) {
        last = Array(repeating: nil, count: recording.targets.count)
        areOverlapping = recording.hasOverlappingRounds
    }

    /// Adds a sample, whose figures are those of the numbered place.
    mutating func add(_ sample: Sample, at place: Int) {
        let outcome = sample.observation.outcome
        guard outcome.wasSent else { return }
        let number = number(of: sample, at: place)
        if outcome.showsAvailability { parts[number].isDead = false }
    }

    private mutating func number(of sample: Sample, at place: Int) -> Int {
        let hour = sample.moment.hoursSinceEpoch
        let target = Int(sample.target)
        if let known = last[target], known.part.round == sample.round, known.part.hour == hour {
            return known.number
        }
        let part = Part(round: sample.round, hour: hour, target: sample.target)
        let number = numbers[part] ?? parts.count
        if number == parts.count {
            parts.append((place, true))
            if areOverlapping { numbers[part] = number }
        }
        last[target] = (part, number)
        return number
    }

    /// The availability at each of `count` places.
    func availabilities(_ count: Int) -> [Availability] {
        var sums = Array(repeating: Availability(), count: count)
        for part in parts { sums[part.place].add(isDead: part.isDead) }
        return sums
    }
}

extension Recording {
    /// Whether samples of a round follow samples of a later round, or of a later hour of the round.
    fileprivate var hasOverlappingRounds: Bool {
        var previous: (round: Int32, hour: Int) = (.min, .min)
        for sample in samples {
            let next = (sample.round, sample.moment.hoursSinceEpoch)
            if next < previous { return true }
            previous = next
        }
        return false
    }
}
