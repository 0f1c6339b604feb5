import Analysis
import Fixtures
import Samples
import Statistics
import Testing

@testable import Reports

struct ResolverStateTests {
    /// Returns the states after a week of three resolvers, of which the second one is in use. The last one
    /// loses every sixth query, and did not answer in the last round.
    private func states(vantage: String = "desk", inUse: String? = "harbour") throws
        -> [ResolverState]
    {
        let rounds = 0..<336
        var context = HistoryFixture.context(rounds: rounds)
        let last = HistoryFixture.moment(round: 335)
        context.window = context.window.lowerBound..<last.advanced(by: .seconds(60))
        let moments = rounds.map { round in
            RoundMoment(
                vantage: vantage,
                started: HistoryFixture.moment(round: round),
                marks: [],
                origin: .sample
            )
        }
        let periods = ResolverState.periods(after: .seconds(60))
        var tally = OverviewTally(context, rounds: moments, evidence: nil, periods: periods)
        var fixture = HistoryFixture()
        fixture.vantage = vantage
        tally.add(
            try fixture.recording(rounds: rounds) { query in
                query.resolver == 2 && (query.round % 6 == 0 || query.round == 335)
                    ? Observation(outcome: .timeout)
                    : .answer([12.0, 30, 16][query.resolver] + query.noise)
            }
        )
        let report = OverviewReport(of: tally, inUse: inUse, rules: .init(), context: context)
        return report.states(at: vantage)
    }

    @Test func `a state has the figures of its spans`() throws {
        let states = try states()
        #expect(states.map(\.target.label).sorted() == ["brook", "harbour", "meadow"])
        let brook = try #require(states.first { $0.target.label == "brook" })
        #expect(brook.latency == nil && brook.p95 == nil)
        #expect(brook.counts.sent == 4 && brook.counts.lost == 2)
        let meadow = try #require(states.first { $0.target.label == "meadow" })
        #expect(meadow.standing == .switch && meadow.reason == .faster)
        try Golden.expect(meadow.json + "\n", in: "state.json")
    }

    @Test func `the resolver in use has no verdict of its own`() throws {
        let harbour = try #require(try states().first { $0.target.label == "harbour" })
        #expect(harbour.standing == .inUse && harbour.reason == nil)
    }

    @Test func `without a resolver in use, nothing is compared`() throws {
        #expect(try states(inUse: nil).allSatisfy { $0.standing == .uncompared })
    }

    @Test(arguments: [
        (interval: nil, seconds: nil), (Duration.seconds(1), 120), (.seconds(300), 1020),
    ])
    func `a sensor expires after three intervals`(interval: Duration?, seconds: Int?) throws {
        let home = HomeAssistant(prefix: "dnstempo", interval: interval)
        let state = try #require(try states().first)
        for message in home.announcements(of: state) {
            let expiry = seconds.map { "\"expire_after\":\($0)" }
            #expect(message.payload.contains(expiry ?? "}"))
            #expect(message.payload.contains("expire_after") == (seconds != nil))
        }
    }

    @Test func `topics and identifiers have no special characters`() throws {
        let home = HomeAssistant(prefix: "dnstempo", interval: nil)
        let state = try #require(try states(vantage: "Büro/+#\n").first)
        let topic = "dnstempo/B__ro____/\(state.target.label)/udp/cached"
        #expect(home.state(state).topic == topic)
        for message in home.announcements(of: state) {
            #expect(message.topic.utf8.allSatisfy { (0x21...0x7e).contains($0) })
            #expect(!message.topic.contains("+") && !message.topic.contains("#"))
            #expect(message.payload.contains("\"state_topic\":\"\(topic)\""))
            #expect(message.payload.contains("B\u{fc}ro/+#\\\\u{A}"))
        }
    }
}
