import Samples
import Statistics

extension Plan {
    /// Questions of a round where each is asked once.
    private static let questionsPerRound = 10

    /// The plan that asks each of its questions once, ten in a round and in their order, and some of
    /// them again at the end: by then they are in the caches, so that these tell how late a cached
    /// answer is.
    package func askingOnce() -> Plan {
        var plan = self
        (plan.asksOnce, plan.asksInParts, plan.isOpenEnded, plan.warmup) = (true, true, false, 0)
        plan.rounds = Self.rounds(of: plan.questions.count) + Self.rounds(of: plan.againCount)
        return plan
    }

    /// How many questions are asked a second time.
    var againCount: Int { min(30, questions.count) }

    /// Whether the questions of round `number` were asked before.
    package func asksAgain(inRound number: Int) -> Bool {
        asksOnce && number > Self.rounds(of: questions.count)
    }

    /// The part that round `number` asks where each question is asked once.
    func partOnce(inRound number: Int) -> RoundPart {
        var asked = Array(questions.indices)
        var place = number - 1
        if asksAgain(inRound: number) {
            place -= Self.rounds(of: asked.count)
            var random = RandomSequence(seed: seed, part: .max)
            random.shuffle(&asked)
            // In the order of before, so that none is asked while its first answer is on its way.
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
