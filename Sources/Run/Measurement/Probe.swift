import Samples
import Statistics

/// One query of the plan.
package struct Probe: Hashable, Sendable {
    /// The round, in the numbers of ``Plan/roundNumbers``.
    package var round: Int
    /// The index of the target in the plan.
    package var target: Int
    /// The index of the question in the plan.
    package var question: Int
    /// The send time, from the start of the run.
    package var offset: Duration
    /// The query's index by send time among the queries of its round, and their number. Both are
    /// known after it is sent.
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
    /// The queries of one round, by send time. The questions of the cached series are in random
    /// order, with one block of time each. In each block the targets are in a new random order.
    /// Each is queried at a random moment of equal slots, or in a volley at one moment. The seed
    /// and the round's number determine the order.
    ///
    /// Zones have the same places in each round, spread over the round, so that no name server gets
    /// its queries in pairs. All warm-up rounds have the same order. The time between two queries
    /// for a name then equals the time between the rounds.
    package func probes(inRound round: Int) -> [Probe] {
        probes(inRound: round, RoundPattern(self))
    }

    /// The queries of one round, with the known pattern of this plan's rounds.
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

    /// The queries for the questions in `order`. Each question has a block of time for its targets.
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
            // Nothing is concluded from a warm-up. If names are asked once, the run must record
            // which resolver was queried first, because two resolvers may share a cache.
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

    /// The targets for names that may be in caches, and the targets for the other names. A warm-up
    /// fills a cache once for all kinds of connections to its resolver.
    func members(inRound round: Int) -> (cached: [Int], uncached: [Int]) {
        let cached = targets.indices.filter { targets[$0].series.asksCachedNames }
        let uncached = targets.indices.filter { !targets[$0].series.asksCachedNames }
        guard round < 1 else { return (cached, uncached) }
        let warmed = Set(targets.filter { $0.series == .cached })
        return (
            cached.filter {
                targets[$0].series == .cached || !warmed.contains(targets[$0].inSeries(.cached))
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
        // Zone k of n is at the end of the k-th of n parts of the round.
        var questions: [Int] = []
        for (place, zone) in zones.enumerated() {
            let end = (place + 1) * cached.count / zones.count
            questions += cached[(place * cached.count / zones.count)..<end] + [zone]
        }
        return questions
    }
}
