import Catalogue
import DNSWire
import Failures
import Integrity
import Measurement
import Reports
import Samples
import Transports

/// Measurements before the timed queries and at no faster pace: the network's own round trips and the
/// instrument.
struct Preflight {
    private let settings: Settings
    private let wanted: PreflightOptions

    init(_ settings: Settings, _ wanted: PreflightOptions) {
        self.settings = settings
        self.wanted = wanted
    }

    /// Measures what is to be known before the first query. Throws where somebody on the way answers
    /// in the place of others: behind them all resolvers are one.
    func before() async throws -> PreflightFindings {
        let check = wanted.checking.check ? try TamperCheck(settings) : nil
        async let way = check?.interception()
        var findings = PreflightFindings()
        findings.machine = .current
        findings.instrument = await .measured(allowed: settings.allowed)
        if settings.options.measuresFloor { findings.floors = await floors() }
        findings.candidates = await check?.candidates() ?? CandidateTruth(unchecked: settings)
        if let found = await way {
            throw Failure(
                .unavailable,
                "\(found.conclusion) (\(found.evidenceText)); compare from another network, or "
                    + "measure all the same with --no-check"
            )
        }
        return findings
    }

    /// The floors of the plan's targets of which a port accepts a connection.
    private func floors() async -> [Recording.Target: NetworkRTT] {
        let places = settings.endpoints.map {
            Endpoint(transport: .tcp, address: $0.address, port: $0.port, source: $0.source)
        }
        let distinct = places.uniqued
        let pace = HandshakePace(settings.plan, places: distinct.count)
        let found = await distinct.readings(every: pace.step) {
            [allowed = settings.allowed] place in
            await RTTProbe(of: place, allowed: allowed).measure(gap: pace.gap)
        }
        return zip(settings.plan.targets, places).reduce(into: [:]) { floors, pair in
            floors[pair.0] = found[pair.1]
        }
    }
}

struct PreflightFindings {
    var machine: Machine?
    var instrument: InstrumentCheck?
    var floors: [Recording.Target: NetworkRTT] = [:]
    var candidates = CandidateTruth()
}

extension InstrumentCheck {
    /// Queries this machine itself, as ``InstrumentProbe`` does, and looks what its processors did
    /// meanwhile; `nil` where nothing came back.
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
