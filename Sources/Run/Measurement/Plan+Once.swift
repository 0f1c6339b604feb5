import Samples
import Statistics

extension Plan {
    /// The number of questions in a round if each question is asked once.
    private static let questionsPerRound = 10

    /// The plan that asks each of its questions once, ten per round and in their order. At the end
    /// it asks some of them again. They are then in the caches, so that these answers measure the
    /// latency of a cache hit.
    package func askingOnce() -> Plan {
        var plan = self
        (plan.asksOnce, plan.asksInParts, plan.isOpenEnded, plan.warmup) = (true, true, false, 0)
        plan.rounds = Self.rounds(of: plan.questions.count) + Self.rounds(of: plan.againCount)
        return plan
    }

    /// The number of questions that are asked a second time.
    var againCount: Int { min(30, questions.count) }

    /// Whether the questions of round `number` were asked in earlier rounds.
    package func asksAgain(inRound number: Int) -> Bool {
        asksOnce && number > Self.rounds(of: questions.count)
    }

    /// The part for round `number` if each question is asked once.
    func partOnce(inRound number: Int) -> RoundPart {
        var asked = Array(questions.indices)
        var place = number - 1
        if asksAgain(inRound: number) {
            place -= Self.rounds(of: asked.count)
            var random = RandomSequence(seed: seed, part: .max)
            random.shuffle(&asked)
            // In the earlier order, so that no question is repeated before its first answer can
            // have arrived.
            asked = asked.prefix(againCount).sorted()
        }
        asked = Array(asked.dropFirst(place * Self.questionsPerRound))
        return RoundPart(
            targets: Array(targets.indices),
            questions: Array(asked.prefix(Self.questionsPerRound))
        )
    }

    private static func rounds(of questions: Int) -> Int {
        (questions + questionsPerRound - 1) / questionsPerRound
    }
}
