import Analysis
import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

/// The rounds with an answer from each resolver.
struct AvailabilityReportTests {
    private static let week = 336..<672

    private static func report(
        _ recording: Recording,
        by grouping: WindowGrouping = .resolver,
        fromSums: Bool = false,
        rounds: Range<Int> = week
    ) -> WindowReport {
        var tally = WindowTally(by: grouping, clock: .utc)
        tally.provenance.log.add(recording)
        if fromSums {
            for sum in HistoryFixture.sums(of: recording) { tally.add(sum) }
        } else {
            tally.add(recording)
        }
        return WindowReport(
            of: tally,
            context: HistoryFixture.context(rounds: rounds, clock: .utc)
        )
    }

    private static func told(_ report: WindowReport) -> [String: Availability?] {
        Dictionary(
            report.rows.map { ("\($0.group.title) \($0.figures.name)", $0.figures.availability) }
        ) { first, _ in first }
    }

    @Test(arguments: WindowGrouping.allCases)
    func `samples and hourly sums give the same availability`(grouping: WindowGrouping) throws {
        let recording = try HistoryFixture.week()
        let exact = Self.told(Self.report(recording, by: grouping))
        if grouping.hasWholeRounds {
            #expect(exact == Self.told(Self.report(recording, by: grouping, fromSums: true)))
            #expect(exact.values.contains { ($0?.dead ?? 0) > 0 })
        } else {
            #expect(!exact.isEmpty && exact.values.allSatisfy { $0 == nil })
            let summed = Self.told(Self.report(recording, by: grouping, fromSums: true))
            #expect(summed.values.allSatisfy { $0 == nil })
        }
    }

    @Test(arguments: [
        (rounds: 3, dead: 0, text: "100 %"), (3400, 31, "99.09 %"), (5000, 1, "99.98 %"),
        (100_000, 1, "99.999 %"), (2, 1, "50.0 %"), (1, 1, "0 %"), (1000, 999, "0.1 %"),
        (10_000, 4, "99.96 %"), (Int(UInt32.max), 1, "99.999999977 %"),
    ])
    func `a share with a lost round is never 100 percent`(rounds: Int, dead: Int, text: String) {
        #expect(Availability(rounds: rounds, dead: dead).percent == text)
    }

    @Test func `two resolvers have an availability each, and the line has none`() throws {
        var fixture = HistoryFixture()
        fixture.labels = ["meadow", "harbour"]
        func report(_ lost: @escaping (HistoryFixture.Query) -> Bool) throws -> WindowReport {
            Self.report(
                try fixture.recording(rounds: 0..<96) {
                    lost($0) ? .none(.timeout) : .answer(10 + $0.noise)
                },
                rounds: 0..<96
            )
        }
        let lossy = try report { $0.resolver == 1 && $0.round % 48 < 2 }
        #expect(lossy.availability == nil)
        let sentence = "Availability: harbour 95.8 % (4 of 96 rounds without an answer)."
        #expect(lossy.availabilitySentences == [sentence])
        // A round with an answer to one of its queries is no loss.
        let partly = try report { $0.resolver == 1 && $0.name == 0 }
        #expect(partly.availabilitySentences == [])
        #expect(partly.rows.map(\.figures.availability) == [.init(rounds: 96), .init(rounds: 96)])
    }

    @Test func `a window below a day has no sentence, but figures`() throws {
        let report = Self.report(
            try HistoryFixture().recording(rounds: 0..<40) {
                $0.resolver == 1 && $0.round == 7 ? .none(.timeout) : .answer(10 + $0.noise)
            },
            rounds: 0..<40
        )
        #expect(report.availabilitySentences == [])
        let rounds = report.rows.first { $0.figures.name == "harbour" }?.figures.availability
        #expect(rounds == Availability(rounds: 40, dead: 1))
    }

    @Test func `rounds that overlap count once each`() throws {
        var recording = try HistoryFixture().recording(rounds: 0..<8) {
            $0.name == 0 || $0.round == 3 && $0.resolver > 0
                ? .none(.timeout) : .answer(10 + $0.noise)
        }
        // The second name of each round follows the first name of all rounds.
        recording.samples =
            recording.samples.filter { $0.question == 0 }
            + recording.samples.filter { $0.question == 1 }
        let rows = Self.report(recording, rounds: 0..<8).rows
        let dead = Dictionary(rows.map { ($0.figures.name, $0.figures.availability) }) { $1 }
        #expect(dead["meadow"] == .some(.init(rounds: 8)))
        #expect(dead["harbour"] == .some(.init(rounds: 8, dead: 1)))
    }

    @Test func `queries that were not sent count in no round, and filtered answers are answers`()
        throws
    {
        let rows = Self.report(
            try HistoryFixture().recording(rounds: 0..<8) { query in
                switch query.resolver {
                case 0: .none(query.round < 2 ? .blocked : .filtered)
                case 1: .failure(.servFail)
                default: .answer(10)
                }
            },
            rounds: 0..<8
        ).rows
        let found = Dictionary(rows.map { ($0.figures.name, $0.figures.availability) }) { $1 }
        #expect(found["meadow"] == .some(.init(rounds: 6)))
        #expect(found["harbour"] == .some(.init(rounds: 8, dead: 8)))
        #expect(found["brook"] == .some(.init(rounds: 8)))
    }

    @Test func `a report on changes has the availability of its window`() throws {
        let recording = try HistoryFixture().recording(rounds: 0..<672) {
            $0.resolver == 2 && $0.round % 100 == 7 ? .none(.timeout) : .answer(10 + $0.noise)
        }
        let report = ChangesReport(
            of: HistoryHours(whole: recording, clock: .utc),
            context: HistoryFixture.context(rounds: Self.week, clock: .utc)
        )
        let found = Dictionary(
            report.resolverAvailabilities.map { ($0.name, $0.rounds) }
        ) { first, _ in first }
        #expect(found["brook"] == Availability(rounds: 336, dead: 3))
        #expect(found["meadow"] == Availability(rounds: 336, dead: 0))
        let text = report.document.sections[0].details
        let sentence = "By resolver: brook 99.11 % (3 of 336 rounds without an answer)."
        #expect(text.contains(sentence), "\(text)")
    }
}
