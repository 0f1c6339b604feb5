import DNSWire
import Fixtures
import Samples
import Statistics
import Testing

@testable import Store

/// The rounds without an answer from a resolver, in the hourly sums.
struct AvailabilityStoreTests {
    private let folder = TemporaryFolder()

    private func store(_ name: String = "s") throws -> Store {
        try Store(path: folder.file(name), durability: .off)
    }

    /// Returns the availability of each resolver by the start of the hour, counted from `samples`.
    private func told(_ samples: Recording) -> [String: Availability] {
        var answered: [String: [String: Bool]] = [:]
        for sample in samples.samples where sample.observation.outcome.wasSent {
            let target = samples.targets[Int(sample.target)].label
            let place = "\(sample.moment.hoursSinceEpoch) \(target)"
            let outcome = sample.observation.outcome
            let hasAnswer = [.answered, .wrong, .filtered].contains(outcome)
            answered[place, default: [:]]["\(sample.round)", default: false] =
                answered[place]?["\(sample.round)"] == true || hasAnswer
        }
        return answered.mapValues { rounds in
            Availability(rounds: rounds.count, dead: rounds.count { !$0.value })
        }
    }

    private func told(_ sums: [HourlySum]) -> [String: Availability] {
        var told: [String: Availability] = [:]
        for sum in sums where sum.figures.availability.rounds > 0 {
            told["\(sum.hour.hoursSinceEpoch) \(sum.target.label)", default: Availability()]
                .merge(sum.figures.availability)
        }
        return told
    }

    /// A round with the outcomes of each resolver; the questions have the types A, AAAA and A.
    private func round(
        _ outcomes: [[Outcome]],
        at start: Timestamp = Simulation.start,
        number: Int32 = 1
    ) -> Recording {
        var samples: [Sample] = []
        for (target, outcomes) in outcomes.enumerated() {
            for (question, outcome) in outcomes.enumerated() {
                let due = start.advanced(by: .seconds(question))
                var observation = Observation(outcome: outcome, clock: .kernel)
                if outcome.wasSent { observation.sent = due }
                if outcome == .answered { observation.roundTrip = 9_000_000 }
                samples.append(
                    Sample(
                        round: 0,
                        target: Int32(target),
                        question: Int32(question),
                        scheduled: due,
                        observation: observation
                    )
                )
            }
        }
        return Recording(rounds: [Round(number: number, started: start)], samples: samples)
    }

    @Test func `sums count the rounds of their samples, also after pruning`() throws {
        var simulation = try Simulation()
        let store = try store()
        _ = try simulation.fill(store, run: "r", rounds: 200)
        let expected = told(try store.recording())
        #expect(expected.values.contains { $0.dead > 0 } && expected.count > 30)
        #expect(told(try store.rollups()) == expected)
        #expect(try store.prune(olderThan: Timestamp(nanoseconds: .max)) > 0)
        #expect(told(try store.rollups()) == expected)
        #expect(try store.check().findings == [])
    }

    @Test(arguments: [
        (outcomes: [Outcome.timeout, .timeout, .answered], rounds: 1, dead: 0),
        ([.timeout, .timeout, .timeout], 1, 1), ([.timeout, .failed, .unreachable], 1, 1),
        ([.malformed, .blocked, .offline], 1, 1), ([.timeout, .filtered, .timeout], 1, 0),
        ([.timeout, .wrong, .timeout], 1, 0), ([.filtered, .filtered, .filtered], 1, 0),
        ([.offline, .blocked, .offline], 0, 0),
    ])
    func `a round has an answer if any of its queries has one`(
        outcomes: [Outcome],
        rounds: Int,
        dead: Int
    ) throws {
        let store = try store()
        try Simulation().append(round([outcomes, [.answered]]), to: store)
        let sums = told(try store.rollups())
        #expect(sums.first { $0.key.hasSuffix("work") }?.value == Availability(rounds: 1, dead: 0))
        let own = sums.first { $0.key.hasSuffix("home") }?.value ?? Availability()
        #expect(own == Availability(rounds: rounds, dead: dead))
    }

    @Test func `a round counts in the sum of the lowest record type`() throws {
        let store = try store()
        let outcomes: [[Outcome]] = [[.timeout, .answered, .timeout], [.blocked, .timeout]]
        try Simulation().append(round(outcomes), to: store)
        let counted = try store.rollups().filter { $0.figures.availability.rounds > 0 }
        #expect(Set(counted.map { "\($0.target.label) \($0.type)" }) == ["home A", "work AAAA"])
        #expect(counted.allSatisfy { $0.figures.availability.dead == ($0.type == .aaaa ? 1 : 0) })
    }

