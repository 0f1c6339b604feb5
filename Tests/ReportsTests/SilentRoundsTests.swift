import Analysis
import Samples
import Statistics
import Testing

@testable import Reports

/// Outages of one resolver, from rounds every half hour.
struct SilentRoundsTests {
    private static let rounds = 0..<480

    /// Returns ten days in which harbour does not answer the queries for which `isLost` returns true.
    private static func recording(
        _ isLost: @escaping (HistoryFixture.Query) -> Bool
    ) throws -> Recording {
        try HistoryFixture().recording(rounds: rounds) { query in
            query.resolver == 1 && isLost(query) ? .none(.timeout) : .answer(10 + query.noise)
        }
    }

    /// Returns the outages of `recording`, with the samples of the rounds for which `hasSamples` returns true.
    private static func outages(
        _ recording: Recording,
        fromSums: Bool = false,
        where hasSamples: (Sample) -> Bool = { _ in true }
    ) -> [OutageFinding] {
        var hours = HistoryHours(clock: .utc)
        hours.provenance.log.add(recording)
        if fromSums {
            for sum in HistoryFixture.sums(of: recording) { hours.add(sum) }
        } else {
            hours.add(recording)
        }
        let context = HistoryFixture.context(rounds: rounds, clock: .utc)
        var silent = SilentRounds()
        for span in hours.silentHours(in: context.window) {
            var part = recording
            part.samples.removeAll { !span.contains($0.moment) || !hasSamples($0) }
            silent.add(CountedSamples(of: part))
        }
        return ChangesReport(of: hours, silent: silent, context: context).changes.outages
    }

    private static func moment(_ round: Int) -> Timestamp { HistoryFixture.moment(round: round) }

    @Test(arguments: [false, true])
    func `an outage has the times of its rounds, also beside hourly sums`(fromSums: Bool) throws {
        // No hour lacks all answers: an hour begins with an even round.
        let short = Self.outages(
            try Self.recording { [201, 202].contains($0.round) },
            fromSums: fromSums
        )
        #expect(short.map(\.name) == ["harbour"])
        #expect(short.first?.start == Self.moment(201) && short.first?.end == Self.moment(203))
        let long = Self.outages(
            try Self.recording { (201..<230).contains($0.round) },
            fromSums: fromSums
        )
        #expect(long.count == 1)
        #expect(long.first?.start == Self.moment(201) && long.first?.end == Self.moment(230))
    }

    @Test func `hours have the outage's times where samples are pruned`() throws {
        let recording = try Self.recording { (201..<205).contains($0.round) }
        for isPart in [false, true] {
            // A part of an hour's samples shows nothing of the hour.
            let found = Self.outages(recording, fromSums: true) { isPart && $0.round % 2 == 1 }
            #expect(found.count == 1)
            #expect(found.first?.start == Self.moment(202) && found.first?.end == Self.moment(204))
        }
    }

    @Test func `one round without an answer, and rounds with some answers, are no outage`() throws {
        #expect(Self.outages(try Self.recording { $0.round == 201 }).isEmpty)
        let partly = try Self.recording { (201..<205).contains($0.round) && $0.name == 0 }
        #expect(Self.outages(partly).isEmpty)
        let apart = try Self.recording { [201, 203].contains($0.round) }
        #expect(Self.outages(apart).isEmpty)
    }

    @Test func `the last rounds of a history are an outage that lasts`() throws {
        let found = Self.outages(try Self.recording { $0.round >= 477 })
        #expect(found.count == 1)
        #expect(found.first?.start == Self.moment(477) && found.first?.end == nil)
    }

    @Test func `all resolvers without an answer are an outage of the line`() throws {
        let two = try HistoryFixture().recording(rounds: Self.rounds) { query in
            guard query.resolver < 2 else { return nil }
            return [201, 202].contains(query.round) ? .none(.timeout) : .answer(10 + query.noise)
        }
        let found = Self.outages(two)
        #expect(found.count == 1 && found.first?.subject == nil)
        #expect(found.first?.start == Self.moment(201) && found.first?.end == Self.moment(203))
    }

    @Test func `few hours are read, and none for lost queries`() throws {
        func hours(_ isLost: @escaping (HistoryFixture.Query) -> Bool) throws -> [Range<Timestamp>]
        {
            let recording = try Self.recording(isLost)
            let window = HistoryFixture.context(rounds: Self.rounds, clock: .utc).window
            return HistoryHours(whole: recording, clock: .utc).silentHours(in: window)
        }
        #expect(try hours { $0.round % 5 == 0 && $0.name == 1 }.isEmpty)
        #expect(try hours { $0.round % 40 == 0 }.isEmpty)
        let long = try hours { (201..<401).contains($0.round) }
        let length = long.reduce(0) { $0 + $1.upperBound.since($1.lowerBound).components.seconds }
        #expect(long.count == 2 && length <= 10 * 3600)
        let many = try hours { $0.round % 4 > 1 }
        let all = many.reduce(0) { $0 + $1.upperBound.since($1.lowerBound).components.seconds }
        #expect((190 * 3600...200 * 3600).contains(all))
    }
}
