import Analysis
import DNSWire
import Foundation
import Samples
import Statistics
import Testing

@testable import Reports

/// The cost of encryption, as text and as values.
struct EncryptionCostTests {
    /// Returns answers over a kept connection. Every `opening`-th query opens a connection, which takes 30
    /// ms.
    private static func kept(
        _ milliseconds: @escaping (Int) -> Observation,
        opening: Int
    ) -> (Int) -> Observation {
        { number in
            var observation = milliseconds(number)
            let opens = number % opening == 0
            observation.extras = .init(
                connect: opens ? 10_000_000 : nil,
                handshake: opens ? 20_000_000 : nil,
                connection: opens ? .new : .reused
            )
            return observation
        }
    }

    private static func fresh(_ use: ConnectionUse) -> (Int) -> Observation {
        { _ in
            var observation = Observation.answer(4)
            observation.extras = .init(connect: 12_000_000, handshake: 30_000_000, connection: use)
            return observation
        }
    }

    /// The resolver `near` over UDP and TLS, and the baseline `base`. Answers over TLS take `added`
    /// milliseconds longer.
    private func fixture(
        rounds: Int = 20,
        added: Double = 1.9,
        noise: Double = 0.2,
        first: ConnectionUse? = .new
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "base"
        fixture.add("base", outcome: Fixture.noise(3, 0.2, seed: 3))
        fixture.add("near", endpoint: "127.0.0.1:5312", outcome: Fixture.noise(2, noise, seed: 1))
        fixture.add(
            "near",
            endpoint: "127.0.0.1:5312#near.test",
            transport: "tls",
            outcome: Self.kept(Fixture.noise(2 + added, noise, seed: 2), opening: 1_000_000)
        )
        if let first {
            fixture.add(
                "near",
                endpoint: "127.0.0.1:5312#near.test",
                transport: "tls",
                series: .first,
                outcome: Self.fresh(first)
            )
        }
        return fixture
    }

    @Test func `the answer states the cost of a query and of a connection`() throws {
        let report = try fixture().report
        let words = try #require(EncryptionCost.all(of: report).map(\.words).first)
        #expect(EncryptionCost.all(of: report).map(\.words).count == 1)
        let pattern =
            #/near over TLS vs UDP: (1\.\d+) ms slower \(95 % confidence interval: (1\.\d+) to (\d\.\d+) ms slower\); a connection costs 42\.0 ms once, (.+) ms per query at (\d+) queries per connection\./#
        let match = try #require(words.wholeMatch(of: pattern), "\(words)")
        let added = try #require(Double(match.1))
        #expect((1.7...2.1).contains(added))
        #expect(try #require(Double(match.2)) <= added && added <= #require(Double(match.3)))
        let carried = try #require(Double(match.5))
        #expect(carried == Double(20 * report.recording.questions.count))
        let share = try #require(Double(match.4))
        #expect(abs(share - 42 / carried) < 0.06)
    }

    @Test func `a pair with the baseline is not compared again`() throws {
        var fixture = try fixture()
        fixture.context.baseline = "near"
        let report = fixture.report
        let evidence = try #require(report.evidence(of: .cached))
        let pair = try #require(evidence.encryption.first)
        #expect(evidence.baseline == pair.plain)
        let candidate = evidence.candidates.first { $0.target == pair.encrypted }
        #expect(pair.comparison == candidate?.comparison)
        let sure = "\(DifferencePhrases.percent(pair.comparison.confidence)) confidence interval"
        #expect(EncryptionCost.all(of: report).map(\.words).first?.contains(sure) == true)
    }

    @Test func `an undecided difference is called not significant`() throws {
        let words = try #require(
            try EncryptionCost.all(of: fixture(added: 0, noise: 1).report).map(\.words).first
        )
        #expect(words.hasPrefix("near over TLS vs UDP: no significant difference ("), "\(words)")
    }

    @Test func `too few rounds and connections are named`() throws {
        let words = try EncryptionCost.all(of: fixture(rounds: 3, first: nil).report).map(\.words)
        #expect(
            words == [
                "near over TLS vs UDP: 3 rounds are too few for a comparison; opening a connection took "
                    + "29.9 ms (1 time, too few to rely on)."
            ]
        )
    }

    @Test func `resumed connections are called resumed`() throws {
        let words = try EncryptionCost.all(of: fixture(first: .resumed).report).map(\.words)
        #expect(words.first?.contains("; a resumed connection costs 42.0 ms once") == true)
    }

    @Test func `a silent encrypted transport leaves the difference open`() throws {
        var fixture = try Fixture(rounds: 20)
        fixture.add("near", outcome: Fixture.noise(2, 0.2, seed: 1))
        fixture.add("near", transport: "tls") { _ in .none(.timeout) }
        let words = EncryptionCost.all(of: fixture.report).map(\.words)
        #expect(
            words == ["near over TLS vs UDP: too many queries over TLS failed for a comparison."]
        )
    }

    @Test func `an interval with two units has the unit at both ends`() {
        let format = LatencyFormat(fitting: [1500])
        func words(_ lower: Double, _ upper: Double) -> String? {
            DifferencePhrases(format: format).span(DifferenceInterval(lower: lower, upper: upper))
        }
        #expect(words(1400, 1600) == "1.40 s to 1.60 s faster")
        #expect(words(800, 1200) == "800 ms to 1.20 s faster")
        #expect(words(-1200, -800) == "800 ms to 1.20 s slower")
        #expect(words(600, 800) == "\(format.number(600)) to \(format.cell(800)) faster")
    }

    @Test func `a resolver with one transport has no cost of encryption`() throws {
        var fixture = try Fixture(rounds: 20)
        fixture.add("near", outcome: Fixture.noise(2, 0.2, seed: 1))
        fixture.add("far", transport: "tls", outcome: Fixture.noise(4, 0.2, seed: 2))
        #expect(EncryptionCost.all(of: fixture.report).map(\.words).isEmpty)
        #expect(!JSONFormat().render(fixture.report).contains("\"encryption\""))
    }

    @Test func `every format has the cost of encryption`() throws {
        let report = try fixture().report
        let words = try #require(EncryptionCost.all(of: report).map(\.words).first)
        #expect(TextFormat(width: 1000).render(report).contains("near over TLS vs UDP"))
        #expect(MarkdownFormat().render(report).contains(words))
        let page = HTMLFormat().render(report)
        #expect(page.contains("What encryption costs here"))
        #expect(page.contains("near over TLS vs UDP"))
        let data = Data(JSONFormat().render(report).utf8)
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let cost = try #require((document["encryption"] as? [[String: Any]])?.first)
        #expect(cost["resolver"] as? String == "near")
        #expect(cost["plain"] as? String == "udp")
        #expect(cost["encrypted"] as? String == "tls")
        #expect(cost["first_answer_ms"] as? Double == 46)
        #expect(cost["connection_ms"] as? Double == 41.958501)
        let added = try #require(cost["added_ms"] as? Double)
        #expect((1.7...2.1).contains(added))
    }
}
