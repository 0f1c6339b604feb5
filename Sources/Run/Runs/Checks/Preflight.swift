package import Catalogue
import DNSWire
import Failures
import Integrity
import Measurement
package import Samples
import Transports

/// Measurements before the timed queries, at their pace or slower: the network's round trips and
/// the instrument.
package struct Preflight {
    private let order: RunOrder
    /// Whether it checks for false answers.
    private let checks: Bool

    package init(_ order: RunOrder, checks: Bool) {
        self.order = order
        self.checks = checks
    }

    /// Measures before the first query. Throws if a device on the path answers instead of the
    /// resolvers, because all resolvers are then this device.
    package func before() async throws -> PreflightFindings {
        let check = checks ? try TamperCheck(order) : nil
        async let way = check?.interception()
        var findings = PreflightFindings()
        findings.machine = .current
        findings.instrument = await .measured(allowed: order.allowed)
        if order.options.measuresFloor { findings.floors = await floors() }
        findings.candidates = await check?.candidates() ?? CandidateTruth(unchecked: order)
        if let found = await way {
            throw Failure(
                .unavailable,
                "\(found.conclusion) (\(found.evidenceText)); compare from another network, or "
                    + "measure all the same with --no-check"
            )
        }
        return findings
    }

    /// The network round trips of the plan's targets, for targets with a port that accepts a
    /// connection.
    private func floors() async -> [Recording.Target: NetworkRTT] {
        let places = order.endpoints.map {
            Endpoint(transport: .tcp, address: $0.address, port: $0.port, source: $0.source)
        }
        let distinct = places.uniqued
        let pace = HandshakePace(order.plan, places: distinct.count)
        let found = await distinct.readings(every: pace.step) {
            [allowed = order.allowed] place in
            await RTTProbe(of: place, allowed: allowed).measure(gap: pace.gap)
        }
        // The round trip of the idle line says nothing about a loaded one.
        return zip(order.plan.targets, places).reduce(into: [:]) { floors, pair in
            if !pair.0.series.isLoaded { floors[pair.0] = found[pair.1] }
        }
    }
}

package struct PreflightFindings: Sendable {
    package var machine: Machine?
    package var instrument: InstrumentCheck?
    package var floors: [Recording.Target: NetworkRTT] = [:]
    package var candidates = CandidateTruth()
}

extension InstrumentCheck {
    /// Queries this machine itself, as ``InstrumentProbe`` does, and records the load of its
    /// processors during the measurement. `nil` if no response arrived.
    static func measured(
        queries: Int = 100,
        every interval: Duration = .milliseconds(1),
        within limit: Duration? = nil,
        allowed: AllowedNetworks
    ) async -> InstrumentCheck? {
        let before = Processors.times
        let reading = await InstrumentProbe().measure(
            queries: queries,
            every: interval,
            within: limit,
            allowed: allowed
        )
        var check = reading.flatMap(InstrumentCheck.init)
        check?.use = before.flatMap { Processors.times?.use(since: $0) }
        return check
    }

    private init?(_ reading: InstrumentProbe.Reading) {
        self.init(
            roundTrips: reading.roundTrips.map(\.nanoseconds),
            errors: reading.errors.map(\.nanoseconds),
            clocks: reading.clocks,
            wakeLateness: reading.wakeLateness.map(\.nanoseconds),
            sendLateness: reading.sendLateness.map(\.nanoseconds),
            clockStep: reading.clockStep?.nanoseconds
        )
    }
}
