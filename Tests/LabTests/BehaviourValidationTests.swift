import Catalogue
import Failures
import Testing

@testable import Lab

struct BehaviourValidationTests {
    @Test(
        arguments: [
            (.plain { $0.name = "" }, "name"),
            (.plain { $0.lossProbability = 1.5 }, "loss"),
            (.plain { $0.lateProbability = -0.1 }, "late"),
            (.plain { $0.servfailProbability = .nan }, "SERVFAIL"),
            (.plain { $0.baseDelay = .seconds(-1) }, "base"),
            (.plain { $0.lateDelay = .seconds(90_000) }, "late"),
            (.plain { $0.missDelayLow = .seconds(1) }, "miss"),
            (.plain { $0.sigma = -1 }, "sigma"),
            (.plain { $0.answers = 201 }, "answers"),
            (.plain { $0.strata = 0 }, "strata"),
        ] as [(Behaviour, String)]
    )
    func `an invalid parameter is named in the error`(behaviour: Behaviour, word: String) throws {
        let error = try #require(throws: Failure.self) {
            try Laboratory([behaviour], seed: 1).start()
        }
        #expect(error.description.contains(word))
    }

    @Test func `two resolvers with one name are rejected`() throws {
        let error = try #require(throws: Failure.self) {
            try Laboratory([.plain(), .plain()], seed: 1).start()
        }
        #expect(error.description.contains("brook"))
    }

    @Test func `a lab without resolvers is rejected`() {
        #expect(throws: Failure.self) { try Laboratory([], seed: 1).start() }
    }

    @Test func `a base port that is too high is rejected`() {
        let behaviours = [Behaviour.plain(), .plain { $0.name = "meadow" }]
        let lab = Laboratory(behaviours, seed: 1, basePort: 65535)
        #expect(throws: Failure.self) { try lab.start() }
    }
}
