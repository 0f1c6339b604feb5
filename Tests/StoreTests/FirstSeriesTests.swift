import Measurement
import Statistics
import Store
import Testing

/// First queries in a store: hourly sums and samples tell the same time, that to the first answer.
struct FirstSeriesTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder("store.sqlite")
    }

    /// A simulation whose last target is asked first queries, on connections of 1 and 2 ms.
    private func simulation() throws -> Simulation {
        var simulation = try Simulation()
        simulation.targets[2].transport = "tls"
        simulation.targets[2].series = .first
        return simulation
    }

    private func opening(_ round: MeasuredRound) -> MeasuredRound {
        var round = round
        for index in round.samples.indices where round.samples[index].target == 2 {
            round.samples[index].observation.extras = .init(
                connect: 1_000_000,
                handshake: 2_000_000,
                connection: ConnectionUse.allCases[
                    (index + round.number) % ConnectionUse.allCases.count
                ]
            )
        }
        return round
    }

    @Test func `hourly sums are of the first answer, as the samples are`() throws {
        var simulation = try simulation()
        let store = try Store(path: path)
        for number in 1...30 {
            // In two pieces, as an import may bring them: the second begins where the first ended.
            let round = opening(simulation.round(number))
            for part in [round.samples.prefix(5), round.samples.dropFirst(5)] {
                var piece = round
                piece.samples = Array(part)
                try store.append(
                    piece,
                    of: simulation.run("r"),
                    targets: simulation.targets,
                    questions: simulation.questions
                )
            }
        }
        let samples = try store.recording().samples.filter { $0.target == 2 }
        #expect(Set(samples.map { $0.observation.extras?.connection }).count == 4)
        let answers = samples.map(\.observation).filter { $0.outcome == .answered }
        let sum = answers.reduce(0) { $0 + Double($1.roundTrip ?? 0) * 1e-6 + 3 }
        let rollups = try store.rollups().filter { $0.target.series == .first }
        #expect(rollups.reduce(0) { $0 + $1.latency.answered } == answers.count)
        #expect(abs(rollups.reduce(0) { $0 + $1.latency.sum } - sum) < 1e-6 * sum)
        // The check adds the samples up again.
        #expect(try store.check().findings == [])
    }
}
