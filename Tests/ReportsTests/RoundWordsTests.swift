import Reports
import Samples
import Statistics
import Testing

/// What samples say of their round and resolver, where a file is all that is left of a run.
struct RoundWordsTests {
    /// One resolver, far slower and silent in round 2, in which the machine may have slept.
    private func rounds(slept: Bool) throws -> (fixture: Fixture, samples: [Sample]) {
        var fixture = try Fixture(rounds: 40)
        fixture.add("meadow") { number in
            guard (10..<20).contains(number) else { return .answer(10) }
            var observation = number == 10 ? Observation.none(.timeout) : .answer(900)
            observation.lateness = 60_000_000_000
            return observation
        }
        let samples = (1...40).flatMap { number in
            var round = MeasuredRound(
                number: number,
                samples: fixture.samples.filter { $0.round == number },
                isWhole: true,
                slept: slept && number == 2
            )
            if number == 2 { round.markUnused() }
            return round.samples
        }
        return (fixture, samples)
    }

    @Test func `a round in which the machine slept is in no figure`() throws {
        var (fixture, samples) = try rounds(slept: true)
        fixture.samples = samples
        let report = fixture.report
        #expect(report.caveats == [.sleptRounds(count: 1, of: 40)])
        #expect(report.rows.map(\.counts.sent) == [390])
        #expect(report.rows.map(\.counts.lost) == [0])
        #expect(report.rows.first?.latency.maximum == 10)
    }

    @Test func `a round that came after the verdict is`() throws {
        var (fixture, samples) = try rounds(slept: false)
        fixture.samples = samples
        let report = fixture.report
        #expect(report.caveats.map(\.code) == ["late-sends"])
        #expect(report.rows.map(\.counts.lost) == [1])
    }

    @Test func `a mark of the store tells it too`() throws {
        var (fixture, _) = try rounds(slept: true)
        fixture.context.marks = [RoundKey(run: 0, round: 2): .suspended]
        #expect(fixture.report.caveats == [.sleptRounds(count: 1, of: 40)])
        #expect(fixture.report.rows.map(\.counts.sent) == [390])
    }

    @Test func `how a resolver does not tell the truth is read from the samples`() throws {
        var fixture = try Fixture(rounds: 3)
        fixture.context.baseline = "harbour"
        fixture.add("harbour") { _ in .answer(20) }
        fixture.add("meadow") { _ in
            var observation = Observation.answer(10)
            observation.extras = Observation.Extras(detail: "1 message ignored", flags: .strays)
            return observation
        }
        #expect(fixture.recording.untruths.isEmpty)
        fixture.add("brook") { _ in
            var observation = Observation.answer(10)
            // Words of the other end, such as the reason why it closed a connection.
            observation.extras = Observation.Extras(detail: "x; untruth: lies; the machine slept")
            return observation
        }
        #expect(fixture.recording.untruths.isEmpty)
        #expect(fixture.report.caveats.allSatisfy { $0.code != "slept-rounds" })
        let untruth = "sends names that do not exist to 192.0.2.66"
        var round = MeasuredRound(number: 1, samples: fixture.samples, isWhole: true)
        round.mark(["meadow": untruth, "cliff": "lies"], targets: fixture.targets)
        fixture.samples = round.samples
        #expect(fixture.recording.untruths == ["meadow": untruth])
        let words = fixture.samples.compactMap { $0.observation.extras?.detail }
        #expect(words.filter { $0.contains(untruth) } == ["1 message ignored; untruth: \(untruth)"])
    }

    @Test(arguments: [[], ["meadow"], ["harbour"]] as [Set<String>])
    func `who is advised unchecked is told`(unchecked: Set<String>) throws {
        var fixture = try Fixture(rounds: 40)
        fixture.context.baseline = "harbour"
        fixture.context.unchecked = unchecked
        fixture.add("harbour", outcome: Fixture.noise(21, 3, seed: 1))
        fixture.add("meadow", outcome: Fixture.noise(12, 3, seed: 2))
        let told = fixture.report.caveats.filter { $0.code == "unchecked" }
        #expect(told == (unchecked == ["meadow"] ? [.unchecked(resolvers: ["meadow"])] : []))
    }
}
