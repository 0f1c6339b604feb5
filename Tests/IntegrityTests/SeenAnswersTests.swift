import DNSWire
import Measurement
import Testing

@testable import Integrity

struct SeenAnswersTests {
    /// Resolver, name and addresses.
    typealias Row = (resolver: Int, name: String, addresses: [[UInt8]])

    private func seen(_ rows: [Row]) throws -> SeenAnswers {
        var answers = SeenAnswers()
        for row in rows {
            answers.note(
                row.addresses,
                for: Question(name: try DomainName(row.name), type: .a),
                from: row.resolver
            )
        }
        return answers
    }

    @Test func `one address for unrelated names that others keep apart is a block page`() throws {
        let answers = try seen([
            (0, "ads.example.com", [Address.page]), (0, "bets.example.net", [Address.page]),
            (0, "fine.example.org", [Address.host]), (1, "ads.example.com", [Address.host]),
            (1, "bets.example.net", [Address.secondHost]),
        ])
        #expect(answers.blockPages(of: 0) == [Address.page])
        #expect(answers.blockPages(of: 1).isEmpty)
        #expect(
            answers.blockedPairs().mapValues { Set($0.map(\.name.description)) }
                == [0: ["ads.example.com", "bets.example.net"]]
        )
    }

    /// What two names of one content network look like, and other innocent cases.
    @Test(
        arguments: [
            // Nobody else was asked.
            [(0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page])],
            // Related names.
            [
                (0, "a.example.com", [Address.page]), (0, "b.Example.COM", [Address.page]),
                (1, "a.example.com", [Address.host]), (1, "b.Example.COM", [Address.secondHost]),
            ],
            // Everybody says so.
            [
                (0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page]),
                (1, "a.example.com", [Address.page]), (1, "b.example.net", [Address.page]),
            ],
            // Elsewhere they share an address too.
            [
                (0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page]),
                (1, "a.example.com", [Address.host]), (1, "b.example.net", [Address.host]),
            ],
            // The other did not answer for both.
            [
                (0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page]),
                (1, "a.example.com", [Address.host]), (1, "b.example.net", []),
            ],
            // One name alone.
            [(0, "a.example.com", [Address.page]), (1, "a.example.com", [Address.host])],
        ] as [[Row]]
    )
    func `what content networks do is no block page`(rows: [Row]) throws {
        #expect(try seen(rows).blockPages(of: 0).isEmpty)
    }

    @Test func `a private address for unrelated names needs no other resolver`() throws {
        let rows: [Row] = [
            (0, "a.example.com", [Address.home]), (0, "b.example.net", [Address.home]),
        ]
        #expect(try seen(rows).blockPages(of: 0) == [Address.home])
        #expect(try seen([rows[0]]).blockPages(of: 0).isEmpty)
    }

    @Test func `answers with a block page are left out of a recording`() throws {
        let questions = try ["ads.example.com", "bets.example.net", "fine.example.org"].map {
            Question(name: try DomainName($0), type: .a)
        }
        var recording = Recording(
            runs: [Recording.Run(id: "1", vantage: "here", timeout: .seconds(5))],
            targets: ["a", "b"].map {
                .init(label: $0, endpoint: "127.0.0.1:1", transport: "udp", series: .cached)
            },
            questions: questions
        )
        for target in 0..<2 {
            for question in 0..<3 {
                recording.samples.append(
                    Sample(
                        run: 0,
                        round: 1,
                        target: Int32(target),
                        question: Int32(question),
                        scheduled: Timestamp(nanoseconds: 0),
                        observation: Observation(
                            outcome: question == 1 && target == 0 ? .timeout : .answered
                        )
                    )
                )
            }
        }
        let count = recording.leaveOutBlockPages(
            try seen([
                (0, "ads.example.com", [Address.page]), (0, "bets.example.net", [Address.page]),
                (1, "ads.example.com", [Address.host]),
                (1, "bets.example.net", [Address.secondHost]),
            ])
        )
        #expect(count == 1)
        #expect(
            recording.samples.map(\.observation.outcome)
                == [.filtered, .timeout, .answered, .answered, .answered, .answered]
        )
    }
}
