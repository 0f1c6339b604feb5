import DNSWire
import Samples
import Testing

@testable import Integrity

struct SeenAnswersTests {
    /// An answer: the number of the resolver, the name and the addresses.
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

    @Test func `one address for unrelated names is a block page if others differ`() throws {
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

    /// Answers for two names of one content network, and other harmless cases.
    @Test(
        arguments: [
            // No other resolver was queried.
            [(0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page])],
            // The names are related.
            [
                (0, "a.example.com", [Address.page]), (0, "b.Example.COM", [Address.page]),
                (1, "a.example.com", [Address.host]), (1, "b.Example.COM", [Address.secondHost]),
            ],
            // Both resolvers return this address.
            [
                (0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page]),
                (1, "a.example.com", [Address.page]), (1, "b.example.net", [Address.page]),
            ],
            // The names also share an address at the other resolver.
            [
                (0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page]),
                (1, "a.example.com", [Address.host]), (1, "b.example.net", [Address.host]),
            ],
            // The other resolver has no address for one of the names.
            [
                (0, "a.example.com", [Address.page]), (0, "b.example.net", [Address.page]),
                (1, "a.example.com", [Address.host]), (1, "b.example.net", []),
            ],
            // There is only one name.
            [(0, "a.example.com", [Address.page]), (1, "a.example.com", [Address.host])],
        ] as [[Row]]
    )
    func `shared addresses of content networks are not a block page`(rows: [Row]) throws {
        #expect(try seen(rows).blockPages(of: 0).isEmpty)
    }

    @Test func `a private address for unrelated names needs no other resolver`() throws {
        let rows: [Row] = [
            (0, "a.example.com", [Address.home]), (0, "b.example.net", [Address.home]),
        ]
        #expect(try seen(rows).blockPages(of: 0) == [Address.home])
        #expect(try seen([rows[0]]).blockPages(of: 0).isEmpty)
    }

    @Test func `an earlier finding holds without later answers`() throws {
        let answers = try seen([
            (0, "ads.example.com", [Address.page]), (0, "bets.example.net", [Address.page]),
            (1, "ads.example.com", [Address.host]), (0, "ads.example.com", [Address.page]),
            (1, "bets.example.net", [Address.secondHost]),
        ])
        #expect(answers.count == 4)
        #expect(answers.first(4).blockPages(of: 0) == [Address.page])
        #expect(answers.first(3).count == 3)
        #expect(answers.first(3).blockPages(of: 0).isEmpty)
        #expect(answers.first(0).blockedPairs().isEmpty)
    }

    @Test func `answers with a block page are excluded from a round`() throws {
        let questions = try ["ads.example.com", "bets.example.net", "fine.example.org"].map {
            Question(name: try DomainName($0), type: .a)
        }
        var samples: [Sample] = []
        for target in 0..<2 {
            for question in 0..<3 {
                samples.append(
                    Sample(
                        round: 0,
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
        var round = Recording(rounds: [Round(number: 1)], questions: questions, samples: samples)
        let answers = try seen([
            (0, "ads.example.com", [Address.page]), (0, "bets.example.net", [Address.page]),
            (1, "ads.example.com", [Address.host]),
            (1, "bets.example.net", [Address.secondHost]),
        ])
        round.leaveOut(answers.blockedPairs())
        #expect(
            round.samples.map(\.observation.outcome)
                == [.filtered, .timeout, .answered, .answered, .answered, .answered]
        )
    }

    @Test func `known answers and rotating addresses are not reported again`() throws {
        var answers = SeenAnswers()
        let question = Question(name: try DomainName("a.example.com"), type: .a)
        var news = [[Address.page], [Address.page], [Address.page, Address.host]].map {
            answers.note($0, for: question, from: 0)
        }
        #expect(news == [true, false, true])
        for last in 0..<200 as Range<UInt8> {
            answers.note([[192, 0, 2, last]], for: question, from: 1)
        }
        news.append(answers.note([Address.host], for: question, from: 1))
        #expect(news.last == false)
    }
}
