import Analysis
import DNSWire
import Samples
import Statistics
import Testing

@testable import Reports

/// Recordings that are read in pieces, such as recordings of several months.
struct RecordingTallyTests {
    /// Returns pieces of `length` rounds. Each piece contains only its own targets.
    private func pieces(of recording: Recording, length: Int) -> [Recording] {
        stride(from: 0, to: recording.rounds.count, by: length).map { start in
            let end = min(start + length, recording.rounds.count)
            var piece = recording
            piece.rounds = Array(recording.rounds[start..<end])
            piece.samples = recording.samples.filter { (start..<end).contains(Int($0.round)) }
            for index in piece.samples.indices { piece.samples[index].round -= Int32(start) }
            // A store returns only the targets of the samples that it has read.
            let targets = Set(piece.samples.map(\.target)).sorted()
            piece.targets = targets.map { recording.targets[Int($0)] }
            for index in piece.samples.indices {
                let place = targets.firstIndex(of: piece.samples[index].target) ?? 0
                piece.samples[index].target = Int32(place)
            }
            return piece
        }
    }

    private func report(_ tally: RecordingTally, unit: ComparisonRules.Unit) -> ComparisonReport {
        ComparisonReport(
            ofRecorded: tally,
            against: WindowBaseline("harbour", rules: ComparisonRules(unit: unit)),
            toolVersion: "1.0.0"
        )
    }

    private func recording(every seconds: Int64, rounds: Int) throws -> Recording {
        var fixture = try Fixture(rounds: rounds, names: 4)
        fixture.add("harbour", outcome: Fixture.spread(20, 3))
        fixture.add("meadow", endpoint: "127.0.0.1:5312", outcome: Fixture.spread(12, 4))
        fixture.add("brook", endpoint: "127.0.0.1:5313") { number in
            number % 9 == 0 ? .none(.timeout) : .answer(14 + Double(number % 5))
        }
        fixture.add("harbour", series: .uncached, outcome: Fixture.spread(45, 9))
        var recording = fixture.recording
        for index in recording.samples.indices {
            let round = Int64(recording.samples[index].round)
            let moment = fixture.context.started.advanced(by: .seconds(round * seconds))
            recording.samples[index].scheduled = moment
            recording.samples[index].observation.sent = moment
            // Round 5 is no evidence, round 7 does not query meadow, and one resolver has no samples.
            if round == 5 { recording.samples[index].observation.add(.noEvidence) }
        }
        recording.samples.removeAll { $0.round == 7 && $0.target == 1 }
        recording.targets.append(
            .init(label: "idle", endpoint: "127.0.0.1:5399", transport: "udp", series: .cached)
        )
        recording.markRounds()
        recording.sortBySending()
        return recording
    }

    @Test(arguments: [ComparisonRules.Unit.round, .hour])
    func `a recording in pieces has the report of the whole`(unit: ComparisonRules.Unit) throws {
        let recording = try recording(every: unit == .round ? 10 : 1200, rounds: 200)
        let whole = report(RecordingTally(of: recording), unit: unit)
        var tally = RecordingTally()
        for piece in pieces(of: recording, length: 7) { tally.add(piece) }
        tally.conclude()
        let inPieces = report(tally, unit: unit)
        #expect(JSONFormat().render(inPieces) == JSONFormat().render(whole))
        #expect(HTMLFormat().render(inPieces) == HTMLFormat().render(whole))
        #expect(!whole.recording.targets.contains { $0.label == "idle" })
        #expect(whole.recording.samples.isEmpty && whole.rounds == 200)
    }

    @Test func `rounds of both series are joined by resolver`() {
        func target(_ label: String, _ series: Series) -> Recording.Target {
            Recording.Target(
                label: label,
                endpoint: "\(label):53",
                transport: "udp",
                series: series
            )
        }
        var recording = Recording(
            runs: [Run(id: "r1", vantage: "desk", timeout: .seconds(5))],
            rounds: (1...3).map { Round(number: $0) },
            targets: [target("a", .cached), target("b", .uncached), target("a", .uncached)]
        )
        func add(_ observation: Observation, _ round: Int32, _ target: Int32) {
            recording.samples.append(
                Sample(
                    round: round,
                    target: target,
                    question: 0,
                    scheduled: Timestamp(nanoseconds: 0),
                    observation: observation
                )
            )
        }
        for (round, index, ms) in [(0, 0, 5.0), (0, 2, 25), (0, 1, 9), (1, 0, 6), (2, 2, 30)] {
            add(.answer(ms), Int32(round), Int32(index))
        }
        add(.none(.timeout), 0, 2)
        let queries = RoundQueries(of: recording)
        func rounds(of target: Int) -> [(cached: [Double], uncached: [Double])] {
            queries.seriesRounds(of: target, among: recording.targets)
        }
        #expect(rounds(of: 2).map(\.uncached) == rounds(of: 0).map(\.uncached))
        #expect(rounds(of: 2).map(\.cached) == [[5]])
        #expect(rounds(of: 2).map(\.uncached) == [[25, .infinity]])
        #expect(rounds(of: 1).isEmpty && rounds(of: 9).isEmpty)
    }

    @Test func `names are grouped without regard to case`() throws {
        var tally = WindowTally(by: .name, clock: HistoryFixture.berlin)
        for spelling in ["example.com", "Example.COM"] {
            var recording = try HistoryFixture.week()
            recording.questions[0].name = try DomainName(spelling)
            tally.add(whole: recording)
        }
        let groups = Set(tally.figures.keys.map(\.group))
        #expect(groups == [.text("example.com"), .text("example.net")])
    }
}
