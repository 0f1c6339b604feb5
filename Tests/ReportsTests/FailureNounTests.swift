import DNSWire
import Reports
import Samples
import Testing

/// Each kind of failure has its own noun.
struct FailureNounTests {
    private static var wrong: Observation {
        var answer = Observation.answer(10)
        answer.outcome = .wrong
        return answer
    }

    /// Returns the report of a run. Every 20th query to `near` fails, with each of `failures` in turn. `far`
    /// has no failures.
    private func text(_ failures: [Observation], baseline: String? = nil) throws -> String {
        var fixture = try Fixture(rounds: 40)
        fixture.context.baseline = baseline
        fixture.add("near") { number in
            number % 20 == 19 ? failures[number / 20 % failures.count] : .answer(10)
        }
        fixture.add("far") { _ in .answer(30) }
        return TextFormat(width: 200).render(fixture.report)
    }

    @Test(arguments: [
        (failures: [Observation.none(.timeout)], noun: "packet loss", less: "lower packet loss"),
        (
            failures: [.none(.unreachable), .none(.timeout)], noun: "packet loss",
            less: "lower packet loss"
        ),
        (failures: [wrong], noun: "wrong answers", less: "fewer wrong answers"),
        (failures: [wrong, .none(.timeout)], noun: "failed queries", less: "fewer failed queries"),
        (failures: [.failure(.servFail)], noun: "failed queries", less: "fewer failed queries"),
        (failures: [.none(.malformed)], noun: "failed queries", less: "fewer failed queries"),
    ])
    func `only silence is packet loss`(failures: [Observation], noun: String, less: String) throws {
        let alone = try text(failures)
        #expect(alone.contains("far was fastest of those with \(less)"), "\(alone)")
        #expect(alone.contains("near: faster (10.0 ms), but \(noun) 5.0 %."), "\(alone)")
        let compared = try text(failures, baseline: "far")
        let exceeds = noun == "packet loss" ? "loses more queries" : "has more \(noun)"
        #expect(compared.hasPrefix("Stay with far: near \(exceeds)."), "\(compared)")
        let fact = "\(noun.dropFirst()) of near: 5.0 % (20 of 400 queries"
        #expect(compared.contains(fact), "\(compared)")
    }

    @Test func `look-ups of a browser are counted as look-ups`() throws {
        var fixture = try Fixture(rounds: 40, types: [.a, .https])
        fixture.context.baseline = "far"
        for (label, isFailing) in [("far", false), ("near", true)] {
            fixture.add(label, series: .browser) { number in
                isFailing && number % 40 == 38 ? .none(.timeout) : .answer(10)
            }
        }
        let text = TextFormat(width: 200).render(fixture.report)
        let fact = "Look-ups of near without an address: 5.0 % (20 of 400 look-ups, upper limit"
        #expect(text.contains(fact), "\(text)")
    }

    @Test func `a resolver that returns only failures is not called silent`() throws {
        var fixture = try Fixture(rounds: 4)
        fixture.add("near") { _ in .answer(10) }
        fixture.add("failing") { _ in .failure(.servFail) }
        fixture.add("silent") { _ in .none(.timeout) }
        let text = TextFormat(width: 200).render(fixture.report)
        #expect(text.contains("silent did not answer at all."), "\(text)")
        #expect(text.contains("failing answered SERVFAIL to all 40 queries."), "\(text)")
    }
}
