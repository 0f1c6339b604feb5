/// What is counted of one target while a run goes on.
struct ProgressTally {
    private(set) var answered = 0
    private(set) var lost = 0
    private(set) var isUnverified = false
    /// Milliseconds, infinite without an answer: every query's while there is room, then an even
    /// choice of all (Vitter 1985, algorithm R).
    private(set) var times: [Float] = []

    private static let room = 1000

    /// Counts how one query ended; a filtered answer, and what was not sent, say nothing.
    mutating func count(
        _ observation: Observation,
        in series: Series,
        _ random: inout RandomSequence
    ) {
        if observation.flags.contains(.unverified) { isUnverified = true }
        switch observation.outcome {
        case .answered:
            answered += 1
            keep(Float(observation.time(in: series) ?? 0) / 1e6, &random)
        case .failed, .timeout, .unreachable, .malformed:
            lost += 1
            keep(.infinity, &random)
        case .filtered, .offline, .blocked: break
        }
    }

    private mutating func keep(_ time: Float, _ random: inout RandomSequence) {
        guard times.count >= Self.room else { return times.append(time) }
        let place = random.next(below: answered + lost)
        if place < Self.room { times[place] = time }
    }
}

extension [ProgressTally] {
    /// Counts samples, each with its target, of which `series` has the series.
    mutating func count(
        _ samples: [Sample],
        of series: [Series],
        _ random: inout RandomSequence
    ) {
        for sample in samples where indices.contains(Int(sample.target)) {
            let target = Int(sample.target)
            self[target].count(sample.observation, in: series[target], &random)
        }
    }
}