    @Test(arguments: [RoundMarks.outage, .suspended, .again])
    func `rounds that describe no resolver are not counted`(marks: RoundMarks) throws {
        let store = try store()
        try Simulation().append(round([[.timeout, .answered]]), marks: marks, to: store)
        #expect(told(try store.rollups()).isEmpty)
        #expect(try store.check().findings == [])
    }

    @Test func `a round across a full hour counts in both hours`() throws {
        let store = try store()
        let start = Simulation.start.advanced(by: .seconds(3599))
        try Simulation().append(round([[.answered, .timeout, .timeout]], at: start), to: store)
        let hours = try store.rollups().map { ($0.hour, $0.type, $0.figures.availability) }
        let late = Simulation.start.advanced(by: .seconds(3600))
        #expect(hours.first { $0.0 < late }?.2 == Availability(rounds: 1, dead: 0))
        #expect(hours.first { $0.0 == late && $0.1 == .a }?.2 == Availability(rounds: 1, dead: 1))
        #expect(told(try store.rollups()) == told(try store.recording()))
    }

    /// The last part answers, and has the lowest record type.
    @Test func `a round that arrives in parts counts once`() throws {
        let whole = round([[.answered, .timeout, .timeout], [.timeout, .timeout, .timeout]])
        let store = try store()
        for question: Int32 in [1, 2, 0] {
            // A new writer reads the round from the store.
            var part = whole
            part.samples.removeAll { $0.question != question }
            try Simulation().append(part, to: store)
            #expect(told(try store.rollups()) == told(try store.recording()))
            #expect(try store.check().findings == [])
        }
        try Simulation().append(whole, to: store)
        let sums = told(try store.rollups())
        #expect(Set(sums.values) == [Availability(rounds: 1), Availability(rounds: 1, dead: 1)])
    }

    @Test func `a merge adds the rounds of pruned hours once`() throws {
        var (one, two) = (try Simulation(), try Simulation(seed: 2))
        let (store, other) = (try store("a"), try store("b"))
        _ = try one.fill(store, run: "r", rounds: 40)
        _ = try two.fill(other, run: "other", rounds: 40)
        let parts = [told(try store.recording()), told(try other.recording())]
        let expected = parts[0].merging(parts[1]) { first, second in
            var sum = first
            sum.merge(second)
            return sum
        }
        #expect(try other.prune(olderThan: Timestamp(nanoseconds: .max)) > 0)
        for _ in 0..<2 {
            _ = try store.merge(from: other)
            #expect(told(try store.rollups()) == expected)
            #expect(try store.check().findings == [])
        }
    }

    @Test func `rounds that two stores share count once`() throws {
        var simulation = try Simulation()
        let (store, other) = (try store("a"), try store("b"))
        let rounds = try simulation.fill(store, run: "r", rounds: 40)
        for round in rounds.suffix(20) { try simulation.append(round, to: other) }
        try simulation.append(simulation.round(41, at: Simulation.start), to: other)
        var sums: [HourlySum] = []
        _ = try StoreGroup([store, other], isSummed: true).read(
            Store.Window(),
            samples: { _ in },
            rollup: { sums.append($0) }
        )
        let merged = try self.store("c")
        for part in [store, other] { _ = try merged.merge(from: part) }
        #expect(told(sums) == told(try merged.recording()))
    }

    @Test(arguments: [
        ("rounds = rounds + 1", "differs from its samples"),
        ("unanswered = rounds", "differs from its samples"),
        ("unanswered = rounds + 1", "its rounds are invalid"),
        ("rounds = 0, unanswered = 0", "its rounds are invalid"),
        ("rounds = -1", "a count is invalid"), ("unanswered = -1", "a count is invalid"),
        ("unanswered = NULL", "a count is invalid"), ("rounds = NULL", "its rounds are invalid"),
        ("rounds = NULL, unanswered = NULL", "is not as it was stored"),
    ])
    func `the check finds a changed count`(change: String, finding: String) throws {
        let path = folder.file("s")
        var simulation = try Simulation()
        _ = try simulation.fill(try store(), run: "r", rounds: 30)
        let place = "key = 1 AND hour = 498676"
        try OtherProgram.run("UPDATE rollup SET \(change) WHERE \(place)", on: path)
        let findings = try Store(path: path, access: .readOnly).check().findings
        #expect(findings.count == 1 && findings[0].contains(finding), "\(findings)")
    }
}
