import Analysis
import DNSWire
import Samples
import Testing

/// The earlier rounds from which a plan is computed.
struct EarlierRoundsTests {
    /// Two resolvers, six names, and twelve rounds, one every five minutes, from one place.
    private func recording(
        names: Int = 6,
        rounds: Int = 12,
        from start: Int64 = 0,
        run: String = "r",
        vantage: String = "desk"
    ) throws -> Recording {
        var fixture = try Fixture(rounds: rounds, names: names)
        fixture.add("harbour", outcome: Fixture.spread(20, 6))
        fixture.add("meadow", endpoint: "127.0.0.1:5312", outcome: Fixture.spread(12, 6))
        var recording = fixture.recording
        recording.runs[0] = Run(id: run, vantage: vantage, timeout: .seconds(5))
        for index in recording.samples.indices {
            let seconds = start + 300 * Int64(recording.samples[index].round)
            recording.samples[index].scheduled = Timestamp(nanoseconds: seconds * 1_000_000_000)
        }
        recording.markRounds()
        return recording
    }

    private func counts(_ recordings: [Recording], of candidates: Set<String>? = nil) -> [[Int]] {
        var all = Recording()
        for recording in recordings { all.merge(recording) }
        return EarlierRounds(
            of: CountedSamples(of: all),
            baseline: "harbour",
            candidates: candidates
        )
        .scopes.flatMap(\.pairs).map { $0.hours.map(\.count) }
    }

    @Test func `rounds are grouped by the hour of their measurement`() throws {
        #expect(try counts([recording(from: 1800)]) == [[6, 6]])
    }

    @Test func `rounds of different places are in different groups`() throws {
        let both = try [recording(), recording(run: "s", vantage: "office")]
        #expect(counts(both) == [[12, 12]])
        var all = both[0]
        all.merge(both[1])
        #expect(
            EarlierRounds(of: CountedSamples(of: all), baseline: "harbour").vantages == [
                "desk", "office",
            ]
        )
    }

    @Test func `rounds with different names from most rounds are excluded`() throws {
        let few = try recording(names: 3, rounds: 5, from: 7200, run: "s")
        #expect(try counts([recording(), few]) == [[12]])
        let many = try recording(names: 3, rounds: 13, from: 7200, run: "t")
        #expect(try counts([recording(), many]) == [[12, 1]])
    }

    @Test func `marked and incomplete rounds are excluded`() throws {
        var recording = try recording()
        recording.rounds[0].marks = .outage
        recording.samples.removeAll { $0.round == 1 && $0.target == 1 && $0.question == 2 }
        #expect(counts([recording]) == [[10]])
    }

    @Test func `only named resolvers are candidates, never the baseline`() throws {
        let recording = try recording()
        #expect(counts([recording], of: ["meadow"]) == [[12]])
        #expect(counts([recording], of: ["harbour"]) == [])
        #expect(counts([recording], of: ["brook"]) == [])
        let none = EarlierRounds(of: CountedSamples(of: recording), baseline: "brook")
        #expect(none.scopes.isEmpty)
    }
}
