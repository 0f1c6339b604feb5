import Samples
import Testing

struct RoundMarksTests {
    private func marks(_ round: [(endpoint: String, outcome: Outcome)]) -> RoundMarks {
        let targets = round.enumerated().map { index, query in
            Recording.Target(
                label: "r\(index)",
                endpoint: query.endpoint,
                transport: "udp",
                series: .cached
            )
        }
        let samples = round.enumerated().map { index, query in
            Sample(
                round: 0,
                target: Int32(index),
                question: 0,
                scheduled: Timestamp(nanoseconds: 0),
                observation: Observation(outcome: query.outcome)
            )
        }
        return RoundMarks.of(samples, targets: targets)
    }

    private func silent(_ endpoints: [String]) -> RoundMarks {
        marks(endpoints.map { ($0, .timeout) })
    }

    @Test(arguments: [
        ["192.0.2.1:53", "192.0.2.2:53", "198.51.100.1:53"],
        ["192.0.2.1:53", "[2001:db8::1]:53", "[2001:db8::2]:853"],
        ["[2001:db8:1::1]:53", "[2001:db8:2::1]:53", "[2001:db8:1::2]:53"],
    ])
    func `three silent resolvers in two networks are an outage`(endpoints: [String]) {
        #expect(silent(endpoints) == .outage)
    }

    @Test(arguments: [
        // Two resolvers are too few.
        ["192.0.2.1:53", "198.51.100.1:53"],
        // All resolvers are in one network.
        ["192.0.2.1:53", "192.0.2.2:53", "192.0.2.254:53"],
        ["[2001:db8:1::1]:53", "[2001:db8:1:2::1]:53", "[2001:db8:1:3::1]:53"],
        // A resolver over two transports, under two labels or with two spellings of its address counts once.
        ["192.0.2.1:53", "192.0.2.1:853", "198.51.100.1:53", "198.51.100.1:53"],
        ["192.0.2.1:53", "[::ffff:192.0.2.1]:53", "198.51.100.1:53"],
        [],
    ])
    func `fewer resolvers or one network are not an outage`(endpoints: [String]) {
        #expect(silent(endpoints) == [])
    }

    @Test(arguments: [Outcome.answered, .failed, .unreachable, .malformed, .filtered])
    func `one resolver that was not silent excludes an outage`(outcome: Outcome) {
        let silent: [(String, Outcome)] = [
            ("192.0.2.1:53", .timeout), ("198.51.100.1:53", .timeout), ("203.0.113.1:53", .timeout),
        ]
        #expect(marks(silent) == .outage)
        #expect(marks(silent + [("192.0.2.9:53", outcome)]) == [])
        #expect(marks([("192.0.2.9:53", outcome)] + silent) == [])
    }

    @Test(arguments: [Outcome.failed, .unreachable, .malformed, .filtered])
    func `a failing local resolver is not evidence about the network`(outcome: Outcome) {
        let silent: [(String, Outcome)] = [
            ("192.0.2.1:53", .timeout), ("198.51.100.1:53", .timeout), ("203.0.113.1:53", .timeout),
        ]
        for local in ["127.0.0.53:53", "[::1]:53", "lab:harbour"] {
            #expect(marks([(local, outcome)] + silent) == .outage)
            #expect(marks(silent + [(local, .answered)]) == [])
            // A local resolver counts as one of the three silent resolvers only if it is silent.
            #expect(marks([(local, outcome)] + silent.dropLast()) == [])
            #expect(marks([(local, .timeout)] + silent.dropLast()) == .outage)
        }
    }

    @Test func `with local resolvers only, one failure excludes an outage`() {
        let silent: [(String, Outcome)] = [
            ("127.0.1.1:53", .timeout), ("127.0.2.1:53", .timeout), ("127.0.3.1:53", .timeout),
        ]
        #expect(marks(silent) == .outage)
        #expect(marks(silent + [("127.0.4.1:53", .failed)]) == [])
        #expect(marks([("127.0.1.1:53", .offline), ("127.0.2.1:53", .timeout)]) == .offline)
    }

    @Test func `an offline round with a queried local resolver is not counted`() {
        let unsent: [(String, Outcome)] = [
            ("192.0.2.1:53", .offline), ("203.0.113.1:53", .blocked),
        ]
        #expect(marks(unsent + [("127.0.0.53:53", .failed)]) == [.offline, .outage])
        #expect(marks(unsent + [("127.0.0.53:53", .timeout)]) == [.offline, .outage])
        #expect(marks(unsent + [("127.0.0.53:53", .answered)]) == [])
        #expect(marks(unsent + [("198.51.100.1:53", .failed)]) == [])
    }

    @Test func `an unsent query is neither silence nor an answer`() {
        let silent: [(String, Outcome)] = [
            ("192.0.2.1:53", .timeout), ("198.51.100.1:53", .timeout),
        ]
        #expect(marks(silent + [("203.0.113.1:53", .blocked)]) == [])
        #expect(
            marks(silent + [("203.0.113.1:53", .blocked), ("203.0.113.2:53", .timeout)]) == .outage
        )
    }

    @Test func `a round in which no query could be sent is offline`() {
        #expect(marks([("192.0.2.1:53", .offline), ("198.51.100.1:53", .offline)]) == .offline)
        #expect(marks([("192.0.2.1:53", .blocked), ("198.51.100.1:53", .offline)]) == .offline)
        #expect(marks([("192.0.2.1:53", .blocked)]) == [])
    }

    @Test func `a sample of a missing target changes nothing`() {
        let sample = Sample(
            round: 0,
            target: 7,
            question: 0,
            scheduled: Timestamp(nanoseconds: 0),
            observation: Observation(outcome: .timeout)
        )
        #expect(RoundMarks.of([sample, sample, sample], targets: []) == [])
    }

    @Test func `a round during which the machine slept is marked`() {
        var sample = Sample(
            round: 0,
            target: 0,
            question: 0,
            scheduled: Timestamp(nanoseconds: 0),
            observation: Observation(outcome: .answered)
        )
        sample.observation.extras = .init(detail: Detail("no evidence; the machine slept"))
        #expect(RoundMarks.of([sample], targets: []) == [])
        sample.observation.extras = .init(flags: [.noEvidence, .slept])
        #expect(RoundMarks.of([sample], targets: []) == .suspended)
        sample.observation.outcome = .offline
        #expect(RoundMarks.of([sample], targets: []) == [.offline, .suspended])
    }
}
