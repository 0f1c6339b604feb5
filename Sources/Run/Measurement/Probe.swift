import Samples
import Statistics

/// One query that the plan wants sent.
package struct Probe: Hashable, Sendable {
    /// As ``Plan/roundNumbers`` counts.
    package var round: Int
    /// Index into the plan's targets.
    package var target: Int
    /// Index into the plan's questions.
    package var question: Int
    /// When, from the start of the run.
    package var offset: Duration
    /// Its place among the queries of its round by the time of sending, and how many these are; known once
    /// it is sent.
    package var position = 0
    package var count = 0

    package init(round: Int, target: Int, question: Int, offset: Duration = .zero) {
        self.round = round
        self.target = target
        self.question = question
        self.offset = offset
    }
}

extension Plan {
    /// The queries of one round by the time of sending. The questions of the cached series come in
    /// random order, one block of time each; in each block the targets come in an own random order,
    /// at a random moment of as many equal slots, or in a volley all at one. All follows from the
    /// seed and the round's number.
    ///
    /// Zones have the same places, spread over the round, in each round, so that no name server
    /// gets its queries in pairs; the rounds of a warm-up are alike, so that the second query for a
    /// name comes as long after the first as rounds are apart.
    package func probes(inRound round: Int) -> [Probe] {
        probes(inRound: round, RoundPattern(self))
    }

    /// The same, where the pattern of this plan's rounds is known.
    func probes(inRound round: Int, _ pattern: RoundPattern) -> [Probe] {
        var random = RandomSequence(seed: seed, part: max(0, round))
        let order = questionOrder(inRound: round, &random)
        let members = round < 1 ? pattern.warmed : pattern.counted
        let start = start(ofRound: round, pattern)
        return together(
            probes(openers(order), round, start, pattern.block, &random) { question in
                question < cachedCount ? members.cached : members.uncached
            }
        )
    }

    /// The queries of a round that asks a part of the plan and begins at `start`.
    package func probes(
        of part: RoundPart,
        inRound round: Int,
        from start: Duration
    ) -> [Probe] {
        var random = RandomSequence(seed: seed, part: max(0, round))
        var order = part.questions
        random.shuffle(&order)
        return probes(order, round, start, blockLength(of: part.targets), &random) { _ in
            part.targets
        }
    }

    /// The queries for the questions in `order`, each of which takes `block` for its targets.
    private func probes(
        _ order: [Int],
        _ round: Int,
        _ start: Duration,
        _ block: Duration,
        _ random: inout RandomSequence,
        asking targets: (Int) -> [Int]
    ) -> [Probe] {
        let block = block.inSeconds
        var probes: [Probe] = []
        probes.reserveCapacity(order.reduce(0) { $0 + targets($1).count })
        var volleys = VolleyOrder()
        for (position, question) in order.enumerated() {
            var targetOrder = targets(question)
            random.shuffle(&targetOrder)
            // Nothing is concluded from a warm-up; and of names that are asked once it is known who
            // was asked first, since two resolvers may be one cache.
            let isVolley = round >= 1 && !asksOnce && volleys.isVolley(position, &random)
            let blockStart = Double(position) * block
            for (target, second) in moments(
                of: targetOrder,
                in: block,
                isVolley: isVolley,
                &random
            ) {
                let seconds = min(blockStart + second, Self.longestSeconds)
                let offset = start + .nanoseconds(Int64(seconds * 1e9))
                probes.append(
                    Probe(round: round, target: target, question: question, offset: offset)
                )
            }
        }
        return probes
    }

    /// The targets that are asked for names that caches may have, and those for the others. A
    /// warm-up fills a cache once, whatever connections its resolver is then asked on.
    func members(inRound round: Int) -> (cached: [Int], uncached: [Int]) {
        let cached = targets.indices.filter { targets[$0].series.asksCachedNames }
        let uncached = targets.indices.filter { !targets[$0].series.asksCachedNames }
        guard round < 1 else { return (cached, uncached) }
        let warmed = Set(targets.filter { $0.series == .cached })
        return (
            cached.filter { index in
                var other = targets[index]
                other.series = .cached
                return targets[index].series == .cached || !warmed.contains(other)
            },
            uncached
        )
    }

    func questionOrder(inRound round: Int, _ random: inout RandomSequence) -> [Int] {
        var cached = Array(0..<cachedCount)
        random.shuffle(&cached)
        guard asksUncached(inRound: round) else { return cached }
        var zones = Array(cachedCount..<questions.count)
        var order = RandomSequence(seed: seed, part: .min)
        order.shuffle(&zones)
        // Zone k of n ends the k-th of n parts of the round.
        var questions: [Int] = []
        for (place, zone) in zones.enumerated() {
            let end = (place + 1) * cached.count / zones.count
            questions += cached[(place * cached.count / zones.count)..<end] + [zone]
        }
        return questions
    }
}
