import Analysis
import Reports
import Samples
import Statistics
import Testing

struct EvidenceBuilderTests {
    /// A baseline, and two equally fast resolvers that are 9 ms faster.
    private func fixture(rounds: Int = 12) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "harbour"
        fixture.add("harbour", outcome: Fixture.noise(21, 3, seed: 1))
        fixture.add("meadow", endpoint: "127.0.0.1:5312", outcome: Fixture.noise(12, 3, seed: 2))
        fixture.add("brook", endpoint: "127.0.0.1:5312", outcome: Fixture.noise(12, 3, seed: 3))
        return fixture
    }

    private func builder(_ fixture: Fixture, endsWithVerdict: Bool = false) -> EvidenceBuilder {
        EvidenceBuilder(
            targets: fixture.targets,
            baseline: fixture.context.baseline,
            endsWithVerdict: endsWithVerdict
        )
    }

    /// Returns the recording of a run in which the rounds with the numbers `unused` are marked as no
    /// evidence.
    private func recording(of fixture: Fixture, without unused: [Int]) -> Recording {
        var recording = Recording()
        for var round in rounds(of: fixture) {
            if unused.contains(Int(round.rounds[0].number)) { round.markUnused() }
            recording.merge(round)
        }
        return recording
    }

    private func evidence(
        of recording: Recording,
        rules: ComparisonRules = ComparisonRules()
    ) -> [SeriesEvidence] {
        SeriesEvidence.all(of: RecordingTally(of: recording), baseline: "harbour", rules: rules)
    }

    /// Returns the rounds of a run, each as a recording.
    private func rounds(of fixture: Fixture) -> [Recording] {
        let recording = fixture.recording
        return recording.rounds.indices.map { index in
            var round = recording
            round.rounds = [recording.rounds[index]]
            round.samples = recording.samples.filter { Int($0.round) == index }
            for place in round.samples.indices { round.samples[place].round = 0 }
            return round
        }
    }

    @Test func `a recording gives the same report as the run`() throws {
        let fixture = try fixture()
        var builder = builder(fixture)
        for round in rounds(of: fixture) { builder.add(round) }
        let live = builder.evidence(ending: .budgetSpent)
        let read = evidence(of: fixture.recording)
        #expect(live == read)
        #expect(read.first?.candidates.map(\.comparison.verdict) == [.switch, .switch])
        #expect((0..<3).map { read.first?.rank(of: $0) } == [3...3, 1...2, 1...2])
        #expect(read.first?.candidates.map(\.comparison.rounds) == [12, 12])
    }

    @Test func `rounds after the last verdict are shown, but are no evidence`() throws {
        let fixture = try fixture()
        var builder = builder(fixture, endsWithVerdict: true)
        for round in rounds(of: fixture) { builder.add(round) }
        #expect(builder.isDecided)
        #expect(!builder.unusedRounds.isEmpty)
        let recording = recording(of: fixture, without: builder.unusedRounds)
        let read = evidence(of: recording)
        #expect(read == builder.evidence(ending: .budgetSpent))
        #expect(read.first?.rounds == 12 - builder.unusedRounds.count)
    }

    @Test func `a round without a query is excluded completely`() throws {
        var fixture = try fixture()
        let cut = try #require(fixture.samples.lastIndex { $0.round == 11 && $0.target == 2 })
        fixture.samples.remove(at: cut)
        let read = evidence(of: fixture.recording)
        #expect(read.first?.rounds == 11)
        var builder = builder(fixture)
        var round = try #require(rounds(of: fixture).first)
        round.rounds[0].isWhole = false
        builder.add(round)
        #expect(builder.evidence(ending: .interrupted).first?.rounds == 0)
    }

    @Test(arguments: [Outcome.offline, .timeout])
    func `a round without a connection does not count`(outcome: Outcome) throws {
        var fixture = try fixture()
        for index in fixture.targets.indices {
            fixture.targets[index].endpoint = "127.0.\(index).1:53"
        }
        for index in fixture.samples.indices where fixture.samples[index].round == 4 {
            fixture.samples[index].observation = .none(outcome)
        }
        let read = evidence(of: fixture.recording)
        #expect(read.first?.rounds == 11)
        #expect(read.first?.candidates.first?.comparison.baselineFailures.failures == 0)
    }

    @Test(arguments: [Outcome.filtered, .blocked])
    func `a query without a time excludes its pair`(outcome: Outcome) throws {
        var fixture = try fixture()
        let index = try #require(fixture.samples.firstIndex { $0.target == 1 })
        fixture.samples[index].observation = .none(outcome)
        let read = evidence(of: fixture.recording)
        #expect(read.first?.candidates.map(\.comparison.pairs) == [119, 120])
    }

    @Test func `an answer without a time is neither a failure nor a time`() throws {
        var fixture = try fixture()
        let index = try #require(fixture.samples.firstIndex { $0.target == 1 })
        fixture.samples[index].observation.roundTrip = nil
        let read = evidence(of: fixture.recording)
        #expect(read.first?.candidates.map(\.comparison.pairs) == [119, 120])
        #expect(read.first?.candidates.first?.comparison.candidateFailures.failures == 0)
        let figures = CountedSamples(of: fixture.recording).figures(timeout: .seconds(5))[1]
        #expect(figures.counts.answered == 120)
        #expect(figures.latency.count == 119 && figures.tally.count == 119)
    }

    @Test(arguments: [Outcome.filtered, .blocked])
    func `a resolver whose last round does not count was not set aside`(outcome: Outcome) throws {
        var fixture = try fixture()
        for index in fixture.samples.indices
        where fixture.samples[index].target == 1 && fixture.samples[index].round == 11 {
            fixture.samples[index].observation = .none(outcome)
        }
        var recording = fixture.recording
        recording.runs[0].origin = .compare
        let read = try #require(evidence(of: recording).first)
        #expect(read.departures.isEmpty)
        #expect(read.candidates.map(\.comparison.verdict) == [.switch, .switch])
        #expect(read.rank(of: 1) != nil)
    }

    @Test func `a resolver without queries is not called slower`() throws {
        var fixture = try fixture()
        fixture.add("stone", endpoint: "127.0.0.1:5313") { _ in .none(.timeout) }
        fixture.samples.removeAll { $0.target == 3 }
        var recording = fixture.recording
        recording.runs[0].origin = .compare
        let report = ComparisonReport(of: recording, context: fixture.context)
        let text = TextFormat(width: 100).render(report)
        #expect(report.evidence.first?.departures[3]?.betters == [])
        #expect(text.contains("- stone: no verdict yet."), "\(text)")
        #expect(!text.contains("set aside"), "\(text)")
    }

    @Test func `a round with a suspension is shown, but is no evidence`() throws {
        let fixture = try fixture()
        var builder = builder(fixture)
        for var round in rounds(of: fixture) {
            if round.rounds[0].number == 3 { round.rounds[0].marks = .suspended }
            builder.add(round)
        }
        #expect(builder.unusedRounds == [3])
        let recording = recording(of: fixture, without: builder.unusedRounds)
        let read = evidence(of: recording)
        #expect(read == builder.evidence(ending: .budgetSpent))
        #expect(read.first?.rounds == 11)
    }

    @Test func `each series has its own verdict`() throws {
        var fixture = try fixture(rounds: 10)
        fixture.add("harbour", series: .uncached, outcome: Fixture.noise(45, 30, seed: 4))
        fixture.add("meadow", series: .uncached, outcome: Fixture.noise(40, 30, seed: 5))
        var builder = builder(fixture)
        for round in rounds(of: fixture) { builder.add(round) }
        #expect(builder.isDecided(in: .cached))
        #expect(!builder.isDecided(in: .uncached))
        #expect(!builder.isDecided)
    }

    @Test func `cached and uncached names together have one verdict`() throws {
        // The candidate is 11 ms faster for cached names, and 80 ms slower for uncached names.
        let report = try VerdictExample.series.fixture().report
        let evidence = try #require(report.evidence.first)
        #expect(evidence.candidates.map(\.comparison.verdict) == [.switch])
        #expect(evidence.whole.map(\.comparison.verdict) == [.keep])
        #expect(evidence.whole.map(\.target) == evidence.candidates.map(\.target))
        #expect(report.findings.map(\.series) == [nil, .cached, .uncached])
        let alone = try VerdictExample.switchOne.fixture().report
        #expect(alone.evidence.first?.whole.isEmpty == true)
        #expect(alone.findings.map(\.series) == [.cached])
    }

    @Test func `a resolver that loses most uncached names is not called faster`() throws {
        var fixture = try fixture(rounds: 40)
        fixture.context.baseline = "harbour"
        fixture.context.plan.series = [.cached, .uncached]
        fixture.add("harbour", series: .uncached, outcome: Fixture.noise(45, 30, seed: 4))
        let answered = Fixture.noise(40, 30, seed: 5)
        fixture.add("meadow", endpoint: "127.0.0.1:5312", series: .uncached) {
            $0 % 5 == 0 ? answered($0) : .none(.timeout)
        }
        let finding = try #require(
            fixture.report.findings.first { $0.series == .uncached }?.finding
        )
        #expect(finding.headline.hasSuffix("meadow left most queries unanswered."), "\(finding)")
    }

    @Test func `a candidate of one series is not in the combined comparison`() throws {
        var fixture = try fixture(rounds: 10)
        fixture.add("harbour", series: .uncached, outcome: Fixture.noise(45, 30, seed: 4))
        let alone = evidence(of: fixture.recording)
        #expect(alone.map(\.whole.count).max() == 0)
        let brook = Fixture.noise(40, 30, seed: 5)
        fixture.add("brook", endpoint: "127.0.0.1:5312", series: .uncached, outcome: brook)
        let both = evidence(of: fixture.recording)
        let labels = both.first?.whole.map { fixture.targets[$0.target].label }
        #expect(labels == ["brook"])
    }

    @Test func `hours over two days support a general statement`() throws {
        var fixture = try fixture(rounds: 60)
        let start = Timestamp(nanoseconds: 1_795_232_112_000_000_000)
        for index in fixture.samples.indices {
            let hour = Int64(fixture.samples[index].round)
            let moment = start.advanced(by: .seconds(3600 * hour))
            fixture.samples[index].scheduled = moment
            fixture.samples[index].observation.sent = moment
        }
        let read = evidence(of: fixture.recording, rules: ComparisonRules(unit: .hour))
        let comparisons = read.first?.candidates.map(\.comparison) ?? []
        #expect(comparisons.map(\.verdict) == [.switch, .switch])
        #expect(comparisons.map(\.unit) == [.hour, .hour])
        #expect(comparisons.map(\.rounds) == [60, 60])
        #expect(comparisons.map(\.pairs) == [60, 60])
    }

    @Test(arguments: [ComparisonRules.Unit.round, .hour])
    func `a failed query counts in the mean as the timeout`(unit: ComparisonRules.Unit) throws {
        // 12 failures of 3,000 queries are too few to prevent a verdict.
        func comparison(slow: Observation) throws -> Comparison {
            var fixture = try fixture(rounds: 300)
            let own = fixture.samples.indices.filter { fixture.samples[$0].target == 1 }
            for place in 0..<12 {
                let index = own[place / 3 * 700 + place % 3]
                fixture.samples[index].observation = slow
            }
            let start = Timestamp(nanoseconds: 1_795_233_600_000_000_000)
            for index in fixture.samples.indices {
                let minute = Int64(fixture.samples[index].round) * 12
                let moment = start.advanced(by: .seconds(60 * minute))
                fixture.samples[index].scheduled = moment
                fixture.samples[index].observation.sent = moment
            }
            let read = evidence(of: fixture.recording, rules: ComparisonRules(unit: unit))
            return try #require(read.first?.candidates.first?.comparison)
        }
        let lost = try comparison(slow: .none(.timeout))
        let refused = try comparison(slow: .none(.malformed))
        let late = try comparison(slow: .answer(12_000))
        for comparison in [lost, refused, late] {
            #expect(comparison.verdict == .undecided && comparison.reason == .tail)
            // The candidate is 9 ms faster, but 12 of 3,000 queries at 5 s add 20 ms to its mean. Sketches of
            // hours have an error of 1 %.
            let mean = try #require(comparison.meanDifference)
            #expect(abs(mean + 11) < 1.5, "\(mean)")
        }
        #expect(lost.meanDifference == refused.meanDifference)
    }

    @Test func `a live run and its recording have the same mean with failures`() throws {
        var fixture = try fixture()
        for index in fixture.samples.indices.filter({ fixture.samples[$0].round % 5 == 1 }) {
            fixture.samples[index].observation = .none(.malformed)
        }
        var builder = builder(fixture)
        for round in rounds(of: fixture) {
            builder.add(round: round)
        }
        let read = evidence(of: fixture.recording)
        #expect(builder.evidence(ending: .budgetSpent) == read)
    }
}
