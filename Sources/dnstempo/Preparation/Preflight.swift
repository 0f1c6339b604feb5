import Catalogue
import DNSWire
import Integrity
import Measurement
import Reports
import Samples
import Synchronization
import Transports

/// Measurements beside the timed queries and at no faster pace: the network's own round trips, the
/// instrument, and how far the answers lead.
struct Preflight {
    /// The addresses for ``distances()``; `nil` where these are not asked for.
    let answers: AnsweredAddresses?
    private let settings: Settings
    private let wanted: PreflightOptions

    init(_ settings: Settings, _ wanted: PreflightOptions) {
        self.settings = settings
        self.wanted = wanted
        answers = wanted.connect ? AnsweredAddresses() : nil
    }

    /// Measures what is to be known before the first query. Throws where somebody on the way answers
    /// in the place of others: behind them all resolvers are one.
    func before() async throws -> PreflightFindings {
        let check = wanted.checking.check ? try TamperCheck(settings) : nil
        async let way = check?.interception()
        var findings = PreflightFindings()
        let reading = await InstrumentProbe().measure(allowed: settings.allowed)
        findings.instrument = reading.flatMap(InstrumentCheck.init)
        if wanted.floor { findings.floors = await floors() }
        findings.candidates = await check?.candidates() ?? CandidateTruth(unchecked: settings)
        if let found = await way {
            throw Failure(
                .noResolver,
                "\(found.conclusion) (\(found.evidenceText)); compare from another network, or "
                    + "measure all the same with --no-check"
            )
        }
        return findings
    }

    /// The floors of the plan's targets of which a port accepts a connection.
    private func floors() async -> [Recording.Target: NetworkRTT] {
        let places = settings.endpoints.map {
            Endpoint(transport: .tcp, address: $0.address, port: $0.port)
        }
        let distinct = places.uniqued
        let plan = settings.plan
        // Each gets at most its rate, and all together theirs.
        let gap = max(.seconds(1 / plan.totalRate) * distinct.count, .seconds(1 / plan.rate))
        let found = await paced(distinct) { [allowed = settings.allowed] place in
            await RTTProbe(of: place, allowed: allowed).measure(gap: gap)
        }
        return zip(plan.targets, places).reduce(into: [:]) { floors, pair in
            floors[pair.0] = found[pair.1]
        }
    }

    /// Measures each of `places` once, as far apart as all of them may be asked.
    private func paced<Place: Hashable & Sendable, Reading: Sendable>(
        _ places: [Place],
        _ measure: @escaping @Sendable @EventLoopActor (Place) async -> Reading?
    ) async -> [Place: Reading] {
        let step = Duration.seconds(1 / settings.plan.totalRate)
        let clock = EventLoopClock()
        let start = clock.now
        let probes = places.enumerated().map { number, place in
            Task { @EventLoopActor in
                try? await clock.sleep(until: start.advanced(by: step * number), tolerance: nil)
                return await measure(place)
            }
        }
        var readings: [Place: Reading] = [:]
        for (place, probe) in zip(places, probes) { readings[place] = await probe.value }
        return readings
    }

    /// How far the answered addresses are, each connected to once; `nil` where it is not asked for.
    func distances() async throws -> AnswerDistances? {
        guard let answers else { return nil }
        let port = wanted.connectPort ?? 443
        // Answers of the lab are made up: who has such an address is nobody's business.
        let reachable =
            settings.lab == nil ? settings.allowed : settings.allowed.narrowed(to: try .loopback)
        let entries = answers.entries
        let reached = await paced(entries.map(\.address).uniqued) { address in
            await TCPHandshake(with: address, port: port, allowed: reachable)
                .measure(timeout: .seconds(2))
        }
        let readings = entries.compactMap { entry in
            reached[entry.address].map {
                AnswerDistance(
                    target: entry.place.target,
                    question: entry.place.question,
                    address: "\(entry.address)",
                    reach: $0
                )
            }
        }
        return AnswerDistances(port: port, readings: readings)
    }
}

struct PreflightFindings {
    var instrument: InstrumentCheck?
    var floors: [Recording.Target: NetworkRTT] = [:]
    var candidates = CandidateTruth()
}

extension InstrumentCheck {
    init?(_ reading: InstrumentProbe.Reading) {
        self.init(
            roundTrips: reading.roundTrips.map(\.nanoseconds),
            clock: reading.clock,
            wakeLateness: reading.wakeLateness.map(\.nanoseconds),
            clockStep: reading.clockStep?.nanoseconds
        )
    }
}

/// The addresses that each resolver gave for each name, the first few.
final class AnsweredAddresses: Sendable {
    struct Place: Hashable {
        var target: Int
        var question: Int
    }

    private let addresses = Mutex<[Place: [IPAddress]]>([:])

    private static let mostAddresses = 2

    func note(_ found: [[UInt8]], of probe: Probe) {
        let place = Place(target: probe.target, question: probe.question)
        addresses.withLock { addresses in
            var known = addresses[place] ?? []
            for octets in found where known.count < Self.mostAddresses {
                if let address = IPAddress(octets: octets), !known.contains(address) {
                    known.append(address)
                }
            }
            addresses[place] = known
        }
    }

    var entries: [(place: Place, address: IPAddress)] {
        addresses.withLock(\.self)
            .sorted { ($0.key.target, $0.key.question) < ($1.key.target, $1.key.question) }
            .flatMap { place, addresses in addresses.map { (place, $0) } }
    }
}
