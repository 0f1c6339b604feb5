import Analysis
import DNSWire
import Samples
import Testing

@testable import Reports

struct CaveatTests {
    private func codes(_ fixture: Fixture) -> [String] { fixture.report.warnings.map(\.code) }

    /// One resolver with enough queries for every quantile.
    private func steady(_ outcome: (Int) -> Observation = { _ in .answer(10) }) throws -> Fixture {
        var fixture = try Fixture(rounds: 40)
        fixture.context.command = "dnstempo compare"
        fixture.add("meadow", outcome: outcome)
        return fixture
    }

    /// A file of another program. This machine cannot repeat its rounds.
    @Test func `imported rounds have no advice on this machine`() throws {
        var fixture = try steady { number in
            var observation = Observation.answer(10)
            (observation.clock, observation.lateness) = (.user, 9_000_000)
            if number % 40 < 20 { observation.extras = Observation.Extras(flags: .strays) }
            return observation
        }
        #expect(Set(codes(fixture)) == ["late-sends", "user-clock", "stray-answers"])
        (fixture.context.command, fixture.origin) = (nil, .imported)
        let notes = fixture.report.warnings
        #expect(notes.map(\.code) == ["stray-answers"])
        #expect(notes.first?.text.hasSuffix("The messages were ignored.") == true)
        #expect(notes.first?.remedy == nil)
    }

    @Test(arguments: [(hours: 1, isTold: true), (hours: 120 * 24, isTold: false)])
    func `autocorrelation is noted only for short runs`(hours: Int, isTold: Bool) throws {
        var fixture = try Fixture(rounds: 40)
        fixture.context.command = "dnstempo compare"
        fixture.context.baseline = "harbour"
        let length = Duration.seconds(3600 * hours)
        fixture.context.finished = fixture.context.started.advanced(by: length)
        fixture.add("harbour") { _ in .answer(20) }
        fixture.add("meadow") { $0 < 200 ? .answer(10) : .answer(30) }
        let note = fixture.report.warnings.first { $0.code == "autocorrelation" }
        #expect((note != nil) == isTold)
        if let note { #expect(note.text.hasSuffix(" Measure for a day or longer.")) }
    }

    @Test func `a good run has no notes`() throws {
        #expect(codes(try steady()).isEmpty)
    }

    @Test(arguments: [Run.Origin.watch, .compare])
    func `unanswered queries of watch may be dropped because of NSID`(origin: Run.Origin) throws {
        for outcome in [Observation.none(.timeout), .failure(.badVersion)] {
            let fixture = try steady { _ in outcome }
            var recording = fixture.recording
            recording.runs[0].origin = origin
            let report = ComparisonReport(of: recording, context: fixture.context)
            let note = report.warnings.first { $0.code == "nsid" }
            #expect((note?.text.hasSuffix("add --no-nsid.") == true) == (origin == .watch))
        }
        var recording = try steady { $0 == 7 ? .answer(10) : .none(.timeout) }.recording
        recording.runs[0].origin = .watch
        let report = ComparisonReport(of: recording, context: try steady().context)
        #expect(!report.warnings.contains { $0.code == "nsid" })
    }

    @Test func `a difference of two medians without a test is noted`() throws {
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
        let flagged = fixture.report.warnings.filter { $0.code == "few-samples" }
        #expect(flagged.map { String($0.text.prefix(3)) } == quantiles)
        let stars = TextFormat().render(fixture.report).contains("10.0 ms*")
        #expect(stars == quantiles.contains("p95"))
    }

    @Test func `the recommended number of rounds is enough`() throws {
        var fixture = try Fixture(rounds: 3)
        fixture.context.command = "dnstempo compare"
        fixture.add("meadow") { _ in .answer(10) }
        let text = fixture.report.warnings.first?.text ?? ""
        #expect(text.hasPrefix("p95 needs at least 72 queries to a resolver, and one got 30. "))
        #expect(text.hasSuffix("Use --rounds 8."))
    }

    @Test(arguments: [(late: 5_000_000, flagged: false), (late: 5_000_001, flagged: true)])
    func `a query that is over 5 ms late is noted`(late: Int64, flagged: Bool) throws {
        let fixture = try steady { number in
            var observation = Observation.answer(10)
            if number % 80 == 7 { observation.lateness = late }
            return observation
        }
        #expect(codes(fixture).contains("late-sends") == flagged)
    }

    @Test func `late simultaneous queries count once`() throws {
        var fixture = try Fixture(rounds: 10)
        for resolver in 0..<16 {
            fixture.add("r\(resolver)", endpoint: "127.0.0.1:\(5311 + resolver)") { number in
                var observation = Observation.answer(20)
                if number == 40 || number == 71 { observation.lateness = 6_000_000 }
                return observation
            }
        }
        // Two percent of the queries are late, in two volleys.
        #expect(fixture.report.quality.late == 32 && !codes(fixture).contains("late-sends"))
    }

    @Test(arguments: [(times: 4, flagged: false), (times: 5, flagged: true)])
    func `user clocks of more than 1 % are noted`(times: Int, flagged: Bool) throws {
        let fixture = try steady { number in
            var observation = Observation.answer(10)
            if number < times { observation.clock = .user }
            return observation
        }
        #expect(codes(fixture).contains("user-clock") == flagged)
    }

    @Test func `an unknown clock does not count as the user clock`() throws {
        let fixture = try steady { _ in
            var observation = Observation.answer(10)
            observation.clock = nil
            return observation
        }
        #expect(codes(fixture).isEmpty)
        let text = TextFormat(width: 200, isVerbose: true).render(fixture.report)
        let clocks = "0 of 400 round trips stamped by the kernel, 400 by an unknown clock"
        #expect(text.contains(clocks))
    }

    @Test func `the clock of a query without an answer is ignored`() throws {
        let fixture = try steady { $0 % 2 == 0 ? Observation(outcome: .timeout) : .answer(10) }
        #expect(codes(fixture).isEmpty)
    }

    @Test func `the note on an interruption counts finished rounds`() throws {
        var fixture = try steady()
        fixture.context.isInterrupted = true
        fixture.samples.removeLast(3)
        let text = "The run was interrupted after 39 of 40 rounds. "
        #expect(fixture.report.warnings.are(["interrupted": text]))
    }

    @Test func `rounds without a route are noted, and do not count as losses`() throws {
        let fixture = try steady { $0 < 20 ? .none(.offline) : .answer(10) }
        let text = "In 2 of 40 rounds there was no route "
        #expect(fixture.report.warnings.are(["offline-rounds": text]))
        #expect(fixture.report.rows.map(\.counts.failed) == [0])
    }

    @Test func `ignored messages are noted`() throws {
        let fixture = try steady { number in
            var observation = Observation.answer(10)
            if number == 1 {
                observation.extras = Observation.Extras(flags: .strays)
            }
            return observation
        }
        #expect(fixture.report.warnings.are(["stray-answers": "1 query received messages "]))
    }

    @Test func `filtered and blocked queries are noted`() throws {
        let fixture = try steady { number in
            number == 0 ? .none(.filtered) : number == 1 ? .none(.blocked) : .answer(10)
        }
        #expect(
            fixture.report.warnings.are([
                "blocked": "1 query was not sent, ", "filtered": "1 answer blocks its name. ",
            ])
        )
    }

