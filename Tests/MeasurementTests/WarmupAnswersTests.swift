import Catalogue
import Measurement
import Samples
import Synchronization
import Testing

/// The findings of a round's warm-up about the caches.
struct WarmupAnswersTests {
    private let simulation = Simulation()
    private let start = Simulation.start

    /// The answer to a resolver's first query for a name.
    private struct First {
        var milliseconds: Double
        var ttl: UInt32?

        static let hit = First(milliseconds: 10, ttl: 137)
        static let miss = First(milliseconds: 70, ttl: 300)
        /// An answer of a cache that does not count TTLs down.
        static let unchangedHit = First(milliseconds: 10, ttl: 300)
        static let lost = First(milliseconds: 5000, ttl: nil)
    }

    /// Runs a round. `first` is the answer of a target to the first query for a question. Later
    /// answers take 10 ms. Their TTLs decrease with time if the resolver `ages` its answers.
    /// `other` may replace these answers.
    private func round(
        _ plan: Plan,
        ages: Bool = true,
        other: @escaping @Sendable (_ question: Int) -> First? = { _ in nil },
        first: @escaping @Sendable (_ target: Int, _ question: Int) -> First
    ) async throws -> Recording {
        let runner = Runner(plan: plan, run: .example, start: start)
        let fetched = Mutex<[[Int]: Duration]>([:])
        let round = await withTaskExecutorPreference(simulation) {
            await runner.round(
                1,
                on: simulation,
                send: { [simulation, start] probe, _ in
                    let now = simulation.now.offset
                    let sent = start.advanced(by: now)
                    var answer = first(probe.target, probe.question)
                    let place = [probe.target, probe.question]
                    if probe.round < 1 {
                        fetched.withLock { $0[place] = now }
                    } else if let other = other(probe.question) {
                        answer = other
                    } else {
                        let age = now - (fetched.withLock { $0[place] } ?? now)
                        let seconds = ages ? UInt32(age / .seconds(1)) : 0
                        answer = First(milliseconds: 10, ttl: (answer.ttl ?? 300) - seconds)
                    }
                    let time = Duration.nanoseconds(Int64(answer.milliseconds * 1e6))
                    try? await simulation.sleep(for: time)
                    guard let ttl = answer.ttl else {
                        var lost = Observation(outcome: .timeout)
                        lost.sent = sent
                        return lost
                    }
                    var observation = Observation(outcome: .answered)
                    observation.sent = sent
                    observation.roundTrip = time.nanoseconds
                    observation.ttl = ttl
                    return observation
                }
            )
        }
        return try #require(round)
    }

    private func plan(targets: Int = 1, questions: Int = 10) throws -> Plan {
        var plan = try Plan.example(targets: targets, questions: questions)
        plan.warmup = 1
        return plan
    }

    /// Returns the tally in each target's first sample. Expects that the other samples have no
    /// tally.
    private func tallies(_ round: Recording) -> [Int32: WarmupTally] {
        var tallies: [Int32: WarmupTally] = [:]
        var seen: Set<Int32> = []
        for sample in round.samples {
            let isFirst = seen.insert(sample.target).inserted
            let tally = sample.observation.extras?.warmup
            #expect(isFirst || tally == nil)
            if isFirst { tallies[sample.target] = tally }
        }
        return tallies
    }

