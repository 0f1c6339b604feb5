import Analysis
import Reports
import Samples
import Statistics
import Testing

/// Information in samples about their round and resolver. A file may contain no other information about a
/// run.
struct RoundWordsTests {
    /// One resolver that is much slower in round 2, with one timeout. The machine may have been suspended in
    /// this round.
    private func recording() throws -> (fixture: Fixture, recording: Recording) {
        var fixture = try Fixture(rounds: 40)
        fixture.add("meadow") { number in
            guard (10..<20).contains(number) else { return .answer(10) }
            var observation = number == 10 ? Observation.none(.timeout) : .answer(900)
            observation.lateness = 60_000_000_000
            return observation
        }
        return (fixture, fixture.recording)
    }

    @Test func `a round with a suspension counts in no figure`() throws {
        var (fixture, recording) = try recording()
        recording.rounds[1].marks = .suspended
        let report = ComparisonReport(of: recording, context: fixture.context)
        #expect(
            report.warnings.are([
                "suspended-rounds": "This machine was suspended in 1 of 40 rounds. "
            ])
        )
        #expect(report.rows.map(\.counts.sent) == [390])
        #expect(report.rows.map(\.counts.failed) == [0])
        #expect(report.rows.first?.latency.maximum == 10)
        // The chart does not show the round.
        let chart = report.render(as: .html, width: 80, colour: false)
        #expect(!chart.contains(">1000<") && !chart.contains(">900<"))
        // In a file of a version without marks, the samples contain this information.
        for index in fixture.samples.indices where fixture.samples[index].round == 1 {
            fixture.samples[index].observation.extras = .init(flags: [.noEvidence, .slept])
        }
        #expect(
            fixture.report.warnings.are([
                "suspended-rounds": "This machine was suspended in 1 of 40 rounds. "
            ])
        )
        #expect(fixture.report.rows.map(\.counts.sent) == [390])
    }

    @Test func `a round after the verdict counts in the figures`() throws {
        var (fixture, recording) = try recording()
        recording.markUnused()
        fixture.samples = zip(fixture.samples, recording.samples).map { $0.round == 1 ? $1 : $0 }
        let report = fixture.report
        #expect(report.warnings.map(\.code) == ["late-sends"])
        #expect(report.rows.map(\.counts.failed) == [1])
    }

    @Test func `tampering is read from the samples`() throws {
        var fixture = try Fixture(rounds: 3)
        fixture.context.baseline = "harbour"
        fixture.add("harbour") { _ in .answer(20) }
        fixture.add("meadow") { _ in
            var observation = Observation.answer(10)
            observation.extras = Observation.Extras(
                detail: Detail("1 message ignored"),
                flags: .strays
            )
            return observation
        }
        #expect(fixture.recording.tampering.isEmpty)
        fixture.add("brook") { _ in
            var observation = Observation.answer(10)
            // Text from the server, such as its reason for closing a connection.
            observation.extras = Observation.Extras(
                detail: Detail("x; untruth: lies; the machine slept")
            )
            return observation
        }
        #expect(fixture.recording.tampering.isEmpty)
        #expect(fixture.report.warnings.allSatisfy { $0.code != "suspended-rounds" })
        let finding = "sends names that do not exist to 192.0.2.66"
        var round = fixture.recording
        round.mark(["meadow": finding, "cliff": "lies"])
        fixture.samples = round.samples
        #expect(fixture.recording.tampering == ["meadow": finding])
        let words = fixture.samples.compactMap { $0.observation.extras?.detail?.description }
        #expect(words.filter { $0.contains(finding) } == ["1 message ignored; untruth: \(finding)"])
    }

    @Test(arguments: [[], ["meadow"], ["harbour"]] as [Set<String>])
    func `an unchecked recommendation is noted`(unchecked: Set<String>) throws {
        var fixture = try Fixture(rounds: 40)
        fixture.context.baseline = "harbour"
        fixture.context.unchecked = unchecked
        fixture.add("harbour", outcome: Fixture.noise(21, 3, seed: 1))
        fixture.add("meadow", outcome: Fixture.noise(12, 3, seed: 2))
        let told = fixture.report.warnings.filter { $0.code == "unchecked" }
        let text = "The answers of meadow were not checked. "
        #expect(told.are(unchecked == ["meadow"] ? ["unchecked": text] : [:]))
    }
}
