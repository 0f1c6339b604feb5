import Measurement
import Samples
import Synchronization
import Testing

@Suite struct StepMeterTests {
    private let simulation = Simulation()
    private let wall: WallClock
    private let meter: StepMeter

    init() {
        let wall = WallClock(simulation)
        meter = StepMeter({ wall.now }, simulation)
        self.wall = wall
    }

    @Test(arguments: [Duration.seconds(3_600), .seconds(-3_600), .milliseconds(200)])
    func `a set clock is reported, and elapsed time remains correct`(step: Duration) {
        simulation.stall(.seconds(10))
        wall.set(by: step)
        simulation.stall(.seconds(14))
        #expect(meter.step == step)
        #expect(meter.now.since(meter.start) == .seconds(24))
    }

    @Test func `a slewed clock is not reported as set`() {
        simulation.stall(.seconds(1_000))
        wall.set(by: .milliseconds(500))
        #expect(meter.step == nil)
    }
}

/// A clock that can be set. Otherwise it runs like the clock of the simulation.
private final class WallClock: Sendable {
    private let simulation: Simulation
    private let ahead = Mutex(Duration.zero)

    init(_ simulation: Simulation) { self.simulation = simulation }

    var now: Timestamp {
        Timestamp(nanoseconds: 1_000_000_000)
            .advanced(by: simulation.now.offset + ahead.withLock { $0 })
    }

    func set(by step: Duration) { ahead.withLock { $0 += step } }
}