    @Test func `cache misses are distinguished from cache hits`() async throws {
        let round = try await round(try plan(targets: 2)) { target, question in
            target == 0 && question < 3 ? .miss : .hit
        }
        #expect(
            tallies(round) == [
                0: WarmupTally(hits: 7, misses: 3, missTime: 70_000_000),
                1: WarmupTally(hits: 10, misses: 0),
            ]
        )
    }

    @Test func `without a countdown the time decides, without an answer the state is unknown`()
        async throws
    {
        let round = try await round(try plan(), ages: false) { _, question in
            question == 0 ? .lost : question < 5 ? .miss : .unchangedHit
        }
        #expect(tallies(round) == [0: WarmupTally(hits: 5, misses: 4, missTime: 70_000_000)])
    }

    @Test func `the state of uncacheable answers is unknown`() async throws {
        let round = try await round(try plan(), ages: false) { _, question in
            First(milliseconds: question < 2 ? 70 : 10, ttl: 0)
        }
        #expect(tallies(round) == [:])
    }

    @Test func `a full TTL of a resolver with a countdown is a cache miss`() async throws {
        let round = try await round(try plan()) { _, question in
            question < 4 ? .unchangedHit : .miss
        }
        #expect(tallies(round) == [0: WarmupTally(hits: 0, misses: 6, missTime: 70_000_000)])
    }

    @Test func `with several caches a repeated query can be a cache miss`() async throws {
        let several = try await round(
            try plan(),
            other: { $0 < 6 ? First(milliseconds: 90, ttl: 300) : nil }
        ) { _, question in
            question < 5 ? .miss : .hit
        }
        #expect(tallies(several) == [0: WarmupTally(hits: 5, misses: 5, missTime: 70_000_000)])
        // The times of too few hits are known, so the round has no share.
        let few = try await round(
            try plan(),
            other: { $0 < 9 ? First(milliseconds: 90, ttl: 300) : nil }
        ) { _, question in
            question < 8 ? .miss : .hit
        }
        #expect(tallies(few) == [:])
    }

    @Test func `the state of a second query after an unanswered query is unknown`() async throws {
        var plan = try plan(targets: 2)
        plan.targetGroups = [0, 0]
        let asked = Asked()
        let round = try await round(plan) { _, question in
            let isFirst = asked.isFirst(question)
            return question < 3 && isFirst ? .lost : .hit
        }
        let tally = WarmupTally(hits: 7, misses: 0)
        #expect(tallies(round) == [0: tally, 1: tally])
    }

    @Test func `a round with few names, or without a warm-up, has no share`() async throws {
        let few = try await round(try plan(questions: 4)) { _, _ in .hit }
        #expect(tallies(few) == [:])
        let none = try await round(try Plan.example(targets: 1, questions: 10)) { _, _ in .hit }
        #expect(tallies(none) == [:])
    }

    @Test func `each round has its own share, equal for all targets of a resolver`() throws {
        var plan = try plan(targets: 300)
        plan.targetGroups = plan.targets.indices.map { $0 / 3 }
        let (earlier, later) = (WarmupAnswers(plan), WarmupAnswers(plan).ofAnotherRound())
        var hit = Observation(outcome: .answered)
        (hit.sent, hit.roundTrip, hit.ttl) = (start, 10_000_000, 137)
        for question in plan.questions.indices {
            later.note(hit, of: Probe(round: 0, target: 299, question: question))
        }
        var round = Recording(
            runs: [.example],
            rounds: [Round(number: 1)],
            targets: plan.targets,
            questions: plan.questions,
            samples: plan.targets.indices.map { target in
                Sample(
                    round: 0,
                    target: Int32(target),
                    question: 0,
                    scheduled: start,
                    observation: Observation(outcome: .timeout)
                )
            }
        )
        earlier.tell(in: &round)
        later.ofAnotherRound().tell(in: &round)
        #expect(tallies(round) == [:])
        later.tell(in: &round)
        let tally = WarmupTally(hits: 10, misses: 0)
        #expect(tallies(round) == [297: tally, 298: tally, 299: tally])
    }

    @Test(arguments: [false, true])
    func `a name that one transport fetched is not a hit of another`(byLabel: Bool) async throws {
        var plan = try plan(targets: 2)
        plan.targets[1].transport = "tls"
        if byLabel {
            plan.targets[1].label = plan.targets[0].label
        } else {
            plan.targetGroups = [0, 0]
        }
        // The second transport's query finds the name in the cache.
        let asked = Asked()
        let round = try await round(plan) { _, question in
            asked.isFirst(question) ? .miss : .hit
        }
        let tally = WarmupTally(hits: 0, misses: 10, missTime: 70_000_000)
        #expect(tallies(round) == [0: tally, 1: tally])
    }
}

/// The names that were queried before.
private final class Asked: Sendable {
    private let questions = Mutex<Set<Int>>([])

    func isFirst(_ question: Int) -> Bool {
        questions.withLock { $0.insert(question).inserted }
    }
}
