package import Catalogue
package import Samples

/// Sends queries no faster than a pace, to one resolver and to all.
package actor CheckTurns<C: Clock & Sendable> where C.Duration == Duration {
    private let clock: C
    private let gap: Duration
    private let totalGap: Duration
    private var next: [Endpoint: C.Instant] = [:]
    private var nextOfAll: C.Instant

    package init(_ pace: Pace, on clock: C) {
        self.clock = clock
        gap = .seconds(1) / pace.rate
        totalGap = .seconds(1) / pace.totalRate
        nextOfAll = clock.now
    }

    /// Returns when `endpoint` may be asked; at once where the task was cancelled. On loopback each
    /// port is a resolver of its own, elsewhere an address.
    package func wait(for endpoint: Endpoint) async {
        var place = endpoint
        place.transport = .udp
        if !place.address.isLoopback { place.port = 0 }
        let own = max(next[place] ?? clock.now, clock.now)
        next[place] = own.advanced(by: gap)
        if own > clock.now { try? await clock.sleep(until: own, tolerance: nil) }
        let turn = max(nextOfAll, clock.now)
        nextOfAll = turn.advanced(by: totalGap)
        if turn > clock.now { try? await clock.sleep(until: turn, tolerance: nil) }
    }
}
