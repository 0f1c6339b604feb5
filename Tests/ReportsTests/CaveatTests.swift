import DNSWire
import Samples
import Testing

@testable import Reports

struct CaveatTests {
    private func codes(_ fixture: Fixture) -> [String] { fixture.report.caveats.map(\.code) }

    /// One resolver, asked often enough for every quantile.
    private func steady(_ outcome: (Int) -> Observation = { _ in .answer(10) }) throws -> Fixture {
        var fixture = try Fixture(rounds: 40)
        fixture.add("meadow", outcome: outcome)
        return fixture
    }

    @Test func `a good run has none`() throws {
        #expect(codes(try steady()).isEmpty)
    }

    @Test func `two medians are compared without a test`() throws {
        var fixture = try steady()
        fixture.add("brook") { _ in .answer(20) }
        #expect(codes(fixture) == ["untested-difference"])
    }

    @Test(arguments: [
        (rounds: 7, quantiles: ["p95", "p99"]), (rounds: 8, quantiles: ["p99"]),
        (rounds: 36, quantiles: ["p99"]), (rounds: 37, quantiles: []),
    ])
    func `a quantile of too few queries is flagged`(rounds: Int, quantiles: [String]) throws {
        var fixture = try Fixture(rounds: rounds)
        fixture.add("meadow") { _ in .answer(10) }
        let flagged = fixture.report.caveats.compactMap { caveat in
            if case .fewSamples(let quantile, _, _, _) = caveat { quantile } else { nil }
        }
        #expect(flagged == quantiles)
        let stars = TextFormat().render(fixture.report).contains("10.0 ms*")
        #expect(stars == quantiles.contains("p95"))
    }

    @Test func `the rounds it advises are enough`() throws {
        var fixture = try Fixture(rounds: 3)
        fixture.add("meadow") { _ in .answer(10) }
        let caveat = Caveat.fewSamples(quantile: "p95", fewest: 30, needed: 72, rounds: 8)
        #expect(fixture.report.caveats.contains(caveat))
    }

    @Test(arguments: [(late: 5_000_000, flagged: false), (late: 5_000_001, flagged: true)])
    func `a query over 5 ms late is told`(late: Int64, flagged: Bool) throws {
        let fixture = try steady { number in
            var observation = Observation.answer(10)
            if number == 7 { observation.lateness = late }
            return observation
        }
        #expect(codes(fixture).contains("late-sends") == flagged)
    }

    @Test(arguments: [(times: 4, flagged: false), (times: 5, flagged: true)])
    func `the process's clock is told of in more than one time in a hundred`(
        times: Int,
        flagged: Bool
    ) throws {
        let fixture = try steady { number in
            var observation = Observation.answer(10)
            if number < times { observation.clock = .user }
            return observation
        }
        #expect(codes(fixture).contains("user-clock") == flagged)
    }

    @Test func `the clock of a query without an answer says nothing`() throws {
        let fixture = try steady { $0 % 2 == 0 ? Observation(outcome: .timeout) : .answer(10) }
        #expect(codes(fixture).isEmpty)
    }

    @Test func `an interruption counts the rounds that were finished`() throws {
        var fixture = try steady()
        fixture.context.isInterrupted = true
        fixture.samples.removeLast(3)
        #expect(fixture.report.caveats == [.interrupted(rounds: 39, of: 40)])
    }

    @Test func `rounds without a route are told, and are no losses`() throws {
        let fixture = try steady { $0 < 20 ? .none(.offline) : .answer(10) }
        #expect(fixture.report.caveats == [.offlineRounds(count: 2, of: 40)])
        #expect(fixture.report.rows.map(\.counts.lost) == [0])
    }

    @Test func `messages that were ignored are told`() throws {
        let fixture = try steady { number in
            var observation = Observation.answer(10)
            if number == 1 {
                observation.extras = Observation.Extras(flags: .strays)
            }
            return observation
        }
        #expect(fixture.report.caveats == [.strayAnswers(count: 1)])
    }

    @Test func `filtered and blocked queries are told`() throws {
        let fixture = try steady { number in
            number == 0 ? .none(.filtered) : number == 1 ? .none(.blocked) : .answer(10)
        }
        #expect(fixture.report.caveats == [.blocked(count: 1), .filtered(count: 1)])
    }

    @Test func `who could not be reached is told, with the reason`() throws {
        let reason = "the certificate is for another name"
        let fixture = try steady { number in
            guard number <= 3 else { return .answer(10) }
            var observation = Observation.none(.unreachable)
            if number > 0 { observation.extras = Observation.Extras(detail: reason) }
            return observation
        }
        let name = try #require(fixture.report.rows.first?.name)
        let queries = fixture.report.rows.first?.counts.measured ?? 0
        #expect(
            fixture.report.caveats
                == [.unreached(resolver: name, count: 4, of: queries, reason: reason)]
        )
    }

    @Test func `each says what to do`() {
        let all: [Caveat] = [
            .fewSamples(quantile: "p95", fewest: 1, needed: 72, rounds: 72),
            .lateSends(count: 1, of: 1, greatest: 6), .userClock(count: 1, of: 1),
            .interrupted(rounds: 0, of: 1), .strayAnswers(count: 1),
            .offlineRounds(count: 1, of: 1), .blocked(count: 1), .filtered(count: 1),
            .outageRounds(count: 1, of: 1), .clockStep(count: 1), .networkChanged(count: 1),
            .coldCache(count: 1, of: 1), .rateLimited(resolver: "a", after: 1),
            .siteChanged(resolver: "a", sites: 2), .sharedCache(resolvers: ["a", "b"]),
            .autocorrelation(baseline: "a", candidate: "b", coefficient: 0.5),
            .unreached(resolver: "a", count: 1, of: 1, reason: "Connection refused"),
            .severalRuns(count: 2), .sleptRounds(count: 1, of: 1), .unchecked(resolvers: ["a"]),
        ]
        for caveat in all {
            #expect(caveat.text.contains(": "), "\(caveat.code) has no remedy")
            #expect(!caveat.text.contains("1 queries"))
        }
        #expect(Set(all.map(\.code)).count == all.count)
    }
}
