import Samples
import Statistics

/// Look-ups of the cached series: the times of several resolvers for one name in one round.
struct Lookups {
    /// The rows per round, in milliseconds. A time is infinite without an answer, and NaN if the resolver was
    /// not asked.
    private(set) var rounds: [[[Double]]] = []
    /// Whether each time is a cache hit, for the same rows in one list. An unknown answer counts as a hit.
    private(set) var hits: [[Bool]] = []

    /// Creates the rows of `members`, which are indices of the targets. With `atOnce`, only queries that were
    /// sent in one volley count. Rounds that are no evidence are excluded.
    init(of members: [Int], in counted: CountedSamples, atOnce: Bool) {
        let recording = counted.recording
        let places = Dictionary(uniqueKeysWithValues: zip(members.map(Int32.init), members.indices))
        let wholeSeconds = atOnce ? recording.runsInWholeSeconds : []
        for (round, samples) in recording.roundsInOrder where round.isWhole && round.marks.isEmpty {
            if wholeSeconds.contains(round.run) { continue }
            let asked = samples.filter { places[$0.target] != nil }
            let rows = Dictionary(grouping: asked, by: \.question).sorted { $0.key < $1.key }
                .map { atOnce ? Self.volley(of: $0.value) : $0.value }
                .filter { !$0.isEmpty }
            var times: [[Double]] = []
            for row in rows {
                var time = [Double](repeating: .nan, count: members.count)
                var isHit = [Bool](repeating: true, count: members.count)
                for sample in row {
                    guard let place = places[sample.target] else { continue }
                    let series = recording.targets[Int(sample.target)].series
                    time[place] = QueryOutcome(sample.observation, in: series).time ?? .nan
                    isHit[place] = sample.observation.cache != .miss
                }
                times.append(time)
                hits.append(isHit)
            }
            if !times.isEmpty { rounds.append(times) }
        }
    }

    /// Returns the samples of one name that were planned for the same moment; empty if each had its own
    /// moment. A file without planned times has no volleys.
    private static func volley(of samples: [Sample]) -> [Sample] {
        let moments = Dictionary(grouping: samples, by: \.scheduled)
        let largest = moments.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        guard let largest, largest.value.count > 1, largest.key.nanoseconds > 0 else { return [] }
        return largest.value
    }
}

extension Recording {
    /// Imported runs whose time stamps are whole seconds. Their queries with equal stamps were not
    /// necessarily sent at the same moment.
    fileprivate var runsInWholeSeconds: Set<Int32> {
        var found = Set(
            runs.indices.filter { runs[$0].origin == .imported }.map { Int32(clamping: $0) }
        )
        for sample in samples where sample.scheduled.nanoseconds % 1_000_000_000 != 0 {
            if let run = round(of: sample)?.run { found.remove(run) }
        }
        return found
    }
}
