import DNSWire
import Fixtures
import Samples
import Statistics
import Store
import Testing

/// First queries in a store. Hourly sums and samples contain the same time, from the opening of the
/// connection to the first answer.
struct FirstSeriesTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    /// Returns a simulation whose last target receives first queries.
    private func simulation() throws -> Simulation {
        var simulation = try Simulation()
        simulation.targets[2].transport = "tls"
        simulation.targets[2].series = .first
        return simulation
    }

    /// Adds connection times of 1 and 2 ms to the samples of first queries.
    private func opening(_ round: Recording) -> Recording {
        var round = round
        for index in round.samples.indices where round.samples[index].target == 2 {
            round.samples[index].observation.extras = .init(
                connect: 1_000_000,
                handshake: 2_000_000,
                connection: ConnectionUse.allCases[
                    (index + Int(round.rounds[0].number)) % ConnectionUse.allCases.count
                ]
            )
        }
        return round
    }

    @Test func `hourly sums of first queries equal their samples`() throws {
        var simulation = try simulation()
        let store = try Store(path: path)
        for number in 1...30 {
            // The round is stored in two pieces, as in an import. The second piece begins where the first
            // piece ends.
            let round = opening(simulation.round(number))
            for part in [round.samples.prefix(5), round.samples.dropFirst(5)] {
                var piece = round
                piece.samples = Array(part)
                try simulation.append(piece, to: store)
            }
        }
        let samples = try store.recording().samples.filter { $0.target == 2 }
        #expect(Set(samples.map { $0.observation.extras?.connection }).count == 4)
        let answers = samples.map(\.observation).filter { $0.outcome == .answered }
        let sum = answers.reduce(0) { $0 + Double($1.roundTrip ?? 0) * 1e-6 + 3 }
        let rollups = try store.rollups().filter { $0.target.series == .first }
        #expect(rollups.reduce(0) { $0 + $1.latency.answered } == answers.count)
        #expect(abs(rollups.reduce(0) { $0 + $1.latency.sum } - sum) < 1e-6 * sum)
        // The check adds up the samples again.
        #expect(try store.check().findings == [])
    }

    /// Returns a round with known times. Rounds are twelve minutes apart. One of three queries of target 1
    /// opens its connection again. The times of target 2 have known parts.
    private func known(_ number: Int) throws -> Recording {
        var simulation = try Simulation()
        let start = Simulation.start.advanced(by: .seconds(720 * number))
        var round = simulation.round(number, at: start)
        for index in round.samples.indices {
            var observation = Observation(outcome: .answered, clock: .kernel)
            observation.sent = round.samples[index].scheduled
            observation.roundTrip = 10_000_000
            let opens = round.samples[index].question == 0
            switch round.samples[index].target {
            case 1:
                observation.extras = .init(
                    connect: opens ? 12_000_000 : nil,
                    handshake: opens ? 30_000_000 : nil,
                    connection: opens ? .new : .reused,
                    flags: opens ? .unverified : []
                )
            case 2:
                observation.extras = .init(
                    connect: 11_000_000,
                    handshake: 20_000_000 + Int64(number % 3) * 1_000_000,
                    connection: number % 2 == 0 ? .new : .resumed
                )
            // The sums of connections do not include unencrypted connections.
            default: observation.extras = .init(connect: 9_000_000, connection: .new)
            }
            round.samples[index].observation = observation
        }
        return round
    }

    private func fill(_ store: Store, _ numbers: Range<Int>) throws {
        var simulation = try simulation()
        simulation.targets[1].transport = "tls"
        simulation.targets[1].series = .cached
        simulation.targets[0].transport = "tcp"
        for number in numbers {
            try simulation.append(try known(number), to: store)
        }
    }

    private func connections(_ store: Store, of series: Series) throws -> ConnectionSums {
        try store.rollups().filter { $0.target.transport == "tls" && $0.target.series == series }
            .reduce(into: ConnectionSums()) { $0.merge($1.connections) }
    }

    private func median(_ tally: ConnectionSums, _ part: ConnectionSums.Part) throws -> Double {
        try #require(tally.times(of: part).quantile(0.5))
    }

    @Test func `hourly sums keep connection times after the samples were pruned`() throws {
        let store = try Store(path: path)
        try fill(store, 0..<30)
        for pruned in [false, true] {
            let first = try connections(store, of: .first)
            #expect(
                first.uses == [ConnectionUse.new.rawValue: 45, ConnectionUse.resumed.rawValue: 45]
            )
            #expect(first.times(of: .whole).count == 90)
            for (part, time) in zip(ConnectionSums.Part.allCases, [11.0, 21, 10, 42]) {
                #expect(abs(try median(first, part) / time - 1) <= 0.0101)
            }
            let kept = try connections(store, of: .cached)
            #expect(
                kept.uses == [ConnectionUse.new.rawValue: 30, ConnectionUse.reused.rawValue: 60]
            )
            #expect(kept.unverified == 30 && kept.times(of: .query).count == 30)
            #expect(abs(try median(kept, .whole) / 52 - 1) <= 0.0101)
            let plain = try store.rollups().filter { $0.target.transport == "tcp" }
            #expect(!plain.isEmpty && plain.allSatisfy { $0.connections.isEmpty })
            #expect(try store.check().findings == [])
            guard !pruned else { break }
            let end = Simulation.start.advanced(by: .seconds(86_400))
            #expect(try store.prune(olderThan: end) > 0)
        }
    }

    @Test(arguments: [false, true])
    func `a merge copies connection sums`(isPruned: Bool) throws {
        let other = try Store(path: folder.file("other.sqlite"))
        try fill(other, 0..<20)
        if isPruned {
            _ = try other.prune(olderThan: Simulation.start.advanced(by: .seconds(86_400)))
        }
        let store = try Store(path: path)
        try fill(store, 20..<30)
        _ = try store.merge(from: other)
        #expect(try store.check().findings == [])
        let whole = try Store(path: folder.file("whole.sqlite"))
        try fill(whole, 0..<30)
        for series in [Series.first, .cached] {
            #expect(try connections(store, of: series) == connections(whole, of: series))
        }
        // In a group of stores, a round that both stores have counts once.
        let both = try StoreGroup([whole, other]).history(
            .init(since: nil, until: Simulation.start.advanced(by: .seconds(20 * 86_400)))
        )
        let answers =
            both.rollups.reduce(0) { $0 + $1.latency.answered } + both.recording.samples.count
        #expect(answers == 270)
    }
}
