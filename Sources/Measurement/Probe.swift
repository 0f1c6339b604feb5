/// One query that the plan wants sent.
public struct Probe: Hashable, Sendable {
    /// As ``Plan/roundNumbers`` counts.
    public var round: Int
    /// Index into the plan's targets.
    public var target: Int
    /// Index into the plan's questions.
    public var question: Int
    /// When, from the start of the run.
    public var offset: Duration

    public init(round: Int, target: Int, question: Int, offset: Duration) {
        self.round = round
        self.target = target
        self.question = question
        self.offset = offset
    }
}

extension Plan {
    /// The queries of one round by the time of sending. The questions come in random order, one
    /// block of time each; in each block the targets come in an own random order, at a random
    /// moment of as many equal slots. All follows from the seed and the round's number.
    public func probes(inRound round: Int) -> [Probe] {
        var random = RandomSequence(seed: seed, part: round)
        var questionOrder = Array(questions.indices)
        var targetOrder = Array(targets.indices)
        random.shuffle(&questionOrder)
        let start = start(ofRound: round)
        let block = blockLength.inSeconds
        let slot = block / Double(max(1, targets.count))
        var probes: [Probe] = []
        probes.reserveCapacity(probesPerRound)
        for (position, question) in questionOrder.enumerated() {
            random.shuffle(&targetOrder)
            let blockStart = Double(position) * block
            for (place, target) in targetOrder.enumerated() {
                let seconds = blockStart + (Double(place) + random.nextFraction()) * slot
                let offset = start + .nanoseconds(Int64(min(seconds, Self.longestSeconds) * 1e9))
                probes.append(
                    Probe(round: round, target: target, question: question, offset: offset)
                )
            }
        }
        return probes
    }
}
