import Testing

@testable import Measurement

struct ConnectPlanTests {
    private typealias Plan = ConnectPlan<String>

    @Test func `equal sets of addresses share one connect`() {
        let targets = Plan.targets(of: [
            "a": ["192.0.2.1", "192.0.2.2"], "b": ["192.0.2.2", "192.0.2.1"],
            "c": ["198.51.100.7"], "d": ["192.0.2.2"], "e": [],
        ])
        #expect(
            targets == ["a": "192.0.2.1", "b": "192.0.2.1", "c": "198.51.100.7", "d": "192.0.2.2"]
        )
    }

    @Test func `each address is connected to once`() {
        let plan = Plan(
            answers: [7: [0: ["x"], 1: ["y"]], 3: [0: ["y"], 1: ["z", "y"]], 5: [:]],
            order: [0, 1]
        )
        #expect(plan.addresses == ["y", "z", "x"])
        #expect(plan.address(of: 1, question: 3) == "z")
        #expect(plan.address(of: 1, question: 7) == "y")
        #expect(plan.address(of: 1, question: 5) == nil)
    }

    @Test func `connects cover all names of a resolver or none`() {
        let everybody = [0: ["a"], 1: ["b"], 2: ["c"], 3: ["d"], 4: ["a"]]
        let answers = [0: everybody, 1: everybody.mapValues { _ in ["s"] }]
        let first = Plan(answers: answers, order: [0, 1, 2, 3, 4])
        #expect(first.followed == [0, 1, 2, 4])
        #expect(first.address(of: 3, question: 1) == nil)
        #expect(first.addresses == ["a", "b", "c", "s"])
        // In another order, other resolvers come first and are followed.
        let second = Plan(answers: answers, order: [0, 3, 4, 1, 2])
        #expect(second.followed == [0, 3, 4, 1])
    }
}