    @Test func `an unreachable resolver is noted, with the reason`() throws {
        let reason = "Connection refused"
        let fixture = try steady { number in
            guard number <= 3 else { return .answer(10) }
            var observation = Observation.none(.unreachable)
            if number > 0 { observation.extras = Observation.Extras(detail: Detail(reason)) }
            return observation
        }
        let text = "4 of 400 queries could not reach meadow (\(reason)). "
        #expect(fixture.report.warnings.are(["unreached": text]))
    }

    @Test func `each note says what to do`() throws {
        var fixture = try steady { number in
            if number < 10 { return .none(.offline) }
            if number < 20 { return .none(.timeout) }
            if let outcome = [20: Outcome.blocked, 21: .filtered, 22: .unreachable][number] {
                return .none(outcome)
            }
            var observation = Observation.answer(10)
            if number == 23 { observation.lateness = 6_000_000 }
            if number < 30 { observation.clock = .user }
            if number == 31 { observation.cache = .miss }
            if number == 32 { observation.extras = Observation.Extras(site: "a") }
            if number == 33 { observation.extras = Observation.Extras(site: "b") }
            if number == 34 { observation.extras = Observation.Extras(flags: .strays) }
            if number == 35 { observation.extras = Observation.Extras(flags: .clockStep) }
            return observation
        }
        fixture.context.command = nil
        let recorded = fixture.report.warnings.map(\.text)
        // A command that reads a recording does not measure, so its notes name the command for each option.
        let commands = ["dnstempo compare --", "dnstempo report --"]
        let bare = recorded.filter {
            $0.contains(" --") && !commands.contains(where: $0.contains)
        }
        #expect(bare == [])
        fixture.context.command = "dnstempo compare"
        let measured = fixture.report.warnings.map(\.text)
        #expect(!measured.joined().contains("dnstempo ") && measured.count == recorded.count)
        fixture.context.isInterrupted = true
        fixture.context.networkChanges = 1
        fixture.context.earlierToday = 1
        for warning in fixture.report.warnings {
            #expect(warning.hasRemedy, "\(warning.code) has no remedy")
        }
        #expect(
            codes(fixture) == [
                "interrupted", "offline-rounds", "network-changed", "unreached", "blocked",
                "several-runs", "clock-step", "cold-cache", "site-changed",
                "user-clock", "stray-answers", "filtered",
            ]
        )
    }
}
