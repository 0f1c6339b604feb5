import DNSWire
import Testing

@testable import Samples

struct BrowserLookUpsTests {
    private let recording: Recording

    init() throws {
        let names = try ["a.example", "b.example"].map { try DomainName($0) }
        let types: [RecordType] = [.a, .aaaa, .https]
        recording = Recording(
            targets: [Series.browser, .cached].map {
                .init(label: "r", endpoint: "127.0.0.1:5311", transport: "udp", series: $0)
            },
            questions: names.flatMap { name in types.map { Question(name: name, type: $0) } }
        )
    }

    private func sample(
        _ question: Int32,
        _ milliseconds: Int64?,
        negative: Bool = false,
        outcome: Outcome = .answered,
        target: Int32 = 0,
        round: Int32 = 0
    ) -> Sample {
        var observation = Observation(outcome: milliseconds == nil ? .timeout : outcome)
        observation.roundTrip = milliseconds.map { $0 * 1_000_000 }
        observation.responseCode = milliseconds == nil ? nil : .noError
        if negative { observation.add(.negative) }
        return Sample(
            round: round,
            target: target,
            question: question,
            scheduled: Timestamp(nanoseconds: 0),
            observation: observation
        )
    }

    private func lookUps(_ samples: [Sample]) -> [Sample] {
        var recording = recording
        recording.samples = samples
        return CountedSamples(of: recording).recording.samples
    }

    @Test func `the browser queries of a name become one look-up`() throws {
        let other = sample(1, 7, target: 1)
        let found = lookUps([sample(1, 14), sample(0, 12), other, sample(2, 13, negative: true)])
        try #require(found.count == 2)
        #expect(found[0].question == 0 && found[0].observation.roundTrip == 14_000_000)
        #expect(found[1] == other)
    }

    @Test func `a negative answer ends the wait for its record type`() {
        // The preferred AAAA answer arrives early, and is negative.
        #expect(
            lookUps([sample(0, 30), sample(1, 10, negative: true), sample(2, 12)])
                .map(\.observation.roundTrip) == [30_000_000]
        )
        // Without a response to AAAA, the wait ends 50 ms after the first response.
        #expect(
            lookUps([sample(0, 12), sample(1, nil), sample(2, 13)])
                .map(\.observation.roundTrip) == [62_000_000]
        )
        // SERVFAIL also counts as a response.
        #expect(
            lookUps([sample(0, 12), sample(1, 20, outcome: .failed), sample(2, 13)])
                .map(\.observation.roundTrip) == [20_000_000]
        )
    }

    @Test func `a look-up without an address is a failure`() {
        let empty = lookUps([
            sample(0, 12, negative: true), sample(1, 14, negative: true), sample(2, 13),
        ])
        #expect(empty.map(\.observation.outcome) == [.failed])
        let silent = lookUps([sample(0, nil), sample(1, 14, negative: true), sample(2, 13)])
        #expect(silent.map(\.observation.outcome) == [.timeout])
        #expect((empty + silent).allSatisfy { $0.observation.roundTrip == nil })
    }

    @Test func `without an IPv6 route, only A and HTTPS are expected`() {
        #expect(
            lookUps([sample(0, 12), sample(2, 40), sample(3, 12), sample(5, 90)])
                .map(\.observation.roundTrip) == [40_000_000, 62_000_000]
        )
    }

    @Test func `an incomplete look-up is not counted`() {
        let whole = [sample(0, 12), sample(1, 14), sample(2, 13)]
        #expect(lookUps(whole + [sample(3, 12), sample(5, 13)]).count == 1)
        #expect(lookUps(whole + [sample(3, 12), sample(4, 13)]).count == 1)
        #expect(lookUps([sample(3, 12)]).isEmpty)
    }
}
