import Analysis
import Samples
import Statistics
import Testing

@testable import Reports

/// Notes on the order in which resolvers are queried, and on two labels of one resolver.
struct AskingOrderTests {
    /// Two resolvers that are queried one after the other. `first` returns the resolver that a round queries
    /// first.
    private func fixture(
        rounds: Int,
        labels: [String] = ["meadow", "brook"],
        endpoints: [String] = ["192.0.2.1:53", "192.0.2.2:53"],
        times: [Double] = [20, 12],
        first: (Int) -> Int = { _ in 0 }
    ) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds, names: 2)
        for (index, label) in labels.enumerated() {
            fixture.add(label, endpoint: endpoints[index]) { _ in .answer(times[index]) }
        }
        for index in fixture.samples.indices {
            let sample = fixture.samples[index]
            let round = Int(sample.round)
            let turn = (Int(sample.target) - first(round) + labels.count) % labels.count
            let moment = fixture.context.started
                .advanced(by: .seconds(60 * round) + .milliseconds(turn * 100))
                .advanced(by: .milliseconds(10 * Int(sample.question)))
            fixture.samples[index].scheduled = moment
            fixture.samples[index].observation.sent = moment
        }
        return fixture
    }

    private func notes(_ fixture: Fixture, _ code: String) -> [String] {
        fixture.report.warnings.filter { $0.code == code }.map(\.text)
    }

    @Test func `a fixed order is noted from twenty rounds on`() throws {
        let told = notes(try fixture(rounds: 20), "asking-order")
        #expect(
            told == [
                "meadow was asked first in 20 of 20 rounds. The first query of a round may wait for "
                    + "an idle network and fill caches for the others. Ask in random order."
            ]
        )
        #expect(notes(try fixture(rounds: 19), "asking-order").isEmpty)
        #expect(notes(try fixture(rounds: 40) { $0 % 2 }, "asking-order").isEmpty)
        // Nine of ten rounds are 90 %. Only a higher share is noted.
        #expect(notes(try fixture(rounds: 40) { $0 % 10 / 9 }, "asking-order").isEmpty)
    }

    @Test func `a resolver that is never asked first is noted, unless many are asked`() throws {
        let labels = (0..<3).map { "r\($0)" }
        let endpoints = labels.indices.map { "192.0.2.\($0):53" }
        let three = try fixture(
            rounds: 40,
            labels: labels,
            endpoints: endpoints,
            times: [20, 20, 20]
        ) { $0 % 2 }
        let told = notes(three, "asking-order")
        #expect(told.count == 1 && told[0].hasPrefix("r2 was asked first in 0 of 40 rounds. "))
        let twelve = (0..<12).map { "r\($0)" }
        let many = try fixture(
            rounds: 24,
            labels: twelve,
            endpoints: twelve.indices.map { "192.0.2.\($0):53" },
            times: .init(repeating: 20, count: 12)
        ) { $0 % 12 }
        #expect(notes(many, "asking-order").isEmpty)
    }

    @Test func `queries without a send time have no order`() throws {
        var fixture = try fixture(rounds: 30)
        for index in fixture.samples.indices { fixture.samples[index].observation.sent = nil }
        #expect(notes(fixture, "asking-order").isEmpty)
    }

    @Test func `two labels of one address are noted, with the order`() throws {
        let url = "https://dns.example/dns-query"
        let fixture = try fixture(rounds: 5, endpoints: [url, url], times: [130, 48])
        #expect(
            notes(fixture, "one-address") == [
                "brook and meadow are one address (https://dns.example/dns-query). brook, asked first "
                    + "0 of 10 times, is 82 ms faster at the median. A difference between them is due "
                    + "to the order or to chance. Omit one of them."
            ]
        )
    }

    @Test(arguments: [
        (labels: ["quad9@192.0.2.8", "quad9@wwan0"], isNoted: false),
        (["quad9@wwan0", "nine@wwan0"], true),
    ])
    func `one address from two sources is two resolvers`(
        labels: [String],
        isNoted: Bool
    ) throws {
        let endpoints = ["192.0.2.1:53", "192.0.2.1:53"]
        let fixture = try fixture(rounds: 5, labels: labels, endpoints: endpoints)
        #expect(notes(fixture, "one-address").count == (isNoted ? 1 : 0))
    }

    @Test func `one address over two transports is two resolvers`() throws {
        var fixture = try fixture(rounds: 5, endpoints: ["192.0.2.1:53", "192.0.2.1:53"])
        fixture.targets[1].transport = "tcp"
        #expect(notes(fixture, "one-address").isEmpty)
    }

    @Test func `a label that a round asks twice is noted`() throws {
        var fixture = try fixture(rounds: 10)
        for var sample in fixture.samples where sample.target == 1 {
            let later = sample.moment.advanced(by: .milliseconds(500))
            sample.observation = .answer(7)
            sample.scheduled = later
            sample.observation.sent = later
            fixture.samples.append(sample)
        }
        #expect(
            notes(fixture, "asked-twice") == [
                "brook was asked one name twice in a round, 20 times; the second answer is 5 ms faster "
                    + "at the median. The second answer can come from a warm cache. Give the second "
                    + "query a label of its own, or omit it."
            ]
        )
    }

    @Test func `a comparison by hours has the notes too`() throws {
        let fixture = try fixture(rounds: 200)
        var hours = HistoryHours(clock: HistoryFixture.berlin)
        hours.add(fixture.recording)
        let start = fixture.context.started
        let report = ComparisonReport(
            ofHours: hours,
            against: WindowBaseline("meadow", rules: ComparisonRules()),
            window: WindowContext(
                toolVersion: "1.0.0",
                window: start..<start.advanced(by: .seconds(200 * 60)),
                clock: HistoryFixture.berlin
            )
        )
        #expect(report.warnings.contains { $0.code == "asking-order" })
    }
}
